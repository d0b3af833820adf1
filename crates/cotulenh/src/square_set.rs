//! Sets of squares.

use std::ops::ControlFlow;

use crate::Square;

sandtable_core::set_type! {
    /// A set of squares, in the order of their mailbox indices: from rank 12 down, each rank from file a.
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
    pub struct SquareSet([u64; 3]) of Square, all = all_bits(), iterated by SquareSetIter;
}

const fn all_bits() -> [u64; 3] {
    let mut set = SquareSet::EMPTY;
    let mut i = 0;
    while i < Square::NUM {
        set.insert(Square::from_dense(i));
        i += 1;
    }
    set.0
}

impl SquareSet {
    /// Calls `f` with the squares in the order of [`iter`](Self::iter), until it breaks. Goes through the set word by word.
    #[inline]
    pub(crate) fn try_for_each<B>(self, mut f: impl FnMut(Square) -> ControlFlow<B>) -> ControlFlow<B> {
        for (i, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                f(Square::from_bit(i as u32 * 64 + word.trailing_zeros()))?;
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
