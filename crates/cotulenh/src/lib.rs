//! Cờ Tư Lệnh (Commander Chess) for Sandtable.
//!
//! [`Position`] is a position with all its rules; [`Board`], [`Stack`], [`Kind`] and [`Square`] are what it is made of.
//!
//! ```
//! use sandtable_core::{Notation, Position as _};
//! use sandtable_cotulenh::{Position, Rules};
//!
//! let mut position = Position::start(Rules::STANDARD);
//! assert_eq!(position.count_legal(), 116);
//! let step = position.parse_move("Ic5c6")?;
//! position.play(step)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod air;
mod arrange;
mod board;
mod deployment;
mod draw;
mod evaluate;
mod exchange;
mod heroism;
mod kind;
mod lines;
mod movegen;
mod notation;
mod policy;
mod position;
mod reach;
mod rules;
mod setup;
mod square;
mod square_set;
mod stack;
mod step;
mod tensor;
mod terrain;
mod weights;

pub use board::Board;
pub use deployment::Deployment;
pub use kind::{Kind, KindSet};
pub use notation::{FenError, FenReason, LanError, RecordError, RecordReason, TurnError};
pub use position::{Position, Reason};
pub use rules::{Heroism, River, Rules};
pub use setup::{Invalid, Setup, SetupDeployment};
pub use square::{Direction, Square, SquareError};
pub(crate) use square_set::SquareSet;
pub use stack::{Piece, Stack, StackError};
pub use step::{Action, Step};
pub use terrain::{Terrain, Zone};
pub use weights::Weights;

/// A game of Cờ Tư Lệnh, with its history.
pub type CoTuLenhGame = sandtable_core::Game<Position>;

/// What a player is called.
pub(crate) fn colour_name(player: sandtable_core::Player) -> &'static str {
    <Position as sandtable_core::Position>::PLAYERS[player]
}
