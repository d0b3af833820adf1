//! What stands where.

use sandtable_core::{ByPlayer, Player, SetupError};

use crate::base64::{self, Base64Error};
use crate::setup::{self, Invalid};
use crate::tile::Tile;
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};
use crate::zobrist;

/// The units on the tiles: always exactly one tribun a side.
///
/// The units are kept by cid, as their bytes; beside them the set of each side's tiles, the two tribuns' tiles and the
/// hash, which all follow from the units and are kept up wherever one changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    units: [Option<Unit>; Tile::CIDS],
    sides: ByPlayer<TileSet>,
    tribuns: ByPlayer<Tile>,
    hash: u64,
}

/// Why a text is no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// It is not base64.
    #[error(transparent)]
    Base64(#[from] Base64Error),
    /// Its bytes are no board.
    #[error(transparent)]
    Invalid(#[from] SetupError<Invalid>),
}

/// Black's units at the start: height, x, y. White's are the same with both coordinates negated.
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
    /// The board at the beginning of a game.
    #[must_use]
    pub fn start() -> Self {
        let mut bytes = [0; Tile::CIDS];
        let mut place = |(x, y), unit: Unit| {
            let tile = Tile::new(x, y).expect("the start is on the board");
            bytes[tile.index()] = unit.byte();
            bytes[tile.mirrored().index()] = unit.mirrored().byte();
        };
        place(START_TRIBUN, Unit::tribun(Player::First, Height::One));
        for (height, x, y) in START {
            let height = Height::new(height).expect("the start has valid heights");
            place((x, y), Unit::new(Player::First, height));
        }
        Self::from_bytes(&bytes).expect("the start is a board")
    }

    /// The board of 121 unit bytes by cid.
    pub fn from_bytes(bytes: &[u8; Tile::CIDS]) -> Result<Self, SetupError<Invalid>> {
        let (units, tribuns) = setup::check_board(bytes)?;
        let mut board = Self {
            units: [None; Tile::CIDS],
            sides: ByPlayer::new(TileSet::EMPTY, TileSet::EMPTY),
            tribuns,
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

    /// The board of a base64 text.
    pub fn from_base64(text: &str) -> Result<Self, BoardError> {
        Ok(Self::from_bytes(&base64::decode(text)?)?)
    }

    /// The base64 of the unit bytes.
    #[must_use]
    pub fn to_base64(&self) -> String {
        base64::encode(&self.to_bytes())
    }

    /// What stands on a tile.
    #[must_use]
    #[inline]
    pub const fn unit(&self, tile: Tile) -> Option<Unit> {
        self.units[tile.index()]
    }

    /// Every unit of a side, in the order of the tiles' cids.
    pub fn units(&self, player: Player) -> impl Iterator<Item = (Tile, Unit)> + '_ {
        self.sides[player]
            .tiles()
            .map(|tile| (tile, self.units[tile.index()].expect("a side's tile has a unit")))
    }

    /// Where a side's tribun stands.
    #[must_use]
    pub fn tribun(&self, player: Player) -> Tile {
        self.tribuns[player]
    }

    /// All heights together, slaves included. No action makes it greater.
    #[must_use]
    pub fn total_height(&self) -> u32 {
        let value = |height: Height| u32::from(height.value());
        self.units.iter().flatten().map(|unit| value(unit.primary()) + unit.slave().map_or(0, value)).sum()
    }

    /// The board seen from the other side: both coordinates negated, colours swapped.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirror = *self;
        mirror.tribuns = ByPlayer::from_fn(|player| self.tribuns[!player].mirrored());
        for tile in Tile::all() {
            mirror.put(tile.mirrored(), self.unit(tile).map(Unit::mirrored));
        }
        mirror
    }

    #[inline]
    pub(crate) fn side(&self, player: Player) -> TileSet {
        self.sides[player]
    }

    #[inline]
    pub(crate) fn occupied(&self) -> TileSet {
        self.sides.first | self.sides.second
    }

    pub(crate) const fn hash(&self) -> u64 {
        self.hash
    }

    /// The one way to change a board: what stands on `tile` from now on.
    ///
    /// A tribun that is put somewhere is the only one of its side: whoever moves it clears its old tile as well.
    #[inline]
    pub(crate) fn put(&mut self, tile: Tile, unit: Option<Unit>) {
        if let Some(before) = self.units[tile.index()] {
            self.sides[before.owner()].remove(tile);
            self.hash ^= zobrist::key(tile, before);
        }
        if let Some(unit) = unit {
            self.sides[unit.owner()].insert(tile);
            self.hash ^= zobrist::key(tile, unit);
            if unit.is_tribun() {
                self.tribuns[unit.owner()] = tile;
            }
        }
        self.units[tile.index()] = unit;
    }
}
