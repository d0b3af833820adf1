//! What the crate promises, checked from outside.

mod reference;
mod sha256;
mod vectors;
