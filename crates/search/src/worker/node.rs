//! The main search: principal variation search with the enabled selective techniques.

use sandtable_core::Player;
use sandtable_core::search::{Evaluate, NodeView as _};

use super::Worker;
use super::entry::score_without_moves;
use super::pruning::{Place, Prune};
use super::static_eval::better_estimate;
use super::transpositions::table_cutoff;
use super::window::{Best, Window};
use crate::history::MoveKey;
use crate::picker::{Candidate, Picker, Wanted};
use crate::score::{INFINITE, MATE, MAX_PLY, WON};
use crate::table::Entry;

/// The remaining depth of a node and its distance from the root.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// Plies left before quiescence.
    pub(super) depth: i32,
    /// Moves from the root.
    pub(super) ply: usize,
    /// Changes of the side to move since the root: the unit of mate distances.
    pub(super) turns: usize,
    /// Whether a null move may be tried: not twice in a row.
    pub(super) null_move: bool,
    /// Whether the search expects a beta cutoff here.
    pub(super) expects_cutoff: bool,
}

/// What is known about a node before any move is searched.
#[derive(Clone, Copy)]
pub(super) struct Known<M> {
    pub(super) must_respond: bool,
    /// The static evaluation; 0 and unused if the side to move must respond to a threat.
    pub(super) static_eval: i32,
    /// Whether the static evaluation is better than before the last move of the same side.
    pub(super) improving: bool,
    pub(super) table_move: Option<M>,
    pub(super) entry: Option<Entry>,
}

impl<P: Evaluate> Worker<'_, P> {
    /// Searches a position. Returns its score from the perspective of the side to move.
    pub(super) fn search(&mut self, position: &P, mut window: Window, mut node: Node) -> i32 {
        let Node { ply, turns, .. } = node;
        let selectivity = self.shared.selectivity;
        if node.depth <= 0 {
            return self.quiescence(position, window, node, true);
        }
        if !self.enter(position, ply) {
            return 0;
        }
        if let Some(score) = self.score_by_rule(position, node) {
            return score;
        }
        if ply >= MAX_PLY {
            return self.evaluation.score(ply, &position.view());
        }
        // Mate distance pruning: no score is better than a win in this turn or worse than a loss right now.
        window.alpha = window.alpha.max(turns as i32 - MATE);
        window.beta = window.beta.min(MATE - turns as i32 - 1);
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let excluded = self.plies[ply].excluded;
        let entry = self.shared.table.get(self.path.key());
        if let Some(entry) =
            entry.filter(|_| selectivity.transpositions && !window.is_pv() && excluded.is_none())
        {
            // A deeper entry is better for play, but its score is not the minimax score of this depth.
            let deep_enough = if selectivity.pruning {
                i32::from(entry.depth) >= node.depth
            } else {
                i32::from(entry.depth) == node.depth
            };
            if let Some(score) = table_cutoff(entry, window, turns).filter(|_| deep_enough) {
                return score;
            }
        }
        let view = position.view();
        if let Some(score) = self.win_at_once(&view, entry, node) {
            return score;
        }
        let must_respond = view.must_respond();
        let static_eval = if must_respond { 0 } else { self.static_eval(&view, entry, ply) };
        if must_respond && selectivity.extensions && (ply as i32) < 2 * self.root_depth {
            node.depth += 1;
        }
        let improving = self.is_improving(ply);
        if !window.is_pv() && !must_respond && excluded.is_none() {
            let estimate = better_estimate(static_eval, entry, turns);
            if let Some(score) = self.prune_node(&view, window, estimate, improving, node) {
                return score;
            }
        }
        let table_move = Self::table_move(&view, entry);
        // Internal iterative reduction: without a table move, a shallower search finds one for the next iteration.
        if selectivity.reductions && node.depth >= 4 && table_move.is_none() {
            node.depth -= 1;
        }
        let known = Known { must_respond, static_eval, improving, table_move, entry };
        self.search_moves(&view, window, known, node)
    }

    fn search_moves(&mut self, view: &P::View<'_>, window: Window, known: Known<P::Move>, node: Node) -> i32 {
        let ply = node.ply;
        let extension = match self.singular_extension(view.position(), window, &known, node) {
            Ok(extension) => extension,
            Err(score) => return score,
        };
        let mut picker = self.pickers[ply].take().expect("no node is open twice");
        let [first, second] = self.plies[ply].killers;
        let counter = self.history.counter(view.position().turn(), self.previous(ply));
        picker.start(Wanted::All, known.table_move, [first, second, counter]);
        let score = self.search_picked(&mut picker, view, window, known, node, extension);
        self.pickers[ply] = Some(picker);
        score
    }

    fn search_picked(
        &mut self,
        picker: &mut Picker<P::Move>,
        view: &P::View<'_>,
        window: Window,
        known: Known<P::Move>,
        node: Node,
        extension: i32,
    ) -> i32 {
        let Node { depth, ply, turns, .. } = node;
        let position = view.position();
        let (player, previous) = (position.turn(), self.previous(ply));
        let excluded = self.plies[ply].excluded;
        let (mut best, mut count) = (Best::new(-INFINITE, window), 0);
        self.evaluation.prepare(ply, position);
        while let Some(candidate) = picker.next(view, self.history, previous) {
            if excluded == Some(candidate.m) {
                continue;
            }
            let number = count;
            count += 1;
            let next_depth = depth - 1;
            let reduction = if known.must_respond {
                0
            } else {
                self.reduction(candidate, number, node, next_depth, window.is_pv(), known.improving)
            };
            if best.score > -WON && !known.must_respond && self.shared.selectivity.pruning {
                let place = Place {
                    window: best.window,
                    depth,
                    reduced_depth: next_depth - reduction,
                    quiet_before: picker.tried.len() as i32,
                    generated: picker.generated() as i32,
                };
                match self.prune_move(view, candidate, &known, place) {
                    Prune::Keep => {}
                    Prune::Move => continue,
                    Prune::QuietMoves => {
                        picker.skip_quiet();
                        continue;
                    }
                }
            }
            // `after` would copy the position once more.
            let mut next = position.clone();
            next.play_unchecked(candidate.m);
            self.push(ply, position, &next, candidate);
            let same_side = next.turn() == player;
            let mut child = self.child(node, same_side);
            if known.table_move == Some(candidate.m) {
                child.depth += extension;
            }
            let score = self.search_move(&next, same_side, best.window, child, reduction, number == 0);
            self.path.pop();
            if self.stopped {
                return 0;
            }
            if best.add(score, candidate.m) {
                self.update_pv(ply, candidate.m);
            }
            if best.is_cutoff() {
                if candidate.is_quiet() {
                    self.record_cutoff(candidate, &picker.tried, depth, ply, player);
                }
                break;
            }
            if candidate.is_quiet() {
                picker.tried.push(candidate.key);
            }
        }
        if count == 0 {
            return if excluded.is_some() { window.alpha } else { score_without_moves(position, turns) };
        }
        if excluded.is_none() {
            self.store(view, best.m, best.score, window, node);
            if !known.must_respond && best.m.is_none_or(|m| view.tactic(m).gain == 0) {
                self.record_error(view, best.score, window, node);
            }
        }
        best.score
    }

    fn record_cutoff(
        &mut self,
        cutoff: Candidate<P::Move>,
        tried: &[MoveKey],
        depth: i32,
        ply: usize,
        player: Player,
    ) {
        let killers = &mut self.plies[ply].killers;
        if killers[0] != Some(cutoff.m) {
            *killers = [Some(cutoff.m), killers[0]];
        }
        let previous = self.previous(ply);
        self.history.record_cutoff(player, previous, depth, (cutoff.m, cutoff.key), tried);
    }
}
