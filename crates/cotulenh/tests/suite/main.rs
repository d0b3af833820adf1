//! Tests of the public interface.

mod agreement;
mod attackers;
mod conformance;
mod encodings;
mod evaluate;
mod notation;
mod perft;
mod play;
mod reference;
mod rules;
mod search;
#[cfg(feature = "serde")]
mod serde;
mod squares;
mod stacks;
mod vectors;
