//! One thread of the alpha-beta search: the recursion itself.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sandtable_core::{Evaluate, Game, Player};

use crate::limits::{Limits, POLL};
use crate::ordering::{LOSING, Memory, Ranked, pick};
use crate::path::Path;
use crate::score::{INFINITE, MATE, MAX_PLY, WON, of_outcome};
use crate::table::{Bound, Entry, Table};
use crate::{Line, Score, Selectivity};

/// What the threads of one search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) limits: &'a Limits<'a>,
    pub(crate) selectivity: Selectivity,
    pub(crate) stop: AtomicBool,
    /// Nodes of the helpers, brought up to date every [`POLL`] of theirs.
    pub(crate) helpers_nodes: AtomicU64,
}

/// A first move and what has been found of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<M> {
    pub(crate) score: i32,
    pub(crate) line: Vec<M>,
}

impl<M: Clone> RootMove<M> {
    pub(crate) fn to_line(&self) -> Line<M> {
        Line { score: Score::from_number(self.score), moves: self.line.clone() }
    }
}

/// Where a node stands in the tree.
#[derive(Clone, Copy)]
struct At {
    depth: i32,
    ply: usize,
    /// May the player to move pass here? Not right after a pass.
    pass: bool,
}

pub(crate) struct Worker<'a, P: Evaluate> {
    shared: &'a Shared<'a>,
    root: P,
    pub(crate) roots: Vec<RootMove<P::Move>>,
    path: Path,
    memory: Memory<P::Move>,
    /// By ply: the best line from there.
    lines: Vec<Vec<P::Move>>,
    /// By ply: the moves there, kept so that no node allocates.
    lists: Vec<Vec<Ranked<P::Move>>>,
    /// Does this worker watch the limits, or only the others' stop?
    leads: bool,
    nodes: u64,
    reported: u64,
    pub(crate) longest: usize,
    pub(crate) stopped: bool,
}

impl<'a, P: Evaluate> Worker<'a, P> {
    pub(crate) fn new(shared: &'a Shared<'a>, game: &Game<P>, leads: bool) -> Self {
        let root = game.position().clone();
        let score = evaluation(&root);
        let roots = game.legal_moves().into_iter().map(|m| RootMove { score, line: vec![m] }).collect();
        Self {
            shared,
            root,
            roots,
            path: Path::new(game),
            memory: Memory::new(),
            lines: vec![Vec::new(); MAX_PLY + 2],
            lists: vec![Vec::new(); MAX_PLY + 1],
            leads,
            nodes: 0,
            reported: 0,
            longest: 0,
            stopped: false,
        }
    }

    pub(crate) fn depth_limit(&self) -> u32 {
        self.shared.limits.depth.unwrap_or(u32::MAX)
    }

    /// The nodes of the whole search, as far as this worker knows.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes + self.shared.helpers_nodes.load(Ordering::Relaxed)
    }

    /// Searches the first moves from `first` on, in a window; the best comes to place `first`.
    ///
    /// A window that proves wrong is widened on the side where it was, until it holds.
    pub(crate) fn aspire(&mut self, first: usize, depth: i32) {
        let guess = self.roots[first].score;
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
        let (mut low, mut best, mut best_at) = (alpha, -INFINITE, first);
        for i in first..self.roots.len() {
            let m = self.roots[i].line[0];
            let next = after(&root, m);
            self.path.push(&root, &next);
            let same = next.turn() == root.turn();
            let at = At { depth: depth - 1, ply: 1, pass: true };
            let mut score = low;
            if i > first {
                score = self.descend(&next, same, low, low + 1, at);
            }
            if i == first || score > low {
                score = self.descend(&next, same, low, beta, at);
            }
            self.path.pop();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
            }
            if score > low {
                (low, best_at) = (score, i);
                let RootMove { score: known, line } = &mut self.roots[i];
                *known = score;
                line.truncate(1);
                line.extend_from_slice(&self.lines[1]);
            }
            if low >= beta {
                break;
            }
        }
        self.roots[first..=best_at].rotate_right(1);
        best
    }

    /// The score of a position one move further, for the player to move *here*.
    fn descend(&mut self, next: &P, same: bool, alpha: i32, beta: i32, at: At) -> i32 {
        if same { self.node(next, alpha, beta, at) } else { -self.node(next, -beta, -alpha, at) }
    }

    /// Counts a node, and says whether to go on.
    fn enter(&mut self, ply: usize) -> bool {
        if self.stopped {
            return false;
        }
        let shared = self.shared;
        if self.leads && shared.limits.nodes.is_some_and(|limit| self.all_nodes() >= limit) {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        self.longest = self.longest.max(ply);
        if self.nodes.is_multiple_of(POLL) {
            if self.leads {
                self.stopped = shared.limits.stops();
            } else {
                shared.helpers_nodes.fetch_add(self.nodes - self.reported, Ordering::Relaxed);
                self.reported = self.nodes;
                self.stopped = shared.stop.load(Ordering::Relaxed);
            }
        }
        self.lines[ply].clear();
        !self.stopped
    }

    fn node(&mut self, position: &P, mut alpha: i32, mut beta: i32, at: At) -> i32 {
        let At { mut depth, ply, pass } = at;
        let selectivity = self.shared.selectivity;
        if depth <= 0 {
            return self.quiesce(position, alpha, beta, ply, true);
        }
        if !self.enter(ply) {
            return 0;
        }
        let turn = position.turn();
        if let Some(score) = of_outcome(&self.path.outcome(position), turn, ply) {
            return score;
        }
        if let Some(m) = position.winning_move() {
            return self.won(m, ply);
        }
        if ply >= MAX_PLY {
            return evaluation(position);
        }
        // No line from here is better than a win with the next move, or worse than a loss right now.
        alpha = alpha.max(ply as i32 - MATE);
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        let principal = beta - alpha > 1;
        let key = self.path.key();
        let entry = self.shared.table.get(key);
        if let Some(entry) = entry.filter(|_| selectivity.transpositions && !principal) {
            let score = from_table(entry.score, ply);
            // A deeper search may see what one of this depth does not: good for play, but another value.
            let deep_enough = if selectivity.pruning {
                i32::from(entry.depth) >= depth
            } else {
                i32::from(entry.depth) == depth
            };
            if deep_enough && entry.bound.settles(score, alpha, beta) {
                return score;
            }
        }
        let pressed = position.is_pressed();
        let looks = entry.map_or_else(|| evaluation(position), |entry| entry.evaluation.into());
        if pressed && selectivity.extensions {
            depth += 1;
        }
        if !principal && !pressed {
            // What the table knows of the true score is a better guess than the looks alone.
            let guess = entry.map_or(looks, |entry| {
                let score = from_table(entry.score, ply);
                let better = entry.bound.settles(score, looks, looks) && score.abs() < WON;
                if better { score } else { looks }
            });
            if let Some(score) = self.cut_early(position, alpha, beta, guess, At { depth, ply, pass }) {
                return score;
            }
        }
        let known = entry.map(|entry| entry.signature);
        if selectivity.reductions && depth >= 4 && known.is_none() {
            depth -= 1;
        }

        let mut moves = std::mem::take(&mut self.lists[ply]);
        moves.clear();
        let _ = position.for_each_legal::<()>(|m| {
            moves.push(self.memory.rank(position, ply, known, m));
            ControlFlow::Continue(())
        });
        let window = Window { alpha, beta, principal, pressed, looks };
        let score = self.try_moves(position, &mut moves, window, At { depth, ply, pass });
        self.lists[ply] = moves;
        score
    }

    /// The cuts that look at no move of this position. None of them is exact.
    fn cut_early(&mut self, position: &P, alpha: i32, beta: i32, guess: i32, at: At) -> Option<i32> {
        let At { depth, ply, pass } = at;
        let selectivity = self.shared.selectivity;
        if beta.abs() >= WON || alpha.abs() >= WON {
            return None;
        }
        if selectivity.pruning {
            if depth <= 7 && guess - 85 * depth >= beta {
                return Some(guess);
            }
            if depth <= 2 && guess + 280 * depth < alpha {
                let score = self.quiesce(position, alpha, alpha + 1, ply, true);
                if score <= alpha {
                    return Some(score);
                }
            }
        }
        if selectivity.null_move && pass && depth >= 3 && guess >= beta {
            let passed = position.pass()?;
            let reduction = 3 + depth / 4 + ((guess - beta) / 200).min(3);
            self.path.push_apart(&passed);
            let at = At { depth: depth - 1 - reduction, ply: ply + 1, pass: false };
            let score = -self.node(&passed, -beta, 1 - beta, at);
            self.path.pop();
            if !self.stopped && score >= beta {
                // A win found while passing proves that the move is good, not how soon it wins.
                return Some(score.min(WON - 1));
            }
        }
        None
    }

    fn try_moves(&mut self, position: &P, moves: &mut [Ranked<P::Move>], window: Window, at: At) -> i32 {
        let At { depth, ply, .. } = at;
        let Window { mut alpha, beta, principal, pressed, looks } = window;
        let selectivity = self.shared.selectivity;
        let turn = position.turn();
        let original = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        for i in 0..moves.len() {
            let ranked = pick(moves, i);
            let Ranked { m, rank, gain, .. } = ranked;
            let quiet = gain == 0;
            let mut futile = false;
            if selectivity.pruning && !pressed && best > -WON {
                // The later a quiet move comes, the less it is worth a look near the leaves.
                let enough = 4 + depth * depth + moves.len() as i32 / 10;
                if quiet && !principal && depth <= 6 && i as i32 >= enough {
                    continue;
                }
                futile = quiet && depth <= 6 && looks + 120 + 90 * depth <= alpha;
                if rank < LOSING / 2 && depth <= 5 && position.exchange(m) < -90 * depth {
                    continue;
                }
            }
            let next = after(position, m);
            if futile && !next.is_pressed() {
                continue;
            }
            self.path.push(position, &next);
            let same = next.turn() == turn;
            let at = At { depth: depth - 1, ply: ply + 1, pass: true };
            let mut score = alpha;
            let mut wide = i == 0;
            if i > 0 {
                let reduction = if selectivity.reductions && depth >= 3 && i > 1 && !pressed && rank < GOOD {
                    self.reduction(turn, ranked, i, principal, at)
                } else {
                    0
                };
                let reduced = At { depth: at.depth - reduction, ..at };
                score = self.descend(&next, same, alpha, alpha + 1, reduced);
                if reduction > 0 && score > alpha {
                    score = self.descend(&next, same, alpha, alpha + 1, at);
                }
                wide = principal && score > alpha;
            }
            if wide {
                score = self.descend(&next, same, alpha, beta, at);
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
                    self.extend_line(ply, m);
                }
            }
            if alpha >= beta {
                if quiet {
                    self.memory.learn(turn, ply, depth, ranked, &moves[..i]);
                }
                break;
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // Without a best move, the first one tried is as good a guess as any.
        let signature = P::signature(best_move.unwrap_or(moves[0].m));
        self.store(signature, best, looks, depth, bound, ply);
        best
    }

    /// How many plies less a late move is looked at first.
    fn reduction(&self, turn: Player, late: Ranked<P::Move>, i: usize, principal: bool, at: At) -> i32 {
        let quiet = late.gain == 0;
        let base = log2_256(at.depth + 1) * log2_256(i as i32 + 1) / (256 * 640);
        let history = if quiet { self.memory.history(turn, late.signature) / 6000 } else { 0 };
        let killer = i32::from(self.memory.is_killer(at.ply - 1, late.m));
        (base - history - killer - i32::from(principal) + i32::from(quiet)).clamp(0, at.depth - 1)
    }

    /// Follows only loud moves, until the position can be judged by its looks.
    fn quiesce(&mut self, position: &P, mut alpha: i32, beta: i32, ply: usize, first: bool) -> i32 {
        if !self.enter(ply) {
            return 0;
        }
        let selectivity = self.shared.selectivity;
        if let Some(score) = of_outcome(&self.path.outcome(position), position.turn(), ply) {
            return score;
        }
        if ply >= MAX_PLY || !selectivity.quiescence {
            return evaluation(position);
        }
        if let Some(m) = position.winning_move() {
            return self.won(m, ply);
        }
        let entry = self.shared.table.get(self.path.key());
        if let Some(entry) = entry.filter(|_| selectivity.transpositions && beta - alpha == 1) {
            let score = from_table(entry.score, ply);
            if entry.bound.settles(score, alpha, beta) {
                return score;
            }
        }
        let original = alpha;
        // Looking at every answer to a mere threat would cost more than it tells.
        let pressed = position.check() == Some(true);
        let looks = entry.map_or_else(|| evaluation(position), |entry| entry.evaluation.into());
        let mut best = -INFINITE;
        if !pressed {
            best = looks;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut moves = std::mem::take(&mut self.lists[ply]);
        moves.clear();
        let known = entry.map(|entry| entry.signature);
        let mut list = |m| {
            moves.push(self.memory.rank(position, ply, known, m));
            ControlFlow::<()>::Continue(())
        };
        let _ = if pressed {
            position.for_each_legal(&mut list)
        } else {
            position.for_each_noisy(first, &mut list)
        };
        let mut best_move = None;
        for i in 0..moves.len() {
            let Ranked { m, rank, gain, .. } = pick(&mut moves, i);
            if selectivity.pruning && !pressed {
                let hopeless = gain > 0 && looks + gain + 180 <= alpha;
                let loses = rank < LOSING / 2 || gain == 0 && position.exchange(m) < 0;
                if hopeless || loses {
                    continue;
                }
            }
            let next = after(position, m);
            self.path.push(position, &next);
            let score = if next.turn() == position.turn() {
                self.quiesce(&next, alpha, beta, ply + 1, false)
            } else {
                -self.quiesce(&next, -beta, -alpha, ply + 1, false)
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
                    self.extend_line(ply, m);
                }
            }
            if alpha >= beta {
                break;
            }
        }
        self.lists[ply] = moves;
        if self.stopped {
            return 0;
        }
        if let Some(signature) = best_move.map(P::signature).or(known) {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > original && best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.store(signature, best, looks, 0, bound, ply);
        }
        best
    }

    /// The score of a position where `m` wins at once.
    fn won(&mut self, m: P::Move, ply: usize) -> i32 {
        self.lines[ply].push(m);
        MATE - ply as i32 - 1
    }

    fn extend_line(&mut self, ply: usize, m: P::Move) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&below[0]);
    }

    fn store(&self, signature: u16, score: i32, looks: i32, depth: i32, bound: Bound, ply: usize) {
        let entry = Entry {
            signature,
            score: to_table(score, ply),
            evaluation: looks as i16,
            depth: u8::try_from(depth).unwrap_or(u8::MAX),
            bound,
        };
        self.shared.table.put(self.path.key(), entry);
    }
}

/// Moves of this rank and better are never reduced.
const GOOD: i32 = 1 << 25;

/// The window of a node and what is known of it before any move is tried.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
    principal: bool,
    pressed: bool,
    looks: i32,
}

fn after<P: Evaluate>(position: &P, m: P::Move) -> P {
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}

/// The static evaluation, kept clear of the scores that mean a win.
fn evaluation<P: Evaluate>(position: &P) -> i32 {
    position.evaluate().clamp(1 - WON, WON - 1)
}

/// In the table, a win is so many moves from its position; in the search, from the root.
const fn to_table(score: i32, ply: usize) -> i16 {
    (match score {
        WON.. => score + ply as i32,
        s if s <= -WON => score - ply as i32,
        _ => score,
    }) as i16
}

const fn from_table(score: i16, ply: usize) -> i32 {
    let score = score as i32;
    match score {
        WON.. => score - ply as i32,
        s if s <= -WON => score + ply as i32,
        _ => score,
    }
}

/// 256 times the binary logarithm of a positive number, straight between the powers of two: the same on every machine.
const fn log2_256(n: i32) -> i32 {
    let whole = n.ilog2().cast_signed();
    256 * whole + ((n << 8) >> whole) - 256
}
