//! The seats of a game: who plays which side, and who may take a seat.

use serde::{Deserialize, Serialize};

use crate::error::ApiError;
use crate::request_error::RequestError;

/// The longest name of a player, in characters.
const MAX_NAME_LENGTH: usize = 80;

/// Who may do what on a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Everyone may do everything: one person, or the people of one room.
    #[default]
    Open,
    /// Guests hold seats, and only the holder of a seat acts for its side.
    Seats,
}

/// A seat: the human or engine that plays one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Seat {
    /// A person at the screen.
    Human {
        /// The name, for the record.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        name: Option<String>,
    },
    /// An engine.
    Engine {
        /// The level, 0 to 9.
        level: u8,
    },
    /// Nobody yet: a guest may take the seat.
    Open,
}

impl Default for Seat {
    fn default() -> Self {
        Self::Human { name: None }
    }
}

/// Rejects names that are too long.
pub(crate) fn check_name(name: &str) -> Result<(), ApiError> {
    match name.chars().count() {
        0..=MAX_NAME_LENGTH => Ok(()),
        length => {
            let error = RequestError::NameTooLong { length, limit: MAX_NAME_LENGTH };
            Err(ApiError::bad_request(&error))
        }
    }
}
