//! The root: its moves, and the aspiration window around the score of the iteration before.

use sandtable_core::search::{Evaluate, NodeView as _};

use super::Worker;
use super::node::Node;
use super::window::{Best, Window};
use crate::picker::Candidate;
use crate::score::{INFINITE, WON};
use crate::{Line, Score};

/// A move in the root position with its score and principal variation.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<M> {
    pub(crate) score: i32,
    pub(crate) line: Vec<M>,
}

impl<M: Clone> RootMove<M> {
    pub(crate) fn to_line(&self) -> Line<M> {
        Line { score: Score::from_raw(self.score), moves: self.line.clone() }
    }
}

impl<P: Evaluate> Worker<'_, P> {
    /// Searches the root moves from index `first` on with an aspiration window and moves the best one to `first`.
    ///
    /// The window is widened on the side where it fails until it holds.
    pub(crate) fn aspiration_search(&mut self, first: usize, depth: i32) {
        let guess = self.root_moves[first].score;
        let mut margin = self.shared.parameters.aspiration_margin;
        let narrow = depth >= 4 && guess.abs() < WON;
        let mut window = if narrow {
            Window { alpha: guess - margin, beta: guess + margin }
        } else {
            Window { alpha: -INFINITE, beta: INFINITE }
        };
        loop {
            let score = self.search_root(first, window, depth);
            if self.stopped {
                return;
            }
            margin *= 2;
            let is_wide = margin > 1000;
            if score <= window.alpha && window.alpha > -INFINITE {
                window.alpha = if is_wide { -INFINITE } else { score.saturating_sub(margin).max(-INFINITE) };
            } else if score >= window.beta && window.beta < INFINITE {
                window.beta = if is_wide { INFINITE } else { score.saturating_add(margin).min(INFINITE) };
            } else {
                return;
            }
        }
    }

    fn search_root(&mut self, first: usize, window: Window, depth: i32) -> i32 {
        let root = self.root.clone();
        let view = root.view();
        let must_respond = view.must_respond();
        self.root_depth = depth;
        let node = Node { depth, ply: 0, turns: 0, null_move: false, expects_cutoff: false };
        let mut best = Best::new(-INFINITE, window);
        for i in first..self.root_moves.len() {
            let candidate = Candidate::new(&view, self.history, [None; 2], self.root_moves[i].line[0]);
            let next = root.after(candidate.m);
            self.push(0, &root, &next, candidate);
            let same_side = next.turn() == root.turn();
            let child = self.child(node, same_side);
            let number = i - first;
            let reduction = if must_respond || !candidate.is_quiet() {
                0
            } else {
                self.reduction(candidate, number, node, child.depth, best.window.is_pv(), true)
            };
            let score = self.search_move(&next, same_side, best.window, child, reduction, number == 0);
            self.path.pop();
            if self.stopped {
                break;
            }
            if best.add(score, i) {
                let root_move = &mut self.root_moves[i];
                root_move.score = score;
                root_move.line.truncate(1);
                root_move.line.extend_from_slice(&self.pv[1]);
            }
            if best.is_cutoff() {
                break;
            }
        }
        self.root_moves[first..=best.m.unwrap_or(first)].rotate_right(1);
        best.score
    }
}
