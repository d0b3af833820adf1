//! Games of Tribun, and the events that change them.

use sandtable_core::rules::{DrawError, PlayError};
use sandtable_core::{Describe, Game, Outcome};

use crate::event::{End, Event};
use crate::position::Tribun;
use crate::reason::{Ending, Reason};

/// A game of Tribun.
pub type TribunGame = Game<Tribun>;

/// An event that cannot be applied to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_event")]
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

/// The methods that Tribun adds to [`Game`].
///
/// ```
/// use sandtable_core::Player;
/// use sandtable_tribun::{DrawAction, DrawOffer, Event, TribunExt, TribunGame};
///
/// let mut game = TribunGame::default();
/// game.apply(Event::from_word(0x0000_180D)?)?;
/// game.apply(Event::Draw { actor: Player::First, action: DrawAction::Offer })?;
/// assert_eq!((game.ply(), game.draw_offer()), (1, DrawOffer::Open(Player::First)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait TribunExt {
    /// Applies an event. An event that cannot be applied leaves the game unchanged.
    fn apply(&mut self, event: Event) -> Result<(), EventError>;
}

impl TribunExt for TribunGame {
    fn apply(&mut self, event: Event) -> Result<(), EventError> {
        let outcome = self.outcome();
        match event {
            // The position determines this outcome; the event can only confirm it.
            Event::End(End::NoAction { loser }) => {
                let claimed = Outcome::Win { winner: !loser, reason: Reason::Rule(Ending::NoAction) };
                return if outcome == claimed { Ok(()) } else { Err(EventError::HasAction) };
            }
            _ if outcome.is_over() => return Err(PlayError::Over(outcome).into()),
            Event::Board(action) => self.play(action)?,
            Event::Draw { actor, action } => self.draw_action(actor, action)?,
            Event::End(End::Resign { loser }) => self.resign(loser),
            Event::End(End::PlayerTime { loser }) => self.flag_fall(loser),
            Event::End(End::GameTime) => self.declare(Outcome::Draw { reason: Reason::GameTime }),
        }
        Ok(())
    }
}
