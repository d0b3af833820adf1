//! Sets of squares.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use crate::Square;

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
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SquareSet(u64);

impl SquareSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const ALL: Self = Self(u64::MAX);

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

    /// Returns whether the set contains a square.
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 == 1
    }

    /// Adds a square.
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.index();
    }

    /// Removes a square.
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.index());
    }

    /// The number of squares.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The squares in order, a1 first.
    #[must_use]
    pub const fn iter(self) -> SquareSetIter {
        SquareSetIter(self.0)
    }
}

impl BitAnd for SquareSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for SquareSet {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOr for SquareSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for SquareSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl Not for SquareSet {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl From<Square> for SquareSet {
    fn from(square: Square) -> Self {
        Self(1 << square.index())
    }
}

impl Extend<Square> for SquareSet {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        squares.into_iter().for_each(|square| self.insert(square));
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut set = Self::EMPTY;
        set.extend(squares);
        set
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = SquareSetIter;

    fn into_iter(self) -> SquareSetIter {
        self.iter()
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The squares of a [`SquareSet`], in order.
#[derive(Clone, Debug)]
pub struct SquareSetIter(u64);

impl Iterator for SquareSetIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::new(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        square
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for SquareSetIter {}
impl FusedIterator for SquareSetIter {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sandtable_core::rules::Rng;

    use super::*;

    /// The slow definition: the same set as a `BTreeSet`.
    fn slow(set: SquareSet) -> BTreeSet<Square> {
        Square::all().filter(|&square| set.contains(square)).collect()
    }

    #[test]
    fn operations_equal_those_of_a_slow_set() {
        let mut rng = Rng::new(7);
        for _ in 0..200 {
            let mut random = || SquareSet::from_bits(rng.next_u64() & rng.next_u64());
            let (a, b) = (random(), random());
            let (slow_a, slow_b) = (slow(a), slow(b));
            assert_eq!(slow(a & b), &slow_a & &slow_b);
            assert_eq!(slow(a | b), &slow_a | &slow_b);
            assert_eq!(slow(!a), &slow(SquareSet::ALL) - &slow_a);
            assert_eq!((a.len() as usize, a.is_empty()), (slow_a.len(), slow_a.is_empty()));
            assert!(a.iter().eq(slow_a.iter().copied()), "in order");
            assert_eq!(a.iter().len(), slow_a.len());
            assert_eq!(slow_a.iter().copied().collect::<SquareSet>(), a);
            for square in Square::all() {
                let (mut with, mut without) = (a, a);
                with.insert(square);
                without.remove(square);
                assert_eq!(with, a | square.into());
                assert_eq!(without, a & !SquareSet::from(square));
            }
        }
        assert_eq!((SquareSet::ALL.len(), SquareSet::EMPTY.len()), (64, 0));
        assert_eq!(SquareSet::ALL.iter().count(), 64);
    }

    #[test]
    fn debug_lists_the_squares() {
        let set = SquareSet::from_bits(1 | 1 << 63);
        assert_eq!(format!("{set:?}"), "{a1, h8}");
    }
}
