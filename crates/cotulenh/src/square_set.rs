//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, ControlFlow, Not, Sub};

use crate::Square;

/// A set of squares.
///
/// ```
/// use sandtable_cotulenh::{Square, SquareSet};
///
/// let river = SquareSet::of(&[Square::D6, Square::E6, Square::D7, Square::E7]);
/// let rank_6: SquareSet = Square::all().filter(|square| square.rank() == 6).collect();
/// assert_eq!(river & rank_6, SquareSet::of(&[Square::D6, Square::E6]));
/// assert_eq!((river - rank_6).len(), 2);
/// assert!((!river).contains(Square::F6));
/// ```
// One bit per mailbox index below 192; the bits of the gaps are never set.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SquareSet([u64; 3]);

impl SquareSet {
    /// The empty set.
    pub const EMPTY: Self = Self([0; 3]);

    /// All 132 squares.
    pub const ALL: Self = {
        let mut set = Self::EMPTY;
        let mut i = 0;
        while i < Square::NUM {
            set.insert(Square::from_dense(i));
            i += 1;
        }
        set
    };

    /// The set of the given squares.
    #[must_use]
    pub const fn of(squares: &[Square]) -> Self {
        let mut set = Self::EMPTY;
        let mut i = 0;
        while i < squares.len() {
            set.insert(squares[i]);
            i += 1;
        }
        set
    }

    /// Whether the square is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(&self, square: Square) -> bool {
        self.0[square.index() >> 6] >> (square.index() & 63) & 1 != 0
    }

    /// Adds a square.
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        self.0[square.index() >> 6] |= 1 << (square.index() & 63);
    }

    /// Removes a square.
    #[inline]
    pub const fn remove(&mut self, square: Square) {
        self.0[square.index() >> 6] &= !(1 << (square.index() & 63));
    }

    /// Whether the set is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// The number of squares in the set.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        // A full adder leaves two words to count instead of three: counting is slow without a machine instruction.
        let [a, b, c] = self.0;
        let (sums, carries) = (a ^ b ^ c, a & b | c & (a ^ b));
        (sums.count_ones() + 2 * carries.count_ones()) as usize
    }

    /// The squares in the order of their mailbox indices: from rank 12 down, each rank from file a.
    #[inline]
    #[must_use]
    pub const fn iter(self) -> SquareSetIter {
        SquareSetIter(self)
    }

    /// Calls `f` with the squares in the order of [`iter`](Self::iter), until it breaks. Goes through the set word by word.
    #[inline]
    pub(crate) fn try_for_each<B>(self, mut f: impl FnMut(Square) -> ControlFlow<B>) -> ControlFlow<B> {
        for (i, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                if let Some(square) = Square::new(i as u8 * 64 + word.trailing_zeros() as u8) {
                    f(square)?;
                }
                word &= word - 1;
            }
        }
        ControlFlow::Continue(())
    }

    /// The set mirrored between the two sides; see [`Square::mirrored`].
    #[must_use]
    pub fn mirrored(self) -> Self {
        self.iter().map(Square::mirrored).collect()
    }

    /// All mailbox indices strictly between those of two squares. May contain gaps of the mailbox unless the squares
    /// share a rank, so intersect the result with a real set.
    #[inline]
    pub(crate) const fn indices_between(one: Square, other: Square) -> Self {
        let (low, high) = if one.index() < other.index() { (one, other) } else { (other, one) };
        let (below_high, up_to_low) =
            (Self::indices_below(high.index()), Self::indices_below(low.index() + 1));
        let mut words = [0; 3];
        let mut i = 0;
        while i < 3 {
            words[i] = below_high.0[i] & !up_to_low.0[i];
            i += 1;
        }
        Self(words)
    }

    const fn indices_below(bound: usize) -> Self {
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
}

/// Intersection.
impl BitAnd for SquareSet {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
    }
}

impl BitAndAssign for SquareSet {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

/// Union.
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

/// Difference: the squares of the left set that are not in the right one.
impl Sub for SquareSet {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self([self.0[0] & !other.0[0], self.0[1] & !other.0[1], self.0[2] & !other.0[2]])
    }
}

/// Complement: all squares that are not in the set.
impl Not for SquareSet {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self::ALL - self
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut set = Self::EMPTY;
        squares.into_iter().for_each(|square| set.insert(square));
        set
    }
}

impl Extend<Square> for SquareSet {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        squares.into_iter().for_each(|square| self.insert(square));
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = SquareSetIter;

    #[inline]
    fn into_iter(self) -> SquareSetIter {
        self.iter()
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The squares of a [`SquareSet`].
#[derive(Clone, Debug)]
pub struct SquareSetIter(SquareSet);

impl Iterator for SquareSetIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        for (i, word) in self.0.0.iter_mut().enumerate() {
            if *word != 0 {
                let index = i as u8 * 64 + word.trailing_zeros() as u8;
                *word &= *word - 1;
                return Some(Square::from_bit(index));
            }
        }
        None
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }

    /// Goes through the set word by word: sums, searches and collections over sets use it.
    #[inline]
    fn fold<B, F: FnMut(B, Square) -> B>(self, init: B, mut f: F) -> B {
        let mut folded = init;
        for (i, mut word) in self.0.0.into_iter().enumerate() {
            while word != 0 {
                folded = f(folded, Square::from_bit(i as u8 * 64 + word.trailing_zeros() as u8));
                word &= word - 1;
            }
        }
        folded
    }
}

impl ExactSizeIterator for SquareSetIter {}
