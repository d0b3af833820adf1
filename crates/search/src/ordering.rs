//! In which order moves are tried: the better the guess, the more the rest can be cut.

use std::cmp::Reverse;

use sandtable_core::{Evaluate, Player};

use crate::score::MAX_PLY;

/// A move with its guess.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<M> {
    pub(crate) m: M,
    pub(crate) rank: i32,
    /// What it wins at once; 0 if quiet.
    pub(crate) gain: i32,
    pub(crate) signature: u16,
}

/// The table's move comes first.
const FROM_TABLE: i32 = 1 << 30;
/// Then captures that lose nothing, by what they take.
const GAINFUL: i32 = 1 << 26;
/// Then quiet moves that refuted a sibling.
const KILLER: i32 = 1 << 20;
/// Then quiet moves by their history; last, captures that lose material.
pub(crate) const LOSING: i32 = -(1 << 26);

/// What a search has learnt about quiet moves.
pub(crate) struct Memory<M> {
    killers: Vec<[Option<M>; 2]>,
    /// By player and signature: how often a move has refuted, against how often it has been tried in vain.
    history: [Box<[i16]>; 2],
}

const HISTORY_LIMIT: i32 = 1 << 14;

impl<M: Copy + Eq> Memory<M> {
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

    /// The quiet move `refuter` made all others needless; those of `tried` that are quiet did not.
    pub(crate) fn learn(
        &mut self,
        player: Player,
        ply: usize,
        depth: i32,
        refuter: Ranked<M>,
        tried: &[Ranked<M>],
    ) {
        if self.killers[ply][0] != Some(refuter.m) {
            self.killers[ply] = [Some(refuter.m), self.killers[ply][0]];
        }
        let bonus = (16 * depth * depth + 32 * depth).min(1600);
        self.adjust(player, refuter.signature, bonus);
        for other in tried.iter().filter(|other| other.gain == 0) {
            self.adjust(player, other.signature, -bonus);
        }
    }

    /// The nearer an entry is to its limit, the less it moves on.
    fn adjust(&mut self, player: Player, signature: u16, bonus: i32) {
        let entry = &mut self.history[player.index()][usize::from(signature)];
        let old = i32::from(*entry);
        *entry = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    /// The guess for a move in the main search.
    pub(crate) fn rank<P: Evaluate<Move = M>>(
        &self,
        position: &P,
        ply: usize,
        from_table: Option<u16>,
        m: M,
    ) -> Ranked<M> {
        let tactic = position.tactic(m);
        let signature = P::signature(m);
        let rank = if from_table == Some(signature) {
            FROM_TABLE
        } else if tactic.gain > 0 {
            let loses = tactic.risk > tactic.gain && position.exchange(m) < 0;
            (if loses { LOSING } else { GAINFUL }) + 16 * tactic.gain - tactic.risk
        } else if self.killers[ply][0] == Some(m) {
            KILLER + 1
        } else if self.killers[ply][1] == Some(m) {
            KILLER
        } else {
            self.history(position.turn(), signature)
        };
        Ranked { m, rank, gain: tactic.gain, signature }
    }
}

/// Brings the best of the moves from `i` on to place `i`.
///
/// Most nodes are done after a few moves, and need no more in order than those; from [`FEW`] on, sorting all the rest
/// at once is cheaper. Moves of one rank come in the same order in every run.
pub(crate) fn pick<M: Copy>(moves: &mut [Ranked<M>], i: usize) -> Ranked<M> {
    const FEW: usize = 8;
    if i == FEW {
        moves[i..].sort_unstable_by_key(|ranked| Reverse(ranked.rank));
    } else if i < FEW {
        let best =
            (i + 1..moves.len()).fold(i, |best, j| if moves[j].rank > moves[best].rank { j } else { best });
        moves.swap(i, best);
    }
    moves[i]
}
