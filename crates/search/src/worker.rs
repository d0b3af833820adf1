//! One thread of the alpha-beta search: its state, the root, and what all nodes share.

mod node;
mod quiescence;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sandtable_core::{Analysis, Evaluate, Game, Player, SearchParameters};
use sandtable_nnue::Network;

use crate::evaluation::PathEvaluation;
use crate::history::{History, Previous};
use crate::limits::{Limits, POLL_INTERVAL};
use crate::path::Path;
use crate::picker::{Candidate, Picker};
use crate::score::{INFINITE, MATE, MAX_PLY, WON, from_table, outcome_score, to_table};
use crate::table::{Bound, Entry, Table, UNKNOWN};
use crate::{Line, Score, Selectivity};

/// State shared by the threads of one search.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) limits: &'a Limits<'a>,
    pub(crate) network: Option<&'a Arc<Network>>,
    pub(crate) selectivity: Selectivity,
    pub(crate) parameters: SearchParameters,
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
    /// Whether the search expects a beta cutoff here.
    expects_cutoff: bool,
}

/// The open window of a node.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    const fn is_pv(self) -> bool {
        self.beta - self.alpha > 1
    }

    /// The window that only tests whether a score is above alpha.
    const fn zero(self) -> Self {
        Self { alpha: self.alpha, beta: self.alpha + 1 }
    }
}

/// The best score of a node so far, and the window that is left.
struct Best<M> {
    score: i32,
    /// The move that raised alpha last.
    m: Option<M>,
    window: Window,
}

impl<M> Best<M> {
    /// Before any move is searched. `score` is what the node has without one: [`-INFINITE`](INFINITE), or to stand pat.
    fn new(score: i32, window: Window) -> Self {
        Self { score, m: None, window: Window { alpha: window.alpha.max(score), ..window } }
    }

    /// Counts the score of a move. Returns whether it raises alpha.
    fn add(&mut self, score: i32, m: M) -> bool {
        self.score = self.score.max(score);
        let raises = score > self.window.alpha;
        if raises {
            (self.window.alpha, self.m) = (score, Some(m));
        }
        raises
    }

    /// Whether no other move needs to be searched: the opponent has a better choice before.
    const fn is_cutoff(&self) -> bool {
        self.window.alpha >= self.window.beta
    }
}

/// What the search remembers about a ply of the current path.
struct Ply<M> {
    /// The static evaluation, if it was computed.
    static_eval: Option<i32>,
    /// The same before its correction.
    raw_eval: Option<i32>,
    turn: Player,
    /// The slot of the move that was played here; `None` for a null move.
    played: Option<usize>,
    /// The last two quiet moves that caused a beta cutoff at this distance from the root.
    killers: [Option<M>; 2],
    /// The move that a singular search leaves out.
    excluded: Option<M>,
}

pub(crate) struct Worker<'a, P: Evaluate> {
    shared: &'a Shared<'a>,
    root: P,
    pub(crate) root_moves: Vec<RootMove<P::Move>>,
    path: Path,
    evaluation: PathEvaluation<P>,
    history: &'a mut History<P>,
    plies: Vec<Ply<P::Move>>,
    /// The principal variation from each ply.
    pv: Vec<Vec<P::Move>>,
    /// A picker for each ply, reused so that no node allocates; a node takes it while it searches its moves.
    pickers: Vec<Option<Box<Picker<P::Move>>>>,
    /// Whether this is the main thread, which checks the limits. Helpers only check the shared stop flag.
    is_main: bool,
    nodes: u64,
    /// The nodes already added to [`Shared::helper_nodes`].
    reported_nodes: u64,
    /// The depth of the current iteration.
    root_depth: i32,
    pub(crate) seldepth: usize,
    pub(crate) stopped: bool,
}

impl<'a, P: Evaluate> Worker<'a, P> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        game: &Game<P>,
        history: &'a mut History<P>,
        is_main: bool,
    ) -> Self {
        let root = game.position().clone();
        let mut evaluation = PathEvaluation::new(shared.network, &root);
        let score = evaluation.score(0, &root.analyse());
        let legal = game.legal_moves().into_iter().enumerate();
        let chosen = legal.filter(|&(i, _)| shared.limits.allows_root_move(i));
        let root_moves = chosen.map(|(_, m)| RootMove { score, line: vec![m] }).collect();
        let ply = || Ply {
            static_eval: None,
            raw_eval: None,
            turn: root.turn(),
            played: None,
            killers: [None; 2],
            excluded: None,
        };
        let mut plies: Vec<_> = (0..MAX_PLY + 2).map(|_| ply()).collect();
        plies[0].static_eval = Some(score);
        Self {
            shared,
            root,
            root_moves,
            path: Path::new(game),
            evaluation,
            history,
            plies,
            pv: vec![Vec::new(); MAX_PLY + 2],
            pickers: (0..MAX_PLY + 2).map(|_| Some(Box::default())).collect(),
            is_main,
            nodes: 0,
            reported_nodes: 0,
            root_depth: 0,
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
        let analysis = root.analyse();
        let must_respond = analysis.must_respond();
        self.root_depth = depth;
        let node = Node { depth, ply: 0, turns: 0, null_move: false, expects_cutoff: false };
        let mut best = Best::new(-INFINITE, window);
        for i in first..self.root_moves.len() {
            let candidate = Candidate::new(&analysis, self.history, [None; 2], self.root_moves[i].line[0]);
            let next = root.after(candidate.m);
            self.push(0, &root, &next, candidate);
            let same_side = next.turn() == root.turn();
            let child = self.child(node, same_side);
            let number = i - first;
            let reduction = if must_respond || !candidate.is_quiet() {
                0
            } else {
                self.reduction(candidate, number, node, child, best.window.is_pv(), true)
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

    /// Plays a move on the path.
    fn push(&mut self, ply: usize, position: &P, next: &P, candidate: Candidate<P::Move>) {
        self.plies[ply].played = Some(candidate.key.slot.into());
        self.path.push(position, next);
    }

    /// The node after a move.
    fn child(&self, node: Node, same_side: bool) -> Node {
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

    /// Principal variation search of the position after a move: the first move with the whole window, each later one with
    /// an empty window, first `reduction` plies less deep, and again if it turns out better than expected.
    ///
    /// Returns the score from the perspective of the side that made the move.
    fn search_move(
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

    /// Late move reduction: how many plies less deep a move of `node` is searched first. `child` is the node after the move,
    /// and `number` the number of moves before it.
    fn reduction(
        &self,
        late: Candidate<P::Move>,
        number: usize,
        node: Node,
        child: Node,
        is_pv: bool,
        improving: bool,
    ) -> i32 {
        let parameters = &self.shared.parameters;
        if !self.shared.selectivity.reductions || child.depth < 2 || number < 2 {
            return 0;
        }
        let product = log2_256(child.depth + 1) * log2_256(number as i32 + 1) / 256;
        let mut hundredths =
            parameters.reduction_base + product * 100 / 256 * 100 / parameters.reduction_divisor;
        if late.is_quiet() {
            hundredths -= 100 * late.history() / parameters.reduction_history;
            hundredths -= 100 * i32::from(late.is_refutation) + 100 * i32::from(late.threatens);
        } else {
            hundredths /= 2;
        }
        hundredths -= 100 * i32::from(is_pv);
        hundredths += 100 * i32::from(node.expects_cutoff) + 50 * i32::from(!improving);
        (hundredths / 100).clamp(0, child.depth - 1)
    }

    /// Counts a node and checks the limits. Returns whether to continue.
    fn enter(&mut self, position: &P, ply: usize) -> bool {
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
    fn score_by_rule(&self, position: &P, node: Node) -> Option<i32> {
        let outcome = self.path.outcome_by_rule(position);
        outcome_score(&outcome, position.turn(), node.turns)
    }

    /// The score of a node where a move wins at once. Such a node is never stored, so one with a table entry is not asked.
    fn win_at_once(&mut self, analysis: &P::Analysis<'_>, entry: Option<Entry>, node: Node) -> Option<i32> {
        if entry.is_some() {
            return None;
        }
        let m = analysis.winning_move()?;
        self.pv[node.ply].push(m);
        Some(MATE - node.turns as i32 - 1)
    }

    /// The static evaluation of a node: from its table entry, or computed; corrected by what searches of similar positions
    /// found.
    fn static_eval(&mut self, analysis: &P::Analysis<'_>, entry: Option<Entry>, ply: usize) -> i32 {
        let stored = entry.map(|entry| entry.static_eval).filter(|&stored| stored != UNKNOWN);
        let raw = stored.map_or_else(|| self.evaluation.score(ply, analysis), i32::from);
        let score = if self.shared.selectivity.pruning {
            let weight = self.shared.parameters.correction_weight;
            let correction = self.history.corrections.get(analysis.position(), self.previous(ply), weight);
            (raw + correction).clamp(1 - WON, WON - 1)
        } else {
            raw
        };
        let here = &mut self.plies[ply];
        (here.raw_eval, here.static_eval) = (Some(raw), Some(score));
        score
    }

    /// Learns from the score of a node how wrong its static evaluation was, if the bound of the score tells.
    fn record_error(&mut self, position: &P, score: i32, window: Window, node: Node) {
        let Ply { raw_eval: Some(raw), static_eval: Some(corrected), .. } = self.plies[node.ply] else {
            return;
        };
        let tells = match bound_of(score, window) {
            Bound::Lower => score > corrected,
            Bound::Upper => score < corrected,
            Bound::Exact => true,
        };
        if tells && score.abs() < WON {
            let previous = self.previous(node.ply);
            self.history.corrections.record(position, previous, node.depth, score - raw);
        }
    }

    /// The move of a table entry, if it is legal here.
    fn table_move(analysis: &P::Analysis<'_>, entry: Option<Entry>) -> Option<P::Move> {
        let bits = entry.map(|entry| entry.move_bits).filter(|&bits| bits != 0)?;
        analysis.position().move_from_bits(bits).filter(|&m| analysis.is_legal(m))
    }

    /// The slots of the two moves before a ply.
    fn previous(&self, ply: usize) -> Previous {
        let played = |back: usize| ply.checked_sub(back).and_then(|ply| self.plies[ply].played);
        [played(1), played(2)]
    }

    fn update_pv(&mut self, ply: usize, m: P::Move) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&below[0]);
    }

    /// Stores the result of a node: the best move if one raised alpha, and the score with its bound.
    fn store(&self, best_move: Option<P::Move>, score: i32, window: Window, node: Node) {
        let entry = Entry {
            move_bits: best_move.map_or(0, P::move_bits),
            score: to_table(score, node.turns),
            static_eval: self.plies[node.ply].raw_eval.map_or(UNKNOWN, |score| score as i16),
            depth: u8::try_from(node.depth.max(0)).unwrap_or(u8::MAX),
            bound: bound_of(score, window),
        };
        self.shared.table.put(self.path.key(), entry);
    }
}

/// What the score of a search with a window says about the true score.
const fn bound_of(score: i32, window: Window) -> Bound {
    if score >= window.beta {
        Bound::Lower
    } else if score > window.alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

/// Whether a table entry makes a search unnecessary, and with what score.
fn table_cutoff(entry: Entry, window: Window, turns: usize) -> Option<i32> {
    let score = from_table(entry.score, turns);
    entry.bound.allows_cutoff(score, window.alpha, window.beta).then_some(score)
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
