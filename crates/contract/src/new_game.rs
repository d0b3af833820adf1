//! The request for a new game.

use sandtable::core::record::Tags;
use serde::{Deserialize, Serialize};

use crate::clock::ClockSettings;
use crate::error::ApiError;
use crate::json::Both;
use crate::position_request::PositionRequest;
use crate::request_error::RequestError;
use crate::seat::{Access, Seat, check_name};

/// The most tags of a new game.
const MAX_TAGS: usize = 64;
/// The longest tags of a new game, names and values together, in bytes.
const MAX_TAGS_LENGTH: usize = 8_000;

/// The settings of a new game. Games of earlier versions lack the fields with a default.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameSettings {
    pub(crate) position: PositionRequest,
    pub(crate) seats: Both<Seat>,
    pub(crate) clock: Option<ClockSettings>,
    pub(crate) tags: Tags,
    #[serde(default)]
    pub(crate) public: bool,
    #[serde(default)]
    pub(crate) lobby: bool,
    #[serde(default)]
    pub(crate) chat: bool,
}

impl GameSettings {
    /// Whether everyone can find the game in the list of games to watch.
    #[must_use]
    pub const fn is_public(&self) -> bool {
        self.public
    }

    /// Whether an engine plays.
    #[must_use]
    pub fn has_engine(&self) -> bool {
        [&self.seats.first, &self.seats.second].into_iter().any(|seat| matches!(seat, Seat::Engine { .. }))
    }

    /// The seats of the new game.
    #[must_use]
    pub const fn seats(&self) -> &Both<Seat> {
        &self.seats
    }

    /// Whether the players can send each other messages.
    #[must_use]
    pub const fn has_chat(&self) -> bool {
        self.chat
    }
}

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
    /// Whether everyone can find the game in the list of games to watch.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    public: bool,
    /// Whether the lobby offers the open seat to everyone.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    lobby: bool,
    /// Whether the players can send each other messages.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    chat: bool,
}

impl NewGame {
    /// The settings of the game on a host with this access, if the names and tags are not too long.
    /// [`Session::new`](crate::Session::new) checks the rest.
    pub fn settings(self, access: Access) -> Result<GameSettings, ApiError> {
        let Self { kind, rules, position, moves, seats, clock, tags, public, lobby, chat } = self;
        let seat_of = [&seats.first, &seats.second];
        for seat in seat_of {
            if let Seat::Human { name: Some(name) } = seat {
                check_name(name)?;
            }
        }
        let has_open_seat = seat_of.contains(&&Seat::Open);
        if access == Access::Open && (has_open_seat || public || lobby || chat) {
            return Err(ApiError::bad_request(&RequestError::NeedsSeats));
        }
        if lobby && !has_open_seat {
            return Err(ApiError::bad_request(&RequestError::NothingToOffer));
        }
        if tags.len() > MAX_TAGS {
            let error = RequestError::TooManyTags { count: tags.len(), limit: MAX_TAGS };
            return Err(ApiError::bad_request(&error));
        }
        let length = tags.iter().map(|(name, value)| name.len() + value.len()).sum();
        if length > MAX_TAGS_LENGTH {
            let error = RequestError::TagsTooLong { length, limit: MAX_TAGS_LENGTH };
            return Err(ApiError::bad_request(&error));
        }
        let position = PositionRequest { kind, rules, position, moves, legal_moves: true, legal_offset: 0 };
        Ok(GameSettings { position, seats, clock, tags, public, lobby, chat })
    }
}
