//! Three boards, one core: exact and fast rules, notations and encodings of war games.
//!
//! Write against one game with its crate ([`chess`], [`cotulenh`], [`tribun`]), or against all of them with [`GAMES`] and [`AnyGame`], where
//! moves and positions are text. What the games have in common is in [`core`].
//!
//! ```
//! let mut game = sandtable::find("chess")?.start("standard")?;
//! game.play("e4")?;
//! assert_eq!(game.moves().len(), 20);
//! assert_eq!(game.shape().extents(sandtable::core::Layout::Hwc), [8, 8, 18]);
//! # Ok::<(), sandtable::Error>(())
//! ```

mod any_game;
mod batch;
mod level;
pub mod npy;
mod registry;
pub mod render;

pub use any_game::{AnyGame, BoxedGame, MoveInfo, OnReport, Playable, Played, TurnInfo, in_words};
pub use batch::Batch;
pub use level::{Level, LevelError, Strength};
pub use registry::{Baseline, Composed, Decoded, GAMES, GameKind, Loaded, Unknown, find};
pub use sandtable_chess as chess;
pub use sandtable_core as core;
pub use sandtable_cotulenh as cotulenh;
pub use sandtable_search as search;
pub use sandtable_tribun as tribun;

/// Any error of any game: its text says what is wrong, where and why.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
