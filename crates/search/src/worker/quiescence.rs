//! Quiescence search: resolves captures and checks before the static evaluation.

use sandtable_core::search::{Evaluate, NodeView as _};

use super::Worker;
use super::entry::score_without_moves;
use super::node::Node;
use super::transpositions::table_cutoff;
use super::window::{Best, Window};
use crate::picker::{Picker, Wanted};
use crate::score::{INFINITE, MAX_PLY, outcome_score};

impl<P: Evaluate> Worker<'_, P> {
    /// Searches captures, and all moves in check, until the static evaluation can be trusted. `first` is true at the entry,
    /// where quiet threats are tried as well.
    pub(super) fn quiescence(&mut self, position: &P, window: Window, node: Node, first: bool) -> i32 {
        let Node { ply, turns, .. } = node;
        if !self.enter(position, ply) {
            return 0;
        }
        let selectivity = self.shared.selectivity;
        if !selectivity.quiescence {
            let outcome = self.path.outcome(position);
            return outcome_score(&outcome, position.turn(), turns)
                .unwrap_or_else(|| self.evaluation.score(ply, &position.view()));
        }
        if let Some(score) = self.score_by_rule(position, node) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.evaluation.score(ply, &position.view());
        }
        let entry = self.shared.table.get(self.path.key());
        if selectivity.transpositions
            && !window.is_pv()
            && let Some(score) = entry.and_then(|entry| table_cutoff(entry, window, turns))
        {
            return score;
        }
        let view = position.view();
        if let Some(score) = self.win_at_once(&view, entry, node) {
            return score;
        }
        // All moves are searched only in check: searching every reply to a mere threat costs more than it gains.
        let in_check = view.in_check();
        let leaf = Node { depth: 0, ..node };
        let stand_pat = if in_check { -INFINITE } else { self.static_eval(&view, entry, ply) };
        if stand_pat >= window.beta {
            if entry.is_none() {
                self.store(&view, None, stand_pat, window, leaf);
            }
            return stand_pat;
        }
        let wanted = match (in_check, first) {
            (true, _) => Wanted::All,
            (false, true) => Wanted::NoisyAndThreats,
            (false, false) => Wanted::Noisy,
        };
        let table_move = Self::table_move(&view, entry).filter(|&m| in_check || view.tactic(m).gain > 0);
        let mut picker = self.pickers[ply].take().expect("no node is open twice");
        picker.start(wanted, table_move, [None; 3]);
        let score = self.search_noisy(&mut picker, &view, window, stand_pat, node);
        self.pickers[ply] = Some(picker);
        match score {
            _ if self.stopped => 0,
            Some(best) => {
                self.store(&view, best.m, best.score, window, leaf);
                best.score
            }
            // Without a legal move in check, the game is over.
            None => score_without_moves(position, turns),
        }
    }

    /// Searches the picked moves. `None` if the side to move is in check and has no legal move.
    fn search_noisy(
        &mut self,
        picker: &mut Picker<P::Move>,
        view: &P::View<'_>,
        window: Window,
        stand_pat: i32,
        node: Node,
    ) -> Option<Best<P::Move>> {
        let ply = node.ply;
        let position = view.position();
        let in_check = stand_pat == -INFINITE;
        let delta = self.shared.parameters.delta_margin;
        let (mut best, mut count) = (Best::new(stand_pat, window), 0);
        while let Some(candidate) = picker.next(view, self.history, self.previous(ply)) {
            count += 1;
            if self.shared.selectivity.pruning && !in_check {
                // The moves that lose material come last.
                if candidate.exchange < 0 {
                    break;
                }
                if candidate.gain > 0 && stand_pat + candidate.gain + delta <= best.window.alpha {
                    continue;
                }
            }
            self.evaluation.prepare(ply, position);
            let mut next = position.clone();
            next.play_unchecked(candidate.m);
            self.push(ply, position, &next, candidate);
            let same_side = next.turn() == position.turn();
            let child = self.child(node, same_side);
            let Window { alpha, beta } = best.window;
            let score = if same_side {
                self.quiescence(&next, best.window, child, false)
            } else {
                -self.quiescence(&next, Window { alpha: -beta, beta: -alpha }, child, false)
            };
            self.path.pop();
            if self.stopped {
                break;
            }
            if best.add(score, candidate.m) {
                self.update_pv(ply, candidate.m);
            }
            if best.is_cutoff() {
                break;
            }
        }
        (count > 0 || !in_check).then_some(best)
    }
}
