//! The generator held against the vectors and against a slow form of the rules.

mod agreement;
mod slow;
mod vectors;
