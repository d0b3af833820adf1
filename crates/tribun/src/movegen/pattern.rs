//! Who reaches a tile: the patterns of every height, seen from where they lead.
//!
//! Every pattern but a 1's is symmetric (if `a` reaches `b`, then `b` would reach `a`), so the units that reach a tile
//! are found by laying their own pattern on that tile.

use sandtable_core::Player;

use crate::tile::{Direction, Tile};
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};

/// How a part moves and attacks: by its height, and the tribun of height 1 in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    TribunOne,
    One,
    Two,
    Three,
    Four,
    Six,
    Eight,
}

impl Pattern {
    const NUM: usize = 7;

    const fn of_height(height: Height) -> Self {
        match height {
            Height::One => Self::One,
            Height::Two => Self::Two,
            Height::Three => Self::Three,
            Height::Four => Self::Four,
            Height::Six => Self::Six,
            Height::Eight => Self::Eight,
        }
    }

    const fn of_primary(unit: Unit) -> Self {
        match unit.primary() {
            Height::One if unit.is_tribun() => Self::TribunOne,
            height => Self::of_height(height),
        }
    }
}

/// What stands in the way: the board as the mover sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) empty: TileSet,
    pub(super) enemy: TileSet,
    pub(super) occupied: TileSet,
}

/// Parts that act for one player, sorted by pattern: all its primaries, or all its slaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corps {
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

    #[inline]
    const fn with(&self, pattern: Pattern) -> TileSet {
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
        if eights.is_empty() {
            return TileSet::EMPTY;
        }
        // The cid is linear in the coordinates, so that of the tile between is the mean.
        let unhindered = |from: &Tile| {
            let between = Tile::from_bit(u32::from(from.cid().midpoint(to.cid())));
            !field.enemy.contains(between)
        };
        NEIGHBOURS[to.index()] & eights
            | (TWO_STEPS[to.index()] & eights).tiles().filter(unhindered).collect()
    }
}

/// A table with a set for each tile.
type Sets = [TileSet; Tile::CIDS];

/// The rays from every tile along one vector.
struct Rays {
    tiles: Sets,
    /// Do cids grow along it, so that the nearest tile is the lowest?
    grows: bool,
}

/// Those of `sliders` that see `tile`: the first unit on one of the rays from it.
#[inline]
fn along(rays: &[Rays; Direction::NUM], tile: Tile, sliders: TileSet, field: &Field) -> TileSet {
    let mut seen = TileSet::EMPTY;
    if sliders.is_empty() {
        return seen;
    }
    for rays in rays {
        let on_ray = rays.tiles[tile.index()];
        if !(on_ray & sliders).is_empty() {
            let units = on_ray & field.occupied;
            seen |= (if rays.grows { units.lowest() } else { units.highest() }).into_iter().collect();
        }
    }
    seen & sliders
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

pub(super) static NEIGHBOURS: Sets = offsets(&STEPS);
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
