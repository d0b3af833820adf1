//! The move and attack patterns of every height.
//!
//! Every pattern is symmetric: if `a` reaches `b`, then `b` reaches `a`; for height 1, with the sides swapped. So the units
//! that reach a tile are found by applying their patterns to that tile ([`PartSets::movers`], [`PartSets::attackers`]).
//! The evaluation needs the targets of a unit instead ([`Pattern::attacks`], [`Pattern::moves`]).

use sandtable_core::Player;

use crate::board::Board;
use crate::tile::{Direction, Tile};
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};

/// The move and attack pattern of a part: one for each height, and a separate one for the tribun of height 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    TribunOne,
    One,
    Two,
    Three,
    Four,
    Six,
    Eight,
}

impl Pattern {
    pub(crate) const NUM: usize = 7;
    pub(crate) const ALL: [Self; Self::NUM] =
        [Self::TribunOne, Self::One, Self::Two, Self::Three, Self::Four, Self::Six, Self::Eight];

    pub(crate) const fn of_height(height: Height) -> Self {
        match height {
            Height::One => Self::One,
            Height::Two => Self::Two,
            Height::Three => Self::Three,
            Height::Four => Self::Four,
            Height::Six => Self::Six,
            Height::Eight => Self::Eight,
        }
    }

    pub(crate) const fn of_primary(unit: Unit) -> Self {
        match unit.primary() {
            Height::One if unit.is_tribun() => Self::TribunOne,
            height => Self::of_height(height),
        }
    }

    pub(crate) const fn height(self) -> Height {
        match self {
            Self::TribunOne | Self::One => Height::One,
            Self::Two => Height::Two,
            Self::Three => Height::Three,
            Self::Four => Height::Four,
            Self::Six => Height::Six,
            Self::Eight => Height::Eight,
        }
    }

    /// The tiles that a part on `from` attacks, whether or not an enemy is there. A part of height 1 advances in the
    /// direction of `origin`.
    #[inline]
    pub(crate) fn attacks(self, from: Tile, origin: Player, occupancy: &Occupancy) -> TileSet {
        match self {
            Self::TribunOne => NEIGHBORS[from.index()],
            // Swap the sides to get the targets from the table of attackers.
            Self::One => ONE_ATTACKS[(!origin).index()][from.index()],
            Self::Two => TWO_LEAPS[from.index()],
            Self::Three => THREE_LEAPS[from.index()],
            Self::Four => slides(&LEAP_RAYS, from, occupancy),
            Self::Six => slides(&STEP_RAYS, from, occupancy),
            Self::Eight => steps_of_eight(from, TileSet::ALL, occupancy) | TWO_LEAPS[from.index()],
        }
    }

    /// Returns whether a part moves exactly to the empty tiles that it attacks.
    #[inline]
    pub(crate) const fn moves_as_it_attacks(self) -> bool {
        matches!(self, Self::TribunOne | Self::Two | Self::Three | Self::Four)
    }

    /// The empty tiles that a part on `from` can move to. A part of height 1 advances in the direction of `origin`.
    #[inline]
    pub(crate) fn moves(self, from: Tile, origin: Player, occupancy: &Occupancy) -> TileSet {
        let reached = match self {
            Self::One => ONE_MOVES[(!origin).index()][from.index()],
            Self::Six => slides(&LEAP_RAYS, from, occupancy),
            Self::Eight => steps_of_eight(from, TileSet::ALL, occupancy),
            Self::TribunOne | Self::Two | Self::Three | Self::Four => self.attacks(from, origin, occupancy),
        };
        reached & occupancy.empty
    }

    /// The unit that stops a part on `from` from moving to `to` or attacking it: the first unit on the ray towards
    /// `to`.
    pub(crate) fn blocker(self, from: Tile, to: Tile, attacks: bool, occupancy: &Occupancy) -> Option<Tile> {
        let rays = match self {
            Self::TribunOne | Self::One | Self::Two | Self::Three => return None,
            Self::Eight => {
                let between = TWO_STEPS[from.index()].contains(to).then(|| between(from, to));
                return between.filter(|&tile| occupancy.enemy.contains(tile));
            }
            Self::Six if attacks => &STEP_RAYS,
            Self::Four | Self::Six => &LEAP_RAYS,
        };
        let ray = rays.iter().find(|rays| rays.tiles[from.index()].contains(to))?;
        ray.first_unit(from, occupancy).filter(|&unit| unit != to)
    }
}

/// The empty, enemy and occupied tiles, from the mover's perspective.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occupancy {
    pub(crate) empty: TileSet,
    pub(crate) enemy: TileSet,
    pub(crate) occupied: TileSet,
}

impl Occupancy {
    #[inline]
    pub(crate) fn new(board: &Board, mover: Player) -> Self {
        let occupied = board.all_occupied();
        Self { empty: !occupied, enemy: board.occupied(!mover), occupied }
    }
}

/// The tiles of the primaries or of the slaves that one player controls, by pattern.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartSets {
    /// In the order of [`Pattern::ALL`].
    sets: [TileSet; Pattern::NUM],
    /// The original side of the parts, which determines the direction of the 1s.
    origin: Player,
}

impl PartSets {
    /// The primaries on the tiles of `own`, one of which is the tribun.
    #[inline]
    pub(super) fn of_primaries(board: &Board, own: TileSet, tribun: Tile, origin: Player) -> Self {
        let with = |height| board.primaries(height) & own;
        let ones = with(Height::One);
        let tribun_one = ones & TileSet::from(tribun);
        let sets = [
            tribun_one,
            ones.without(tribun_one),
            with(Height::Two),
            with(Height::Three),
            with(Height::Four),
            with(Height::Six),
            with(Height::Eight),
        ];
        Self { sets, origin }
    }

    /// The slaves of the units on the tiles of `own`. The slaves come from `origin`.
    #[inline]
    pub(super) fn of_slaves(board: &Board, own: TileSet, origin: Player) -> Self {
        // Most positions have no slaves.
        if (board.all_slaves() & own).is_empty() {
            return Self { sets: [TileSet::EMPTY; Pattern::NUM], origin };
        }
        let with = |height| board.slaves(height) & own;
        let sets = [
            TileSet::EMPTY,
            with(Height::One),
            with(Height::Two),
            with(Height::Three),
            with(Height::Four),
            with(Height::Six),
            with(Height::Eight),
        ];
        Self { sets, origin }
    }

    /// The original side of the parts, which determines the direction of the 1s.
    pub(crate) const fn origin(&self) -> Player {
        self.origin
    }

    /// The tiles of the parts with this pattern.
    #[inline]
    pub(crate) const fn with(&self, pattern: Pattern) -> TileSet {
        self.sets[pattern as usize]
    }

    /// The parts that can move to the empty tile `to`.
    #[inline]
    pub(super) fn movers(&self, to: Tile, occupancy: &Occupancy) -> TileSet {
        let ones = ONE_MOVES[self.origin.index()][to.index()] & self.with(Pattern::One);
        let slides =
            sliders_reaching(&LEAP_RAYS, to, self.with(Pattern::Four) | self.with(Pattern::Six), occupancy);
        ones | self.leapers(to) | slides | self.eights(to, occupancy)
    }

    /// The parts that attack an enemy on `target`.
    #[inline]
    pub(super) fn attackers(&self, target: Tile, occupancy: &Occupancy) -> TileSet {
        let ones = ONE_ATTACKS[self.origin.index()][target.index()] & self.with(Pattern::One);
        let fours = sliders_reaching(&LEAP_RAYS, target, self.with(Pattern::Four), occupancy);
        let sixes = sliders_reaching(&STEP_RAYS, target, self.with(Pattern::Six), occupancy);
        let eights = self.eights(target, occupancy) | TWO_LEAPS[target.index()] & self.with(Pattern::Eight);
        ones | self.leapers(target) | fours | sixes | eights
    }

    /// The parts that leap to a tile: the tribun of height 1, the 2s and the 3s. Their moves and attacks have the same
    /// pattern.
    #[inline]
    fn leapers(&self, to: Tile) -> TileSet {
        NEIGHBORS[to.index()] & self.with(Pattern::TribunOne)
            | TWO_LEAPS[to.index()] & self.with(Pattern::Two)
            | THREE_LEAPS[to.index()] & self.with(Pattern::Three)
    }

    /// The 8s that reach a tile by one step, or by two with no enemy between.
    #[inline]
    fn eights(&self, to: Tile, occupancy: &Occupancy) -> TileSet {
        let eights = self.with(Pattern::Eight);
        if eights.is_empty() { TileSet::EMPTY } else { steps_of_eight(to, eights, occupancy) }
    }
}

/// The tile between two tiles that are two steps apart in one direction.
#[inline]
fn between(one: Tile, other: Tile) -> Tile {
    // The cid is linear in the coordinates, so the tile between has the mean of both cids.
    Tile::from_bit(u32::from(other.cid().midpoint(one.cid())))
}

/// The tiles of `others` that an 8 reaches from `tile`, by one step or by two with no enemy between. Symmetric.
#[inline]
fn steps_of_eight(tile: Tile, others: TileSet, occupancy: &Occupancy) -> TileSet {
    let unhindered = |other: &Tile| !occupancy.enemy.contains(between(tile, *other));
    NEIGHBORS[tile.index()] & others | (TWO_STEPS[tile.index()] & others).iter().filter(unhindered).collect()
}

/// A set for every tile.
type Sets = [TileSet; Tile::CIDS];

/// The rays from every tile along one vector.
struct Rays {
    tiles: Sets,
    /// Whether cids increase along the rays, so that the nearest tile has the lowest cid.
    ascending: bool,
}

impl Rays {
    #[inline]
    fn first_unit(&self, tile: Tile, occupancy: &Occupancy) -> Option<Tile> {
        let units = self.tiles[tile.index()] & occupancy.occupied;
        if self.ascending { units.first() } else { units.last() }
    }

    /// The tiles of the ray from `tile` up to and including the first unit.
    #[inline]
    fn reached(&self, tile: Tile, occupancy: &Occupancy) -> TileSet {
        let ray = self.tiles[tile.index()];
        let units = ray & occupancy.occupied;
        if self.ascending {
            ray.up_to_first(units)
        } else {
            units.last().map_or(ray, |unit| ray.without(self.tiles[unit.index()]))
        }
    }
}

/// The sliders that reach `tile`: those that are the first unit on a ray from it.
#[inline]
fn sliders_reaching(
    rays: &[Rays; Direction::NUM],
    tile: Tile,
    sliders: TileSet,
    occupancy: &Occupancy,
) -> TileSet {
    let mut first_units = TileSet::EMPTY;
    if sliders.is_empty() {
        return first_units;
    }
    for rays in rays {
        if !(rays.tiles[tile.index()] & sliders).is_empty() {
            first_units |= rays.first_unit(tile, occupancy).into_iter().collect();
        }
    }
    first_units & sliders
}

/// The tiles on the rays from `tile` up to and including the first unit.
#[inline]
fn slides(rays: &[Rays; Direction::NUM], tile: Tile, occupancy: &Occupancy) -> TileSet {
    rays.iter().fold(TileSet::EMPTY, |reached, rays| reached | rays.reached(tile, occupancy))
}

pub(crate) const STEPS: [(i8, i8); Direction::NUM] = steps(1);
const DOUBLE_STEPS: [(i8, i8); Direction::NUM] = steps(2);
pub(crate) const TWOS: [(i8, i8); 6] = [(1, 2), (-1, 1), (2, 1), (-1, -2), (1, -1), (-2, -1)];
pub(crate) const THREES: [(i8, i8); 12] = [
    (3, 2),
    (2, 3),
    (1, 3),
    (3, 1),
    (-1, 2),
    (2, -1),
    (-3, -2),
    (-2, -3),
    (-1, -3),
    (-3, -1),
    (1, -2),
    (-2, 1),
];

pub(crate) static NEIGHBORS: Sets = offsets(&STEPS);
static TWO_STEPS: Sets = offsets(&DOUBLE_STEPS);
static TWO_LEAPS: Sets = offsets(&TWOS);
static THREE_LEAPS: Sets = offsets(&THREES);
static STEP_RAYS: [Rays; 6] = all_rays(&STEPS);
static LEAP_RAYS: [Rays; 6] = all_rays(&TWOS);
/// By side: the tile from which a 1 moves to a tile. Black's 1s move up, White's 1s move down.
static ONE_MOVES: [Sets; 2] = [offsets(&[(-1, -1)]), offsets(&[(1, 1)])];
/// By side: the tiles from which a 1 attacks a tile.
static ONE_ATTACKS: [Sets; 2] = [offsets(&[(-1, 0), (0, -1)]), offsets(&[(1, 0), (0, 1)])];

/// The vectors of `length` steps in each direction.
const fn steps(length: i8) -> [(i8, i8); Direction::NUM] {
    let mut vectors = [(0, 0); Direction::NUM];
    let mut i = 0;
    while i < Direction::NUM {
        let (dx, dy) = Direction::ALL[i].vector();
        vectors[i] = (dx * length, dy * length);
        i += 1;
    }
    vectors
}

/// For every tile, the tiles at the given offsets.
const fn offsets(vectors: &[(i8, i8)]) -> Sets {
    let mut sets = [TileSet::EMPTY; Tile::CIDS];
    let mut cid = 0;
    while cid < Tile::CIDS {
        if let Ok(tile) = Tile::from_cid(cid as u8) {
            let mut i = 0;
            while i < vectors.len() {
                if let Some(there) = tile.offset(vectors[i].0, vectors[i].1) {
                    sets[cid].insert(there);
                }
                i += 1;
            }
        }
        cid += 1;
    }
    sets
}

/// For every tile, the tiles at all multiples of a vector.
const fn rays(vector: (i8, i8)) -> Rays {
    let mut tiles = [TileSet::EMPTY; Tile::CIDS];
    let mut cid = 0;
    while cid < Tile::CIDS {
        if let Ok(tile) = Tile::from_cid(cid as u8) {
            let mut on_ray = tile;
            while let Some(next) = on_ray.offset(vector.0, vector.1) {
                tiles[cid].insert(next);
                on_ray = next;
            }
        }
        cid += 1;
    }
    Rays { tiles, ascending: vector.0 * 11 + vector.1 > 0 }
}

const fn all_rays(vectors: &[(i8, i8); 6]) -> [Rays; 6] {
    [
        rays(vectors[0]),
        rays(vectors[1]),
        rays(vectors[2]),
        rays(vectors[3]),
        rays(vectors[4]),
        rays(vectors[5]),
    ]
}
