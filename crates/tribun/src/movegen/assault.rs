//! Attacks: what the units that reach an enemy can do to it together.

use std::ops::ControlFlow;

use super::Generator;
use crate::action::{Action, Amount, Part};
use crate::tile::Tile;
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit, can_hold};

/// The strengths that subsets of the attackers reach. Each attacker joins with one of its parts or stays out.
#[derive(Clone, Copy, Debug)]
struct Strengths {
    /// Bit `x` is set if some subset has the sum `x`. Sums above 15 fall off the end: nothing is that high.
    sums: u16,
    /// The greatest sum of all.
    most: u32,
}

impl Strengths {
    const NOBODY: Self = Self { sums: 1, most: 0 };

    /// One more attacker, with the heights that it can join with.
    #[inline]
    fn join(&mut self, parts: [u32; 2]) {
        // A part that does not reach has height 0, and joins without a change.
        self.sums |= self.sums << parts[0] | self.sums << parts[1];
        self.most += parts[0].max(parts[1]);
    }

    /// Can some subset have exactly this sum?
    const fn reaches(self, sum: u8) -> bool {
        self.sums >> sum & 1 == 1
    }
}

/// An enemy unit, not a tribun, and those who reach it.
#[derive(Clone, Copy, Debug)]
struct Siege {
    unit: Unit,
    target: Tile,
    by_primary: TileSet,
    by_slave: TileSet,
    strengths: Strengths,
}

/// What a sum short of the target's height does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blow {
    /// It stays, lower by that much.
    Damage(Amount),
    /// It can no longer hold its slave.
    Liberate,
}

/// The effect of strength `sum`, from 1 to less than its height, on a unit.
fn blow(unit: Unit, sum: u8) -> Blow {
    let height = unit.primary().value();
    let left = Height::at_most(height - sum).expect("something is left of it");
    match unit.slave() {
        Some(slave) if !can_hold(left, slave) => Blow::Liberate,
        _ => Blow::Damage(Amount::of(height - left.value()).expect("a blow takes something")),
    }
}

/// The targets of every outcome.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcomes {
    kill: TileSet,
    liberate: TileSet,
    /// By the loss.
    damage: [TileSet; Amount::NUM],
}

impl Outcomes {
    pub(super) fn liberations<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.liberate.tiles().try_for_each(|target| f(Action::Liberate { target }))
    }

    pub(super) fn damages<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        for (targets, loss) in self.damage.into_iter().zip(Amount::all()) {
            targets.tiles().try_for_each(|target| f(Action::Damage { target, loss }))?;
        }
        ControlFlow::Continue(())
    }
}

impl Generator<'_> {
    /// The attackers of the enemy on `target`, each with the heights of its parts that reach it.
    #[inline]
    fn siege(&self, target: Tile, unit: Unit) -> Siege {
        let by_primary = self.primaries.attackers(target, &self.field);
        let by_slave =
            if self.holders.is_empty() { TileSet::EMPTY } else { self.slaves.attackers(target, &self.field) };
        let mut siege = Siege { unit, target, by_primary, by_slave, strengths: Strengths::NOBODY };
        for attacker in by_primary | by_slave {
            siege.strengths.join(siege.parts(self.unit(attacker), attacker));
        }
        siege
    }

    fn sieges(&self) -> impl Iterator<Item = Siege> {
        let targets = self.field.enemy.without(TileSet::of(self.enemy_tribun));
        targets
            .tiles()
            .map(|target| self.siege(target, self.unit(target)))
            .filter(|siege| !(siege.by_primary | siege.by_slave).is_empty())
    }

    pub(super) fn outcomes(&self) -> Outcomes {
        let mut outcomes = Outcomes {
            kill: TileSet::EMPTY,
            liberate: TileSet::EMPTY,
            damage: [TileSet::EMPTY; Amount::NUM],
        };
        for siege in self.sieges() {
            let (unit, target, strengths) = (siege.unit, siege.target, siege.strengths);
            let height = unit.primary().value();
            if strengths.most >= u32::from(height) {
                let fate = if unit.slave().is_some() { &mut outcomes.liberate } else { &mut outcomes.kill };
                fate.insert(target);
            }
            for sum in (1..height).filter(|&sum| strengths.reaches(sum)) {
                match blow(unit, sum) {
                    Blow::Damage(loss) => outcomes.damage[loss.index()].insert(target),
                    Blow::Liberate => outcomes.liberate.insert(target),
                }
            }
        }
        outcomes
    }

    /// The attackers that can move in with a part when `target` is killed.
    fn killers(&self, target: Tile, part: Part) -> TileSet {
        let siege = self.siege(target, self.unit(target));
        let attackers = match part {
            Part::Primary => siege.by_primary,
            Part::Slave => siege.by_slave,
        };
        attackers.tiles().filter(|&attacker| siege.falls_to(self.unit(attacker), attacker, part)).collect()
    }

    fn enslavers(&self, target: Tile) -> TileSet {
        let unit = self.unit(target);
        self.killers(target, Part::Primary)
            .tiles()
            .filter(|&attacker| {
                let attacker = self.unit(attacker);
                !attacker.is_tribun() && can_hold(attacker.primary(), unit.primary())
            })
            .collect()
    }

    /// The greatest strength that is brought to a tile, or would be if an enemy stood there.
    pub(crate) fn strength(&self, tile: Tile) -> u32 {
        self.siege(tile, self.unit(tile)).strengths.most
    }

    /// The units whose primary attacks a tile, or would if an enemy stood there.
    pub(crate) fn primaries_reaching(&self, tile: Tile) -> TileSet {
        self.primaries.attackers(tile, &self.field)
    }

    /// Does any unit reach the enemy's tribun?
    pub(crate) fn attacks_tribun(&self) -> bool {
        !self.tribun_attackers().is_empty()
    }

    fn tribun_attackers(&self) -> TileSet {
        self.primaries.attackers(self.enemy_tribun, &self.field)
            | self.slaves.attackers(self.enemy_tribun, &self.field)
    }

    pub(super) fn kills<B>(
        &self,
        outcomes: &Outcomes,
        f: &mut impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for part in Part::ALL {
            for target in outcomes.kill {
                for attacker in self.killers(target, part) {
                    f(Action::Kill { attacker, target, part })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    pub(super) fn enslavings<B>(
        &self,
        outcomes: &Outcomes,
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
        self.tribun_attackers().tiles().try_for_each(|attacker| {
            f(Action::AttackTribun { attacker, tribun: self.enemy_tribun, winner: self.mover })
        })
    }

    /// The number of all attacks.
    pub(super) fn count_attacks(&self) -> u32 {
        let outcomes = self.outcomes();
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

impl Siege {
    /// The heights that an attacker can join with, 0 for a part that does not reach the target.
    #[inline]
    fn parts(&self, unit: Unit, attacker: Tile) -> [u32; 2] {
        let primary = if self.by_primary.contains(attacker) { unit.primary().value() } else { 0 };
        let slave = match unit.slave() {
            Some(slave) if self.by_slave.contains(attacker) => slave.value(),
            _ => 0,
        };
        [primary.into(), slave.into()]
    }

    /// Does the target fall to some subset in which this attacker uses this part? The others help with all they have.
    fn falls_to(&self, unit: Unit, attacker: Tile, part: Part) -> bool {
        let parts = self.parts(unit, attacker);
        let others = self.strengths.most - parts[0].max(parts[1]);
        others + parts[part as usize] >= self.unit.primary().value().into()
    }
}
