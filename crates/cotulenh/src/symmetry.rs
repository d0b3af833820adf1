//! The symmetries of the board.

use sandtable_core::learn::Symmetric;

use crate::CoTuLenh;

/// The map has no symmetry: the sea is on one side of the board.
impl Symmetric for CoTuLenh {}
