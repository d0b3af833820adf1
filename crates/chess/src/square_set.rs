//! Sets of squares.

use crate::Square;

sandtable_core::set_type! {
    /// A set of squares, stored as a bitboard: one bit per square, a1 first.
    ///
    /// ```
    /// use sandtable_chess::{Square, SquareSet};
    ///
    /// let rank_1: SquareSet = Square::all().filter(|square| square.rank() == 1).collect();
    /// let file_a: SquareSet = Square::all().filter(|square| square.file() == 0).collect();
    /// assert_eq!((rank_1 | file_a).len(), 15);
    /// assert_eq!((rank_1 & file_a).iter().collect::<Vec<_>>(), [Square::A1]);
    /// ```
    pub struct SquareSet(u64) of Square, all = u64::MAX, iterated by SquareSetIter;
}

impl SquareSet {
    /// The set with these bits: bit 0 is a1, bit 63 is h8.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The set as bits: bit 0 is a1, bit 63 is h8.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }
}
