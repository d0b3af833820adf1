//! Air defence: the fire zones that stop enemy Air Forces.

use sandtable_core::Player;

use crate::{Board, Kind, Square, SquareSet};

/// The highest air defence level, that of a heroic Missile.
const MAX_LEVEL: usize = 3;

impl Kind {
    /// The air defence level of a carrier of this kind; 0 if it has no air defence.
    pub(crate) const fn air_defence(self, heroic: bool) -> u8 {
        match self {
            Self::Missile => 2 + heroic as u8,
            Self::Navy | Self::AntiAir => 1 + heroic as u8,
            _ => 0,
        }
    }
}

/// The zone of each level on each square: all squares with `dx² + dy² ≤ level²`.
static ZONES: [[SquareSet; Square::TABLE]; MAX_LEVEL] = {
    let mut zones = [[SquareSet::EMPTY; Square::TABLE]; MAX_LEVEL];
    let mut level = 1;
    while level <= MAX_LEVEL {
        let mut i = 0;
        while i < Square::NUM {
            let center = Square::from_dense(i);
            zones[level - 1][center.index()] = disc(center, level as u8);
            i += 1;
        }
        level += 1;
    }
    zones
};

const fn disc(center: Square, level: u8) -> SquareSet {
    let mut zone = SquareSet::EMPTY;
    let mut i = 0;
    while i < Square::NUM {
        let square = Square::from_dense(i);
        let files = square.file().abs_diff(center.file());
        let ranks = square.rank().abs_diff(center.rank());
        if files * files + ranks * ranks <= level * level {
            zone.insert(square);
        }
        i += 1;
    }
    zone
}

/// The fire zones of one player.
pub(crate) struct FireZones {
    owner: Player,
    covered: SquareSet,
    /// The squares covered by several defenders.
    several: SquareSet,
}

impl FireZones {
    pub(crate) fn of(board: &Board, owner: Player) -> Self {
        let mut zones = Self { owner, covered: SquareSet::EMPTY, several: SquareSet::EMPTY };
        for (_, zone) in defenders(board, owner) {
            zones.several |= zones.covered & zone;
            zones.covered |= zone;
        }
        zones
    }

    /// The zone of the only defender that covers a square. `board` is the board of these zones.
    fn zone_at(&self, board: &Board, square: Square) -> Option<SquareSet> {
        if !self.covered.contains(square) {
            return None;
        }
        defenders(board, self.owner).map(|(_, zone)| zone).find(|zone| zone.contains(square))
    }

    /// The squares covered by any defender.
    pub(crate) const fn covered(&self) -> SquareSet {
        self.covered
    }
}

/// The squares covered by any defender of a player.
pub(crate) fn covered(board: &Board, owner: Player) -> SquareSet {
    defenders(board, owner).fold(SquareSet::EMPTY, |all, (_, zone)| all | zone)
}

/// The squares of a player's defenders, each with its zone.
pub(crate) fn defenders(board: &Board, owner: Player) -> impl Iterator<Item = (Square, SquareSet)> + '_ {
    board.defenders(owner).map(|(place, stack)| {
        let level = stack.carrier().air_defence(stack.is_carrier_heroic());
        (place, ZONES[usize::from(level) - 1][place.index()])
    })
}

/// The state of an Air Force on its way through the enemy's air defence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flight {
    /// It has entered no zone and may act freely.
    Safe,
    /// It is in this zone and has entered no other: it may only make a suicide capture.
    UnderFire(SquareSet),
    /// It was shot down.
    ShotDown,
}

impl Flight {
    /// The state after entering the next square. `board` is the board of the zones.
    #[inline]
    pub(crate) fn enter(self, square: Square, zones: &FireZones, board: &Board) -> Self {
        match self {
            _ if zones.several.contains(square) => Self::ShotDown,
            Self::Safe => zones.zone_at(board, square).map_or(Self::Safe, Self::UnderFire),
            Self::UnderFire(zone) if zone.contains(square) => self,
            _ => Self::ShotDown,
        }
    }
}
