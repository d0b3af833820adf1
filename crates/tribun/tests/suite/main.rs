//! Tests of the public interface.

mod arrange;
mod conformance;
mod docs;
mod encoding;
mod evaluate;
mod notation;
mod perft;
mod reference;
mod render;
mod rules;
mod search;
#[cfg(feature = "serde")]
mod serde;
