//! A game as it is stored, for games that this version of the server cannot replay.

use serde::Serialize;
use serde_json::Value;

use crate::store::StoredGame;

/// The export of a stored game.
#[derive(Serialize)]
pub(crate) struct RawGame {
    id: String,
    version: u64,
    created: u64,
    updated: u64,
    settings: Value,
    log: Vec<Value>,
}

impl RawGame {
    pub(crate) fn new(id: &str, stored: StoredGame) -> Self {
        let StoredGame { version, settings, log, created, updated, .. } = stored;
        let log = log.into_iter().map(parse).collect();
        Self { id: id.to_owned(), version, created, updated, settings: parse(settings), log }
    }
}

/// What is stored as JSON. Damaged JSON is exported as text.
fn parse(stored: String) -> Value {
    serde_json::from_str(&stored).unwrap_or(Value::String(stored))
}
