//! The board: the units on the tiles.

use sandtable_core::rules::SetupError;
use sandtable_core::{ByPlayer, Describe, Player};

use crate::base64::{self, Base64Error};
use crate::setup::{self, Invalid};
use crate::tile::Tile;
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};
use crate::zobrist;

/// The units on the tiles, with exactly one tribun per side.
///
/// Units are stored by cid. The tiles of each side and of each height, the tiles of the tribuns, the total height and the
/// hash are derived from them and updated incrementally.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    units: [Option<Unit>; Tile::CIDS],
    sides: ByPlayer<Halves>,
    /// The tiles of both sides' primaries, by height.
    primaries: [Halves; Height::NUM],
    /// The tiles of both sides' slaves, by height.
    slaves: [Halves; Height::NUM],
    tribuns: ByPlayer<Tile>,
    total_height: u16,
    hash: u64,
}

/// A tile set as halves: a `u128` would pad every board and position to a multiple of 16 bytes.
type Halves = [u64; 2];

#[inline]
fn insert(halves: &mut Halves, tile: Tile) {
    halves[tile.index() / 64] |= 1 << (tile.index() % 64);
}

#[inline]
fn remove(halves: &mut Halves, tile: Tile) {
    halves[tile.index() / 64] &= !(1 << (tile.index() % 64));
}

/// The height of a unit, its slave included.
fn height_of(unit: Unit) -> u16 {
    let value = |height: Height| u16::from(height.value());
    value(unit.primary()) + unit.slave().map_or(0, value)
}

/// A text that is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_board")]
#[non_exhaustive]
pub enum BoardError {
    /// Invalid base64.
    #[error(transparent)]
    Base64(#[from] Base64Error),
    /// Bytes that are not a valid board.
    #[error(transparent)]
    Invalid(#[from] SetupError<Invalid>),
}

/// Black's units in the start position: height, x, y. White's have both coordinates negated.
const START: [(u8, i8, i8); 20] = [
    (3, -4, -4),
    (3, -4, -3),
    (3, -3, -4),
    (2, -3, -3),
    (2, -5, -2),
    (2, -5, -3),
    (2, -4, -2),
    (2, -3, -1),
    (2, -2, -5),
    (2, -3, -5),
    (2, -2, -4),
    (2, -1, -3),
    (1, -2, -1),
    (1, -2, 0),
    (1, -3, 0),
    (1, -4, 0),
    (1, -1, -2),
    (1, 0, -2),
    (1, 0, -3),
    (1, 0, -4),
];
const START_TRIBUN: (i8, i8) = (-5, -5);

impl Board {
    /// The board of the start position.
    #[must_use]
    pub fn start() -> Self {
        let mut bytes = [0; Tile::CIDS];
        let mut place = |(x, y), unit: Unit| {
            let tile = Tile::new(x, y).expect("the start position is on the board");
            bytes[tile.index()] = unit.byte();
            bytes[tile.mirrored().index()] = unit.mirrored().byte();
        };
        place(START_TRIBUN, Unit::tribun(Player::First, Height::One));
        for (height, x, y) in START {
            let height = Height::new(height).expect("the start position has valid heights");
            place((x, y), Unit::new(Player::First, height));
        }
        Self::from_bytes(&bytes).expect("the start position is valid")
    }

    /// Creates a board from 121 unit bytes by cid, or reports every reason why they are not a valid board.
    pub fn from_bytes(bytes: &[u8; Tile::CIDS]) -> Result<Self, SetupError<Invalid>> {
        let (units, tribuns) = setup::check_board(bytes)?;
        let mut board = Self {
            units: [None; Tile::CIDS],
            sides: ByPlayer::new([0; 2], [0; 2]),
            primaries: [[0; 2]; Height::NUM],
            slaves: [[0; 2]; Height::NUM],
            tribuns,
            total_height: 0,
            hash: 0,
        };
        for tile in Tile::all() {
            board.put(tile, units[tile.index()]);
        }
        Ok(board)
    }

    /// The unit bytes by cid.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Tile::CIDS] {
        self.units.map(|unit| unit.map_or(0, Unit::byte))
    }

    /// Parses the base64 of the unit bytes.
    pub fn from_base64(text: &str) -> Result<Self, BoardError> {
        Ok(Self::from_bytes(&base64::decode(text)?)?)
    }

    /// The base64 of the unit bytes.
    #[must_use]
    pub fn to_base64(&self) -> String {
        base64::encode(&self.to_bytes())
    }

    /// The unit on a tile, if any.
    #[must_use]
    #[inline]
    pub const fn unit(&self, tile: Tile) -> Option<Unit> {
        self.units[tile.index()]
    }

    /// The tiles whose units differ. Comparing sets is faster than comparing all units.
    pub(crate) fn differences(&self, other: &Self) -> TileSet {
        let mut halves = [0; 2];
        let mut compare = |ours: &[Halves], theirs: &[Halves]| {
            for (ours, theirs) in ours.iter().zip(theirs) {
                halves[0] |= ours[0] ^ theirs[0];
                halves[1] |= ours[1] ^ theirs[1];
            }
        };
        compare(&[self.sides.first, self.sides.second], &[other.sides.first, other.sides.second]);
        compare(&self.primaries, &other.primaries);
        compare(&self.slaves, &other.slaves);
        let mut tiles = TileSet::from_halves(halves);
        for player in Player::ALL {
            let (ours, theirs) = (self.tribuns[player], other.tribuns[player]);
            if ours != theirs {
                tiles = tiles.with(ours).with(theirs);
            }
        }
        tiles
    }

    /// The units of a player with their tiles, by ascending cid.
    pub fn units(&self, player: Player) -> impl Iterator<Item = (Tile, Unit)> + '_ {
        self.occupied(player)
            .iter()
            .map(|tile| (tile, self.units[tile.index()].expect("the tiles of a side are occupied")))
    }

    /// The tile of a player's tribun.
    #[must_use]
    pub fn tribun(&self, player: Player) -> Tile {
        self.tribuns[player]
    }

    /// The sum of all heights, including slaves. No action increases it.
    #[must_use]
    pub fn total_height(&self) -> u32 {
        self.total_height.into()
    }

    /// The mirrored board: both coordinates negated, colours swapped.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirror = *self;
        mirror.tribuns = ByPlayer::from_fn(|player| self.tribuns[!player].mirrored());
        for tile in Tile::all() {
            mirror.put(tile.mirrored(), self.unit(tile).map(Unit::mirrored));
        }
        mirror
    }

    /// The board reflected left to right: coordinates exchanged.
    #[must_use]
    pub fn reflected(&self) -> Self {
        let mut reflection = *self;
        reflection.tribuns = ByPlayer::from_fn(|player| self.tribuns[player].reflected());
        for tile in Tile::all() {
            reflection.put(tile.reflected(), self.unit(tile));
        }
        reflection
    }

    /// The tiles of a player's units.
    #[must_use]
    #[inline]
    pub fn occupied(&self, player: Player) -> TileSet {
        TileSet::from_halves(self.sides[player])
    }

    /// The occupied tiles.
    #[must_use]
    #[inline]
    pub fn all_occupied(&self) -> TileSet {
        self.occupied(Player::First) | self.occupied(Player::Second)
    }

    /// The tiles of both sides' primaries of a height, tribuns included.
    #[inline]
    pub(crate) const fn primaries(&self, height: Height) -> TileSet {
        TileSet::from_halves(self.primaries[height.index() - 1])
    }

    /// The tiles of both sides' units that hold a slave of a height.
    #[inline]
    pub(crate) const fn slaves(&self, height: Height) -> TileSet {
        TileSet::from_halves(self.slaves[height.index() - 1])
    }

    /// The tiles of both sides' units that hold a slave.
    #[inline]
    pub(crate) fn all_slaves(&self) -> TileSet {
        let either = |a: Halves, b: &Halves| [a[0] | b[0], a[1] | b[1]];
        TileSet::from_halves(self.slaves.iter().fold([0; 2], either))
    }

    pub(crate) const fn hash(&self) -> u64 {
        self.hash
    }

    /// Sets the unit on a tile. Every change of a board goes through this function.
    ///
    /// A caller that moves a tribun also clears its old tile: each side has exactly one.
    #[inline]
    pub(crate) fn put(&mut self, tile: Tile, unit: Option<Unit>) {
        if let Some(before) = self.units[tile.index()] {
            remove(&mut self.sides[before.owner()], tile);
            remove(&mut self.primaries[before.primary().index() - 1], tile);
            if let Some(slave) = before.slave() {
                remove(&mut self.slaves[slave.index() - 1], tile);
            }
            self.total_height -= height_of(before);
            self.hash ^= zobrist::key(tile, before);
        }
        if let Some(unit) = unit {
            insert(&mut self.sides[unit.owner()], tile);
            insert(&mut self.primaries[unit.primary().index() - 1], tile);
            if let Some(slave) = unit.slave() {
                insert(&mut self.slaves[slave.index() - 1], tile);
            }
            self.total_height += height_of(unit);
            self.hash ^= zobrist::key(tile, unit);
            if unit.is_tribun() {
                self.tribuns[unit.owner()] = tile;
            }
        }
        self.units[tile.index()] = unit;
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::rules::{Rng, play_random_moves};
    use sandtable_core::{Game, Notation as _, Position};

    use super::*;
    use crate::position::Tribun;
    use crate::rules::Rules;

    /// Compares every derived field with its definition.
    fn assert_derived_fields_match(board: &Board) {
        let units: Vec<_> = Tile::all().filter_map(|tile| Some((tile, board.unit(tile)?))).collect();
        let tiles_where = |predicate: &dyn Fn(Unit) -> bool| -> TileSet {
            units.iter().filter(|(_, unit)| predicate(*unit)).map(|(tile, _)| *tile).collect()
        };
        for player in Player::ALL {
            assert_eq!(board.occupied(player), tiles_where(&|unit| unit.owner() == player));
            let is_tribun = |unit: Unit| unit.owner() == player && unit.is_tribun();
            assert_eq!(TileSet::from(board.tribun(player)), tiles_where(&is_tribun));
        }
        for height in Height::ALL {
            assert_eq!(board.primaries(height), tiles_where(&|unit| unit.primary() == height));
            assert_eq!(board.slaves(height), tiles_where(&|unit| unit.slave() == Some(height)));
        }
        let heights = units.iter().map(|&(_, unit)| u32::from(height_of(unit)));
        assert_eq!(board.total_height(), heights.sum::<u32>());
        assert_eq!(board.hash(), units.iter().fold(0, |hash, &(tile, unit)| hash ^ zobrist::key(tile, unit)));
    }

    #[test]
    fn derived_fields_match_their_definitions_in_random_play() {
        let text = "black:a1=1*,f6=3/2,e5=4/8,d6=1/1,c3=2/4 white:k11=4*,g8=2/3,h7=4/1,i6=6,g5=8 b -";
        let slaves = Tribun::from_text(text, Rules::STANDARD).unwrap();
        for (seed, start) in (0..12).zip([slaves, Tribun::start(Rules::STANDARD)].into_iter().cycle()) {
            let mut game = Game::from_position(start);
            let mut rng = Rng::new(seed);
            while game.ply() < 200 && play_random_moves(&mut game, &mut rng, 1) == 1 {
                assert_derived_fields_match(game.position().board());
            }
            assert_derived_fields_match(&game.position().board().mirrored());
        }
    }
}
