//! Everything that can happen in a game: actions on the board, draw offers, ends.

use sandtable_core::{DrawAct, Expired, Player};

use crate::action::Action;

/// An end that no action on the board brings about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// A player gives up.
    Resign {
        /// Who.
        loser: Player,
    },
    /// A player is to move and has no action.
    NoAction {
        /// Who.
        loser: Player,
    },
    /// A player's clock has run out.
    PlayerTime {
        /// Whose.
        loser: Player,
    },
    /// The time for the whole game has run out: a tie.
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

/// What an action word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// An action on the board, by the player to move.
    Board(Action),
    /// Something said about a draw.
    Draw {
        /// Who says it.
        actor: Player,
        /// What.
        act: DrawAct,
    },
    /// The game ends.
    End(End),
}
