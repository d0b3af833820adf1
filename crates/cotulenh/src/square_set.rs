//! Sets of squares.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use crate::Square;

/// A set of squares: one bit for each mailbox number below 192.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct SquareSet([u64; 3]);

impl SquareSet {
    pub(crate) const EMPTY: Self = Self([0; 3]);

    pub(crate) const fn of(squares: &[Square]) -> Self {
        let mut set = Self::EMPTY;
        let mut i = 0;
        while i < squares.len() {
            set.insert(squares[i]);
            i += 1;
        }
        set
    }

    #[inline]
    pub(crate) const fn contains(&self, square: Square) -> bool {
        self.0[square.index() >> 6] >> (square.index() & 63) & 1 != 0
    }

    #[inline]
    pub(crate) const fn insert(&mut self, square: Square) {
        self.0[square.index() >> 6] |= 1 << (square.index() & 63);
    }

    #[inline]
    pub(crate) const fn remove(&mut self, square: Square) {
        self.0[square.index() >> 6] &= !(1 << (square.index() & 63));
    }

    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    #[inline]
    pub(crate) const fn len(&self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    /// The squares in the order of their numbers.
    #[inline]
    pub(crate) const fn iter(self) -> SquareSetIter {
        SquareSetIter(self)
    }

    /// The numbers strictly between those of two squares, those that are no squares included: only for intersections.
    #[inline]
    pub(crate) const fn numbers_between(one: Square, other: Square) -> Self {
        let (low, high) = if one.index() < other.index() { (one, other) } else { (other, one) };
        let (below_high, up_to_low) =
            (Self::numbers_below(high.index()), Self::numbers_below(low.index() + 1));
        let mut words = [0; 3];
        let mut i = 0;
        while i < 3 {
            words[i] = below_high.0[i] & !up_to_low.0[i];
            i += 1;
        }
        Self(words)
    }

    const fn numbers_below(bound: usize) -> Self {
        let mut words = [0; 3];
        let mut i = 0;
        while i < 3 {
            words[i] = match bound.saturating_sub(64 * i) {
                bits @ 0..64 => (1 << bits) - 1,
                _ => u64::MAX,
            };
            i += 1;
        }
        Self(words)
    }

    /// The set seen from the other side of the board.
    pub(crate) fn mirrored(self) -> Self {
        self.iter().map(Square::mirrored).collect()
    }
}

impl BitAnd for SquareSet {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
    }
}

impl BitOr for SquareSet {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2]])
    }
}

impl BitOrAssign for SquareSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// All numbers that are not in the set, those that are no squares included: only for intersections.
impl Not for SquareSet {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut set = Self::EMPTY;
        squares.into_iter().for_each(|square| set.insert(square));
        set
    }
}

#[derive(Clone, Debug)]
pub(crate) struct SquareSetIter(SquareSet);

impl Iterator for SquareSetIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        for (i, word) in self.0.0.iter_mut().enumerate() {
            if *word != 0 {
                let number = i as u8 * 64 + word.trailing_zeros() as u8;
                *word &= *word - 1;
                return Square::new(number);
            }
        }
        None
    }

    /// A word at a time: what sums, searches and collections over sets run on.
    #[inline]
    fn fold<B, F: FnMut(B, Square) -> B>(self, init: B, mut f: F) -> B {
        let mut folded = init;
        for (i, mut word) in self.0.0.into_iter().enumerate() {
            while word != 0 {
                if let Some(square) = Square::new(i as u8 * 64 + word.trailing_zeros() as u8) {
                    folded = f(folded, square);
                }
                word &= word - 1;
            }
        }
        folded
    }
}
