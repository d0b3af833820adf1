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
//! # Features
//!
//! `chess`, `cotulenh` and `tribun` each include one game; `training` includes vector environments, search trees with a
//! network, one or many at a time, batches of positions, decoding of observations, factored policies, making networks and mining puzzles; `nets` embeds the evaluation networks of the games, without
//! which engines use the hand-made evaluations until a network is installed. All five are on by default. `serde` adds
//! `Serialize` and `Deserialize` for positions, moves and outcomes.

pub mod any_game;
#[cfg(feature = "training")]
mod batch;
#[cfg(feature = "training")]
mod decode;
mod error;
mod evaluation;
mod level;
#[cfg(feature = "training")]
mod net;
pub mod npy;
#[cfg(feature = "training")]
mod policy_head;
#[cfg(feature = "training")]
mod policy_network;
#[cfg(feature = "training")]
mod pool;
pub mod prelude;
#[cfg(feature = "training")]
mod puzzle;
mod registry;
pub mod render;
pub mod review;
#[cfg(feature = "training")]
mod tree;
#[cfg(feature = "training")]
mod tree_batch;
#[cfg(feature = "training")]
mod vector_env;

pub use any_game::{
    AnyEncode, AnyGame, AnyPlay, AnyRender, AnySearch, AnyText, BoxedGame, DeclaredEnd, GameOver,
    IllegalAction, LegalPage, MoveInfo, OnReport, Playable, PlayedMove, TurnInfo, VariationError,
    describe_outcome,
};
#[cfg(feature = "training")]
pub use batch::Batch;
#[cfg(feature = "training")]
pub use decode::Decoded;
pub use error::Error;
pub use evaluation::{Evaluation, engine_for};
pub use level::{Level, LevelError, LevelPlayer, Skill, Strength};
#[cfg(feature = "training")]
pub use net::{NetTools, ReadGameError, SelfPlaySettings, Target};
#[cfg(feature = "training")]
pub use policy_head::{Permutations, PolicyHead};
#[cfg(feature = "training")]
pub use policy_network::{PolicyEngine, PolicyError, PolicyNetwork, PolicyOutput};
#[cfg(feature = "training")]
pub use puzzle::{BoardSketch, MineSettings, Puzzle, PuzzleError, PuzzleTools, all_themes};
pub use registry::{
    Baseline, Composed, GAMES, GameKind, LoadedRecord, Named, UnknownName, collect_codes, complete_games,
    find,
};
#[cfg(feature = "chess")]
pub use sandtable_chess as chess;
pub use sandtable_core as core;
#[cfg(feature = "cotulenh")]
pub use sandtable_cotulenh as cotulenh;
#[cfg(feature = "nim")]
pub use sandtable_nim as nim;
pub use sandtable_nnue as nnue;
pub use sandtable_search as search;
#[cfg(feature = "tribun")]
pub use sandtable_tribun as tribun;
#[cfg(feature = "training")]
pub use tree::{EncodedBatch, Network, NetworkOutput, Tree};
#[cfg(feature = "training")]
pub use tree_batch::{
    BoxedTreeBatch, GameStatus, LeafArrays, PolicyForm, RootArrays, Selection, TreeBatch, TreeBatchError,
    TreeBatchSettings, checked_value,
};
#[cfg(feature = "training")]
pub use vector_env::{ArrayBuffers, Arrays, BoxedEnv, SetGameError, StepError, VectorEnv, VectorSettings};

/// The examples of the README, compiled and run.
#[cfg(all(doctest, feature = "chess"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The examples of the crate's own README.
#[cfg(all(doctest, feature = "chess"))]
#[doc = include_str!("../README.md")]
struct CrateReadme;
