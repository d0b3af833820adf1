//! Sets of tiles, one bit per cid.

use crate::tile::{Direction, Tile};

sandtable_core::set_type! {
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
    pub struct TileSet(u128) of Tile, all = all_bits(), iterated by TileSetIter;
}

const fn all_bits() -> u128 {
    let mut bits: u128 = 0;
    let mut cid = 0;
    while cid < Tile::CIDS as u8 {
        if Tile::from_cid(cid).is_ok() {
            bits |= 1 << cid;
        }
        cid += 1;
    }
    assert!(bits.count_ones() as usize == Tile::NUM);
    bits
}

impl TileSet {
    /// The tile with the highest cid.
    #[must_use]
    #[inline]
    pub const fn last(self) -> Option<Tile> {
        if self.is_empty() { None } else { Some(Tile::from_bit(self.0.ilog2())) }
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
        Self(moved & Self::ALL.0)
    }

    /// The set with these bits, as two halves, which need less alignment than `u128`.
    #[inline]
    pub(crate) const fn from_halves([low, high]: [u64; 2]) -> Self {
        Self(low as u128 | (high as u128) << 64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifting_a_set_shifts_each_tile() {
        for tile in Tile::all() {
            for direction in Direction::ALL {
                let shifted: TileSet = tile.neighbor(direction).into_iter().collect();
                assert_eq!(TileSet::from(tile).shifted(direction), shifted, "{tile} {direction}");
            }
        }
    }

    #[test]
    fn iterates_by_ascending_cid() {
        assert!(TileSet::ALL.iter().eq(Tile::all()));
        assert_eq!(TileSet::ALL.iter().len(), Tile::NUM);
        assert_eq!(TileSet::ALL.first(), Tile::all().next());
        assert_eq!(TileSet::ALL.last(), Tile::all().next_back());
        assert_eq!((!TileSet::ALL, TileSet::EMPTY.last()), (TileSet::EMPTY, None));
    }
}
