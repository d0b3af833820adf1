#![doc = include_str!("../README.md")]

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
