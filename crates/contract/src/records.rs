//! Records of games, read and written.

use sandtable::core::record::{Tags, count_words};
use sandtable::engine::review::read_review;
use sandtable::games::LoadedRecord;
use serde::{Deserialize, Serialize};

use crate::annotations::AnnotationsJson;
use crate::error::{ApiError, ErrorCode};
use crate::position_request::{MAX_MOVES, PositionRequest, find_kind, rules_or_default, too_many_moves};
use crate::request_error::RequestError;
use crate::review::ReviewView;
use crate::view::{Listed, View, played_since};

/// The longest record, in bytes: enough for [`MAX_MOVES`] moves with comments, and short enough to parse quickly even if it
/// has moves only.
const MAX_RECORD_LENGTH: usize = 100_000;

/// The request to read a record.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadRecordRequest {
    kind: String,
    #[cfg_attr(test, ts(optional))]
    rules: Option<String>,
    record: String,
}

/// The game of a record.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ParsedRecord {
    tags: Tags,
    annotations: AnnotationsJson,
    /// The review that the annotations contain, if they do.
    review: Option<ReviewView>,
    view: View,
}

pub(crate) fn read_record(request: &ReadRecordRequest) -> Result<ParsedRecord, ApiError> {
    let ReadRecordRequest { kind, rules, record } = request;
    let kind = find_kind(kind)?;
    let invalid = |error: RequestError| ApiError::new(ErrorCode::InvalidRecord, &error);
    if record.len() > MAX_RECORD_LENGTH {
        return Err(invalid(RequestError::RecordTooLong { length: record.len(), limit: MAX_RECORD_LENGTH }));
    }
    // Before the moves are replayed, which takes much longer.
    let turns = count_words(record);
    if turns > MAX_MOVES {
        return Err(invalid(too_many_moves(turns)));
    }
    let loaded = kind.load_record(record, rules_or_default(kind, rules.as_deref()));
    let LoadedRecord { game, tags, annotations, .. } = loaded.map_err(|e| invalid(e.into()))?;
    if game.ply() > MAX_MOVES {
        return Err(invalid(too_many_moves(game.ply())));
    }
    let view = View::of(&*game, played_since(&*game, 0).collect(), Listed::From(0));
    let review = ReviewView::read(&*game, &annotations);
    Ok(ParsedRecord { tags, annotations: AnnotationsJson::of(&annotations), review, view })
}

/// The request to write a record.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct WriteRecordRequest {
    kind: String,
    #[cfg_attr(test, ts(optional))]
    rules: Option<String>,
    #[cfg_attr(test, ts(optional))]
    position: Option<String>,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    moves: Vec<String>,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Tags>", optional))]
    tags: Tags,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<AnnotationsJson>", optional))]
    annotations: AnnotationsJson,
    /// The annotations of a review, which is added to the others in place of an earlier one.
    #[cfg_attr(test, ts(optional))]
    review: Option<AnnotationsJson>,
}

/// A record and the file extension for it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "GameRecord"))]
pub struct Record {
    pub(crate) record: String,
    pub(crate) extension: &'static str,
}

pub(crate) fn write_record(request: WriteRecordRequest) -> Result<Record, ApiError> {
    let WriteRecordRequest { kind, rules, position, moves, tags, annotations, review } = request;
    let extension = find_kind(&kind)?.record_extension;
    let request = PositionRequest { kind, rules, position, moves, legal_moves: false, legal_offset: 0 };
    let game = request.game()?;
    let invalid = |error: RequestError| ApiError::new(ErrorCode::InvalidRecord, &error);
    let mut annotations = annotations.read();
    if let Some(review) = review {
        let review = read_review(&*game, &review.read()).ok_or_else(|| invalid(RequestError::NoReview))?;
        review.annotate(&mut annotations);
    }
    let record = game.annotated_record(&tags, &annotations).map_err(|e| invalid(e.into()))?;
    Ok(Record { record, extension })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn annotations_survive_reading_and_writing() {
        let record = "1. e4 $1 {best} (1. d4 d5 (1... Nf6 {too})) 1... e5 *\n";
        let request = ReadRecordRequest { kind: "chess".to_owned(), rules: None, record: record.to_owned() };
        let parsed = serde_json::to_value(read_record(&request).expect("a record")).unwrap();
        let request =
            json!({ "kind": "chess", "moves": ["e2e4", "e7e5"], "annotations": parsed["annotations"] });
        let written = write_record(serde_json::from_value(request).unwrap()).unwrap();
        assert!(written.record.ends_with(record), "{}", written.record);
    }

    #[test]
    fn annotations_that_do_not_fit_the_moves_are_rejected() {
        for (annotations, error) in [
            (
                json!({ "variations": [{ "ply": 1, "moves": ["e7e5"] }] }),
                "a variation after 1 moves replaces nothing: expected fewer than 1, the moves of its line",
            ),
            (
                json!({ "variations": [{ "ply": 0, "moves": ["e2e5"] }] }),
                "illegal move `e2e5`: a pawn cannot move from e2 to e5 here",
            ),
        ] {
            let request = json!({ "kind": "chess", "moves": ["e2e4"], "annotations": annotations });
            let written = write_record(serde_json::from_value(request).unwrap());
            assert_eq!(written.unwrap_err().message(), error);
        }
        let mut nested = json!({});
        for _ in 0..33 {
            nested = json!({ "variations": [{ "ply": 0, "moves": ["d2d4"], "annotations": nested }] });
        }
        let request = json!({ "kind": "chess", "moves": ["e2e4"], "annotations": nested });
        let written = write_record(serde_json::from_value(request).unwrap());
        assert!(written.unwrap_err().message().contains("nested too deeply"));
    }

    #[test]
    fn too_many_moves_are_rejected_before_they_are_replayed() {
        for kind in ["chess", "cotulenh", "tribun"] {
            // The first move is not legal, but nobody looks at it.
            for record in ["zz9 ".repeat(MAX_MOVES + 1), format!("zz9 ({})", "zz9 ".repeat(MAX_MOVES))] {
                let request = ReadRecordRequest { kind: kind.to_owned(), rules: None, record };
                let error = read_record(&request).err().expect("too many moves");
                assert_eq!(error.message(), too_many_moves(MAX_MOVES + 1).to_string(), "{kind}");
            }
        }
    }
}
