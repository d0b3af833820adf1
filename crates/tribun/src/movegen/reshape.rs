//! Actions on the mover's own units: combinations, splits and backstabs.

use std::ops::{BitAnd, ControlFlow};

use sandtable_core::Player;

use super::Generator;
use super::pattern::{NEIGHBORS, Pattern};
use crate::action::{Action, Amount, GIFTS, Pair, SplitHeights, SymCombine};
use crate::rules::Rules;
use crate::tile::{Direction, Tile};
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};

/// The greatest height.
const HIGHEST: usize = 8;

/// Returns whether `left` is a valid remainder of a unit with this slave.
const fn may_remain(left: u8, slave: Option<Height>) -> bool {
    match (Height::new(left), slave) {
        (None, _) => left == 0,
        (Some(_), None) => true,
        (Some(left), Some(slave)) => crate::unit::can_hold(left, slave),
    }
}

/// By kind of unit and amount: whether the unit can give the amount. Its remainder must be valid, and a tribun gives
/// its whole height.
static GIVEABLE: [[bool; Amount::NUM]; Unit::KINDS] = giveable();

const fn giveable() -> [[bool; Amount::NUM]; Unit::KINDS] {
    let mut table = [[false; Amount::NUM]; Unit::KINDS];
    // 255 is not a unit.
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

/// By kind of unit and number of empty neighbours: the number of splits.
static SPLITS: [[u16; Direction::NUM + 1]; Unit::KINDS] = splits();

const fn splits() -> [[u16; Direction::NUM + 1]; Unit::KINDS] {
    let mut table = [[0; Direction::NUM + 1]; Unit::KINDS];
    // 255 is not a unit.
    let mut byte = 0_u8;
    while byte < u8::MAX {
        // Both colours have the same kind: count it once.
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
                        table[unit.kind()][k] += SplitHeights::WAYS[k][sum as usize];
                    }
                    sum += 1;
                }
                // The whole height on one tile is not a split. (An 8 cannot be placed.)
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

/// The donors of combinations.
struct Donors {
    /// By amount and direction: the empty tiles whose neighbour in the direction can give the amount.
    at: [[TileSet; Direction::NUM]; Amount::NUM],
    /// By amount: whether any unit can give it.
    any: [bool; Amount::NUM],
}

impl Donors {
    fn of(generator: &Generator<'_>) -> Self {
        let mut givers = [TileSet::EMPTY; Amount::NUM];
        let mut add = |units: TileSet, kind: usize| {
            for (givers, gives) in givers.iter_mut().zip(GIVEABLE[kind]) {
                if gives {
                    *givers |= units;
                }
            }
        };
        for height in Height::ALL {
            let units = generator.units_of(height).without(generator.holders);
            if !units.is_empty() {
                add(units, Unit::new(generator.mover, height).kind());
            }
        }
        for tile in generator.own & generator.holders.with(generator.tribun) {
            add(TileSet::from(tile), generator.unit(tile).kind());
        }
        Self {
            at: givers.map(|givers| centers(givers, generator.occupancy.empty)),
            any: givers.map(|givers| !givers.is_empty()),
        }
    }

    /// Calls `f` with every pair of directions, every pair of gifts and the centres where both are possible, in the
    /// order of the action words.
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

/// By direction: the empty tiles with one of `units` as their neighbour in that direction.
#[inline]
fn centers(units: TileSet, empty: TileSet) -> [TileSet; Direction::NUM] {
    if units.is_empty() {
        return [TileSet::EMPTY; Direction::NUM];
    }
    Direction::ALL.map(|direction| units.shifted(direction.opposite()) & empty)
}

impl Generator<'_> {
    pub(super) fn combinations<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        Donors::of(self).combinations(self.rules, |donors, gifts, centers| {
            centers.iter().try_for_each(|center| f(Action::Combine { center, donors, gifts }))
        })
    }

    pub(super) fn count_combinations(&self) -> usize {
        let mut count = 0;
        let _ = Donors::of(self).combinations::<()>(self.rules, |_, _, centers| {
            count += centers.len();
            ControlFlow::Continue(())
        });
        count
    }

    /// By form of a symmetric combination: the empty tiles whose neighbours can make it. Donors are equal units (same
    /// primary, same slave) and keep a valid remainder. The tribun is never a donor.
    fn sym_combine_centers(&self) -> [TileSet; SymCombine::NUM] {
        let mut found = [TileSet::EMPTY; SymCombine::NUM];
        if !self.rules.symmetric_combination {
            return found;
        }
        for height in Height::ALL {
            let units = self.primaries.with(Pattern::of_height(height)).without(TileSet::from(self.tribun));
            if units.len() < 3 {
                continue;
            }
            self.add_sym_combine_centers(units.without(self.holders), height, None, &mut found);
            if (units & self.holders).len() >= 3 {
                for slave in Height::ALL {
                    let equal = units & self.slaves.with(Pattern::of_height(slave));
                    self.add_sym_combine_centers(equal, height, Some(slave), &mut found);
                }
            }
        }
        found
    }

    /// Adds the centres of the symmetric combinations that a set of equal units can make.
    #[inline]
    fn add_sym_combine_centers(
        &self,
        equal: TileSet,
        height: Height,
        slave: Option<Height>,
        found: &mut [TileSet; SymCombine::NUM],
    ) {
        if equal.len() < 3 {
            return;
        }
        let at = centers(equal, self.occupancy.empty);
        for (form, found) in SymCombine::ALL.into_iter().zip(found) {
            if height.value().checked_sub(form.gift()).is_some_and(|left| may_remain(left, slave)) {
                let donors = form.donors().iter().map(|direction| at[direction.index()]);
                *found |= donors.fold(TileSet::ALL, BitAnd::bitand);
            }
        }
    }

    pub(super) fn sym_combines<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        for (form, centers) in SymCombine::ALL.into_iter().zip(self.sym_combine_centers()) {
            centers.iter().try_for_each(|center| f(Action::SymCombine { center, form }))?;
        }
        ControlFlow::Continue(())
    }

    pub(super) fn count_sym_combines(&self) -> usize {
        self.sym_combine_centers().into_iter().map(TileSet::len).sum()
    }

    pub(super) fn splits<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut splitters = Splitters {
            at_least: [TileSet::EMPTY; HIGHEST + 1],
            can_place: [TileSet::EMPTY; HIGHEST + 1],
            has_room: Direction::ALL.map(|direction| self.occupancy.empty.shifted(direction.opposite())),
        };
        for height in Height::ALL {
            let units = self.units_of(height);
            if units.is_empty() {
                continue;
            }
            splitters.add(units.without(self.holders), height, None);
            for tile in units & self.holders {
                splitters.add(TileSet::from(tile), height, self.unit(tile).slave());
            }
        }
        splitters.place(&Direction::ALL, Chosen::default(), splitters.at_least[0], f)
    }

    /// The mover's units of a height, except the tribun.
    fn units_of(&self, height: Height) -> TileSet {
        let units = self.primaries.with(Pattern::of_height(height)) & self.own;
        units.without(TileSet::from(self.tribun))
    }

    pub(super) fn count_splits(&self) -> usize {
        let room = |tile: Tile| (NEIGHBORS[tile.index()] & self.occupancy.empty).len();
        self.own.iter().map(|tile| usize::from(SPLITS[self.unit(tile).kind()][room(tile)])).sum()
    }

    pub(super) fn backstabs<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        for direction in Direction::ALL {
            self.backstabbers(direction)
                .iter()
                .try_for_each(|actor| f(Action::Backstabb { actor, direction }))?;
        }
        ControlFlow::Continue(())
    }

    pub(super) fn count_backstabs(&self) -> usize {
        Direction::ALL.into_iter().map(|direction| self.backstabbers(direction).len()).sum()
    }

    fn backstabbers(&self, direction: Direction) -> TileSet {
        self.holders & self.occupancy.empty.shifted(direction.opposite())
    }
}

/// The units that can split, by the conditions of a split.
struct Splitters {
    /// By height: the units of at least that height.
    at_least: [TileSet; HIGHEST + 1],
    /// By sum: the units that keep a valid remainder when they place that much.
    can_place: [TileSet; HIGHEST + 1],
    /// By direction: the tiles with an empty neighbour in that direction.
    has_room: [TileSet; Direction::NUM],
}

/// The heights chosen so far.
#[derive(Clone, Copy, Default)]
struct Chosen {
    heights: [Option<Height>; Direction::NUM],
    /// Their sum.
    sum: usize,
    /// Their number.
    count: usize,
}

impl Splitters {
    /// Adds units with this height and this slave.
    #[inline]
    fn add(&mut self, units: TileSet, height: Height, slave: Option<Height>) {
        for sum in 0..=height.value() {
            self.at_least[usize::from(sum)] |= units;
            if may_remain(height.value() - sum, slave) {
                self.can_place[usize::from(sum)] |= units;
            }
        }
    }

    /// Generates the splits that place the chosen heights, and then those that also place heights in directions of `left`.
    /// `able` is the set of units that can place the chosen heights.
    ///
    /// The last direction is the most significant part of an action word. To generate splits in the order of their
    /// words, the directions of `left` are tried in ascending order, and each further height goes to a lower direction.
    fn place<B>(
        &self,
        left: &[Direction],
        chosen: Chosen,
        able: TileSet,
        f: &mut impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let actors = match chosen.count {
            0 => TileSet::EMPTY,
            // A unit that fills a single tile must keep a remainder.
            1 => able & self.can_place[chosen.sum] & self.at_least[chosen.sum + 1],
            _ => able & self.can_place[chosen.sum],
        };
        if !actors.is_empty() {
            let heights = SplitHeights::new(chosen.heights).expect("8 is not placeable");
            actors.iter().try_for_each(|actor| f(Action::Split { actor, heights }))?;
        }
        for (earlier, direction) in left.iter().enumerate() {
            let room = able & self.has_room[direction.index()];
            for height in SplitHeights::PLACEABLE {
                let sum = chosen.sum + usize::from(height.value());
                let able = self.at_least.get(sum).map_or(TileSet::EMPTY, |&high| room & high);
                if able.is_empty() {
                    break;
                }
                let mut chosen = Chosen { sum, count: chosen.count + 1, ..chosen };
                chosen.heights[direction.index()] = Some(height);
                self.place(&left[..earlier], chosen, able, f)?;
            }
        }
        ControlFlow::Continue(())
    }
}
