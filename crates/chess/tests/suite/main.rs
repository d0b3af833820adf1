//! Tests of the public interface.

mod attacks;
mod conformance;
mod docs;
mod evaluate;
mod fen;
mod notation;
mod perft;
mod pgn;
mod policy;
mod rules;
#[cfg(feature = "serde")]
mod serde;
mod tensor;
mod zobrist;
