//! The entry into a node: counting nodes, the limits, and nodes that need no search because the game is over.

use std::sync::atomic::Ordering;

use sandtable_core::search::{Evaluate, NodeView as _};

use super::Worker;
use super::node::Node;
use crate::limits::POLL_INTERVAL;
use crate::score::{MATE, outcome_score};
use crate::table::Entry;

impl<P: Evaluate> Worker<'_, P> {
    /// Counts a node and checks the limits. Returns whether to continue.
    pub(super) fn enter(&mut self, position: &P, ply: usize) -> bool {
        if self.stopped {
            return false;
        }
        let shared = self.shared;
        if self.is_main && shared.limits.nodes.is_some_and(|limit| self.total_nodes() >= limit) {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes.is_multiple_of(POLL_INTERVAL) {
            if self.is_main {
                self.stopped = shared.limits.should_stop();
            } else {
                shared.helper_nodes.fetch_add(self.nodes - self.reported_nodes, Ordering::Relaxed);
                self.reported_nodes = self.nodes;
                self.stopped = shared.stop.load(Ordering::Relaxed);
            }
        }
        self.pv[ply].clear();
        let here = &mut self.plies[ply];
        // A singular search enters the same position again.
        if here.excluded.is_none() {
            here.turn = position.turn();
            here.static_eval = None;
            here.raw_eval = None;
            self.evaluation.enter(ply);
        }
        !self.stopped
    }

    /// The score of a node where the game is over by a rule.
    pub(super) fn score_by_rule(&self, position: &P, node: Node) -> Option<i32> {
        let outcome = self.path.outcome_by_rule(position);
        outcome_score(&outcome, position.turn(), node.turns)
    }

    /// The score of a node where a move wins at once. The search leaves such a node before it stores it, so that a node with a
    /// table entry has no winning move.
    pub(super) fn win_at_once(
        &mut self,
        view: &P::View<'_>,
        entry: Option<Entry>,
        node: Node,
    ) -> Option<i32> {
        if entry.is_some() {
            return None;
        }
        let m = view.winning_move()?;
        self.pv[node.ply].push(m);
        Some(MATE - node.turns as i32 - 1)
    }
}

/// The score of a position whose list of legal moves is empty.
pub(super) fn score_without_moves<P: Evaluate>(position: &P, turns: usize) -> i32 {
    outcome_score(&position.outcome(1), position.turn(), turns).expect("without legal moves the game is over")
}
