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
                zones[level - 1][i] = disc(centre, level as i32);
            }
            i += 1;
        }
        level += 1;
    }
    zones
};

const fn disc(centre: Square, level: i32) -> SquareSet {
    let mut zone = SquareSet::EMPTY;
    let mut i = 0;
    while i < Square::TABLE {
        if let Some(square) = Square::new(i as u8) {
            let files = square.file() as i32 - centre.file() as i32;
            let ranks = square.rank() as i32 - centre.rank() as i32;
            if files * files + ranks * ranks <= level * level {
                zone.insert(square);
            }
        }
        i += 1;
    }
    zone
}

/// Who shoots at a square.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fire {
    Nobody,
    One(Square),
    Several,
}

/// The fire zones of one player.
pub(crate) struct FireZones {
    at: [Fire; Square::TABLE],
}

impl FireZones {
    pub(crate) fn of(board: &Board, owner: Player) -> Self {
        let mut zones = Self { at: [Fire::Nobody; Square::TABLE] };
        for (place, zone) in defenders(board, owner) {
            for square in zone.iter() {
                let fire = &mut zones.at[square.index()];
                *fire = if *fire == Fire::Nobody { Fire::One(place) } else { Fire::Several };
            }
        }
        zones
    }

    /// The squares in any zone of a player.
    pub(crate) fn covered(board: &Board, owner: Player) -> SquareSet {
        defenders(board, owner).fold(SquareSet::EMPTY, |covered, (_, zone)| covered | zone)
    }

    /// The squares of the defenders whose zones have a square of `path` in them.
    pub(crate) fn defenders_of(board: &Board, owner: Player, path: SquareSet) -> SquareSet {
        defenders(board, owner)
            .filter(|&(_, zone)| !(zone & path).is_empty())
            .map(|(place, _)| place)
            .collect()
    }
}

/// The squares of a player's air defence, each with its zone.
fn defenders(board: &Board, owner: Player) -> impl Iterator<Item = (Square, SquareSet)> + '_ {
    board.pieces(owner).filter_map(|(place, stack)| {
        let level = stack.carrier().air_defence(stack.is_carrier_heroic());
        (level > 0).then(|| (place, ZONES[usize::from(level) - 1][place.index()]))
    })
}

/// An Air Force under way, as the enemy's air defence sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flight {
    /// It has entered no zone: it may do everything.
    Safe,
    /// It is in the zone of one defender and has met no other: it may only take something and be lost with it.
    UnderFire(Square),
    /// It does not get there.
    ShotDown,
}

impl Flight {
    /// The flight one square further.
    #[inline]
    pub(crate) fn enter(self, square: Square, zones: &FireZones) -> Self {
        match (self, zones.at[square.index()]) {
            (Self::Safe, Fire::Nobody) => Self::Safe,
            (Self::Safe, Fire::One(defender)) => Self::UnderFire(defender),
            (Self::UnderFire(first), Fire::One(defender)) if first == defender => self,
            _ => Self::ShotDown,
        }
    }
}
