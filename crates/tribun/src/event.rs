//! Events of a game: board actions, draw actions, ends.

use sandtable_core::Player;
use sandtable_core::rules::{DrawAction, Expired};

use crate::action::Action;

/// An end of the game that no board action causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// A player resigns.
    Resign {
        /// The player.
        loser: Player,
    },
    /// The player to move has no legal action.
    NoAction {
        /// The player.
        loser: Player,
    },
    /// A player's time has run out.
    PlayerTime {
        /// The player.
        loser: Player,
    },
    /// The time for the whole game has run out: a draw.
    GameTime,
}

impl From<Expired> for End {
    fn from(expired: Expired) -> Self {
        match expired {
            Expired::Player(loser) => Self::PlayerTime { loser },
            Expired::Game => Self::GameTime,
        }
    }
}

/// An event of a game: the content of an action word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A board action of the player to move.
    Board(Action),
    /// A draw action.
    Draw {
        /// The player.
        actor: Player,
        /// The draw action.
        action: DrawAction,
    },
    /// The end of the game.
    End(End),
}
