//! One thread of the alpha-beta search: the recursion itself.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sandtable_core::{Evaluate, Game, Player};
use sandtable_nnue::Network;

use crate::evaluation::PathEvaluation;
use crate::limits::{Limits, POLL_INTERVAL};
use crate::ordering::{LOSING_CAPTURE, MoveOrdering, ScoredMove, pick};
use crate::path::Path;
use crate::score::{INFINITE, MATE, MAX_PLY, WON, from_table, outcome_score, to_table};
use crate::table::{Bound, Entry, Table};
use crate::{Line, Score, Selectivity};

/// State shared by the threads of one search.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) limits: &'a Limits<'a>,
    pub(crate) network: Option<&'a Arc<Network>>,
    pub(crate) selectivity: Selectivity,
    pub(crate) stop: AtomicBool,
    /// The nodes of all helpers, updated every [`POLL_INTERVAL`] nodes.
    pub(crate) helper_nodes: AtomicU64,
}

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

/// The remaining depth of a node and its distance from the root.
#[derive(Clone, Copy)]
struct Node {
    /// Plies left before quiescence.
    depth: i32,
    /// Moves from the root.
    ply: usize,
    /// Changes of the side to move since the root: the unit of mate distances.
    turns: usize,
    /// Whether a null move may be tried: not twice in a row.
    null_move: bool,
}

impl Node {
    /// The node after a move, to be searched one ply less deep.
    fn child(self, same_side: bool) -> Self {
        Self {
            depth: self.depth - 1,
            ply: self.ply + 1,
            turns: self.turns + usize::from(!same_side),
            null_move: true,
        }
    }
}

pub(crate) struct Worker<'a, P: Evaluate> {
    shared: &'a Shared<'a>,
    root: P,
    pub(crate) root_moves: Vec<RootMove<P::Move>>,
    path: Path,
    evaluation: PathEvaluation,
    ordering: MoveOrdering<P::Move>,
    /// The principal variation from each ply.
    pv: Vec<Vec<P::Move>>,
    /// A move list for each ply, reused so that no node allocates.
    move_lists: Vec<Vec<ScoredMove<P::Move>>>,
    /// Whether this is the main thread, which checks the limits. Helpers only check the shared stop flag.
    is_main: bool,
    nodes: u64,
    /// The nodes already added to [`Shared::helper_nodes`].
    reported_nodes: u64,
    pub(crate) seldepth: usize,
    pub(crate) stopped: bool,
}

impl<'a, P: Evaluate> Worker<'a, P> {
    pub(crate) fn new(shared: &'a Shared<'a>, game: &Game<P>, is_main: bool) -> Self {
        let root = game.position().clone();
        let evaluation = PathEvaluation::new(shared.network, &root);
        let score = evaluation.score(0, &root);
        let legal = game.legal_moves().into_iter().enumerate();
        let chosen = legal.filter(|&(i, _)| shared.limits.allows_root_move(i));
        let root_moves = chosen.map(|(_, m)| RootMove { score, line: vec![m] }).collect();
        Self {
            shared,
            root,
            root_moves,
            path: Path::new(game),
            evaluation,
            ordering: MoveOrdering::new(),
            pv: vec![Vec::new(); MAX_PLY + 2],
            move_lists: vec![Vec::new(); MAX_PLY + 1],
            is_main,
            nodes: 0,
            reported_nodes: 0,
            seldepth: 0,
            stopped: false,
        }
    }

    pub(crate) fn depth_limit(&self) -> u32 {
        self.shared.limits.depth.unwrap_or(u32::MAX)
    }

    /// The nodes of this thread and those reported by the helpers.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes + self.shared.helper_nodes.load(Ordering::Relaxed)
    }

    /// Searches the root moves from index `first` on with an aspiration window and moves the best one to `first`.
    ///
    /// The window is widened on the side where it fails until it holds.
    pub(crate) fn aspiration_search(&mut self, first: usize, depth: i32) {
        let guess = self.root_moves[first].score;
        let mut margin = 30;
        let narrow = depth >= 4 && guess.abs() < WON;
        let (mut alpha, mut beta) =
            if narrow { (guess - margin, guess + margin) } else { (-INFINITE, INFINITE) };
        loop {
            let score = self.search_root(first, alpha, beta, depth);
            if self.stopped {
                return;
            }
            margin *= 3;
            if score <= alpha && alpha > -INFINITE {
                alpha = if margin > 1000 { -INFINITE } else { score.saturating_sub(margin).max(-INFINITE) };
            } else if score >= beta && beta < INFINITE {
                beta = if margin > 1000 { INFINITE } else { score.saturating_add(margin).min(INFINITE) };
            } else {
                return;
            }
        }
    }

    fn search_root(&mut self, first: usize, alpha: i32, beta: i32, depth: i32) -> i32 {
        let root = self.root.clone();
        let root_node = Node { depth, ply: 0, turns: 0, null_move: false };
        let (mut alpha, mut best, mut best_index) = (alpha, -INFINITE, first);
        for i in first..self.root_moves.len() {
            let m = self.root_moves[i].line[0];
            let next = root.after(m);
            self.path.push(&root, &next);
            self.evaluation.push(0, &root, &next);
            let same_side = next.turn() == root.turn();
            let child = root_node.child(same_side);
            let mut score = alpha;
            if i > first {
                score = self.search_child(&next, same_side, alpha, alpha + 1, child);
            }
            if i == first || score > alpha {
                score = self.search_child(&next, same_side, alpha, beta, child);
            }
            self.path.pop();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
            }
            if score > alpha {
                (alpha, best_index) = (score, i);
                let root_move = &mut self.root_moves[i];
                root_move.score = score;
                root_move.line.truncate(1);
                root_move.line.extend_from_slice(&self.pv[1]);
            }
            if alpha >= beta {
                break;
            }
        }
        self.root_moves[first..=best_index].rotate_right(1);
        best
    }

    /// Searches the position after a move. Returns its score from the perspective of the side that made the move.
    fn search_child(&mut self, next: &P, same_side: bool, alpha: i32, beta: i32, node: Node) -> i32 {
        if same_side { self.search(next, alpha, beta, node) } else { -self.search(next, -beta, -alpha, node) }
    }

    /// Counts a node and checks the limits. Returns whether to continue.
    fn enter(&mut self, ply: usize) -> bool {
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
        !self.stopped
    }

    /// The main search: principal variation search with the enabled selective techniques.
    fn search(&mut self, position: &P, mut alpha: i32, mut beta: i32, mut node: Node) -> i32 {
        let Node { ply, turns, .. } = node;
        let selectivity = self.shared.selectivity;
        if node.depth <= 0 {
            return self.quiescence(position, alpha, beta, node, true);
        }
        if !self.enter(ply) {
            return 0;
        }
        if let Some(score) = outcome_score(&self.path.outcome_by_rule(position), position.turn(), turns) {
            return score;
        }
        if let Some(m) = position.winning_move() {
            return self.score_winning_move(m, node);
        }
        if ply >= MAX_PLY {
            return self.evaluation.score(ply, position);
        }
        // Mate distance pruning: no score is better than a win in this turn or worse than a loss right now.
        alpha = alpha.max(turns as i32 - MATE);
        beta = beta.min(MATE - turns as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        let is_pv = beta - alpha > 1;
        let key = self.path.key();
        let entry = self.shared.table.get(key);
        if let Some(entry) = entry.filter(|_| selectivity.transpositions && !is_pv) {
            let score = from_table(entry.score, turns);
            // A deeper entry is better for play, but its score is not the minimax score of this depth.
            let deep_enough = if selectivity.pruning {
                i32::from(entry.depth) >= node.depth
            } else {
                i32::from(entry.depth) == node.depth
            };
            if deep_enough && entry.bound.allows_cutoff(score, alpha, beta) {
                return score;
            }
        }
        let must_respond = position.must_respond();
        let static_eval =
            entry.map_or_else(|| self.evaluation.score(ply, position), |entry| entry.static_eval.into());
        if must_respond && selectivity.extensions {
            node.depth += 1;
        }
        if !is_pv && !must_respond {
            // A lower bound above the static evaluation, or an upper bound below it, is a better estimate.
            let estimate = entry.map_or(static_eval, |entry| {
                let score = from_table(entry.score, turns);
                let better = entry.bound.allows_cutoff(score, static_eval, static_eval) && score.abs() < WON;
                if better { score } else { static_eval }
            });
            if let Some(score) = self.prune_node(position, alpha, beta, estimate, node) {
                return score;
            }
        }
        let table_move = entry.map(|entry| entry.signature);
        // Internal iterative reduction: without a table move, a shallower search finds one for the next iteration.
        if selectivity.reductions && node.depth >= 4 && table_move.is_none() {
            node.depth -= 1;
        }

        let mut moves = std::mem::take(&mut self.move_lists[ply]);
        moves.clear();
        let _ = position.for_each_legal::<()>(|m| {
            moves.push(self.ordering.score(position, ply, table_move, m));
            ControlFlow::Continue(())
        });
        let window = Window { alpha, beta, is_pv, must_respond, static_eval };
        let score = if moves.is_empty() {
            score_without_moves(position, turns)
        } else {
            self.search_moves(position, &mut moves, window, node)
        };
        self.move_lists[ply] = moves;
        score
    }

    /// Tries to prune a whole node before any move is searched: reverse futility pruning, razoring, null move.
    fn prune_node(&mut self, position: &P, alpha: i32, beta: i32, estimate: i32, node: Node) -> Option<i32> {
        let depth = node.depth;
        let selectivity = self.shared.selectivity;
        if beta.abs() >= WON || alpha.abs() >= WON {
            return None;
        }
        if selectivity.pruning {
            if depth <= 7 && estimate - 85 * depth >= beta {
                return Some(estimate);
            }
            if depth <= 2 && estimate + 280 * depth < alpha {
                let score = self.quiescence(position, alpha, alpha + 1, node, true);
                if score <= alpha {
                    return Some(score);
                }
            }
        }
        if selectivity.null_move && node.null_move && depth >= 3 && estimate >= beta {
            let passed = position.null_move()?;
            let reduction = 3 + depth / 4 + ((estimate - beta) / 200).min(3);
            self.path.push_null_move(&passed);
            self.evaluation.push(node.ply, position, &passed);
            let child = node.child(false);
            let child = Node { depth: child.depth - reduction, null_move: false, ..child };
            let score = -self.search(&passed, -beta, 1 - beta, child);
            self.path.pop();
            if !self.stopped && score >= beta {
                // A mate found after a null move proves a fail high, not the mate distance.
                return Some(score.min(WON - 1));
            }
        }
        None
    }

    fn search_moves(
        &mut self,
        position: &P,
        moves: &mut [ScoredMove<P::Move>],
        window: Window,
        node: Node,
    ) -> i32 {
        let Node { depth, ply, .. } = node;
        let Window { mut alpha, beta, is_pv, must_respond, static_eval } = window;
        let selectivity = self.shared.selectivity;
        let player = position.turn();
        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        for i in 0..moves.len() {
            let scored = pick(moves, i);
            let ScoredMove { m, order, gain, .. } = scored;
            let is_quiet = gain == 0;
            let mut is_futile = false;
            if selectivity.pruning && !must_respond && best > -WON {
                // Late move pruning.
                let late = 4 + depth * depth + moves.len() as i32 / 10;
                if is_quiet && !is_pv && depth <= 6 && i as i32 >= late {
                    continue;
                }
                is_futile = is_quiet && depth <= 6 && static_eval + 120 + 90 * depth <= alpha;
                if order < LOSING_CAPTURE / 2 && depth <= 5 && position.static_exchange(m) < -90 * depth {
                    continue;
                }
            }
            let next = position.after(m);
            if is_futile && !next.must_respond() {
                continue;
            }
            self.path.push(position, &next);
            self.evaluation.push(ply, position, &next);
            let same_side = next.turn() == player;
            let child = node.child(same_side);
            let mut score = alpha;
            let mut full_window = i == 0;
            if i > 0 {
                let reducible =
                    selectivity.reductions && depth >= 3 && i > 1 && !must_respond && order < NEVER_REDUCED;
                let reduction = if reducible { self.reduction(player, scored, i, is_pv, child) } else { 0 };
                let reduced = Node { depth: child.depth - reduction, ..child };
                score = self.search_child(&next, same_side, alpha, alpha + 1, reduced);
                if reduction > 0 && score > alpha {
                    score = self.search_child(&next, same_side, alpha, alpha + 1, child);
                }
                full_window = is_pv && score > alpha;
            }
            if full_window {
                score = self.search_child(&next, same_side, alpha, beta, child);
            }
            self.path.pop();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(m);
                    self.update_pv(ply, m);
                }
            }
            if alpha >= beta {
                if is_quiet {
                    self.ordering.record_cutoff(player, ply, depth, scored, &moves[..i]);
                }
                break;
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // After a fail low, store the first move: any guess improves move ordering.
        let signature = P::signature(best_move.unwrap_or(moves[0].m));
        self.store(signature, best, static_eval, node, bound);
        best
    }

    /// Late move reduction: how many plies less deep the move at index `i` is searched first. `child` is the node
    /// after the move.
    fn reduction(
        &self,
        player: Player,
        late: ScoredMove<P::Move>,
        i: usize,
        is_pv: bool,
        child: Node,
    ) -> i32 {
        let is_quiet = late.gain == 0;
        let base = log2_256(child.depth + 1) * log2_256(i as i32 + 1) / (256 * 640);
        let history = if is_quiet { self.ordering.history(player, late.signature) / 6000 } else { 0 };
        let killer = i32::from(self.ordering.is_killer(child.ply - 1, late.m));
        (base - history - killer - i32::from(is_pv) + i32::from(is_quiet)).clamp(0, child.depth - 1)
    }

    /// Quiescence search: captures, and all moves in check, until the static evaluation can be trusted. `first` is
    /// true at the entry, where quiet threats are tried as well.
    #[expect(clippy::too_many_lines, reason = "a preparation and one loop over the moves")]
    fn quiescence(&mut self, position: &P, mut alpha: i32, beta: i32, node: Node, first: bool) -> i32 {
        let Node { ply, turns, .. } = node;
        if !self.enter(ply) {
            return 0;
        }
        let selectivity = self.shared.selectivity;
        let outcome = if selectivity.quiescence {
            self.path.outcome_by_rule(position)
        } else {
            self.path.outcome(position)
        };
        if let Some(score) = outcome_score(&outcome, position.turn(), turns) {
            return score;
        }
        if ply >= MAX_PLY || !selectivity.quiescence {
            return self.evaluation.score(ply, position);
        }
        if let Some(m) = position.winning_move() {
            return self.score_winning_move(m, node);
        }
        let entry = self.shared.table.get(self.path.key());
        if let Some(entry) = entry.filter(|_| selectivity.transpositions && beta - alpha == 1) {
            let score = from_table(entry.score, turns);
            if entry.bound.allows_cutoff(score, alpha, beta) {
                return score;
            }
        }
        let original_alpha = alpha;
        // All moves are searched only in check: searching every reply to a mere threat costs more than it gains.
        let in_check = position.in_check() == Some(true);
        let static_eval =
            entry.map_or_else(|| self.evaluation.score(ply, position), |entry| entry.static_eval.into());
        let mut best = -INFINITE;
        if !in_check {
            // Stand pat.
            best = static_eval;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut moves = std::mem::take(&mut self.move_lists[ply]);
        moves.clear();
        let table_move = entry.map(|entry| entry.signature);
        let mut push = |m| {
            moves.push(self.ordering.score(position, ply, table_move, m));
            ControlFlow::<()>::Continue(())
        };
        let _ = if in_check {
            position.for_each_legal(&mut push)
        } else {
            position.for_each_noisy(first, &mut push)
        };
        if in_check && moves.is_empty() {
            self.move_lists[ply] = moves;
            return score_without_moves(position, turns);
        }
        let mut best_move = None;
        for i in 0..moves.len() {
            let ScoredMove { m, order, gain, .. } = pick(&mut moves, i);
            if selectivity.pruning && !in_check {
                let is_futile = gain > 0 && static_eval + gain + 180 <= alpha;
                let loses_material =
                    order < LOSING_CAPTURE / 2 || gain == 0 && position.static_exchange(m) < 0;
                if is_futile || loses_material {
                    continue;
                }
            }
            let next = position.after(m);
            self.path.push(position, &next);
            self.evaluation.push(ply, position, &next);
            let same_side = next.turn() == position.turn();
            let child = node.child(same_side);
            let score = if same_side {
                self.quiescence(&next, alpha, beta, child, false)
            } else {
                -self.quiescence(&next, -beta, -alpha, child, false)
            };
            self.path.pop();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(m);
                    self.update_pv(ply, m);
                }
            }
            if alpha >= beta {
                break;
            }
        }
        self.move_lists[ply] = moves;
        if self.stopped {
            return 0;
        }
        if let Some(signature) = best_move.map(P::signature).or(table_move) {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > original_alpha && best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.store(signature, best, static_eval, Node { depth: 0, ..node }, bound);
        }
        best
    }

    /// The score of a position where `m` wins immediately.
    fn score_winning_move(&mut self, m: P::Move, node: Node) -> i32 {
        self.pv[node.ply].push(m);
        MATE - node.turns as i32 - 1
    }

    fn update_pv(&mut self, ply: usize, m: P::Move) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&below[0]);
    }

    fn store(&self, signature: u16, score: i32, static_eval: i32, node: Node, bound: Bound) {
        let entry = Entry {
            signature,
            score: to_table(score, node.turns),
            static_eval: static_eval as i16,
            depth: u8::try_from(node.depth).unwrap_or(u8::MAX),
            bound,
        };
        self.shared.table.put(self.path.key(), entry);
    }
}

/// Moves ordered at least this high are never reduced.
const NEVER_REDUCED: i32 = 1 << 25;

/// The window of a node, and what is known before any move is searched.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
    is_pv: bool,
    must_respond: bool,
    static_eval: i32,
}

/// The score of a position whose list of legal moves is empty.
fn score_without_moves<P: Evaluate>(position: &P, turns: usize) -> i32 {
    outcome_score(&position.outcome(1), position.turn(), turns).expect("without legal moves the game is over")
}

/// 256 times the binary logarithm of a positive number, interpolated linearly between powers of two. Integers only, so
/// that node counts are the same on every machine.
const fn log2_256(n: i32) -> i32 {
    let whole = n.ilog2().cast_signed();
    256 * whole + ((n << 8) >> whole) - 256
}
