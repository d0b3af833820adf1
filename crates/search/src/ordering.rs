//! Move ordering: the earlier the best move is searched, the more the search can cut off.

use std::cmp::Reverse;

use sandtable_core::{Evaluate, Player};

use crate::score::MAX_PLY;

/// A move with its ordering score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove<M> {
    pub(crate) m: M,
    pub(crate) order: i32,
    /// The immediate material gain; 0 if quiet.
    pub(crate) gain: i32,
    pub(crate) signature: u16,
}

/// The move from the transposition table comes first.
const TABLE_MOVE: i32 = 1 << 30;
/// Then captures that do not lose material, most valuable victim first.
const GOOD_CAPTURE: i32 = 1 << 26;
/// Then killer moves, then quiet moves by history.
const KILLER: i32 = 1 << 20;
/// Last, captures that lose material.
pub(crate) const LOSING_CAPTURE: i32 = -(1 << 26);

/// Killer moves and the history heuristic.
pub(crate) struct MoveOrdering<M> {
    /// By ply: the last two quiet moves that caused a beta cutoff.
    killers: Vec<[Option<M>; 2]>,
    /// By player and signature: raised by beta cutoffs, lowered when another move caused the cutoff.
    history: [Box<[i16]>; 2],
}

const HISTORY_LIMIT: i32 = 1 << 14;

impl<M: Copy + Eq> MoveOrdering<M> {
    pub(crate) fn new() -> Self {
        let history = || vec![0; 1 << u16::BITS].into_boxed_slice();
        Self { killers: vec![[None; 2]; MAX_PLY + 1], history: [history(), history()] }
    }

    pub(crate) fn history(&self, player: Player, signature: u16) -> i32 {
        self.history[player.index()][usize::from(signature)].into()
    }

    pub(crate) fn is_killer(&self, ply: usize, m: M) -> bool {
        self.killers[ply].contains(&Some(m))
    }

    /// Records that the quiet move `cutoff` caused a beta cutoff after the moves in `tried` did not.
    pub(crate) fn record_cutoff(
        &mut self,
        player: Player,
        ply: usize,
        depth: i32,
        cutoff: ScoredMove<M>,
        tried: &[ScoredMove<M>],
    ) {
        if self.killers[ply][0] != Some(cutoff.m) {
            self.killers[ply] = [Some(cutoff.m), self.killers[ply][0]];
        }
        let bonus = (16 * depth * depth + 32 * depth).min(1600);
        self.update_history(player, cutoff.signature, bonus);
        for other in tried.iter().filter(|other| other.gain == 0) {
            self.update_history(player, other.signature, -bonus);
        }
    }

    /// Adds a bonus that shrinks as the entry approaches [`HISTORY_LIMIT`].
    fn update_history(&mut self, player: Player, signature: u16, bonus: i32) {
        let entry = &mut self.history[player.index()][usize::from(signature)];
        let old = i32::from(*entry);
        *entry = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    /// Computes the ordering score of a move.
    pub(crate) fn score<P: Evaluate<Move = M>>(
        &self,
        position: &P,
        ply: usize,
        table_move: Option<u16>,
        m: M,
    ) -> ScoredMove<M> {
        let tactic = position.tactic(m);
        let signature = P::signature(m);
        let order = if table_move == Some(signature) {
            TABLE_MOVE
        } else if tactic.gain > 0 {
            let loses = tactic.risk > tactic.gain && position.static_exchange(m) < 0;
            (if loses { LOSING_CAPTURE } else { GOOD_CAPTURE }) + 16 * tactic.gain - tactic.risk
        } else if self.killers[ply][0] == Some(m) {
            KILLER + 1
        } else if self.killers[ply][1] == Some(m) {
            KILLER
        } else {
            self.history(position.turn(), signature)
        };
        ScoredMove { m, order, gain: tactic.gain, signature }
    }
}

/// Moves the best of the moves from index `i` on to `i` and returns it.
///
/// Most nodes are cut off after a few moves, so selection beats sorting; from index `SORT_FROM` on, sorting the rest
/// at once is cheaper. The order of equal scores is deterministic.
pub(crate) fn pick<M: Copy>(moves: &mut [ScoredMove<M>], i: usize) -> ScoredMove<M> {
    const SORT_FROM: usize = 8;
    if i == SORT_FROM {
        moves[i..].sort_unstable_by_key(|scored| Reverse(scored.order));
    } else if i < SORT_FROM {
        let best =
            (i + 1..moves.len()).fold(i, |best, j| if moves[j].order > moves[best].order { j } else { best });
        moves.swap(i, best);
    }
    moves[i]
}
