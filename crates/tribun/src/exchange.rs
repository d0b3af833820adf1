//! What an attack is worth when the other side strikes back on the same tile, and so on.

use sandtable_core::{Player, Position as _, Tactic};

use crate::movegen::Generator;
use crate::position::Position;
use crate::tile::Tile;
use crate::unit::Height;
use crate::weights::Weights;

/// The units of one side that reach a tile: how many of each height, and their sum.
#[derive(Clone, Copy, Debug)]
struct Force {
    units: [u8; Height::NUM],
    sum: u32,
}

impl Force {
    /// The primaries of `player` that reach `target` without the unit on `absent`.
    fn new(position: &Position, player: Player, target: Tile, absent: Tile) -> Self {
        let mut force = Self { units: [0; Height::NUM], sum: 0 };
        let reaching = Generator::new(position.board(), player, position.rules()).primaries_reaching(target);
        for tile in reaching.iter().filter(|&tile| tile != absent) {
            let unit = position.board().unit(tile).expect("only occupied tiles reach others");
            // A tribun helps, but does not go where it can be attacked.
            if !unit.is_tribun() {
                force.units[unit.primary().index() - 1] += 1;
            }
            force.sum += u32::from(unit.primary().value());
        }
        force
    }

    /// Is it strong enough together for a unit of that height?
    fn beats(&self, height: Height) -> bool {
        self.sum >= height.value().into()
    }

    /// The lowest unit that can go leaves for the tile.
    fn send(&mut self) -> Option<Height> {
        let lowest = Height::ALL.into_iter().find(|height| self.units[height.index() - 1] > 0)?;
        self.units[lowest.index() - 1] -= 1;
        self.sum -= u32::from(lowest.value());
        Some(lowest)
    }
}

/// What an attacker that moves in wins and risks, when both sides go on killing on the same tile.
///
/// They strike in turn, with all their strength and moving in with their lowest unit, as long as that pays. Who sees
/// the tile only after another has left is not counted, nor is what slaves add to an attack.
pub(crate) fn kill(
    position: &Position,
    attacker: Tile,
    target: Tile,
    tactic: Tactic,
    weights: &Weights,
) -> i32 {
    let mover = position.turn();
    let mut forces = [!mover, mover].map(|player| Force::new(position, player, target, attacker));
    tactic.gain - answer(&mut forces, 0, primary(position, attacker), tactic.risk, weights)
}

/// The same where the attacker will hold a slave: who liberates it need not move in, and strikes for nothing.
pub(crate) fn enslave(position: &Position, attacker: Tile, target: Tile, tactic: Tactic) -> i32 {
    let force = Force::new(position, !position.turn(), target, attacker);
    let lost = force.beats(primary(position, attacker));
    tactic.gain - if lost { tactic.risk } else { 0 }
}

fn primary(position: &Position, tile: Tile) -> Height {
    position.board().unit(tile).expect("a legal action is about units that are there").primary()
}

/// The most that side `striker` wins on the tile, where a unit of that height puts `stake` at stake.
fn answer(forces: &mut [Force; 2], striker: usize, height: Height, stake: i32, weights: &Weights) -> i32 {
    if !forces[striker].beats(height) {
        return 0;
    }
    let Some(sent) = forces[striker].send() else { return 0 };
    (stake - answer(forces, 1 - striker, sent, weights.worth(sent), weights)).max(0)
}
