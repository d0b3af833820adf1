//! Evaluation networks for every game of Sandtable.
//!
//! A network has one hidden layer, which both players see from their own side, and one output. Its inputs are the sparse
//! [`Features`](sandtable_core::search::Features) of a position, so that a move changes few of them: an [`Accumulator`] holds the
//! hidden layer and is updated by the difference. All arithmetic is in integers, so every machine computes the same scores.
//!
//! ```text
//! features seen by the mover     ─▶ hidden layer ─┐
//!                                                 ├─▶ square of the clipped values ─▶ output of the stage
//! features seen by the opponent  ─▶ hidden layer ─┘
//! ```
//!
//! | task | use |
//! |---|---|
//! | read, write and use a network | [`Network`], [`Accumulator`] |
//! | train a network | [`train`] |

mod accumulator;
mod network;
mod rice;
pub mod train;

pub use accumulator::Accumulator;
pub use network::{Network, NetworkError};

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
