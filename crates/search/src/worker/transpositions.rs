//! What the transposition table knows about a node, and what the node adds to it.

use sandtable_core::search::{Evaluate, NodeView as _};

use super::Worker;
use super::node::Node;
use super::window::{Window, bound_of};
use crate::score::{from_table, to_table};
use crate::table::{Entry, UNKNOWN};

impl<P: Evaluate> Worker<'_, P> {
    /// The move of a table entry, if it is legal here.
    pub(super) fn table_move(view: &P::View<'_>, entry: Option<Entry>) -> Option<P::Move> {
        let bits = entry.map(|entry| entry.move_bits).filter(|&bits| bits != 0)?;
        view.move_from_bits(bits).filter(|&m| view.is_legal(m))
    }

    /// Stores the result of a node: the best move if one raised alpha, and the score with its bound.
    pub(super) fn store(
        &self,
        view: &P::View<'_>,
        best_move: Option<P::Move>,
        score: i32,
        window: Window,
        node: Node,
    ) {
        let entry = Entry {
            move_bits: best_move.map_or(0, |m| view.move_bits(m)),
            score: to_table(score, node.turns),
            static_eval: self.plies[node.ply].raw_eval.map_or(UNKNOWN, |score| score as i16),
            depth: u8::try_from(node.depth.max(0)).unwrap_or(u8::MAX),
            bound: bound_of(score, window),
        };
        self.shared.table.put(self.path.key(), entry);
    }
}

/// Whether a table entry makes a search unnecessary, and with what score.
pub(super) fn table_cutoff(entry: Entry, window: Window, turns: usize) -> Option<i32> {
    let score = from_table(entry.score, turns);
    entry.bound.allows_cutoff(score, window.alpha, window.beta).then_some(score)
}
