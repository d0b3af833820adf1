//! Pruning: nodes and moves that are not searched because they will not change the result.

use sandtable_core::search::{Evaluate, NodeView as _};

use super::Worker;
use super::node::{Known, Node};
use super::window::Window;
use crate::picker::Candidate;
use crate::score::WON;

/// The depth and the order of a move within its node.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) window: Window,
    pub(super) depth: i32,
    /// The depth of the first search of the move.
    pub(super) reduced_depth: i32,
    /// The number of quiet moves searched before it.
    pub(super) quiet_before: i32,
    /// The number of moves generated so far.
    pub(super) generated: i32,
}

/// What to do with a move before it is played.
pub(super) enum Prune {
    Keep,
    /// Leave out this move.
    Move,
    /// Leave out this and all later quiet moves.
    QuietMoves,
}

impl<P: Evaluate> Worker<'_, P> {
    /// Tries to prune a whole node before any move is searched: reverse futility pruning, razoring, null move.
    pub(super) fn prune_node(
        &mut self,
        view: &P::View<'_>,
        window: Window,
        estimate: i32,
        improving: bool,
        node: Node,
    ) -> Option<i32> {
        let Window { alpha, beta } = window;
        let depth = node.depth;
        let (selectivity, parameters) = (self.shared.selectivity, self.shared.parameters);
        if beta.abs() >= WON || alpha.abs() >= WON {
            return None;
        }
        if selectivity.pruning {
            let margin = parameters.reverse_futility_margin * (depth - i32::from(improving));
            if depth <= parameters.reverse_futility_depth && estimate - margin >= beta {
                return Some(beta + (estimate - beta) / 2);
            }
            if depth <= parameters.razoring_depth && estimate + parameters.razoring_margin * depth < alpha {
                let score = self.quiescence(view.position(), window.zero(), node, true);
                if score <= alpha {
                    return Some(score);
                }
            }
        }
        if selectivity.null_move && node.null_move && depth >= 3 && estimate >= beta {
            return self.try_null_move(view, beta, estimate, node);
        }
        None
    }

    fn try_null_move(&mut self, view: &P::View<'_>, beta: i32, estimate: i32, node: Node) -> Option<i32> {
        let parameters = self.shared.parameters;
        let passed = view.null_move()?;
        let reduction = parameters.null_move_reduction
            + node.depth / parameters.null_move_depth_step
            + ((estimate - beta) / parameters.null_move_margin).min(3);
        self.plies[node.ply].played = None;
        self.path.push_null_move(&passed);
        let child = self.child(node, false);
        let child = Node { depth: child.depth - reduction, null_move: false, ..child };
        let score = -self.search(&passed, Window { alpha: -beta, beta: 1 - beta }, child);
        self.path.pop();
        // A mate found after a null move proves a fail high, not the mate distance.
        (!self.stopped && score >= beta).then_some(score.min(WON - 1))
    }

    /// Decides whether a move may be left out: it comes late, has no chance to raise alpha, has failed often, or loses
    /// material.
    pub(super) fn prune_move(
        &self,
        view: &P::View<'_>,
        candidate: Candidate<P::Move>,
        known: &Known<P::Move>,
        place: Place,
    ) -> Prune {
        let parameters = &self.shared.parameters;
        let Place { window, depth, reduced_depth, .. } = place;
        if candidate.is_quiet() {
            if candidate.threatens {
                return Prune::Keep;
            }
            let growth = parameters.late_moves_growth * depth * depth / 100;
            let allowed = (parameters.late_moves + growth) / if known.improving { 1 } else { 2 };
            let allowed = allowed + place.generated / 16;
            if !window.is_pv() && depth <= parameters.late_moves_depth && place.quiet_before >= allowed {
                return Prune::QuietMoves;
            }
            let margin = parameters.futility_base + parameters.futility_slope * reduced_depth.max(0);
            if reduced_depth <= parameters.futility_depth && known.static_eval + margin <= window.alpha {
                return Prune::QuietMoves;
            }
            if depth <= parameters.history_depth && candidate.history() < -parameters.history_margin * depth {
                return Prune::Move;
            }
            if reduced_depth <= parameters.exchange_depth
                && view.static_exchange(candidate.m)
                    < -parameters.quiet_exchange_margin * (reduced_depth + 1).max(1)
            {
                return Prune::Move;
            }
        } else if depth <= parameters.exchange_depth
            && candidate.exchange < -parameters.exchange_margin * depth
        {
            return Prune::Move;
        }
        Prune::Keep
    }
}
