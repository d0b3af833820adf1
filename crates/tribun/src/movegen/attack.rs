//! Attacks: the effects of any set of attackers on an enemy unit.

use std::ops::ControlFlow;

use super::{Generator, Pattern};
use crate::action::{Action, Amount, Part};
use crate::tile::Tile;
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit, can_hold};

/// The strengths of all subsets of the attackers. An attacker in a subset uses one of its parts.
#[derive(Clone, Copy, Debug)]
struct Strengths {
    /// Bit `x` is set if some subset has the sum `x`. Sums above 15 are dropped: no unit is that high.
    sums: u16,
    /// The greatest sum.
    max: u32,
}

impl Strengths {
    const NONE: Self = Self { sums: 1, max: 0 };

    /// Adds an attacker with the heights of its parts.
    #[inline]
    fn add(&mut self, heights: [u32; 2]) {
        // A part that does not reach the target has height 0 and changes nothing.
        self.sums |= self.sums << heights[0] | self.sums << heights[1];
        self.max += heights[0].max(heights[1]);
    }

    /// Returns whether some subset has exactly this sum.
    const fn reaches(self, sum: u8) -> bool {
        self.sums >> sum & 1 == 1
    }
}

/// An enemy unit and its attackers.
#[derive(Clone, Copy, Debug)]
struct Target {
    unit: Unit,
    tile: Tile,
    by_primary: TileSet,
    by_slave: TileSet,
    strengths: Strengths,
}

/// The effect of an attack whose strength is below the target's height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartialEffect {
    /// The target loses height.
    Damage(Amount),
    /// The target can no longer hold its slave.
    Liberate,
}

/// The effect on a unit of a strength from 1 to its height − 1.
fn partial_effect(unit: Unit, strength: u8) -> PartialEffect {
    let height = unit.primary().value();
    let left = Height::at_most(height - strength).expect("the strength is below the height");
    match unit.slave() {
        Some(slave) if !can_hold(left, slave) => PartialEffect::Liberate,
        _ => PartialEffect::Damage(
            Amount::from_value(height - left.value()).expect("the strength is at least 1"),
        ),
    }
}

/// The targets of every kind of attack.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttackOutcomes {
    kill: TileSet,
    liberate: TileSet,
    /// By the height lost.
    damage: [TileSet; Amount::NUM],
}

impl AttackOutcomes {
    pub(super) fn liberations<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.liberate.iter().try_for_each(|target| f(Action::Liberate { target }))
    }

    pub(super) fn damages<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        for (targets, loss) in self.damage.into_iter().zip(Amount::all()) {
            targets.iter().try_for_each(|target| f(Action::Damage { target, loss }))?;
        }
        ControlFlow::Continue(())
    }
}

impl Generator<'_> {
    /// The unit on a tile and its attackers. A unit of the mover is treated like an enemy unit.
    #[inline]
    fn target(&self, tile: Tile) -> Target {
        let by_primary = self.primaries.attackers(tile, &self.occupancy);
        let by_slave = self.slaves_reaching(tile);
        let mut target =
            Target { unit: self.unit(tile), tile, by_primary, by_slave, strengths: Strengths::NONE };
        for attacker in by_primary | by_slave {
            target.strengths.add(target.part_heights(self.unit(attacker), attacker));
        }
        target
    }

    /// The units whose slave attacks a tile.
    #[inline]
    fn slaves_reaching(&self, tile: Tile) -> TileSet {
        if self.holders.is_empty() { TileSet::EMPTY } else { self.slaves.attackers(tile, &self.occupancy) }
    }

    /// The tiles that any unit attacks, whether or not an enemy is there.
    pub(super) fn attacked(&self) -> TileSet {
        let mut attacked = TileSet::EMPTY;
        for part in self.parts() {
            let parts = self.part_sets(*part);
            for pattern in Pattern::ALL {
                for from in parts.with(pattern) {
                    attacked |= pattern.attacks(from, parts.origin(), &self.occupancy);
                }
            }
        }
        attacked
    }

    /// The attacked enemy units on the tiles of `within`, except the tribun.
    fn targets(&self, within: TileSet) -> impl Iterator<Item = Target> {
        let enemies = self.occupancy.enemy.without(TileSet::from(self.enemy_tribun));
        (enemies & within)
            .iter()
            .map(|tile| self.target(tile))
            .filter(|target| !(target.by_primary | target.by_slave).is_empty())
    }

    /// The attacks on the units on the tiles of `within`.
    pub(super) fn outcomes(&self, within: TileSet) -> AttackOutcomes {
        let mut outcomes = AttackOutcomes {
            kill: TileSet::EMPTY,
            liberate: TileSet::EMPTY,
            damage: [TileSet::EMPTY; Amount::NUM],
        };
        for Target { unit, tile, strengths, .. } in self.targets(within) {
            let height = unit.primary().value();
            if strengths.max >= u32::from(height) {
                let set = if unit.slave().is_some() { &mut outcomes.liberate } else { &mut outcomes.kill };
                set.insert(tile);
            }
            for strength in (1..height).filter(|&strength| strengths.reaches(strength)) {
                match partial_effect(unit, strength) {
                    PartialEffect::Damage(loss) => outcomes.damage[loss.index()].insert(tile),
                    PartialEffect::Liberate => outcomes.liberate.insert(tile),
                }
            }
        }
        outcomes
    }

    /// The attackers that can kill `target` and move in with a part.
    fn killers(&self, target: Tile, part: Part) -> TileSet {
        let target = self.target(target);
        let attackers = match part {
            Part::Primary => target.by_primary,
            Part::Slave => target.by_slave,
        };
        attackers.iter().filter(|&attacker| target.falls_to(self.unit(attacker), attacker, part)).collect()
    }

    /// The attackers that can enslave `target`.
    fn enslavers(&self, target: Tile) -> TileSet {
        let unit = self.unit(target);
        self.killers(target, Part::Primary)
            .iter()
            .filter(|&attacker| {
                let attacker = self.unit(attacker);
                !attacker.is_tribun() && can_hold(attacker.primary(), unit.primary())
            })
            .collect()
    }

    /// The greatest strength of an attack on an occupied tile, whether or not the unit there is an enemy. The evaluation adds
    /// up the strengths for all tiles at once.
    #[cfg(test)]
    pub(crate) fn strength(&self, tile: Tile) -> u32 {
        self.target(tile).strengths.max
    }

    /// The units whose primary attacks a tile, whether or not an enemy is there.
    pub(crate) fn primaries_reaching(&self, tile: Tile) -> TileSet {
        self.primaries.attackers(tile, &self.occupancy)
    }

    /// The units that attack a tile with any part, whether or not an enemy is there.
    pub(crate) fn units_reaching(&self, tile: Tile) -> TileSet {
        self.primaries_reaching(tile) | self.slaves_reaching(tile)
    }

    /// Returns whether any unit attacks the enemy tribun.
    pub(crate) fn attacks_tribun(&self) -> bool {
        !self.tribun_attackers().is_empty()
    }

    fn tribun_attackers(&self) -> TileSet {
        self.units_reaching(self.enemy_tribun)
    }

    pub(super) fn kills<B>(
        &self,
        outcomes: &AttackOutcomes,
        f: &mut impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for part in self.parts() {
            for target in outcomes.kill {
                for attacker in self.killers(target, *part) {
                    f(Action::Kill { attacker, target, part: *part })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    pub(super) fn enslavings<B>(
        &self,
        outcomes: &AttackOutcomes,
        f: &mut impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.rules.enslaving {
            for target in outcomes.kill {
                for attacker in self.enslavers(target) {
                    f(Action::Enslave { attacker, target })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn tribun_attacks<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.tribun_attackers().iter().try_for_each(|attacker| {
            f(Action::AttackTribun { attacker, tribun: self.enemy_tribun, winner: self.mover })
        })
    }

    /// The number of attacks.
    pub(super) fn count_attacks(&self) -> usize {
        let outcomes = self.outcomes(self.attacked());
        let mut count = outcomes.liberate.len() + self.tribun_attackers().len();
        for targets in outcomes.damage {
            count += targets.len();
        }
        for target in outcomes.kill {
            count += self.killers(target, Part::Primary).len() + self.killers(target, Part::Slave).len();
            if self.rules.enslaving {
                count += self.enslavers(target).len();
            }
        }
        count
    }
}

impl Target {
    /// The heights of an attacker's parts, 0 for a part that does not reach the target.
    #[inline]
    fn part_heights(&self, unit: Unit, attacker: Tile) -> [u32; 2] {
        let primary = if self.by_primary.contains(attacker) { unit.primary().value() } else { 0 };
        let slave = match unit.slave() {
            Some(slave) if self.by_slave.contains(attacker) => slave.value(),
            _ => 0,
        };
        [primary.into(), slave.into()]
    }

    /// Returns whether some subset in which this attacker uses this part is strong enough to kill the target.
    fn falls_to(&self, unit: Unit, attacker: Tile, part: Part) -> bool {
        let heights = self.part_heights(unit, attacker);
        let others = self.strengths.max - heights[0].max(heights[1]);
        others + heights[part as usize] >= self.unit.primary().value().into()
    }
}
