//! Chess for neural networks: rules, notations and encodings.
//!
//! ```
//! use sandtable_chess::ChessGame;
//!
//! let mut game = ChessGame::default();
//! for text in ["e4", "e7e5", "Nf3"] {
//!     game.play_text(text)?;
//! }
//! assert_eq!(game.position_text(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate has FEN, UCI, SAN and PGN, the canonical (8, 8, 18) tensor and the 4,672-index policy. Moves are generated
//! by `cozy-chess`, which stays behind the types of this crate.
//!
//! | task | type |
//! |---|---|
//! | play, undo, claim draws, read and write game records | [`ChessGame`] |
//! | search, count and encode many positions | [`Chess`] and the traits of [`sandtable_core`] |
//! | build positions that may be invalid | [`Setup`] |

mod arrange;
mod attacks;
mod backend;
mod castling;
mod evaluate;
mod exchange;
mod explain;
mod factors;
mod features;
mod frame;
mod game;
mod levels;
mod movegen;
mod moves;
pub mod notation;
mod piece;
mod policy;
mod position;
mod reason;
mod render;
mod rules;
#[cfg(feature = "serde")]
pub mod serde;
mod setup;
mod square;
mod square_set;
mod symmetry;
mod tensor;
mod weights;
mod zobrist;

pub use arrange::CellError;
pub use castling::{CastlingRights, CastlingSide};
pub use evaluate::ChessView;
pub use explain::Obstacle;
pub use game::{ChessExt, ChessGame};
pub use moves::Move;
pub use piece::{BLACK, Piece, Promotion, Role, WHITE};
pub use position::{Chess, EnPassant};
pub use reason::{Ending, Reason};
pub use rules::{DrawRules, FIFTY_MOVE_CLOCK, FIVEFOLD, SEVENTY_FIVE_MOVE_CLOCK, THREEFOLD};
pub use setup::{Invalid, Setup};
pub use square::{Square, SquareError};
pub use square_set::{SquareSet, SquareSetIter};
pub use tensor::CanonicalBoard;
pub use weights::{Tapered, Weights};

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
