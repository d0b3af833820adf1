//! A game of Tribun as its events tell it.

use sandtable_core::{DrawError, Game, Outcome, PlayError};

use crate::event::{End, Event};
use crate::position::{Position, Reason};

/// A game of Tribun.
pub type TribunGame = Game<Position>;

/// An event that cannot be applied to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// An illegal action, or any event after the end of the game.
    #[error(transparent)]
    Play(#[from] PlayError<Reason>),
    /// An invalid draw action.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// A claim that a player has no legal action, while the player has one or is not to move.
    #[error("the claimed loser has a legal action or is not to move")]
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
