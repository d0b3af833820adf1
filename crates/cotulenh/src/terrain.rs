//! Water, land and the river.

use crate::{Kind, Square, SquareSet};

/// The ground of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terrain {
    /// Files a and b: the Navy's alone.
    Water,
    /// The c file and the river squares d6, e6, d7, e7: open to all.
    Mixed,
    /// The rest: open to all but the Navy.
    Land,
}

/// The half of the board on one side of the river's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Zone {
    /// Ranks 7 to 12.
    Upper,
    /// Ranks 1 to 6.
    Lower,
}

impl Square {
    /// The ground here.
    #[must_use]
    pub const fn terrain(self) -> Terrain {
        match (self.file(), self.rank()) {
            (0 | 1, _) => Terrain::Water,
            (2, _) | (3 | 4, 6 | 7) => Terrain::Mixed,
            _ => Terrain::Land,
        }
    }

    /// The half of the board this square is in.
    #[must_use]
    pub const fn zone(self) -> Zone {
        if self.rank() >= 7 { Zone::Upper } else { Zone::Lower }
    }
}

impl Kind {
    /// May a stack that this kind carries stand there?
    #[must_use]
    pub const fn may_stand(self, square: Square) -> bool {
        match square.terrain() {
            Terrain::Water => matches!(self, Self::Navy),
            Terrain::Mixed => true,
            Terrain::Land => !matches!(self, Self::Navy),
        }
    }

    /// Is it one of the heavy pieces, which the river holds back: Artillery, Anti-Air, Missile?
    #[must_use]
    pub const fn is_heavy(self) -> bool {
        matches!(self, Self::Artillery | Self::AntiAir | Self::Missile)
    }
}

/// The squares that a predicate is true for.
macro_rules! squares_where {
    ($square:ident => $predicate:expr) => {{
        let mut set = SquareSet::EMPTY;
        let mut i = 0;
        while i < Square::TABLE {
            if let Some($square) = Square::new(i as u8)
                && $predicate
            {
                set.insert($square);
            }
            i += 1;
        }
        set
    }};
}

/// Where a Navy may stand.
pub(crate) const NAVY_GROUND: SquareSet = squares_where!(square => Kind::Navy.may_stand(square));
/// Where all others may stand.
pub(crate) const LAND_GROUND: SquareSet = squares_where!(square => Kind::Tank.may_stand(square));
/// The f and h files, where heavy pieces find bridges.
pub(crate) const BRIDGE_FILES: [SquareSet; 2] =
    [squares_where!(square => square.file() == 5), squares_where!(square => square.file() == 7)];

const UPPER: SquareSet = squares_where!(square => matches!(square.zone(), Zone::Upper));
const LOWER: SquareSet = squares_where!(square => matches!(square.zone(), Zone::Lower));

impl Zone {
    /// The squares of the zone.
    pub(crate) const fn squares(self) -> SquareSet {
        match self {
            Self::Upper => UPPER,
            Self::Lower => LOWER,
        }
    }
}
