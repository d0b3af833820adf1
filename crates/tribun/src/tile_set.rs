//! Sets of tiles, one bit per cid.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use crate::tile::{Direction, Tile};

/// A set of tiles.
///
/// ```
/// use sandtable_tribun::{Board, Direction, Tile, TileSet};
/// use sandtable_core::Player;
///
/// let board = Board::start();
/// let empty = !board.all_occupied();
/// assert_eq!(empty.len(), 91 - 42);
///
/// // Black's units with an empty tile above them.
/// let free = board.occupied(Player::First) & empty.shifted(Direction::Down);
/// let names: Vec<_> = free.iter().map(|tile| tile.to_string()).collect();
/// assert!(names.contains(&"e4".to_owned()));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
// Only bits of tiles on the board are ever set.
pub struct TileSet(u128);

impl TileSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All tiles of the board.
    pub const BOARD: Self = Self::board();

    const fn board() -> Self {
        let mut bits: u128 = 0;
        let mut cid = 0;
        while cid < Tile::CIDS as u8 {
            if Tile::from_cid(cid).is_ok() {
                bits |= 1 << cid;
            }
            cid += 1;
        }
        assert!(bits.count_ones() as usize == Tile::NUM);
        Self(bits)
    }

    /// The set of one tile.
    #[must_use]
    #[inline]
    pub const fn of(tile: Tile) -> Self {
        Self(1 << tile.cid())
    }

    /// The set with a tile added.
    #[must_use]
    #[inline]
    pub const fn with(self, tile: Tile) -> Self {
        Self(self.0 | Self::of(tile).0)
    }

    /// The set without the tiles of `other`.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns whether the set has no tiles.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set contains a tile.
    #[must_use]
    #[inline]
    pub const fn contains(self, tile: Tile) -> bool {
        self.0 >> tile.cid() & 1 == 1
    }

    /// The number of tiles.
    #[must_use]
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The tile with the lowest cid.
    #[must_use]
    #[inline]
    pub const fn first(self) -> Option<Tile> {
        if self.is_empty() { None } else { Some(Tile::from_bit(self.0.trailing_zeros())) }
    }

    /// The tile with the highest cid.
    #[must_use]
    #[inline]
    pub const fn last(self) -> Option<Tile> {
        if self.is_empty() { None } else { Some(Tile::from_bit(self.0.ilog2())) }
    }

    /// The tiles, by ascending cid.
    #[must_use]
    #[inline]
    pub const fn iter(self) -> Tiles {
        Tiles(self)
    }

    /// Adds a tile.
    #[inline]
    pub const fn insert(&mut self, tile: Tile) {
        self.0 |= Self::of(tile).0;
    }

    /// Removes a tile.
    #[inline]
    pub const fn remove(&mut self, tile: Tile) {
        self.0 &= !Self::of(tile).0;
    }

    /// The tiles of this set up to and including the lowest one of `stops`; all of them if `stops` is empty.
    #[inline]
    pub(crate) const fn up_to_first(self, stops: Self) -> Self {
        Self(self.0 & (stops.0 ^ stops.0.wrapping_sub(1)))
    }

    /// The adjacent tiles in a direction of all tiles in the set.
    #[must_use]
    #[inline]
    pub const fn shifted(self, direction: Direction) -> Self {
        let (dx, dy) = direction.vector();
        let delta = dx * 11 + dy;
        let moved = if delta > 0 { self.0 << delta } else { self.0 >> -delta };
        // A step across an edge of the 11 × 11 grid wraps to the opposite edge, always to a cid outside the hexagon. So
        // one mask removes every tile that leaves the board.
        Self(moved & Self::BOARD.0)
    }

    /// The bits as two halves, which need less alignment than `u128`.
    #[inline]
    pub(crate) const fn to_halves(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    #[inline]
    pub(crate) const fn from_halves([low, high]: [u64; 2]) -> Self {
        Self(low as u128 | (high as u128) << 64)
    }
}

impl BitAnd for TileSet {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for TileSet {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOr for TileSet {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for TileSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// The other tiles of the board.
impl Not for TileSet {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self::BOARD.without(self)
    }
}

impl FromIterator<Tile> for TileSet {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        tiles.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl Extend<Tile> for TileSet {
    fn extend<I: IntoIterator<Item = Tile>>(&mut self, tiles: I) {
        *self |= tiles.into_iter().collect();
    }
}

impl IntoIterator for TileSet {
    type Item = Tile;
    type IntoIter = Tiles;

    #[inline]
    fn into_iter(self) -> Tiles {
        self.iter()
    }
}

impl fmt::Debug for TileSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The tiles of a [`TileSet`], by ascending cid.
#[derive(Clone, Debug)]
pub struct Tiles(TileSet);

impl Iterator for Tiles {
    type Item = Tile;

    #[inline]
    fn next(&mut self) -> Option<Tile> {
        let first = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }

    /// Half by half, which is faster than tile by tile: for `for_each`.
    #[inline]
    fn fold<B, F: FnMut(B, Tile) -> B>(self, init: B, mut f: F) -> B {
        let mut folded = init;
        for (mut half, first) in self.0.to_halves().into_iter().zip([0, u64::BITS]) {
            while half != 0 {
                folded = f(folded, Tile::from_bit(first + half.trailing_zeros()));
                half &= half - 1;
            }
        }
        folded
    }
}

impl ExactSizeIterator for Tiles {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifting_a_set_shifts_each_tile() {
        for tile in Tile::all() {
            for direction in Direction::ALL {
                let shifted: TileSet = tile.neighbour(direction).into_iter().collect();
                assert_eq!(TileSet::of(tile).shifted(direction), shifted, "{tile} {direction}");
            }
        }
    }

    #[test]
    fn iterates_by_ascending_cid() {
        assert!(TileSet::BOARD.iter().eq(Tile::all()));
        assert_eq!(TileSet::BOARD.iter().len(), Tile::NUM);
        assert_eq!(TileSet::BOARD.first(), Tile::all().next());
        assert_eq!(TileSet::BOARD.last(), Tile::all().next_back());
        assert_eq!((!TileSet::BOARD, TileSet::EMPTY.last()), (TileSet::EMPTY, None));
    }

    /// Every operation equals the one on a `BTreeSet`.
    #[test]
    fn operations_equal_those_of_a_btree_set() {
        use std::collections::BTreeSet;
        let mut rng = sandtable_core::rules::Rng::new(1);
        for _ in 0..200 {
            let mut random = || Tile::all().filter(|_| rng.below(3) == 0).collect::<BTreeSet<_>>();
            let (a, b) = (random(), random());
            let set = |tiles: &BTreeSet<Tile>| tiles.iter().copied().collect::<TileSet>();
            assert_eq!(set(&a) & set(&b), set(&(&a & &b)));
            assert_eq!(set(&a) | set(&b), set(&(&a | &b)));
            assert_eq!(set(&a).without(set(&b)), set(&(&a - &b)));
            assert_eq!(!set(&a), set(&Tile::all().filter(|tile| !a.contains(tile)).collect()));
            assert_eq!((set(&a).len(), set(&a).is_empty()), (a.len(), a.is_empty()));
            assert!(Tile::all().all(|tile| set(&a).contains(tile) == a.contains(&tile)));
            assert!(set(&a).iter().eq(a.iter().copied()));
            assert_eq!(TileSet::from_halves(set(&a).to_halves()), set(&a));
            let (mut with, mut without) = (set(&a), set(&a));
            for &tile in &b {
                with.insert(tile);
                without.remove(tile);
            }
            assert_eq!((with, without), (set(&a) | set(&b), set(&a).without(set(&b))));
            assert_eq!(b.iter().fold(set(&a), |set, &tile| set.with(tile)), with);
            let (mut extended, mut common) = (set(&a), set(&a));
            extended.extend(b.iter().copied());
            common &= set(&b);
            assert_eq!((extended, common), (with, set(&(&a & &b))));
        }
    }
}
