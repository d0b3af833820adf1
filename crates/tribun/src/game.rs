//! A game of Tribun as its events tell it.

use sandtable_core::{DrawError, Game, Outcome, PlayError};

use crate::event::{End, Event};
use crate::position::{Position, Reason};

/// A game of Tribun.
pub type TribunGame = Game<Position>;

/// Why something cannot happen in a game now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// The action is not legal, or the game is over.
    #[error(transparent)]
    Play(#[from] PlayError<Reason>),
    /// It cannot be said about a draw.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// A player who is said to have no action has one, or is not to move.
    #[error("the player is not to move without an action")]
    HasAction,
}

/// What [`TribunGame`] can do beyond playing moves.
pub trait Conduct {
    /// Lets an event happen. What cannot happen leaves the game as it was.
    fn happen(&mut self, event: Event) -> Result<(), EventError>;
}

impl Conduct for TribunGame {
    fn happen(&mut self, event: Event) -> Result<(), EventError> {
        let outcome = self.outcome();
        match event {
            // The board says so by itself; the event can only confirm it.
            Event::End(End::NoAction { loser }) => {
                let said = Outcome::Win { winner: !loser, reason: Reason::NoAction };
                return if outcome == said { Ok(()) } else { Err(EventError::HasAction) };
            }
            _ if outcome.is_over() => return Err(PlayError::Over(outcome).into()),
            Event::Board(action) => self.play(action)?,
            Event::Draw { actor, act } => self.discuss(actor, act)?,
            Event::End(End::Resign { loser }) => self.resign(loser),
            Event::End(End::PlayerTime { loser }) => self.flag(loser),
            Event::End(End::GameTime) => self.declare(Outcome::Draw { reason: Reason::GameTime }),
        }
        Ok(())
    }
}
