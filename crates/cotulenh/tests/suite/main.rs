//! What the crate promises, checked from outside.

mod agreement;
mod conformance;
mod encodings;
mod evaluate;
mod notation;
mod perft;
mod play;
mod reference;
mod rules;
mod search;
mod sha256;
mod squares;
mod stacks;
mod vectors;
