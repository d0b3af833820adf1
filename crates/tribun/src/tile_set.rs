//! A set of tiles as bits, one for each cid.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use crate::tile::{Direction, Tile};

/// A set of tiles. Only bits of tiles on the board are ever set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct TileSet(u128);

impl TileSet {
    pub(crate) const EMPTY: Self = Self(0);
    /// Every tile of the board.
    pub(crate) const BOARD: Self = Self::board();

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

    pub(crate) const fn of(tile: Tile) -> Self {
        Self(1 << tile.cid())
    }

    pub(crate) const fn with(self, tile: Tile) -> Self {
        Self(self.0 | Self::of(tile).0)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn contains(self, tile: Tile) -> bool {
        self.0 >> tile.cid() & 1 == 1
    }

    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(crate) const fn lowest(self) -> Option<Tile> {
        if self.is_empty() { None } else { Some(Tile::from_bit(self.0.trailing_zeros())) }
    }

    pub(crate) const fn highest(self) -> Option<Tile> {
        if self.is_empty() { None } else { Some(Tile::from_bit(self.0.ilog2())) }
    }

    /// The tiles of the set, in the order of their cids.
    pub(crate) const fn tiles(self) -> Tiles {
        Tiles(self)
    }

    pub(crate) const fn insert(&mut self, tile: Tile) {
        self.0 |= Self::of(tile).0;
    }

    pub(crate) const fn remove(&mut self, tile: Tile) {
        self.0 &= !Self::of(tile).0;
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Every tile of the set moved one step; those that leave the board are gone.
    ///
    /// A step off one edge of the 11 × 11 grid comes in at the opposite edge, but always at a cid that is no tile:
    /// the corners of the grid that the hexagon does not cover are there. So one mask is enough.
    pub(crate) const fn stepped(self, direction: Direction) -> Self {
        let (dx, dy) = direction.vector();
        let delta = dx * 11 + dy;
        let moved = if delta > 0 { self.0 << delta } else { self.0 >> -delta };
        Self(moved & Self::BOARD.0)
    }
}

impl BitAnd for TileSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for TileSet {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOr for TileSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for TileSet {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// The rest of the board.
impl Not for TileSet {
    type Output = Self;

    fn not(self) -> Self {
        Self::BOARD.without(self)
    }
}

impl FromIterator<Tile> for TileSet {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        tiles.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl IntoIterator for TileSet {
    type Item = Tile;
    type IntoIter = Tiles;

    fn into_iter(self) -> Tiles {
        self.tiles()
    }
}

/// The tiles of a set, in the order of their cids.
#[derive(Clone, Debug)]
pub(crate) struct Tiles(TileSet);

impl Iterator for Tiles {
    type Item = Tile;

    #[inline]
    fn next(&mut self) -> Option<Tile> {
        let lowest = self.0.lowest()?;
        self.0.0 &= self.0.0 - 1;
        Some(lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_of_a_set_is_the_step_of_each_tile() {
        for tile in Tile::all() {
            for direction in Direction::ALL {
                let stepped: TileSet = tile.neighbour(direction).into_iter().collect();
                assert_eq!(TileSet::of(tile).stepped(direction), stepped, "{tile} {direction}");
            }
        }
    }

    #[test]
    fn a_set_lists_its_tiles_in_order() {
        assert!(TileSet::BOARD.tiles().eq(Tile::all()));
        assert_eq!(TileSet::BOARD.lowest(), Tile::all().next());
        assert_eq!(TileSet::BOARD.highest(), Tile::all().next_back());
        assert_eq!((!TileSet::BOARD, TileSet::EMPTY.highest()), (TileSet::EMPTY, None));
    }
}
