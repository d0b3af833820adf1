//! Static exchange evaluation: the result of a sequence of captures on one tile.

use sandtable_core::search::Tactic;

use crate::movegen::Generator;
use crate::position::Tribun;
use crate::tile::Tile;
use crate::unit::Height;
use crate::weights::Weights;

/// The units of one side that attack a tile.
#[derive(Clone, Copy, Debug)]
struct Attackers {
    /// The number of units of each height that can move in.
    units: [u8; Height::NUM],
    /// The sum of all heights.
    strength: u32,
}

impl Attackers {
    /// The units of a generator's player whose primaries attack `target`, except the unit on `absent`.
    fn new(position: &Tribun, generator: &Generator<'_>, target: Tile, absent: Tile) -> Self {
        let mut attackers = Self { units: [0; Height::NUM], strength: 0 };
        let reaching = generator.primaries_reaching(target);
        for tile in reaching.iter().filter(|&tile| tile != absent) {
            let unit = position.board().unit(tile).expect("attackers stand on occupied tiles");
            // A tribun supports an attack but never moves in, where it could be attacked.
            if !unit.is_tribun() {
                attackers.units[unit.primary().index() - 1] += 1;
            }
            attackers.strength += u32::from(unit.primary().value());
        }
        attackers
    }

    /// Returns whether their combined strength kills a unit of this height.
    fn can_kill(&self, height: Height) -> bool {
        self.strength >= height.value().into()
    }

    /// Removes and returns the lowest unit that can move in.
    fn take_lowest(&mut self) -> Option<Height> {
        let lowest = Height::ALL.into_iter().find(|height| self.units[height.index() - 1] > 0)?;
        self.units[lowest.index() - 1] -= 1;
        self.strength -= u32::from(lowest.value());
        Some(lowest)
    }
}

/// The static exchange evaluation of a kill: both sides recapture in turn on the same tile as long as it gains
/// material.
///
/// Each capture uses the full strength of a side, and its lowest unit moves in. Discovered attackers and the strength of
/// slaves are not counted. `generators` are those of the opponent and of the mover.
pub(crate) fn kill(
    position: &Tribun,
    generators: [&Generator<'_>; 2],
    (attacker, target): (Tile, Tile),
    tactic: Tactic,
    weights: &Weights,
) -> i32 {
    let mut attackers = generators.map(|generator| Attackers::new(position, generator, target, attacker));
    tactic.gain - recapture(&mut attackers, 0, primary(position, attacker), tactic.risk, weights)
}

/// The static exchange evaluation of an enslavement: the opponent, whose generator is `enemy`, recaptures by liberation,
/// without moving in.
pub(crate) fn enslave(
    position: &Tribun,
    enemy: &Generator<'_>,
    (attacker, target): (Tile, Tile),
    tactic: Tactic,
) -> i32 {
    let attackers = Attackers::new(position, enemy, target, attacker);
    let lost = attackers.can_kill(primary(position, attacker));
    tactic.gain - if lost { tactic.risk } else { 0 }
}

fn primary(position: &Tribun, tile: Tile) -> Height {
    position.board().unit(tile).expect("the tiles of a legal action are occupied").primary()
}

/// The gain of side `side` from recapturing a unit of this height and value on the tile; 0 if the recapture gains
/// nothing.
fn recapture(
    attackers: &mut [Attackers; 2],
    side: usize,
    height: Height,
    value: i32,
    weights: &Weights,
) -> i32 {
    if !attackers[side].can_kill(height) {
        return 0;
    }
    let Some(lowest) = attackers[side].take_lowest() else { return 0 };
    (value - recapture(attackers, 1 - side, lowest, weights.unit(lowest), weights)).max(0)
}
