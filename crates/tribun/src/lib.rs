//! Tribun: a war game for two players on a hexagonal board of 91 tiles.
//!
//! A [`Tribun`] is a [`Board`] and the side to move; its moves are [`Action`]s. A [`TribunGame`] adds the history and
//! the draw offer. [`TribunExt::apply`] applies any [`Event`]: a board action, a draw action, a resignation, a time-out.
//!
//! ```
//! use sandtable_core::{Notation, Position};
//! use sandtable_tribun::{Tribun, Rules};
//!
//! let mut position = Tribun::start(Rules::STANDARD);
//! assert_eq!(position.count_legal(), 265);
//! let action = position.parse_move("b3-e5")?;
//! assert_eq!(action.word(), 0x0000_180D);
//! position.play(action)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Two decisions shape the code. *A unit is its wire byte*, and a board is an array of these bytes with a few tile sets, so
//! that a position is small and cheap to copy. *Patterns are applied backwards*: the generator finds the units that
//! reach a tile. This yields moves and attacks in the order of their action words, and counts them without a list.

mod action;
mod arrange;
mod base64;
mod board;
mod drawing;
mod evaluate;
mod event;
mod exchange;
mod explain;
mod factors;
mod features;
mod frame;
mod game;
mod levels;
mod movegen;
mod notation;
pub mod policy;
mod position;
mod reason;
mod render;
mod rules;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod symmetry;
mod tensor;
mod themes;
mod tile;
mod tile_set;
mod unit;
mod weights;
mod word;
mod zobrist;

pub use self::base64::Base64Error;
pub use action::{Action, Amount, GIFTS, Pair, Part, SplitHeights, SymCombine};
pub use arrange::CellError;
pub use board::{Board, BoardError};
pub use evaluate::TribunView;
pub use event::{End, Event};
pub use explain::Obstacle;
pub use game::{EventError, TribunExt, TribunGame};
pub use notation::{MoveError, PositionError, PositionField, RecordError, RecordFault};
pub use position::Tribun;
pub use reason::{Ending, Reason};
pub use rules::Rules;
pub use setup::{Invalid, Setup};
pub use tile::{
    Direction, RADIUS, Tile, TileColor, TileError, TileTextError, are_adjacent, neighbor_cid, on_board,
};
pub use tile_set::{TileSet, TileSetIter};
pub use unit::{Height, Unit, UnitError, UnitTextError, can_hold};
pub use weights::{Threats, Weights};
pub use word::{WordError, WordValues};

pub use sandtable_core::rules::{Clock, DrawAction, DrawError, DrawOffer, DrawUpdate, Expired, TimeControl};

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
