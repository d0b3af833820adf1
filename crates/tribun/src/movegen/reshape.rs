//! Actions that reshape a side's own units: combining, splitting, and a stab in a slave's back.

use std::ops::{BitAnd, ControlFlow};

use sandtable_core::Player;

use super::Generator;
use super::pattern::{NEIGHBOURS, Pattern};
use crate::action::{Action, Amount, GIFTS, Pair, Parts, Ring};
use crate::rules::Rules;
use crate::tile::{Direction, Tile};
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};

/// A unit of height 8 is the highest that there is, so these are all sums and gifts.
const HIGHEST: usize = 8;

/// May a unit with that slave be left with this much of its primary?
const fn may_remain(left: u8, slave: Option<Height>) -> bool {
    match (Height::new(left), slave) {
        (None, _) => left == 0,
        (Some(_), None) => true,
        (Some(left), Some(slave)) => crate::unit::can_hold(left, slave),
    }
}

/// What a kind of unit can give away, by amount: it keeps a valid remainder, and a tribun gives all.
static GIVEABLE: [[bool; Amount::NUM]; Unit::KINDS] = giveable();

const fn giveable() -> [[bool; Amount::NUM]; Unit::KINDS] {
    let mut table = [[false; Amount::NUM]; Unit::KINDS];
    // 255 is no unit: index 7 is not in use.
    let mut byte = 0_u8;
    while byte < u8::MAX {
        if let Ok(Some(unit)) = Unit::from_byte(byte) {
            let mut left = 0;
            while left < unit.primary().value() {
                if may_remain(left, unit.slave()) && (left == 0 || !unit.is_tribun()) {
                    table[unit.kind()][(unit.primary().value() - left - 1) as usize] = true;
                }
                left += 1;
            }
        }
        byte += 1;
    }
    table
}

/// For a kind of unit and a number of empty neighbours: in how many ways it can split.
static SPLITS: [[u16; Direction::NUM + 1]; Unit::KINDS] = splits();

const fn splits() -> [[u16; Direction::NUM + 1]; Unit::KINDS] {
    let mut table = [[0; Direction::NUM + 1]; Unit::KINDS];
    // 255 is no unit: index 7 is not in use.
    let mut byte = 0_u8;
    while byte < u8::MAX {
        // Each kind once: the colours split alike.
        if let Ok(Some(unit)) = Unit::from_byte(byte)
            && matches!(unit.owner(), Player::First)
            && !unit.is_tribun()
        {
            let height = unit.primary().value();
            let mut k = 0;
            while k <= Direction::NUM {
                let mut sum = 1;
                while sum <= height {
                    if may_remain(height - sum, unit.slave()) {
                        table[unit.kind()][k] += Parts::WAYS[k][sum as usize];
                    }
                    sum += 1;
                }
                // All of it on one tile would be no split. (An 8 is never put down as one part.)
                if height < 8 {
                    table[unit.kind()][k] -= k as u16;
                }
                k += 1;
            }
        }
        byte += 1;
    }
    table
}

/// Who can give how much to whom.
struct Donors {
    /// By amount and direction: the empty tiles whose neighbour in that direction can give that amount.
    at: [[TileSet; Direction::NUM]; Amount::NUM],
    /// By amount: does anybody give it at all?
    any: [bool; Amount::NUM],
}

impl Donors {
    fn of(generator: &Generator<'_>) -> Self {
        let mut givers = [TileSet::EMPTY; Amount::NUM];
        for tile in generator.own {
            for (givers, gives) in givers.iter_mut().zip(GIVEABLE[generator.unit(tile).kind()]) {
                if gives {
                    givers.insert(tile);
                }
            }
        }
        Self {
            at: givers.map(|givers| centres(givers, generator.field.empty)),
            any: givers.map(|givers| !givers.is_empty()),
        }
    }

    /// Calls `f` with what two donors can give from where, and the tiles that they can combine on, in the order of
    /// the words.
    #[inline]
    fn combinations<B>(
        &self,
        rules: Rules,
        mut f: impl FnMut(Pair, [Amount; 2], TileSet) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let highest = if rules.height_eight { Height::Eight } else { Height::Six };
        for gifts in GIFTS {
            let height = gifts[0].value() + gifts[1].value();
            if height <= highest.value() && gifts.iter().all(|gift| self.any[gift.index()]) {
                let [first, second] = gifts.map(|gift| &self.at[gift.index()]);
                for donors in Pair::ALL {
                    let [a, b] = donors.directions();
                    f(donors, gifts, first[a.index()] & second[b.index()])?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// By direction: the empty tiles that have one of `units` as their neighbour there.
#[inline]
fn centres(units: TileSet, empty: TileSet) -> [TileSet; Direction::NUM] {
    if units.is_empty() {
        return [TileSet::EMPTY; Direction::NUM];
    }
    Direction::ALL.map(|direction| units.stepped(direction.opposite()) & empty)
}

impl Generator<'_> {
    pub(super) fn combinations<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        Donors::of(self).combinations(self.rules, |donors, gifts, centres| {
            centres.tiles().try_for_each(|centre| f(Action::Combine { centre, donors, gifts }))
        })
    }

    pub(super) fn count_combinations(&self) -> u32 {
        let mut count = 0;
        let _ = Donors::of(self).combinations::<()>(self.rules, |_, _, centres| {
            count += centres.len();
            ControlFlow::Continue(())
        });
        count
    }

    /// By ring: the empty tiles that its donors surround. Donors are equal units (same primary, same slave), none of
    /// them the tribun, and each keeps a valid remainder.
    fn ring_centres(&self) -> [TileSet; Ring::NUM] {
        let mut found = [TileSet::EMPTY; Ring::NUM];
        if !self.rules.symmetric_combination {
            return found;
        }
        for height in Height::ALL {
            let units = self.primaries.with(Pattern::of_height(height)).without(TileSet::of(self.tribun));
            if units.len() < 3 {
                continue;
            }
            self.add_ring_centres(units.without(self.holders), height, None, &mut found);
            if (units & self.holders).len() >= 3 {
                for slave in Height::ALL {
                    let equal = units & self.slaves.with(Pattern::of_height(slave));
                    self.add_ring_centres(equal, height, Some(slave), &mut found);
                }
            }
        }
        found
    }

    /// Adds the centres of the rings that `equal` units, all with this height and slave, can form.
    #[inline]
    fn add_ring_centres(
        &self,
        equal: TileSet,
        height: Height,
        slave: Option<Height>,
        found: &mut [TileSet; Ring::NUM],
    ) {
        if equal.len() < 3 {
            return;
        }
        let at = centres(equal, self.field.empty);
        for (ring, found) in Ring::ALL.into_iter().zip(found) {
            if height.value().checked_sub(ring.gift()).is_some_and(|left| may_remain(left, slave)) {
                let donors = ring.donors().iter().map(|direction| at[direction.index()]);
                *found |= donors.fold(TileSet::BOARD, BitAnd::bitand);
            }
        }
    }

    pub(super) fn rings<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        for (ring, centres) in Ring::ALL.into_iter().zip(self.ring_centres()) {
            centres.tiles().try_for_each(|centre| f(Action::SymCombine { centre, ring }))?;
        }
        ControlFlow::Continue(())
    }

    pub(super) fn count_rings(&self) -> u32 {
        self.ring_centres().into_iter().map(TileSet::len).sum()
    }

    pub(super) fn splits<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut splitters = Splitters {
            at_least: [TileSet::EMPTY; HIGHEST + 1],
            can_spend: [TileSet::EMPTY; HIGHEST + 1],
            has_room: Direction::ALL.map(|direction| self.field.empty.stepped(direction.opposite())),
        };
        for tile in self.own {
            let unit = self.unit(tile);
            let height = unit.primary().value();
            if unit.is_tribun() {
                continue;
            }
            for sum in 0..=height {
                splitters.at_least[usize::from(sum)].insert(tile);
                if may_remain(height - sum, unit.slave()) {
                    splitters.can_spend[usize::from(sum)].insert(tile);
                }
            }
        }
        splitters.place(&Direction::ALL, Chosen::default(), splitters.at_least[0], f)
    }

    pub(super) fn count_splits(&self) -> u32 {
        let room = |tile: Tile| (NEIGHBOURS[tile.index()] & self.field.empty).len() as usize;
        self.own.tiles().map(|tile| u32::from(SPLITS[self.unit(tile).kind()][room(tile)])).sum()
    }

    pub(super) fn stabs<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        for direction in Direction::ALL {
            self.stabbers(direction)
                .tiles()
                .try_for_each(|actor| f(Action::Backstabb { actor, direction }))?;
        }
        ControlFlow::Continue(())
    }

    pub(super) fn count_stabs(&self) -> u32 {
        Direction::ALL.into_iter().map(|direction| self.stabbers(direction).len()).sum()
    }

    fn stabbers(&self, direction: Direction) -> TileSet {
        self.holders & self.field.empty.stepped(direction.opposite())
    }
}

/// The units that can split, by what a split asks of them.
struct Splitters {
    /// Those at least that high.
    at_least: [TileSet; HIGHEST + 1],
    /// Those that keep a valid remainder, or none, when they spend that much.
    can_spend: [TileSet; HIGHEST + 1],
    /// By direction: those with an empty neighbour there.
    has_room: [TileSet; Direction::NUM],
}

/// Parts that have been chosen so far.
#[derive(Clone, Copy, Default)]
struct Chosen {
    heights: [Option<Height>; Direction::NUM],
    /// What they weigh together.
    sum: usize,
    /// How many they are.
    count: usize,
}

impl Splitters {
    /// Chooses parts for the directions that are left, the last of them first, so that splits come out in the order
    /// of their words; `able` can do what has been chosen so far.
    fn place<B>(
        &self,
        left: &[Direction],
        chosen: Chosen,
        able: TileSet,
        f: &mut impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some((direction, left)) = left.split_last() else {
            let actors = match chosen.count {
                0 => return ControlFlow::Continue(()),
                // One part alone: something must stay behind.
                1 => able & self.can_spend[chosen.sum] & self.at_least[chosen.sum + 1],
                _ => able & self.can_spend[chosen.sum],
            };
            let parts = Parts::new(chosen.heights).expect("no part is 8");
            return actors.tiles().try_for_each(|actor| f(Action::Split { actor, parts }));
        };
        self.place(left, chosen, able, f)?;
        let room = able & self.has_room[direction.index()];
        for height in Parts::HEIGHTS {
            let sum = chosen.sum + usize::from(height.value());
            let able = self.at_least.get(sum).map_or(TileSet::EMPTY, |&high| room & high);
            if able.is_empty() {
                break;
            }
            let mut chosen = Chosen { sum, count: chosen.count + 1, ..chosen };
            chosen.heights[direction.index()] = Some(height);
            self.place(left, chosen, able, f)?;
        }
        ControlFlow::Continue(())
    }
}
