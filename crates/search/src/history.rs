//! Statistics of earlier searches: the cutoffs by quiet moves, which order them, and the errors of the evaluation.

use std::ops::Range;

use sandtable_core::Player;
use sandtable_core::search::{Evaluate, NodeView as _};

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
    pub(crate) fn of<P: Evaluate>(view: &P::View<'_>, m: P::Move) -> Self {
        Self { signature: view.signature(m), slot: view.history_slot(m) as u16 }
    }
}

/// The history heuristic, the continuation history, the counter moves and the correction history of one thread.
///
/// They survive from one search to the next.
pub(crate) struct History<P: Evaluate> {
    /// By player and signature: raised by beta cutoffs, lowered when another move caused the cutoff.
    by_move: [Box<BySignature>; 2],
    /// The continuation history: the same by the slot of an earlier move (the row) and of the move. Table 0 is for the
    /// last move, table 1 for the move before it. The last row stays zero, for positions without an earlier move.
    continuation: [Box<[i16]>; 2],
    /// By player and the slot of the opponent's last move: the quiet move that refuted it.
    counters: [Box<[Option<P::Move>]>; 2],
    pub(crate) corrections: Corrections,
}

const LIMIT: i32 = 1 << 14;

/// An entry for every signature of a move, so that no index is out of bounds.
type BySignature = [i16; 1 << u16::BITS];

/// The statistics of the quiet moves of one position.
#[derive(Clone, Copy)]
pub(crate) struct Statistics<'a> {
    by_move: &'a BySignature,
    /// The rows of the continuation history.
    rows: [&'a [i16]; 2],
}

impl Statistics<'_> {
    /// The sum of a quiet move's statistics.
    #[inline]
    pub(crate) fn score(self, key: MoveKey) -> i32 {
        let continuation = self.rows.map(|row| i32::from(row[usize::from(key.slot)]));
        i32::from(self.by_move[usize::from(key.signature)]) + continuation[0] + continuation[1]
    }
}

impl<P: Evaluate> History<P> {
    pub(crate) fn new() -> Self {
        let zeros = |length| vec![0; length].into_boxed_slice();
        let by_move = || zeros(1 << u16::BITS).try_into().expect("the length is that of the array");
        let continuation = || zeros((P::HISTORY_SLOTS + 1) * P::HISTORY_SLOTS);
        let counters = || vec![None; P::HISTORY_SLOTS].into_boxed_slice();
        Self {
            by_move: [by_move(), by_move()],
            continuation: [continuation(), continuation()],
            counters: [counters(), counters()],
            corrections: Corrections::new(),
        }
    }

    /// The statistics of a player's quiet moves after the previous moves.
    pub(crate) fn statistics(&self, player: Player, previous: Previous) -> Statistics<'_> {
        let rows = [0, 1].map(|table: usize| {
            let slot = previous[table].unwrap_or(P::HISTORY_SLOTS);
            &self.continuation[table][row::<P>(slot)]
        });
        Statistics { by_move: &self.by_move[player.index()], rows }
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
