//! The step from a node to the position after a move: principal variation search.

use sandtable_core::search::Evaluate;

use super::node::Node;
use super::window::Window;
use super::{Shared, Worker};
use crate::picker::Candidate;

impl<P: Evaluate> Worker<'_, P> {
    /// Plays a move on the path.
    pub(super) fn push(&mut self, ply: usize, position: &P, next: &P, candidate: Candidate<P::Move>) {
        self.plies[ply].played = Some(candidate.key.slot.into());
        self.path.push(position, next);
    }

    /// The node after a move.
    pub(super) fn child(&self, node: Node, same_side: bool) -> Node {
        let Shared { selectivity, parameters, .. } = self.shared;
        let is_free = same_side && selectivity.extensions && parameters.same_side_cost == 0;
        Node {
            depth: node.depth - i32::from(!is_free),
            ply: node.ply + 1,
            turns: node.turns + usize::from(!same_side),
            null_move: true,
            expects_cutoff: node.expects_cutoff == same_side,
        }
    }

    /// Principal variation search of the position after a move: the first move with the whole window, each later move
    /// with a zero window and a depth reduced by `reduction`, and again if its score is better than expected.
    ///
    /// Returns the score from the perspective of the side that made the move.
    pub(super) fn search_move(
        &mut self,
        next: &P,
        same_side: bool,
        window: Window,
        child: Node,
        reduction: i32,
        is_first: bool,
    ) -> i32 {
        if is_first {
            return self.search_child(next, same_side, window, child);
        }
        let reduced = Node { depth: child.depth - reduction, expects_cutoff: !same_side, ..child };
        let mut score = self.search_child(next, same_side, window.zero(), reduced);
        if reduction > 0 && score > window.alpha {
            score = self.search_child(next, same_side, window.zero(), child);
        }
        if window.is_pv() && score > window.alpha {
            let expected_exact = Node { expects_cutoff: false, ..child };
            score = self.search_child(next, same_side, window, expected_exact);
        }
        score
    }

    /// Searches the position after a move. Returns its score from the perspective of the side that made the move.
    fn search_child(&mut self, next: &P, same_side: bool, window: Window, node: Node) -> i32 {
        let Window { alpha, beta } = window;
        if same_side {
            self.search(next, window, node)
        } else {
            -self.search(next, Window { alpha: -beta, beta: -alpha }, node)
        }
    }
}
