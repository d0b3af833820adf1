//! Games whose kind is known only at run time.
//!
//! [`AnyGame`] is one object-safe trait, split by concern: [`AnyPlay`] plays, [`AnyText`] reads and writes texts,
//! [`AnyEncode`] encodes for neural networks, [`AnyRender`] shows and [`AnySearch`] searches. The methods of all five can be
//! called on a [`BoxedGame`] without importing the traits.
//!
//! ```
//! let mut game = sandtable_games::find("cotulenh")?.start("standard")?;
//! game.play("Ic5c6")?;
//! assert_eq!(game.moves_played(), ["Ic5c6"]);
//! assert_eq!(game.legal_moves().len() as u64, game.count_legal());
//! # Ok::<(), sandtable_games::Error>(())
//! ```

mod annotations;
mod encode;
mod play;
mod render;
mod search;
mod text;

use std::any::Any;
use std::fmt;

use sandtable_core::learn::Symmetric;
use sandtable_core::search::Evaluate;
use sandtable_core::view::{Arrange, Explain};
use sandtable_core::{ByPlayer, Describe, Game, Notation, Observe, Outcome, PolicyIndexed};

pub use annotations::VariationError;
pub(crate) use annotations::annotations_text;
pub use encode::{AnyEncode, IllegalAction, move_at};
pub use play::{AnyPlay, DeclaredEnd};
pub use render::AnyRender;
pub use search::{AnySearch, OnReport, PerftTooDeep};
pub use text::{AnyText, LegalPage, MoveInfo, PlayedMove, TurnInfo, line_text};

/// A game whose kind is known only at run time. Positions, moves and turns are text; moves are policy indices too.
///
/// Code that knows the kind can downcast to the [`Game`] through [`Any`], generic code can use [`with_typed_game`](crate::with_typed_game).
pub trait AnyGame: AnyPlay + AnyText + AnyEncode + AnyRender + AnySearch + Any + Send + Sync {
    /// A copy with the same history.
    fn clone_box(&self) -> BoxedGame;

    /// Whether both games are of the same kind and equal: the same positions, moves and declared end.
    fn is_same_game(&self, other: &dyn AnyGame) -> bool;
}

/// A game whose kind is known only at run time.
pub type BoxedGame = Box<dyn AnyGame>;

/// Every trait that a position implements so that its game is an [`AnyGame`].
pub trait Playable: Arrange + Notation + Observe + PolicyIndexed + Symmetric + Evaluate + Explain {}

impl<P: Arrange + Notation + Observe + PolicyIndexed + Symmetric + Evaluate + Explain> Playable for P {}

impl<P: Playable> AnyGame for Game<P> {
    fn clone_box(&self) -> BoxedGame {
        Box::new(self.clone())
    }

    fn is_same_game(&self, other: &dyn AnyGame) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>() == Some(self)
    }
}

impl fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.position_text())
    }
}

/// Describes an outcome as a clause: "White wins (checkmate)".
#[must_use]
pub fn describe_outcome(outcome: &Outcome<String>, players: ByPlayer<&'static str>) -> String {
    OutcomeClause::of(outcome, players).to_string()
}

/// The description of an outcome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("outcome")]
enum OutcomeClause {
    #[error("the game is in progress")]
    Ongoing,
    #[error("{winner} wins ({reason})")]
    Win {
        #[param(term)]
        winner: &'static str,
        #[param(term)]
        reason: String,
    },
    #[error("draw ({reason})")]
    Draw {
        #[param(term)]
        reason: String,
    },
}

impl OutcomeClause {
    fn of(outcome: &Outcome<String>, players: ByPlayer<&'static str>) -> Self {
        match outcome {
            Outcome::Ongoing => Self::Ongoing,
            Outcome::Win { winner, reason } => Self::Win { winner: players[*winner], reason: reason.clone() },
            Outcome::Draw { reason } => Self::Draw { reason: reason.clone() },
        }
    }
}

/// The error for a move in a game that is over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("game_over")]
#[error("the game is over: {}", OutcomeClause::of(outcome, *players))]
#[non_exhaustive]
pub struct GameOver {
    /// The outcome.
    #[param(message = OutcomeClause, value = OutcomeClause::of(outcome, *players))]
    pub outcome: Outcome<String>,
    /// The names of the players.
    #[param(skip)]
    pub players: ByPlayer<&'static str>,
}

impl GameOver {
    /// Returns `Ok` if the game with this outcome is not over.
    pub fn check(outcome: Outcome<String>, players: ByPlayer<&'static str>) -> Result<(), Self> {
        if outcome.is_over() { Err(Self { outcome, players }) } else { Ok(()) }
    }
}
