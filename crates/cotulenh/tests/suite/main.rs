//! What the crate promises, checked from outside.

mod agreement;
mod conformance;
mod perft;
mod reference;
mod sha256;
mod vectors;
