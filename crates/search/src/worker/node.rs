//! The main search: principal variation search with the enabled selective techniques.

use sandtable_core::{Analysis, Evaluate, Player};

use super::{Best, Node, Window, Worker, score_without_moves, table_cutoff};
use crate::history::MoveKey;
use crate::picker::{Candidate, Picker, Wanted};
use crate::score::{INFINITE, MATE, MAX_PLY, WON, from_table};
use crate::table::{Bound, Entry};

/// What is known about a node before any move is searched.
#[derive(Clone, Copy)]
struct Known<M> {
    must_respond: bool,
    /// 0 if the side to move must respond to a threat: then it is not used.
    static_eval: i32,
    /// Whether the static evaluation is better than before the last move of the same side.
    improving: bool,
    table_move: Option<M>,
    entry: Option<Entry>,
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
            return self.evaluation.score(ply, &position.analyse());
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
        let analysis = position.analyse();
        if let Some(score) = self.win_at_once(&analysis, entry, node) {
            return score;
        }
        let must_respond = analysis.must_respond();
        let static_eval = if must_respond { 0 } else { self.static_eval(&analysis, entry, ply) };
        if must_respond && selectivity.extensions && (ply as i32) < 2 * self.root_depth {
            node.depth += 1;
        }
        let improving = self.is_improving(ply);
        if !window.is_pv() && !must_respond && excluded.is_none() {
            let estimate = better_estimate(static_eval, entry, turns);
            if let Some(score) = self.prune_node(&analysis, window, estimate, improving, node) {
                return score;
            }
        }
        let table_move = Self::table_move(&analysis, entry);
        // Internal iterative reduction: without a table move, a shallower search finds one for the next iteration.
        if selectivity.reductions && node.depth >= 4 && table_move.is_none() {
            node.depth -= 1;
        }
        let known = Known { must_respond, static_eval, improving, table_move, entry };
        self.search_moves(&analysis, window, known, node)
    }

    /// Whether the side to move has a better static evaluation than before its last move.
    fn is_improving(&self, ply: usize) -> bool {
        let here = &self.plies[ply];
        let earlier =
            ply.checked_sub(2).map(|ply| &self.plies[ply]).filter(|earlier| earlier.turn == here.turn);
        match (here.static_eval, earlier.and_then(|earlier| earlier.static_eval)) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// Tries to prune a whole node before any move is searched: reverse futility pruning, razoring, null move.
    fn prune_node(
        &mut self,
        analysis: &P::Analysis<'_>,
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
                let score = self.quiescence(analysis.position(), window.zero(), node, true);
                if score <= alpha {
                    return Some(score);
                }
            }
        }
        if selectivity.null_move && node.null_move && depth >= 3 && estimate >= beta {
            return self.try_null_move(analysis, beta, estimate, node);
        }
        None
    }

    fn try_null_move(
        &mut self,
        analysis: &P::Analysis<'_>,
        beta: i32,
        estimate: i32,
        node: Node,
    ) -> Option<i32> {
        let parameters = self.shared.parameters;
        let passed = analysis.null_move()?;
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

    fn search_moves(
        &mut self,
        analysis: &P::Analysis<'_>,
        window: Window,
        known: Known<P::Move>,
        node: Node,
    ) -> i32 {
        let ply = node.ply;
        let extension = match self.singular_extension(analysis.position(), window, &known, node) {
            Ok(extension) => extension,
            Err(score) => return score,
        };
        let mut picker = self.pickers[ply].take().expect("no node is open twice");
        let [first, second] = self.plies[ply].killers;
        let counter = self.history.counter(analysis.position().turn(), self.previous(ply));
        picker.start(Wanted::All, known.table_move, [first, second, counter]);
        let score = self.search_picked(&mut picker, analysis, window, known, node, extension);
        self.pickers[ply] = Some(picker);
        score
    }

    fn search_picked(
        &mut self,
        picker: &mut Picker<P::Move>,
        analysis: &P::Analysis<'_>,
        window: Window,
        known: Known<P::Move>,
        node: Node,
        extension: i32,
    ) -> i32 {
        let Node { depth, ply, turns, .. } = node;
        let position = analysis.position();
        let (player, previous) = (position.turn(), self.previous(ply));
        let excluded = self.plies[ply].excluded;
        let (mut best, mut count) = (Best::new(-INFINITE, window), 0);
        self.evaluation.prepare(ply, position);
        while let Some(candidate) = picker.next(analysis, self.history, previous) {
            if excluded == Some(candidate.m) {
                continue;
            }
            let number = count;
            count += 1;
            let mut child = Node { depth: depth - 1, ..node };
            let reduction = if known.must_respond {
                0
            } else {
                self.reduction(candidate, number, node, child, window.is_pv(), known.improving)
            };
            if best.score > -WON && !known.must_respond && self.shared.selectivity.pruning {
                let place = Place {
                    window: best.window,
                    depth,
                    reduced_depth: child.depth - reduction,
                    quiet_before: picker.tried.len() as i32,
                    generated: picker.generated() as i32,
                };
                match self.prune_move(analysis, candidate, &known, place) {
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
            child = self.child(node, same_side);
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
            self.store(best.m, best.score, window, node);
            if !known.must_respond && best.m.is_none_or(|m| position.tactic(m).gain == 0) {
                self.record_error(position, best.score, window, node);
            }
        }
        best.score
    }

    /// Decides whether a move may be left out: it comes late, has no chance to raise alpha, has failed often, or loses
    /// material.
    fn prune_move(
        &self,
        analysis: &P::Analysis<'_>,
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
                && analysis.static_exchange(candidate.m)
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

    /// Singular extension: how much deeper the table move is searched. It is extended if all other moves are much worse.
    /// The error is the score of a node that is pruned because another move is good enough as well (multi-cut).
    fn singular_extension(
        &mut self,
        position: &P,
        window: Window,
        known: &Known<P::Move>,
        node: Node,
    ) -> Result<i32, i32> {
        let Node { depth, ply, turns, .. } = node;
        let (selectivity, parameters) = (self.shared.selectivity, self.shared.parameters);
        let (Some(table_move), Some(entry)) = (known.table_move, known.entry) else { return Ok(0) };
        let score = from_table(entry.score, turns);
        let worth_testing = selectivity.extensions
            && depth >= parameters.singular_depth
            && self.plies[ply].excluded.is_none()
            && i32::from(entry.depth) >= depth - 3
            && entry.bound != Bound::Upper
            && score.abs() < WON
            && (ply as i32) < 2 * self.root_depth;
        if !worth_testing {
            return Ok(0);
        }
        let target = score - parameters.singular_margin * depth / 10;
        let static_eval = self.plies[ply].static_eval;
        self.plies[ply].excluded = Some(table_move);
        let others = Node { depth: (depth - 1) / 2, ..node };
        let best = self.search(position, Window { alpha: target - 1, beta: target }, others);
        self.plies[ply].excluded = None;
        self.plies[ply].static_eval = static_eval;
        Ok(match best {
            _ if self.stopped => 0,
            _ if best < target => 1,
            _ if selectivity.pruning && !window.is_pv() && target >= window.beta => return Err(target),
            _ if score >= window.beta => -1,
            _ => 0,
        })
    }
}

/// The place of a move among those of its node.
#[derive(Clone, Copy)]
struct Place {
    window: Window,
    depth: i32,
    /// The depth of the first search of the move.
    reduced_depth: i32,
    /// The number of quiet moves searched before it.
    quiet_before: i32,
    /// The number of moves generated so far.
    generated: i32,
}

/// What to do with a move before it is played.
enum Prune {
    Keep,
    /// Leave out this move.
    Move,
    /// Leave out this and all later quiet moves.
    QuietMoves,
}

/// The static evaluation, or the score of a table entry that bounds the true score more tightly.
fn better_estimate(static_eval: i32, entry: Option<Entry>, turns: usize) -> i32 {
    let Some(entry) = entry else { return static_eval };
    let score = from_table(entry.score, turns);
    let is_better = entry.bound.allows_cutoff(score, static_eval, static_eval) && score.abs() < WON;
    if is_better { score } else { static_eval }
}
