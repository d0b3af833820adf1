//! Tribun: a war game of towers on a hexagon of 91 tiles, for two.

mod action;
mod base64;
mod board;
mod event;
mod movegen;
mod offer;
mod position;
mod rules;
mod setup;
mod tile;
mod tile_set;
mod unit;
mod word;
mod zobrist;

pub use action::{Action, Amount, Pair, Part, Parts, Ring};
pub use base64::Base64Error;
pub use board::{Board, BoardError};
pub use event::{End, Event};
pub use offer::{Answer, DrawAct, DrawError, DrawTalk};
pub use position::{Position, Reason};
pub use rules::Rules;
pub use setup::{Invalid, Setup};
pub use tile::{
    Direction, RADIUS, Tile, TileColour, TileError, TileTextError, are_adjacent, neighbour_cid, on_board,
};
pub use unit::{Height, Unit, UnitError, UnitTextError, can_hold};
pub use word::WordError;

/// A game of Tribun.
pub type TribunGame = sandtable_core::Game<Position>;
