//! Air defence: the zones in which an enemy Air Force is shot at.

use sandtable_core::Player;

use crate::{Board, Square, SquareSet};

/// The greatest level of a defender: a heroic Missile's.
const MAX_LEVEL: usize = 3;

/// For each level and square the squares of the zone: all with `dx² + dy² ≤ level²`.
static ZONES: [[SquareSet; Square::TABLE]; MAX_LEVEL] = {
    let mut zones = [[SquareSet::EMPTY; Square::TABLE]; MAX_LEVEL];
    let mut level = 1;
    while level <= MAX_LEVEL {
        let mut i = 0;
        while i < Square::TABLE {
            if let Some(centre) = Square::new(i as u8) {
                zones[level - 1][i] = disc(centre, level as u8);
            }
            i += 1;
        }
        level += 1;
    }
    zones
};

const fn disc(centre: Square, level: u8) -> SquareSet {
    let mut zone = SquareSet::EMPTY;
    let mut i = 0;
    while i < Square::TABLE {
        if let Some(square) = Square::new(i as u8) {
            let files = square.file().abs_diff(centre.file());
            let ranks = square.rank().abs_diff(centre.rank());
            if files * files + ranks * ranks <= level * level {
                zone.insert(square);
            }
        }
        i += 1;
    }
    zone
}

/// The fire zones of one player.
pub(crate) struct FireZones {
    /// Who shoots at a square: [`NOBODY`], [`SEVERAL`], or one more than the number of the defender's square.
    at: [u8; Square::TABLE],
    covered: SquareSet,
}

const NOBODY: u8 = 0;
const SEVERAL: u8 = u8::MAX;

impl FireZones {
    pub(crate) fn of(board: &Board, owner: Player) -> Self {
        let mut zones = Self { at: [NOBODY; Square::TABLE], covered: SquareSet::EMPTY };
        for (place, zone) in defenders(board, owner) {
            zones.covered |= zone;
            for square in zone.iter() {
                let fire = &mut zones.at[square.index()];
                *fire = if *fire == NOBODY { place.index() as u8 + 1 } else { SEVERAL };
            }
        }
        zones
    }

    /// The squares in any zone.
    pub(crate) const fn covered(&self) -> SquareSet {
        self.covered
    }
}

/// The squares of a player's air defence, each with its zone.
pub(crate) fn defenders(board: &Board, owner: Player) -> impl Iterator<Item = (Square, SquareSet)> + '_ {
    board.defenders(owner).map(|(place, stack)| {
        let level = stack.carrier().air_defence(stack.is_carrier_heroic());
        (place, ZONES[usize::from(level) - 1][place.index()])
    })
}

/// An Air Force under way, as the enemy's air defence sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flight {
    /// It has entered no zone: it may do everything.
    Safe,
    /// It is in the zone of one defender and has met no other: it may only take something and be lost with it.
    UnderFire(u8),
    /// It does not get there.
    ShotDown,
}

impl Flight {
    /// The flight one square further.
    #[inline]
    pub(crate) fn enter(self, square: Square, zones: &FireZones) -> Self {
        match (self, zones.at[square.index()]) {
            (_, SEVERAL) => Self::ShotDown,
            (Self::Safe, NOBODY) => Self::Safe,
            (Self::Safe, defender) => Self::UnderFire(defender),
            (Self::UnderFire(first), defender) if first == defender => self,
            _ => Self::ShotDown,
        }
    }
}
