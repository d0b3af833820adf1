//! The policy: a fixed index for every action, in the mover's frame.
//!
//! An action belongs to a cell of the 11 × 11 grid (the tile of its actor, its target or its centre) and to one of [`PLANES`]
//! planes: `index = cell · PLANES + plane`, an array of shape (11, 11, PLANES).
//!
//! ```
//! use sandtable_core::{Notation, PolicyIndexed, Position};
//! use sandtable_tribun::{Tribun, Rules, policy};
//!
//! let start = Tribun::start(Rules::STANDARD);
//! let action = start.parse_move("f4-g5")?;
//! let index = start.policy_index(action);
//! // The tile f4 has cid 58; the first plane is a move by one step up.
//! assert_eq!(index.index(), 58 * policy::PLANES);
//! assert_eq!(start.move_at(index), Some(action));
//! # Ok::<(), sandtable_tribun::MoveError>(())
//! ```

use sandtable_core::learn::{PlaneGroup, PolicyIndex};
use sandtable_core::{Player, PolicyIndexed, Position};
use strum::VariantArray as _;

use crate::action::{Action, Amount, GIFTS, Pair, Part, SplitHeights, SymCombine};
use crate::frame::Frame;
use crate::movegen::{STEPS, THREES, TWOS};
use crate::position::Tribun;
use crate::tile::{Direction, Tile};
use crate::unit::Height;

/// The families of actions, in the order of their planes.
pub const FAMILIES: [PlaneGroup; 12] = [
    PlaneGroup::new("move", REACH.len(), "from", "offset of the target"),
    PlaneGroup::new("move by slave", REACH.len(), "from", "offset of the target"),
    PlaneGroup::new("kill", REACH.len(), "attacker", "offset of the target"),
    PlaneGroup::new("kill by slave", REACH.len(), "attacker", "offset of the target"),
    PlaneGroup::new("enslave", REACH.len(), "attacker", "offset of the target"),
    PlaneGroup::new("attack tribun", 1, "attacker", "nothing: there is one enemy tribun"),
    PlaneGroup::new("liberate", 1, "target", "nothing"),
    PlaneGroup::new("damage", LOSSES, "target", "loss - 1"),
    PlaneGroup::new("combine", Pair::NUM * GIFTS.len(), "centre", "pair of directions · 18 + pair of gifts"),
    PlaneGroup::new("symmetric combine", SymCombine::NUM, "centre", "ring"),
    PlaneGroup::new("split", SPLITS, "actor", "rank of the six heights - 1"),
    PlaneGroup::new("backstabb", Direction::NUM, "actor", "direction"),
];

/// The number of planes over each cell.
pub const PLANES: usize = first_plane(FAMILIES.len());

/// The first plane of a family, given by its index in [`FAMILIES`].
#[must_use]
pub const fn first_plane(family: usize) -> usize {
    PlaneGroup::first_plane(&FAMILIES, family)
}

/// A family of actions: its index in [`FAMILIES`].
#[derive(Clone, Copy, strum::VariantArray)]
enum Family {
    Move,
    MoveBySlave,
    Kill,
    KillBySlave,
    Enslave,
    AttackTribun,
    Liberate,
    Damage,
    Combine,
    SymCombine,
    Split,
    Backstabb,
}

const _: () = assert!(Family::VARIANTS.len() == FAMILIES.len());

impl Family {
    #[inline]
    const fn first_plane(self) -> usize {
        const FIRST: [usize; FAMILIES.len()] = {
            let mut first = [0; FAMILIES.len()];
            let mut family = 0;
            while family < first.len() {
                first[family] = first_plane(family);
                family += 1;
            }
            first
        };
        FIRST[self as usize]
    }

    /// The family of a plane.
    fn of_plane(plane: usize) -> Self {
        let found = Self::VARIANTS.iter().rev().find(|family| family.first_plane() <= plane);
        *found.expect("the first plane is 0")
    }

    /// The family of the moves that a part of a unit makes.
    const fn of_moves(part: Part) -> Self {
        match part {
            Part::Primary => Self::Move,
            Part::Slave => Self::MoveBySlave,
        }
    }

    /// The family of the kills that a part of a unit makes.
    const fn of_kills(part: Part) -> Self {
        match part {
            Part::Primary => Self::Kill,
            Part::Slave => Self::KillBySlave,
        }
    }
}

/// The number of possible losses: a unit of height 8 loses at most 7.
const LOSSES: usize = 7;

/// The offsets between a unit and the tiles that it can reach: up to ten neighbour steps in each of the six directions,
/// up to five leaps along each of the six vectors of height 2, and the twelve leaps of height 3.
pub const REACH: [(i8, i8); 102] = reach();

const fn reach() -> [(i8, i8); 102] {
    let mut offsets = [(0, 0); 102];
    let mut count = 0;
    let mut i = 0;
    while i < 6 {
        let mut times = 1;
        while times <= 10 {
            offsets[count] = (STEPS[i].0 * times, STEPS[i].1 * times);
            count += 1;
            times += 1;
        }
        i += 1;
    }
    i = 0;
    while i < 6 {
        let mut times = 1;
        while times <= 5 {
            offsets[count] = (TWOS[i].0 * times, TWOS[i].1 * times);
            count += 1;
            times += 1;
        }
        i += 1;
    }
    i = 0;
    while i < 12 {
        offsets[count] = THREES[i];
        count += 1;
        i += 1;
    }
    assert!(count == offsets.len());
    offsets
}

/// The index in [`REACH`] of the offset `(dx, dy)`, at `(dx + 10) · 21 + (dy + 10)`.
static REACH_INDEX: [Option<u8>; 21 * 21] = {
    let mut table = [None; 21 * 21];
    let mut i = 0;
    while i < REACH.len() {
        let (dx, dy) = REACH[i];
        table[((dx as isize + 10) * 21 + dy as isize + 10).cast_unsigned()] = Some(i as u8);
        i += 1;
    }
    table
};

/// The index in [`REACH`] of the offset between two tiles.
#[inline]
fn reach_index(from: Tile, to: Tile) -> usize {
    offset_index(to.x() - from.x(), to.y() - from.y())
}

/// The index in [`REACH`] of an offset.
#[inline]
fn offset_index(dx: i8, dy: i8) -> usize {
    let place = (isize::from(dx) + 10) * 21 + isize::from(dy) + 10;
    REACH_INDEX[place.cast_unsigned()].expect("the offset of a legal action is in the table").into()
}

/// `FILLINGS[n][max]`: the number of ways to distribute at most `max` over `n` neighbours, any of which may get
/// nothing.
const FILLINGS: [[u16; 9]; Direction::NUM + 1] = {
    let mut ways = SplitHeights::WAYS;
    let mut n = 0;
    while n < ways.len() {
        let mut max = 1;
        while max < ways[n].len() {
            ways[n][max] += ways[n][max - 1];
            max += 1;
        }
        n += 1;
    }
    ways
};

/// The number of splits that place at most 8.
const SPLITS: usize = FILLINGS[Direction::NUM][8] as usize - 1;

/// The heights that a neighbour can get, in the order of ranks; `None` is nothing.
fn choices() -> impl Iterator<Item = Option<Height>> {
    std::iter::once(None).chain(SplitHeights::PLACEABLE.map(Some))
}

fn weight(part: Option<Height>) -> usize {
    part.map_or(0, |height| height.value().into())
}

/// `LOWER[left][max][w]`: the number of distributions of at most `max` over a neighbour, which gets less than `w`, and `left`
/// others.
const LOWER: [[[u16; 9]; 9]; Direction::NUM] = {
    let mut ways = [[[0; 9]; 9]; Direction::NUM];
    let mut at = 0;
    while at < Direction::NUM * 9 * 9 {
        let (left, max, w) = (at / 81, at / 9 % 9, at % 9);
        if w > 0 && w <= max {
            // A neighbour gets nothing or a placeable height.
            let placeable = matches!(w - 1, 0 | 1 | 2 | 3 | 4 | 6);
            ways[left][max][w] =
                ways[left][max][w - 1] + if placeable { FILLINGS[left][max + 1 - w] } else { 0 };
        }
        at += 1;
    }
    ways
};

/// The number of ways to give three neighbours nothing or a height.
const HALVES: usize = (Height::NUM + 1).pow(3);

/// `HALF_RANKS[max][half]`: the rank of the heights of the last three neighbours among all distributions of at most `max`.
static HALF_RANKS: [[u16; HALVES]; 9] = {
    let mut ranks = [[0; HALVES]; 9];
    let mut max = 0;
    while max < ranks.len() {
        let mut half = 0;
        while half < HALVES {
            ranks[max][half] = half_rank(half, 0, max);
            half += 1;
        }
        max += 1;
    }
    ranks
};

/// By the heights of the first three neighbours: their part of the rank, and their sum.
static FIRST_HALVES: [(u16, u8); HALVES] = {
    let mut halves = [(0, 0); HALVES];
    let mut half = 0;
    while half < HALVES {
        let [a, b, c] = half_weights(half);
        halves[half] = (half_rank(half, 3, 8), (a + b + c) as u8);
        half += 1;
    }
    halves
};

/// The number of three heights, which are numbered from 0 (nothing).
#[inline]
fn half(heights: [Option<Height>; 3]) -> usize {
    heights.iter().fold(0, |half, part| half * (Height::NUM + 1) + part.map_or(0, Height::index))
}

/// The weights of the three heights with a number.
const fn half_weights(half: usize) -> [usize; 3] {
    const WEIGHTS: [usize; Height::NUM + 1] = [0, 1, 2, 3, 4, 6, 8];
    let base = WEIGHTS.len();
    [WEIGHTS[half / base / base], WEIGHTS[half / base % base], WEIGHTS[half % base]]
}

/// The part of the rank of three neighbours that are followed by `left` others; 0 if their heights exceed `max`.
const fn half_rank(half: usize, left: usize, max: usize) -> u16 {
    let weights = half_weights(half);
    let (mut rank, mut max, mut i) = (0, max, 0);
    while i < weights.len() {
        if weights[i] > max {
            return 0;
        }
        rank += LOWER[left + 2 - i][max][weights[i]];
        max -= weights[i];
        i += 1;
    }
    rank
}

/// The rank of a split in the mover's frame among all distributions of at most 8 in lexicographic order, direction 0 first. The
/// empty distribution has rank 0.
#[inline]
fn split_rank(heights: SplitHeights, mover: Player) -> usize {
    // Opposite directions are three apart, so the mover's frame swaps the halves.
    let heights = heights.by_direction();
    let half_from = |start: usize| half([heights[start], heights[start + 1], heights[start + 2]]);
    let (first, second) = match mover {
        Player::First => (half_from(0), half_from(3)),
        Player::Second => (half_from(3), half_from(0)),
    };
    let (rank, sum) = FIRST_HALVES[first];
    usize::from(rank + HALF_RANKS[8 - usize::from(sum)][second])
}

/// The split with this rank.
fn split_of_rank(rank: usize) -> SplitHeights {
    let (mut rank, mut max) = (rank as u16, 8);
    let mut heights = [None; Direction::NUM];
    for (slot, left) in heights.iter_mut().zip((0..Direction::NUM).rev()) {
        for part in choices().take_while(|&part| weight(part) <= max) {
            let ways = FILLINGS[left][max - weight(part)];
            if rank < ways {
                *slot = part;
                max -= weight(part);
                break;
            }
            rank -= ways;
        }
    }
    SplitHeights::new(heights).expect("8 is not placeable")
}

/// The index in [`GIFTS`] of a pair of amounts.
const GIFT_INDEX: [[Option<u8>; Amount::NUM]; Amount::NUM] = {
    let mut table = [[None; Amount::NUM]; Amount::NUM];
    let mut i = 0;
    while i < GIFTS.len() {
        let [first, second] = GIFTS[i];
        table[first.index()][second.index()] = Some(i as u8);
        i += 1;
    }
    table
};

/// By pair of directions and pair of gifts: the same combination with the directions reversed.
static REVERSED_COMBINATIONS: [u16; Pair::NUM * GIFTS.len()] = {
    let mut reversed = [0; Pair::NUM * GIFTS.len()];
    let mut i = 0;
    while i < reversed.len() {
        let ([a, b], [first, second]) = (Pair::ALL[i / GIFTS.len()].directions(), GIFTS[i % GIFTS.len()]);
        let (pair, gifts) =
            match (Pair::new(a.opposite(), b.opposite()), Pair::new(b.opposite(), a.opposite())) {
                (Some(pair), _) => (pair, [first, second]),
                (None, Some(pair)) => (pair, [second, first]),
                (None, None) => panic!("opposites of different directions differ"),
            };
        reversed[i] = combination(pair, gifts) as u16;
        i += 1;
    }
    reversed
};

/// The index of a combination among those of a centre.
#[inline]
const fn combination(donors: Pair, [first, second]: [Amount; 2]) -> usize {
    let gifts = GIFT_INDEX[first.index()][second.index()];
    donors.index() * GIFTS.len()
        + gifts.expect("the gifts of a legal combination add up to a height") as usize
}

/// The cell and the plane of an action of `mover`, in the mover's frame: those of [`Frame::action`], without making it.
#[inline]
fn locate(action: Action, mover: Player) -> (Tile, usize) {
    let reverses = mover == Player::Second;
    let framed = |tile| Frame::of(mover).oriented(tile);
    let reach = |from: Tile, to: Tile| (framed(from), reach_index(framed(from), framed(to)));
    match action {
        Action::Move { from, to, part } => {
            let (from, reach) = reach(from, to);
            (from, Family::of_moves(part).first_plane() + reach)
        }
        Action::Kill { attacker, target, part } => {
            let (attacker, reach) = reach(attacker, target);
            (attacker, Family::of_kills(part).first_plane() + reach)
        }
        Action::Enslave { attacker, target } => {
            let (attacker, reach) = reach(attacker, target);
            (attacker, Family::Enslave.first_plane() + reach)
        }
        Action::AttackTribun { attacker, .. } => (framed(attacker), Family::AttackTribun.first_plane()),
        Action::Liberate { target } => (framed(target), Family::Liberate.first_plane()),
        Action::Damage { target, loss } => (framed(target), Family::Damage.first_plane() + loss.index()),
        Action::Combine { center, donors, gifts } => {
            let index = combination(donors, gifts);
            let index = if reverses { REVERSED_COMBINATIONS[index].into() } else { index };
            (framed(center), Family::Combine.first_plane() + index)
        }
        Action::SymCombine { center, form } => {
            let form = if reverses { form.mirrored() } else { form };
            (framed(center), Family::SymCombine.first_plane() + form as usize)
        }
        Action::Split { actor, heights } => {
            (framed(actor), Family::Split.first_plane() + split_rank(heights, mover) - 1)
        }
        Action::Backstabb { actor, direction } => {
            let direction = if reverses { direction.opposite() } else { direction };
            (framed(actor), Family::Backstabb.first_plane() + direction.index())
        }
    }
}

/// The action of a cell and a plane in the mover's frame, which need not be legal; `None` if it leaves the board. The
/// enemy tribun is the one thing that an index does not contain.
pub(crate) fn action_at(cell: Tile, plane: usize, tribun: Tile) -> Option<Action> {
    let family = Family::of_plane(plane);
    let plane = plane - family.first_plane();
    let reached = || cell.offset(REACH[plane].0, REACH[plane].1);
    Some(match family {
        Family::Move => Action::Move { from: cell, to: reached()?, part: Part::Primary },
        Family::MoveBySlave => Action::Move { from: cell, to: reached()?, part: Part::Slave },
        Family::Kill => Action::Kill { attacker: cell, target: reached()?, part: Part::Primary },
        Family::KillBySlave => Action::Kill { attacker: cell, target: reached()?, part: Part::Slave },
        Family::Enslave => Action::Enslave { attacker: cell, target: reached()? },
        Family::AttackTribun => Action::AttackTribun { attacker: cell, tribun, winner: Player::First },
        Family::Liberate => Action::Liberate { target: cell },
        Family::Damage => Action::Damage { target: cell, loss: Amount::new(plane as u8)? },
        Family::Combine => {
            let donors = Pair::ALL[plane / GIFTS.len()];
            Action::Combine { center: cell, donors, gifts: GIFTS[plane % GIFTS.len()] }
        }
        Family::SymCombine => Action::SymCombine { center: cell, form: SymCombine::ALL[plane] },
        Family::Split => Action::Split { actor: cell, heights: split_of_rank(plane + 1) },
        Family::Backstabb => Action::Backstabb { actor: cell, direction: Direction::ALL[plane] },
    })
}

/// The cell and the plane of an index; `None` if the cell is not a tile.
pub(crate) fn cell_and_plane(index: PolicyIndex) -> Option<(Tile, usize)> {
    let cell = Tile::from_cid(u8::try_from(index.index() / PLANES).ok()?).ok()?;
    Some((cell, index.index() % PLANES))
}

/// The number of lines of [`REACH`]: the six directions, the six vectors of height 2 and the twelve leaps of height 3.
pub(crate) const LINES: usize = STEPS.len() + TWOS.len() + THREES.len();

/// The first step of each line, in the order of [`REACH`].
pub(crate) fn line_vector(line: usize) -> (i8, i8) {
    let (steps, leaps) = (STEPS.len(), STEPS.len() + TWOS.len());
    match line {
        _ if line < steps => STEPS[line],
        _ if line < leaps => TWOS[line - steps],
        _ => THREES[line - leaps],
    }
}

/// The line of an offset of [`REACH`].
pub(crate) fn line_of(dx: i8, dy: i8) -> usize {
    const STEP_OFFSETS: usize = STEPS.len() * 10;
    const LEAP_OFFSETS: usize = TWOS.len() * 5;
    let reach = offset_index(dx, dy);
    match reach.checked_sub(STEP_OFFSETS) {
        None => reach / 10,
        Some(leap) if leap < LEAP_OFFSETS => STEPS.len() + leap / 5,
        Some(leap) => STEPS.len() + TWOS.len() + leap - LEAP_OFFSETS,
    }
}

/// The plane of an action on the board with the coordinates exchanged.
pub(crate) fn reflected_plane(plane: usize) -> usize {
    let family = Family::of_plane(plane);
    if FAMILIES[family as usize].planes == REACH.len() {
        let (dx, dy) = REACH[plane - family.first_plane()];
        return family.first_plane() + offset_index(dy, dx);
    }
    // No other family leaves the neighbourhood of its cell, so the centre of the board stands for every cell.
    let action =
        action_at(Tile::CENTER, plane, Tile::CENTER).expect("the neighbours of the centre are tiles");
    locate(action.reflected(), Player::First).1
}

impl PolicyIndexed for Tribun {
    const POLICY_SIZE: usize = Tile::CIDS * PLANES;
    const POLICY: &'static str = "tribun-policy-1";

    fn policy_index(&self, action: Action) -> PolicyIndex {
        let (cell, plane) = locate(action, self.turn());
        PolicyIndex((cell.index() * PLANES + plane) as u32)
    }

    fn move_at(&self, index: PolicyIndex) -> Option<Action> {
        let frame = Frame::of(self.turn());
        let tribun = frame.oriented(self.board().tribun(!self.turn()));
        let (cell, plane) = cell_and_plane(index)?;
        let action = frame.action(action_at(cell, plane, tribun)?);
        self.is_legal(action).then_some(action)
    }
}
