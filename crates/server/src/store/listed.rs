//! A game in the list: its summary, or what is known of a damaged one.

use sandtable_contract::{Both, DamagedGame, Seat, Side, to_json};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::ListedGame;

/// What every summary has. Clients rely on it.
#[derive(Deserialize)]
#[expect(dead_code, reason = "only the types matter")]
struct Summary {
    id: String,
    version: u64,
    kind: String,
    rules: String,
    created: u64,
    updated: u64,
    seats: Both<Seat>,
    turn: Side,
    plies: u64,
    position: String,
    outcome: Map<String, Value>,
}

impl ListedGame {
    /// The JSON of the game in the list. A summary that was garbled on disk must not make the whole list invalid.
    /// `you` are the sides that the requester plays, where guests hold seats.
    pub(crate) fn into_json(self, you: Option<&Vec<Side>>) -> String {
        match serde_json::from_str::<Summary>(&self.summary) {
            Ok(summary) if summary.id == self.id => {
                match (you, self.summary.trim_start().strip_prefix('{')) {
                    (Some(you), Some(fields)) => format!(r#"{{"you":{},{fields}"#, to_json(you)),
                    _ => self.summary,
                }
            }
            _ => to_json(&DamagedGame::new(&self.id, self.created, self.updated)),
        }
    }
}
