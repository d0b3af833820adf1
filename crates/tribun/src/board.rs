//! The board: the units on the tiles.

use sandtable_core::{ByPlayer, Describe, Player, SetupError};

use crate::base64::{self, Base64Error};
use crate::setup::{self, Invalid};
use crate::tile::Tile;
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};
use crate::zobrist;

/// The units on the tiles, with exactly one tribun per side.
///
/// Units are stored by cid. The tiles of each side, the tiles of the tribuns and the hash are derived from them and updated
/// incrementally.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    units: [Option<Unit>; Tile::CIDS],
    /// The tile sets as halves: a `u128` would pad every board and position to a multiple of 16 bytes.
    sides: ByPlayer<[u64; 2]>,
    tribuns: ByPlayer<Tile>,
    hash: u64,
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
        let mut board =
            Self { units: [None; Tile::CIDS], sides: ByPlayer::new([0; 2], [0; 2]), tribuns, hash: 0 };
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
        let value = |height: Height| u32::from(height.value());
        self.units.iter().flatten().map(|unit| value(unit.primary()) + unit.slave().map_or(0, value)).sum()
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

    pub(crate) const fn hash(&self) -> u64 {
        self.hash
    }

    /// Sets the unit on a tile. Every change of a board goes through this function.
    ///
    /// A caller that moves a tribun also clears its old tile: each side has exactly one.
    #[inline]
    pub(crate) fn put(&mut self, tile: Tile, unit: Option<Unit>) {
        if let Some(before) = self.units[tile.index()] {
            let side = &mut self.sides[before.owner()];
            *side = TileSet::from_halves(*side).without(TileSet::of(tile)).to_halves();
            self.hash ^= zobrist::key(tile, before);
        }
        if let Some(unit) = unit {
            let side = &mut self.sides[unit.owner()];
            *side = TileSet::from_halves(*side).with(tile).to_halves();
            self.hash ^= zobrist::key(tile, unit);
            if unit.is_tribun() {
                self.tribuns[unit.owner()] = tile;
            }
        }
        self.units[tile.index()] = unit;
    }
}
