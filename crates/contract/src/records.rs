//! Records of games, read and written.

use sandtable::core::Tags;
use serde::{Deserialize, Serialize};

use crate::error::{ApiError, ErrorCode};
use crate::position_request::{MAX_MOVES, PositionRequest, find_kind, rules_or_default, too_many_moves};
use crate::request_error::RequestError;
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
    let turns = count_turns(record);
    if turns > MAX_MOVES {
        return Err(invalid(too_many_moves(turns)));
    }
    let loaded = kind.load_record(record, rules_or_default(kind, rules.as_deref()));
    let (game, tags) = loaded.map_err(|e| invalid(e.into()))?;
    if game.ply() > MAX_MOVES {
        return Err(invalid(too_many_moves(game.ply())));
    }
    Ok(ParsedRecord { tags, view: View::of(&*game, played_since(&*game, 0).collect(), Listed::From(0)) })
}

/// The number of turns in the first game of a record, without reading them. A turn has at least one move.
fn count_turns(record: &str) -> usize {
    let mut turns = 0;
    let (mut is_comment, mut variations) = (false, 0_usize);
    let lines = record.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_tag = |line: &&str| line.starts_with('[');
    // A tag after the moves begins the next game.
    for line in lines.skip_while(is_tag).take_while(|line| !is_tag(line)) {
        for word in line.split_whitespace() {
            if is_comment || word.starts_with('{') {
                is_comment = !word.ends_with('}');
                continue;
            }
            let (opens, closes) = (word.matches('(').count(), word.matches(')').count());
            let outside = variations == 0 && opens == closes;
            variations = (variations + opens).saturating_sub(closes);
            match word {
                _ if word.starts_with(';') => break,
                "*" | "1-0" | "0-1" | "1/2-1/2" if outside => return turns,
                _ if outside && word.contains(|c: char| c.is_ascii_alphabetic()) => turns += 1,
                _ => {}
            }
        }
    }
    turns
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
}

/// A record and the file extension for it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "GameRecord"))]
pub struct Record {
    pub(crate) record: String,
    pub(crate) extension: &'static str,
}

pub(crate) fn write_record(request: WriteRecordRequest) -> Result<Record, ApiError> {
    let WriteRecordRequest { kind, rules, position, moves, tags } = request;
    let extension = find_kind(&kind)?.record_extension;
    let request = PositionRequest { kind, rules, position, moves, legal_moves: false, legal_offset: 0 };
    Ok(Record { record: request.game()?.record(&tags), extension })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_counted_without_comments_and_variations() {
        let pgn = "[Event \"a b\"]\n\n1. e4 {best by (test)\nand more} e5 (1... c5 2. Nf3 (2. c3) d6) 2. Nf3 $1\n\
                   ; a comment\n2... Nc6 3.Bb5 *\n\n[Event \"next\"]\n\n1. d4 *";
        assert_eq!(count_turns(pgn), 5);
        assert_eq!(count_turns("[Position \"x\"]\n\n1. f6-g7 g8xg7 {offer:b} 2. (NFT)c3:T:N>c5,F>xe5"), 3);
        assert_eq!(count_turns(""), 0);
    }

    #[test]
    fn too_many_moves_are_rejected_before_they_are_replayed() {
        for kind in ["chess", "cotulenh", "tribun"] {
            // The first move is not legal, but nobody looks at it.
            let record = "zz9 ".repeat(MAX_MOVES + 1);
            let request = ReadRecordRequest { kind: kind.to_owned(), rules: None, record };
            let error = read_record(&request).err().expect("too many moves");
            assert_eq!(error.message(), too_many_moves(MAX_MOVES + 1).to_string(), "{kind}");
        }
    }
}
