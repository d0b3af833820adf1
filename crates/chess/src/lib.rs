//! Chess, as a neural network sees it.
//!
//! Rules, notations (FEN, UCI, SAN, PGN), the canonical (8, 8, 18) tensor and the 4,672-index policy. Move generation
//! is `cozy-chess`, hidden behind the types of this crate.
//!
//! | to | use |
//! |---|---|
//! | play, undo, claim, read and write games | [`ChessGame`] |
//! | search, count, encode many positions | [`Position`] and the traits of [`sandtable_core`] |
//! | read or build positions that may be wrong | [`Setup`] |

mod arrange;
mod backend;
mod draw;
mod evaluate;
mod exchange;
mod game;
mod moves;
pub mod notation;
mod piece;
mod policy;
mod position;
mod rules;
mod setup;
mod square;
mod tensor;
mod weights;

pub use backend::generator_perft;
pub use game::{ChessGame, PlayTextError};
pub use moves::Move;
pub use piece::{BLACK, Piece, Promotion, Role, WHITE};
pub use position::{EnPassant, Position};
pub use rules::{DrawRules, Reason};
pub use setup::{Castling, Invalid, Setup, Wing};
pub use square::{Square, SquareError};
pub use tensor::CanonicalBoard;
pub use weights::{Tapered, Weights};
