//! Who reaches a tile: the patterns of every height, seen from where they lead.
//!
//! Every pattern but a 1's is symmetric (if `a` reaches `b`, then `b` would reach `a`), so the units that reach a tile
//! are found by laying their own pattern on that tile. The evaluation asks forwards: [`Pattern::attacked`].

use sandtable_core::Player;

use crate::board::Board;
use crate::tile::{Direction, Tile};
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};

/// How a part moves and attacks: by its height, and the tribun of height 1 in its own way.
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

    /// The question asked forwards: which tiles a part on `from` attacks, or would if an enemy stood there. Its 1s go as
    /// those of `origin`.
    #[inline]
    pub(crate) fn attacked(self, from: Tile, origin: Player, field: &Field) -> TileSet {
        match self {
            Self::TribunOne => NEIGHBOURS[from.index()],
            // The one pattern that is not symmetric: where a 1 leads is where one of the other side would come from.
            Self::One => ONE_ATTACKS[(!origin).index()][from.index()],
            Self::Two => TWO_LEAPS[from.index()],
            Self::Three => THREE_LEAPS[from.index()],
            Self::Four => seen(&LEAP_RAYS, from, field),
            Self::Six => seen(&STEP_RAYS, from, field),
            Self::Eight => steps_of_eight(from, TileSet::BOARD, field) | TWO_LEAPS[from.index()],
        }
    }

    /// Does a part go exactly to those empty tiles that it attacks?
    #[inline]
    pub(crate) const fn moves_as_it_attacks(self) -> bool {
        matches!(self, Self::TribunOne | Self::Two | Self::Three | Self::Four)
    }

    /// The empty tiles that a part on `from` can go to. Its 1s go as those of `origin`.
    #[inline]
    pub(crate) fn entered(self, from: Tile, origin: Player, field: &Field) -> TileSet {
        let reached = match self {
            Self::One => ONE_MOVES[(!origin).index()][from.index()],
            Self::Six => seen(&LEAP_RAYS, from, field),
            Self::Eight => steps_of_eight(from, TileSet::BOARD, field),
            Self::TribunOne | Self::Two | Self::Three | Self::Four => self.attacked(from, origin, field),
        };
        reached & field.empty
    }
}

/// What stands in the way: the board as the mover sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) empty: TileSet,
    pub(crate) enemy: TileSet,
    pub(crate) occupied: TileSet,
}

impl Field {
    #[inline]
    pub(crate) fn new(board: &Board, mover: Player) -> Self {
        let occupied = board.occupied();
        Self { empty: !occupied, enemy: board.side(!mover), occupied }
    }
}

/// Parts that act for one player, sorted by pattern: all its primaries, or all its slaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corps {
    sets: [TileSet; Pattern::NUM],
    /// The side whose way the 1s go.
    origin: Player,
}

impl Corps {
    /// Nobody yet, with 1s that go as those of `origin`.
    pub(super) const fn new(origin: Player) -> Self {
        Self { sets: [TileSet::EMPTY; Pattern::NUM], origin }
    }

    /// The unit's primary joins.
    #[inline]
    pub(super) fn add_primary(&mut self, tile: Tile, unit: Unit) {
        self.sets[Pattern::of_primary(unit) as usize].insert(tile);
    }

    /// A slave of that height joins.
    #[inline]
    pub(super) fn add_slave(&mut self, tile: Tile, height: Height) {
        self.sets[Pattern::of_height(height) as usize].insert(tile);
    }

    /// The side whose way the 1s go.
    pub(crate) const fn origin(&self) -> Player {
        self.origin
    }

    /// Where the parts with that pattern stand.
    #[inline]
    pub(crate) const fn with(&self, pattern: Pattern) -> TileSet {
        self.sets[pattern as usize]
    }

    /// Who can go to the empty tile `to`.
    #[inline]
    pub(super) fn movers(&self, to: Tile, field: &Field) -> TileSet {
        let ones = ONE_MOVES[self.origin.index()][to.index()] & self.with(Pattern::One);
        let slides = along(&LEAP_RAYS, to, self.with(Pattern::Four) | self.with(Pattern::Six), field);
        ones | self.leapers(to) | slides | self.eights(to, field)
    }

    /// Who attacks the enemy on `target`.
    #[inline]
    pub(super) fn attackers(&self, target: Tile, field: &Field) -> TileSet {
        let ones = ONE_ATTACKS[self.origin.index()][target.index()] & self.with(Pattern::One);
        let fours = along(&LEAP_RAYS, target, self.with(Pattern::Four), field);
        let sixes = along(&STEP_RAYS, target, self.with(Pattern::Six), field);
        let eights = self.eights(target, field) | TWO_LEAPS[target.index()] & self.with(Pattern::Eight);
        ones | self.leapers(target) | fours | sixes | eights
    }

    /// The tribun of height 1, the 2s and the 3s move and attack alike, whatever stands between.
    #[inline]
    fn leapers(&self, to: Tile) -> TileSet {
        NEIGHBOURS[to.index()] & self.with(Pattern::TribunOne)
            | TWO_LEAPS[to.index()] & self.with(Pattern::Two)
            | THREE_LEAPS[to.index()] & self.with(Pattern::Three)
    }

    /// The 8s that get to a tile by one step, or by two past no enemy.
    #[inline]
    fn eights(&self, to: Tile, field: &Field) -> TileSet {
        let eights = self.with(Pattern::Eight);
        if eights.is_empty() { TileSet::EMPTY } else { steps_of_eight(to, eights, field) }
    }
}

/// Those of `others` that an 8 gets to from `tile`, or from which it gets there: by one step, or by two past no enemy.
#[inline]
fn steps_of_eight(tile: Tile, others: TileSet, field: &Field) -> TileSet {
    // The cid is linear in the coordinates, so that of the tile between is the mean.
    let unhindered = |other: &Tile| {
        let between = Tile::from_bit(u32::from(other.cid().midpoint(tile.cid())));
        !field.enemy.contains(between)
    };
    NEIGHBOURS[tile.index()] & others
        | (TWO_STEPS[tile.index()] & others).tiles().filter(unhindered).collect()
}

/// A table with a set for each tile.
type Sets = [TileSet; Tile::CIDS];

/// The rays from every tile along one vector.
struct Rays {
    tiles: Sets,
    /// Do cids grow along it, so that the nearest tile is the lowest?
    grows: bool,
}

impl Rays {
    #[inline]
    fn first_unit(&self, tile: Tile, field: &Field) -> Option<Tile> {
        let units = self.tiles[tile.index()] & field.occupied;
        if self.grows { units.lowest() } else { units.highest() }
    }
}

/// Those of `sliders` that see `tile`: the first unit on one of the rays from it.
#[inline]
fn along(rays: &[Rays; Direction::NUM], tile: Tile, sliders: TileSet, field: &Field) -> TileSet {
    let mut seen = TileSet::EMPTY;
    if sliders.is_empty() {
        return seen;
    }
    for rays in rays {
        if !(rays.tiles[tile.index()] & sliders).is_empty() {
            seen |= rays.first_unit(tile, field).into_iter().collect();
        }
    }
    seen & sliders
}

/// The tiles on the rays from `tile` as far as the first unit, which is one of them.
#[inline]
fn seen(rays: &[Rays; Direction::NUM], tile: Tile, field: &Field) -> TileSet {
    let mut seen = TileSet::EMPTY;
    for rays in rays {
        let hidden = rays.first_unit(tile, field).map_or(TileSet::EMPTY, |unit| rays.tiles[unit.index()]);
        seen |= rays.tiles[tile.index()].without(hidden);
    }
    seen
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

pub(crate) static NEIGHBOURS: Sets = offsets(&STEPS);
static TWO_STEPS: Sets = offsets(&DOUBLE_STEPS);
static TWO_LEAPS: Sets = offsets(&TWOS);
static THREE_LEAPS: Sets = offsets(&THREES);
static STEP_RAYS: [Rays; 6] = all_rays(&STEPS);
static LEAP_RAYS: [Rays; 6] = all_rays(&TWOS);
/// Where a 1 that moves to a tile comes from: Black's go up, White's go down.
static ONE_MOVES: [Sets; 2] = [offsets(&[(-1, -1)]), offsets(&[(1, 1)])];
/// Where a 1 that attacks a tile stands.
static ONE_ATTACKS: [Sets; 2] = [offsets(&[(-1, 0), (0, -1)]), offsets(&[(1, 0), (0, 1)])];

/// So many steps in each direction.
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

/// For every tile, the tiles at the given offsets from it.
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

/// For every tile, the tiles at the multiples of a vector from it.
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
    Rays { tiles, grows: vector.0 * 11 + vector.1 > 0 }
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
