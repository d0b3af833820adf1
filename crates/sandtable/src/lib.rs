//! Three boards, one core: exact and fast rules, notations and encodings of war games.
//!
//! The crate has two interfaces. If the game is known at compile time, use the typed games: one type, [`core::Game`],
//! for all three.
//!
//! ```
//! use sandtable::prelude::*;
//!
//! let mut game = ChessGame::default();
//! game.play_text("e4")?;
//! assert_eq!(game.legal_moves().len(), 20);
//! assert_eq!(game.canonical_board()[7][4][5], 1.0); // Black to move: own king at the bottom
//!
//! let mut game = CoTuLenhGame::default();
//! game.play_turn("Ic6")?;
//! println!("{}", game.record(&Tags::new()));
//! # Ok::<(), sandtable::Error>(())
//! ```
//!
//! If it is known only at run time, use [`find`] and [`AnyGame`], where positions and moves are text:
//!
//! ```
//! let mut game = sandtable::find("chess")?.start("standard")?;
//! game.play("e4")?;
//! assert_eq!(game.legal_moves().len(), 20);
//! assert_eq!(game.shape().extents(sandtable::core::learn::Layout::Hwc), [8, 8, 18]);
//! # Ok::<(), sandtable::Error>(())
//! ```
//!
//! [`engine`] has levels, reviews and puzzles; [`training`] has vector environments, search trees and the making of networks.
//!
//! # Features
//!
//! `chess`, `cotulenh` and `tribun` each include one game; `training` includes the module of this name; `nets` embeds the
//! evaluation networks of the games, without which engines use the hand-made evaluations until a network is installed. All
//! five are on by default. `serde` adds `Serialize` and `Deserialize` for positions, moves and outcomes.

pub mod prelude;

#[cfg(feature = "chess")]
pub use sandtable_chess as chess;
pub use sandtable_core as core;
#[cfg(feature = "cotulenh")]
pub use sandtable_cotulenh as cotulenh;
pub use sandtable_engine as engine;
pub use sandtable_games as games;
pub use sandtable_games::{AnyGame, BoxedGame, Error, GAMES, GameKind, UnknownName, find, render};
pub use sandtable_nnue as nnue;
pub use sandtable_search as search;
#[cfg(feature = "training")]
pub use sandtable_training as training;
#[cfg(feature = "tribun")]
pub use sandtable_tribun as tribun;

/// The examples of the README, compiled and run.
#[cfg(all(doctest, feature = "chess"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The examples of the crate's own README.
#[cfg(all(doctest, feature = "chess"))]
#[doc = include_str!("../README.md")]
struct CrateReadme;
