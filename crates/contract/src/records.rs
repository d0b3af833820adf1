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
    let loaded = kind.load_record(record, rules_or_default(kind, rules.as_deref()));
    let (game, tags) = loaded.map_err(|e| invalid(e.into()))?;
    if game.ply() > MAX_MOVES {
        return Err(invalid(too_many_moves(game.ply())));
    }
    Ok(ParsedRecord { tags, view: View::of(&*game, played_since(&*game, 0).collect(), Listed::From(0)) })
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
