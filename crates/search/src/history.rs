//! Statistics of earlier searches: the cutoffs by quiet moves, which order them, and the errors of the evaluation.

use std::ops::Range;

use sandtable_core::{Evaluate, Player};

use crate::correction::Corrections;

/// The slots of the last two moves, the latest first; `None` before the root and after a null move.
pub(crate) type Previous = [Option<usize>; 2];

/// What identifies a quiet move in the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveKey {
    pub(crate) signature: u16,
    pub(crate) slot: u16,
}

impl MoveKey {
    pub(crate) fn of<P: Evaluate>(position: &P, m: P::Move) -> Self {
        Self { signature: P::signature(m), slot: position.history_slot(m) as u16 }
    }
}

/// The history heuristic, the continuation history, the counter moves and the correction history of one thread.
///
/// They survive from one search to the next.
pub(crate) struct History<P: Evaluate> {
    /// By player and signature: raised by beta cutoffs, lowered when another move caused the cutoff.
    by_move: [Box<[i16]>; 2],
    /// The same by the slots of an earlier move and of the move: the last move, and the one before it.
    continuation: [Box<[i16]>; 2],
    /// By player and the slot of the opponent's last move: the quiet move that refuted it.
    counters: [Box<[Option<P::Move>]>; 2],
    pub(crate) corrections: Corrections,
}

const LIMIT: i32 = 1 << 14;

impl<P: Evaluate> History<P> {
    pub(crate) fn new() -> Self {
        let zeros = |length| vec![0; length].into_boxed_slice();
        let counters = || vec![None; P::HISTORY_SLOTS].into_boxed_slice();
        Self {
            by_move: [zeros(1 << u16::BITS), zeros(1 << u16::BITS)],
            continuation: [zeros(P::HISTORY_SLOTS.pow(2)), zeros(P::HISTORY_SLOTS.pow(2))],
            counters: [counters(), counters()],
            corrections: Corrections::new(),
        }
    }

    /// The sum of a quiet move's statistics.
    pub(crate) fn score(&self, player: Player, previous: Previous, key: MoveKey) -> i32 {
        let mut sum = i32::from(self.by_move[player.index()][usize::from(key.signature)]);
        for (table, before) in self.continuation.iter().zip(previous) {
            if let Some(before) = before {
                sum += i32::from(table[row::<P>(before)][usize::from(key.slot)]);
            }
        }
        sum
    }

    pub(crate) fn counter(&self, player: Player, previous: Previous) -> Option<P::Move> {
        self.counters[player.index()][previous[0]?]
    }

    /// Records that the quiet move `m` caused a beta cutoff after the quiet moves in `tried` did not.
    pub(crate) fn record_cutoff(
        &mut self,
        player: Player,
        previous: Previous,
        depth: i32,
        (m, key): (P::Move, MoveKey),
        tried: &[MoveKey],
    ) {
        if let Some(before) = previous[0] {
            self.counters[player.index()][before] = Some(m);
        }
        let bonus = (16 * depth * depth + 32 * depth).min(1600);
        self.update(player, previous, key, bonus);
        for &other in tried {
            self.update(player, previous, other, -bonus);
        }
    }

    fn update(&mut self, player: Player, previous: Previous, key: MoveKey, bonus: i32) {
        raise(&mut self.by_move[player.index()][usize::from(key.signature)], bonus);
        for (table, before) in self.continuation.iter_mut().zip(previous) {
            if let Some(before) = before {
                raise(&mut table[row::<P>(before)][usize::from(key.slot)], bonus);
            }
        }
    }
}

fn row<P: Evaluate>(slot: usize) -> Range<usize> {
    slot * P::HISTORY_SLOTS..(slot + 1) * P::HISTORY_SLOTS
}

/// Adds a bonus that shrinks as the entry approaches [`LIMIT`].
fn raise(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}
