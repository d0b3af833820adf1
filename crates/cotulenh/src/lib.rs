//! Cờ Tư Lệnh (Commander Chess) for Sandtable.
//!
//! [`CoTuLenhGame`] plays games, [`CoTuLenh`] is a single position with all rules; [`Board`], [`Stack`], [`Kind`] and
//! [`Square`] are its parts, [`Setup`] is its unchecked form.
//!
//! ```
//! use sandtable_core::{Notation, Position};
//! use sandtable_cotulenh::CoTuLenhGame;
//!
//! let mut game = CoTuLenhGame::default();
//! assert_eq!(game.legal_moves().len(), 116);
//! game.play_text("F&c4")?;
//! game.play_text("Ic7")?;
//! // A turn may deploy several pieces of one stack: here the Air Force leaves, and the Navy stays.
//! game.play_turn("c4:N:F>e6")?;
//! assert!(game.record(&vec![]).contains("1. F&c4 Ic7 2. c4:N:F>e6 *"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod air;
mod arrange;
mod board;
mod deployment;
mod evaluate;
mod exchange;
mod explain;
mod factors;
mod features;
mod frame;
mod game;
mod heroism;
mod kind;
mod levels;
mod lines;
mod movegen;
mod notation;
mod policy;
mod position;
mod reach;
mod reason;
mod render;
mod rules;
mod scenery;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod square;
mod square_set;
mod stack;
mod step;
mod symmetry;
mod tensor;
mod terrain;
mod themes;
mod weights;
mod zobrist;

pub use arrange::CellError;
pub use board::Board;
pub use deployment::Deployment;
pub use evaluate::CoTuLenhView;
pub use explain::Obstacle;
pub use game::CoTuLenhGame;
pub use kind::{Kind, KindSet, KindSetIter};
pub use notation::{
    FenField, FenReason, FigureError, IllegalReason, MoveError, PositionError, RecordError, RecordFault,
};
pub use position::CoTuLenh;
pub use reason::{Ending, Reason};
pub use rules::{Heroism, River, Rules};
pub use setup::{Invalid, Setup, SetupDeployment};
pub use square::{Direction, Square, SquareError};
pub use square_set::{SquareSet, SquareSetIter};
pub use stack::{Piece, Stack, StackError};
pub use step::{Step, StepKind};
pub use terrain::{Terrain, Zone};
pub use weights::Weights;

/// The name of a player: Red or Blue.
pub(crate) fn player_name(player: sandtable_core::Player) -> &'static str {
    use sandtable_core::Position;
    CoTuLenh::PLAYERS[player]
}

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
