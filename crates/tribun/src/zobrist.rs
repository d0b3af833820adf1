//! Zobrist keys of [`hash64`](sandtable_core::Position::hash64).
//!
//! # Stability
//!
//! The keys are the first outputs of core's generator from [`SEED`], in the layout of [`key`]. Neither ever changes.

use sandtable_core::Player;
use sandtable_core::rules::zobrist::Keys;

use crate::tile::Tile;
use crate::unit::{Height, Unit};

/// "tribun" in ASCII.
const SEED: u64 = 0x7472_6962_756E;

/// For each tile: six primary heights of each colour, six slaves, one tribun.
const PER_TILE: usize = 3 * Height::NUM + 1;
const SLAVES: usize = 2 * Height::NUM;
const TRIBUN: usize = 3 * Height::NUM;

static KEYS: Keys<{ Tile::CIDS * PER_TILE + 2 }> = Keys::new(SEED);

/// The key of a unit on a tile.
#[inline]
pub(crate) fn key(tile: Tile, unit: Unit) -> u64 {
    let first = tile.index() * PER_TILE;
    let mut key = KEYS.get(first + unit.owner().index() * Height::NUM + unit.primary().index() - 1);
    if let Some(slave) = unit.slave() {
        key ^= KEYS.get(first + SLAVES + slave.index() - 1);
    }
    if unit.is_tribun() {
        key ^= KEYS.get(first + TRIBUN);
    }
    key
}

/// The key of the side to move.
pub(crate) fn turn_key(turn: Player) -> u64 {
    if turn == Player::Second { KEYS.get(Tile::CIDS * PER_TILE) } else { 0 }
}

/// The key of an attacked tribun.
pub(crate) fn attacked_key(attacked: bool) -> u64 {
    if attacked { KEYS.get(Tile::CIDS * PER_TILE + 1) } else { 0 }
}
