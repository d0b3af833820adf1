//! What the crate promises, checked from outside.

mod agreement;
mod conformance;
mod perft;
mod reference;
mod rules;
mod sha256;
mod squares;
mod stacks;
mod vectors;
