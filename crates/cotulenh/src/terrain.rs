//! Water, land and the river.

use crate::{Kind, KindSet, Square, SquareSet};

/// The terrain of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terrain {
    /// Files a and b: open to the Navy only.
    Water,
    /// File c and the river squares d6, e6, d7, e7: open to every piece.
    Mixed,
    /// All other squares: open to every piece except the Navy.
    Land,
}

/// One half of the board; the river line between ranks 6 and 7 separates the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Zone {
    /// Ranks 7 to 12.
    Upper,
    /// Ranks 1 to 6.
    Lower,
}

impl Square {
    /// The terrain of the square.
    #[must_use]
    pub const fn terrain(self) -> Terrain {
        match (self.file(), self.rank()) {
            (0 | 1, _) => Terrain::Water,
            (2, _) | (3 | 4, 6 | 7) => Terrain::Mixed,
            _ => Terrain::Land,
        }
    }

    /// The half of the board the square is in.
    #[must_use]
    pub const fn zone(self) -> Zone {
        if self.rank() >= 7 { Zone::Upper } else { Zone::Lower }
    }
}

impl Kind {
    /// Whether a stack carried by this kind may stand on the square.
    #[must_use]
    pub const fn may_stand(self, square: Square) -> bool {
        match square.terrain() {
            Terrain::Water => matches!(self, Self::Navy),
            Terrain::Mixed => true,
            Terrain::Land => !matches!(self, Self::Navy),
        }
    }

    /// Whether the kind is heavy (Artillery, Anti-Air, Missile), so that the river restricts its movement.
    #[must_use]
    pub const fn is_heavy(self) -> bool {
        matches!(self, Self::Artillery | Self::AntiAir | Self::Missile)
    }
}

impl KindSet {
    /// Whether these pieces of one stack may be on the square when a turn ends: their carrier may stand there, or the
    /// set is empty.
    ///
    /// Within a turn this does not apply to the origin of the deployment: pieces may wait at sea after their Navy has
    /// left, as long as a later step takes them away.
    #[inline]
    pub(crate) const fn may_end_turn_on(self, square: Square) -> bool {
        match self.first() {
            Some(carrier) => carrier.may_stand(square),
            None => true,
        }
    }
}

/// The set of the squares for which a predicate holds.
macro_rules! squares_where {
    ($square:ident => $predicate:expr) => {{
        let mut set = SquareSet::EMPTY;
        let mut i = 0;
        while i < Square::NUM {
            let $square = Square::from_dense(i);
            if $predicate {
                set.insert($square);
            }
            i += 1;
        }
        set
    }};
}

/// The squares where a Navy may stand.
pub(crate) const NAVY_GROUND: SquareSet = squares_where!(square => Kind::Navy.may_stand(square));
/// The squares where all other pieces may stand.
pub(crate) const LAND_GROUND: SquareSet = squares_where!(square => Kind::Tank.may_stand(square));
/// The squares where a Navy may not stand.
pub(crate) const NOT_NAVY_GROUND: SquareSet = squares_where!(square => !Kind::Navy.may_stand(square));
/// The squares where only a Navy may stand.
pub(crate) const NOT_LAND_GROUND: SquareSet = squares_where!(square => !Kind::Tank.may_stand(square));
/// Files f and h, on which heavy pieces cross the river if it is bridged.
pub(crate) const BRIDGE_FILES: [SquareSet; 2] =
    [squares_where!(square => square.file() == 5), squares_where!(square => square.file() == 7)];

/// The squares on either side of the diagonals c5–d6 and c8–d7, which no Navy passes.
const STRAITS: [(SquareSet, SquareSet); 2] = [
    (SquareSet::of(&[Square::C5, Square::B4, Square::A3]), SquareSet::of(&[Square::D6, Square::E7])),
    (SquareSet::of(&[Square::C8, Square::B9, Square::A10]), SquareSet::of(&[Square::D7, Square::E6])),
];

/// The squares that a Navy on `from` cannot reach, because a strait is in between.
#[inline]
pub(crate) fn beyond_straits(from: Square) -> SquareSet {
    STRAITS.into_iter().fold(SquareSet::EMPTY, |beyond, (west, east)| {
        if west.contains(from) {
            beyond | east
        } else if east.contains(from) {
            beyond | west
        } else {
            beyond
        }
    })
}

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
