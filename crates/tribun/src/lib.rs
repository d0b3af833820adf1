//! Tribun: a war game of towers on a hexagon of 91 tiles, for two.

mod action;
mod base64;
mod board;
mod clock;
mod draw;
mod event;
mod game;
mod movegen;
mod notation;
mod offer;
pub mod policy;
mod position;
mod rules;
mod setup;
mod tensor;
mod tile;
mod tile_set;
mod unit;
mod word;
mod zobrist;

pub use action::{Action, Amount, GIFTS, Pair, Part, Parts, Ring};
pub use base64::Base64Error;
pub use board::{Board, BoardError};
pub use clock::{Clock, TimeControl};
pub use event::{End, Event};
pub use game::{Conduct, EventError, TribunGame};
pub use notation::{MoveTextError, PositionTextError, RecordError, RecordFault};
pub use offer::{Answer, DrawAct, DrawError, DrawTalk};
pub use position::{Position, Reason};
pub use rules::Rules;
pub use setup::{Invalid, Setup};
pub use tile::{
    Direction, RADIUS, Tile, TileColour, TileError, TileTextError, are_adjacent, neighbour_cid, on_board,
};
pub use unit::{Height, Unit, UnitError, UnitTextError, can_hold};
pub use word::WordError;
