//! Zobrist hashing. The keys never change: files may contain hashes.

use sandtable_core::Player;
use sandtable_core::rules::zobrist::Keys;

use crate::{Deployment, Kind, Square, Stack};

/// The key of a stack on a square: the XOR of the keys of its pieces.
pub(crate) fn stack_key(square: Square, stack: Stack) -> u64 {
    const PIECES: usize = Kind::NUM * 2 * 2;
    /// One key per square, owner, kind and heroism.
    static KEYS: Keys<{ Square::NUM * PIECES }> = Keys::new(u64::from_be_bytes(*b"CoTuLenh"));
    let first = square.dense() * PIECES + stack.owner().index() * Kind::NUM * 2;
    let mut kinds = stack.kinds().to_bits();
    let mut slots = stack.hero_slots();
    let mut key = 0;
    while kinds != 0 {
        let kind = kinds.trailing_zeros() as usize;
        key ^= KEYS.get(first + kind * 2 + usize::from(slots & 1));
        kinds &= kinds - 1;
        slots >>= 1;
    }
    key
}

/// The key of everything except the placement: the side to move, and the origin and pending pieces of a deployment.
pub(crate) fn state_key(turn: Player, deployment: Option<&Deployment>) -> u64 {
    /// The key of the second player's turn, one per origin, one per pending kind.
    static KEYS: Keys<{ 1 + Square::NUM + Kind::NUM }> = Keys::new(u64::from_be_bytes(*b"CoTuTurn"));
    let mut key = if turn == Player::Second { KEYS.get(0) } else { 0 };
    if let Some(deployment) = deployment {
        key ^= KEYS.get(1 + deployment.origin().dense());
        for kind in deployment.pending() {
            key ^= KEYS.get(1 + Square::NUM + kind.index());
        }
    }
    key
}
