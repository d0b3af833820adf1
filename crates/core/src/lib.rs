//! The game-independent core of Sandtable.
//!
//! A game crate implements these traits for its position type and gets everything else from here. The
//! traits down to [`view::Render`] are required; [`keep_defaults!`] implements the next six for a game that has nothing of its
//! own:
//!
//! | concept | item |
//! |---|---|
//! | rules: legal moves, playing, outcome, hash | [`Position`] |
//! | a position with its history: undo, repetition, draw offers, record | [`Game`] |
//! | unchecked data to a valid position | [`FromSetup`] |
//! | text of positions, moves, turns and records | [`Notation`] |
//! | tensors for neural networks | [`Observe`] |
//! | policy indices and masks | [`PolicyIndexed`] |
//! | diagrams for renderers | [`view::Render`] |
//! | factored policies: moves as sums in a compact head | [`learn::FactoredPolicy`] |
//! | symmetries of observations and policies | [`learn::Symmetric`] |
//! | the inputs of an evaluation network | [`search::Features`] |
//! | static evaluation and move ordering for a search | [`search::Evaluate`], [`search::NodeView`] |
//! | position editors | [`view::Arrange`] |
//! | why a figure cannot act | [`view::Explain`] |
//! | messages that can be translated | [`Describe`] |
//!
//! Two invariants hold everywhere. *A turn may take several moves*: nothing here assumes that players alternate; only
//! [`Position::turn`] identifies the player to move. *No input, output, system time or hidden randomness*: functions
//! fill the caller's slice, take the time as an argument and advance the caller's generator.
//!
//! ```
//! use sandtable_core::{Outcome, Player};
//!
//! let outcome = Outcome::Win { winner: Player::First, reason: "checkmate" };
//! assert_eq!(outcome.value_for(Player::Second), Some(-1.0));
//! ```

// The derive macro names this crate as its users do.
extern crate self as sandtable_core;

mod defaults;
pub mod learn;
pub mod record;
pub mod rules;
pub mod search;
#[cfg(feature = "serde")]
pub mod serde;
pub mod view;

pub use learn::{Observe, PolicyIndexed};
pub use record::Notation;
pub use rules::{ByPlayer, FromSetup, Game, Outcome, Player, Position, Rules};
pub use view::Describe;

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
