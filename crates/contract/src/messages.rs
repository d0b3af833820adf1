//! The small answers and messages of a host with seats.

use serde::Serialize;

use crate::game_view::Presence;
use crate::json::Side;
use crate::seat::Access;

/// What the host knows about a requester.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Me {
    /// Who may do what on this host.
    pub access: Access,
    /// Whether the requester has a guest token.
    pub guest: bool,
    /// The networks that analyze on this host.
    pub networks: Vec<OfferedNetwork>,
}

/// A network of a host.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OfferedNetwork {
    /// The kind of game.
    pub kind: String,
    /// The rules.
    pub rules: String,
}

/// A link that gives a seat to the first who opens it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Link {
    /// The single-use token.
    pub token: String,
    /// The address of the page that takes the seat: absolute if the host knows its public address.
    pub url: String,
}

/// A message of a player to the other one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChatMessage {
    /// The number of the message in the game, from 1.
    pub number: u64,
    /// When it was sent, in milliseconds since 1970.
    pub at: u64,
    /// The player who sent it.
    pub player: Side,
    /// The text.
    pub text: String,
}

/// A message to those who follow a game, other than `game` and `change`, which have the game itself.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "GameNotice"))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum GameMessage {
    /// The client has seen the current version.
    Current {
        /// The version.
        version: u64,
    },
    /// The game was deleted.
    Deleted {
        /// Why.
        reason: DeletedReason,
    },
    /// A player sent a message to the other one.
    Chat {
        /// The message.
        message: ChatMessage,
    },
    /// A player came or left.
    Presence(Presence),
}

/// Why a game was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum DeletedReason {
    /// A player aborted it.
    Aborted,
    /// Its only player deleted it.
    Deleted,
}
