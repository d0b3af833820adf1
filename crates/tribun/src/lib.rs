//! Tribun: a war game of towers on a hexagon of 91 tiles, for two.
//!
//! A [`Position`] is a [`Board`], a player to move and what was said about a draw; its moves are [`Action`]s. A
//! [`TribunGame`] keeps the past and lets [`Event`]s happen: actions, draw offers, resignations, flags that fell.
//!
//! ```
//! use sandtable_core::{Notation, Position as _};
//! use sandtable_tribun::{Position, Rules};
//!
//! let mut position = Position::start(Rules::STANDARD);
//! assert_eq!(position.count_legal(), 265);
//! let action = position.parse_move("b3-e5")?;
//! assert_eq!(action.word(), 0x0000_180D);
//! position.play(action)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Two things shape the code. *A unit is its wire byte*, and a board is those bytes with a few sets of tiles beside them, so a
//! position is small and copied freely. And *every pattern is asked backwards*: who reaches this tile? That question lists
//! moves and attacks in the order of their words, and counts them without a list.

mod action;
mod arrange;
mod base64;
mod board;
mod draw;
mod evaluate;
mod event;
mod exchange;
mod game;
mod movegen;
mod notation;
pub mod policy;
mod position;
mod rules;
mod setup;
mod tensor;
mod tile;
mod tile_set;
mod unit;
mod weights;
mod word;
mod zobrist;

pub use action::{Action, Amount, GIFTS, Pair, Part, Ring, SplitHeights};
pub use base64::Base64Error;
pub use board::{Board, BoardError};
pub use event::{End, Event};
pub use game::{Conduct, EventError, TribunGame};
pub use notation::{MoveTextError, PositionTextError, RecordError, RecordFault};
pub use position::{Position, Reason};
pub use rules::Rules;
pub use setup::{Invalid, Setup};
pub use tile::{
    Direction, RADIUS, Tile, TileColour, TileError, TileTextError, are_adjacent, neighbour_cid, on_board,
};
pub use tile_set::{TileSet, Tiles};
pub use unit::{Height, Unit, UnitError, UnitTextError, can_hold};
pub use weights::{Threats, Weights};
pub use word::WordError;

pub use sandtable_core::{Answer, Clock, DrawAct, DrawError, DrawTalk, Expired, TimeControl};
