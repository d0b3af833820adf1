//! The request for a new game.

use sandtable::core::Tags;
use serde::Deserialize;

use crate::clock::ClockSettings;
use crate::error::ApiError;
use crate::json::Both;
use crate::position_request::PositionRequest;
use crate::request_error::RequestError;
use crate::session::{GameSettings, Seat};

/// The longest name of a player, in characters.
const MAX_NAME_LENGTH: usize = 80;
/// The most tags of a new game.
const MAX_TAGS: usize = 64;

/// The request for a new game.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    kind: String,
    #[cfg_attr(test, ts(optional))]
    rules: Option<String>,
    #[cfg_attr(test, ts(optional))]
    position: Option<String>,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    moves: Vec<String>,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Both<Seat>>", optional))]
    seats: Both<Seat>,
    #[cfg_attr(test, ts(optional = nullable))]
    clock: Option<ClockSettings>,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Tags>", optional))]
    tags: Tags,
}

impl NewGame {
    /// The settings of the game, if the names and tags are not too long. [`Session::new`](crate::Session::new) checks the
    /// rest.
    pub fn settings(self) -> Result<GameSettings, ApiError> {
        let Self { kind, rules, position, moves, seats, clock, tags } = self;
        for seat in [&seats.first, &seats.second] {
            let Seat::Human { name: Some(name) } = seat else { continue };
            let length = name.chars().count();
            if length > MAX_NAME_LENGTH {
                let error = RequestError::NameTooLong { length, limit: MAX_NAME_LENGTH };
                return Err(ApiError::bad_request(&error));
            }
        }
        if tags.len() > MAX_TAGS {
            let error = RequestError::TooManyTags { count: tags.len(), limit: MAX_TAGS };
            return Err(ApiError::bad_request(&error));
        }
        let position = PositionRequest { kind, rules, position, moves, legal_moves: true, legal_offset: 0 };
        Ok(GameSettings { position, seats, clock, tags })
    }
}
