//! Monte Carlo tree search with PUCT selection.

use sandtable_core::{Context, Game, PlayError, Player, Position, Rng};

use crate::dirichlet::dirichlet;
use crate::path::Path;
use crate::{Evaluator, Leaf, Limits};

/// Settings of a tree search.
///
/// ```
/// use sandtable_search::MctsSettings;
///
/// let settings = MctsSettings::default().with_batch_size(16).with_exploration(2.0);
/// assert_eq!(settings.batch_size, 16);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MctsSettings {
    /// The exploration constant of PUCT (`c_puct`): the weight of priors against values.
    pub exploration: f32,
    /// First-play urgency: an unvisited move is valued at its parent's value minus this.
    pub fpu_reduction: f32,
    /// The number of leaves evaluated at once; 0 counts as 1. A batch of more than one changes which leaves are
    /// selected.
    pub batch_size: usize,
    /// The number of threads that evaluate a batch; 0 counts as 1. It does not change the result.
    pub threads: usize,
}

impl MctsSettings {
    /// Sets the exploration constant.
    #[must_use]
    pub const fn with_exploration(mut self, exploration: f32) -> Self {
        self.exploration = exploration;
        self
    }

    /// Sets the first-play urgency reduction.
    #[must_use]
    pub const fn with_fpu_reduction(mut self, fpu_reduction: f32) -> Self {
        self.fpu_reduction = fpu_reduction;
        self
    }

    /// Sets the number of leaves evaluated at once.
    #[must_use]
    pub const fn with_batch_size(mut self, batch_size: usize) -> Self {
        self.batch_size = batch_size;
        self
    }

    /// Sets the number of threads that evaluate a batch.
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }
}

impl Default for MctsSettings {
    fn default() -> Self {
        Self { exploration: 1.6, fpu_reduction: 0.25, batch_size: 1, threads: 1 }
    }
}

/// The statistics of a move at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootVisit<M> {
    /// The move.
    pub m: M,
    /// The number of visits.
    pub visits: u32,
    /// The prior, noise included. All priors add up to 1.
    pub prior: f32,
    /// The mean result from the mover's perspective; 0 without visits.
    pub value: f32,
}

/// A search tree rooted at the current position of a game.
///
/// The same seed, settings, evaluator and calls produce the same tree.
///
/// ```
/// use sandtable_chess::Position;
/// use sandtable_core::Game;
/// use sandtable_search::{Limits, Mcts, MctsSettings, Static};
///
/// let mut tree = Mcts::new(Game::<Position>::default(), MctsSettings::default(), 1);
/// tree.search(&Static::default(), &Limits::nodes(100));
/// let best = tree.choose(0.0).expect("the game is not over");
/// tree.advance(best)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mcts<P: Position> {
    game: Game<P>,
    settings: MctsSettings,
    rng: Rng,
    /// The root first.
    nodes: Vec<Node>,
    edges: Vec<Edge<P::Move>>,
}

type NodeId = usize;
type EdgeId = usize;

#[derive(Clone, Debug)]
struct Node {
    turn: Player,
    visits: u32,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// Not evaluated yet.
    New,
    /// Part of the current batch.
    Pending,
    /// Evaluated: its edges, and its value from the mover's perspective.
    Expanded { first: EdgeId, count: usize, value: f32 },
    /// The game is over, with this result from the mover's perspective.
    Terminal { value: f32 },
}

#[derive(Clone, Debug)]
struct Edge<M> {
    m: M,
    prior: f32,
    visits: u32,
    /// Visits whose results are pending. Each counts as a loss (virtual loss), which diversifies the batch.
    pending: u32,
    /// The sum of the results from the perspective of the side that makes the move.
    total: f64,
    child: Option<NodeId>,
}

/// The nodes and edges from the root to a leaf.
type Trail = Vec<(NodeId, EdgeId)>;

/// The end of a walk from the root.
enum Selection<P: Position> {
    /// A new leaf to evaluate.
    Leaf(NodeId, Trail, Leaf<P>),
    /// A terminal node with its result from the perspective of the side to move.
    Terminal(Trail, Player, f32),
    /// A leaf that is already part of the batch.
    Pending(Trail),
}

impl<P: Position> Mcts<P> {
    /// Creates an empty tree.
    #[must_use]
    pub fn new(game: Game<P>, settings: MctsSettings, seed: u64) -> Self {
        let root = Node { turn: game.turn(), visits: 0, state: State::New };
        Self { game, settings, rng: Rng::new(seed), nodes: vec![root], edges: Vec::new() }
    }

    /// Returns the game; its current position is the root.
    #[must_use]
    pub const fn game(&self) -> &Game<P> {
        &self.game
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of visits of the root.
    #[must_use]
    pub fn visits(&self) -> u32 {
        self.nodes[0].visits
    }

    /// Returns the statistics of the root moves, in the order of the legal moves. Empty before the first search or if the
    /// game is over.
    #[must_use]
    pub fn root_moves(&self) -> Vec<RootVisit<P::Move>> {
        self.edges_of(0).iter().map(Edge::visit).collect()
    }

    /// Returns the principal variation: the line of most visits.
    #[must_use]
    pub fn line(&self) -> Vec<P::Move> {
        let mut line = Vec::new();
        let mut node = Some(0);
        while let Some(edge) = node.and_then(|node| most_visited(self.edges_of(node))) {
            line.push(edge.m);
            node = edge.child;
        }
        line
    }

    /// Grows the tree by `limits.nodes` visits, or until `limits.stop`, polled before every batch, returns true.
    /// The other limits are ignored.
    ///
    /// Does nothing if the game is over.
    pub fn search(&mut self, evaluator: &impl Evaluator<P>, limits: &Limits) {
        if self.game.outcome().is_over() {
            return;
        }
        self.expand_root(evaluator);
        let mut remaining = limits.nodes.unwrap_or(u64::MAX);
        while remaining > 0 && !limits.should_stop() {
            remaining -= self.grow(evaluator, remaining.min(self.settings.batch_size.max(1) as u64));
        }
    }

    /// Mixes Dirichlet noise into the priors of the root moves, for variety in self-play: the new prior is
    /// `(1 - fraction) * prior + fraction * noise`.
    ///
    /// Does nothing if the game is over.
    pub fn add_noise(&mut self, evaluator: &impl Evaluator<P>, alpha: f64, fraction: f32) {
        if self.game.outcome().is_over() {
            return;
        }
        self.expand_root(evaluator);
        let State::Expanded { first, count, .. } = self.nodes[0].state else { return };
        let noise = dirichlet(&mut self.rng, alpha, count);
        for (edge, noise) in self.edges[first..first + count].iter_mut().zip(noise) {
            edge.prior += fraction * (noise as f32 - edge.prior);
        }
    }

    /// Samples a root move in proportion to `visits^(1 / temperature)`; temperature 0 picks the first of the most
    /// visited moves. Returns `None` before the first search or if the game is over.
    pub fn choose(&mut self, temperature: f32) -> Option<P::Move> {
        let best = most_visited(self.edges_of(0))?.m;
        if temperature <= 0.0 {
            return Some(best);
        }
        let most = f64::from(self.edges_of(0).iter().map(|edge| edge.visits).max()?.max(1));
        // Relative to the most visited move, so that no power overflows.
        let weight = |edge: &Edge<_>| (f64::from(edge.visits) / most).powf(1.0 / f64::from(temperature));
        let sum: f64 = self.edges_of(0).iter().map(weight).sum();
        let mut remaining = self.rng.unit() * sum;
        for edge in self.edges_of(0) {
            remaining -= weight(edge);
            if remaining < 0.0 {
                return Some(edge.m);
            }
        }
        Some(best)
    }

    /// Plays a move in the game and makes its node the root, keeping the subtree.
    pub fn advance(&mut self, m: P::Move) -> Result<(), PlayError<P::Reason>> {
        self.game.play(m)?;
        let kept = self.edges_of(0).iter().find(|edge| edge.m == m).and_then(|edge| edge.child);
        let (nodes, edges) = (std::mem::take(&mut self.nodes), std::mem::take(&mut self.edges));
        let Some(kept) = kept else {
            self.nodes.push(Node { turn: self.game.turn(), visits: 0, state: State::New });
            return Ok(());
        };
        // Copies the subtree breadth first; a child gets its number when its parent's edges are copied.
        let mut order = vec![kept];
        let mut next = 0;
        while let Some(&old) = order.get(next) {
            next += 1;
            let mut node = nodes[old].clone();
            if let State::Expanded { first, count, value } = node.state {
                node.state = State::Expanded { first: self.edges.len(), count, value };
                for edge in &edges[first..first + count] {
                    let child = edge.child.map(|child| {
                        order.push(child);
                        order.len() - 1
                    });
                    self.edges.push(Edge { child, ..edge.clone() });
                }
            }
            self.nodes.push(node);
        }
        Ok(())
    }

    fn edges_of(&self, node: NodeId) -> &[Edge<P::Move>] {
        match self.nodes[node].state {
            State::Expanded { first, count, .. } => &self.edges[first..first + count],
            _ => &[],
        }
    }

    /// Evaluates and expands the root if it is not expanded yet. This does not count as a visit.
    fn expand_root(&mut self, evaluator: &impl Evaluator<P>) {
        // The search treats a first repetition as a draw, the game does not: such a terminal node may become the root.
        if let State::Expanded { .. } = self.nodes[0].state {
            return;
        }
        let position = self.game.position().clone();
        let mut leaf = Leaf::new(position, self.game.context(), self.rng.next_u64());
        evaluator.evaluate(&mut leaf);
        self.expand(0, &leaf);
    }

    /// Makes one batch of at least one and at most `max` visits. Returns their number.
    fn grow(&mut self, evaluator: &impl Evaluator<P>, max: u64) -> u64 {
        let mut path = Path::new(&self.game);
        let mut made = 0;
        let mut batch = Vec::new();
        let mut leaves = Vec::new();
        while made < max {
            match self.select_leaf(&mut path) {
                Selection::Leaf(node, trail, leaf) => {
                    batch.push((node, trail));
                    leaves.push(leaf);
                }
                Selection::Terminal(trail, turn, value) => self.back_up(&trail, turn, value),
                Selection::Pending(trail) => {
                    for (_, edge) in trail {
                        self.edges[edge].pending -= 1;
                    }
                    break;
                }
            }
            made += 1;
        }
        self.evaluate(evaluator, &mut leaves);
        for ((node, trail), leaf) in batch.into_iter().zip(&leaves) {
            self.expand(node, leaf);
            self.back_up(&trail, leaf.position.turn(), leaf.value);
        }
        made
    }

    /// Evaluates a batch on all threads.
    fn evaluate(&self, evaluator: &impl Evaluator<P>, leaves: &mut [Leaf<P>]) {
        let threads = self.settings.threads.clamp(1, leaves.len().max(1));
        let share = leaves.len().div_ceil(threads).max(1);
        let mut shares = leaves.chunks_mut(share);
        let own = shares.next();
        std::thread::scope(|scope| {
            for leaves in shares {
                scope.spawn(|| evaluator.evaluate_batch(leaves));
            }
            if let Some(leaves) = own {
                evaluator.evaluate_batch(leaves);
            }
        });
    }

    /// Walks from the root to a leaf by PUCT. Leaves the path as it was.
    fn select_leaf(&mut self, path: &mut Path) -> Selection<P> {
        let mut position = self.game.position().clone();
        let mut draw_offer = self.game.draw_offer();
        let mut trail = Trail::new();
        let mut node = 0;
        let end = loop {
            match self.nodes[node].state {
                State::Expanded { first, count, value } => {
                    let edge = first + self.select_edge(node, &self.edges[first..first + count], value);
                    self.edges[edge].pending += 1;
                    trail.push((node, edge));
                    let next = position.after(self.edges[edge].m);
                    path.push(&position, &next);
                    draw_offer = draw_offer.after_move::<P>(position.turn());
                    position = next;
                    node = self.child(edge, path, &position);
                }
                State::New => break State::New,
                State::Pending => break State::Pending,
                terminal @ State::Terminal { .. } => break terminal,
            }
        };
        let context = Context { occurrences: path.occurrences(), draw_offer };
        for _ in &trail {
            path.pop();
        }
        match end {
            State::Terminal { value } => Selection::Terminal(trail, position.turn(), value),
            State::New => {
                self.nodes[node].state = State::Pending;
                let leaf = Leaf::new(position, context, self.rng.next_u64());
                Selection::Leaf(node, trail, leaf)
            }
            _ => Selection::Pending(trail),
        }
    }

    /// Returns the node that an edge leads to, creating it on the first visit.
    fn child(&mut self, edge: EdgeId, path: &Path, position: &P) -> NodeId {
        if let Some(child) = self.edges[edge].child {
            return child;
        }
        let turn = position.turn();
        let state =
            path.outcome(position).value_for(turn).map_or(State::New, |value| State::Terminal { value });
        self.nodes.push(Node { turn, visits: 0, state });
        self.edges[edge].child = Some(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Returns the index of the edge with the highest PUCT score. `leaf_value` is the node's own evaluation.
    #[expect(clippy::cast_precision_loss, reason = "visit counts need no exact f32")]
    fn select_edge(&self, node: NodeId, edges: &[Edge<P::Move>], leaf_value: f32) -> usize {
        let visits: u32 = edges.iter().map(|edge| edge.visits + edge.pending).sum();
        let total: f64 = edges.iter().map(|edge| edge.total).sum();
        // The value of the node: the mean of its own evaluation and the results below.
        let node_visits = f64::from(self.nodes[node].visits.max(1));
        let value = ((f64::from(leaf_value) + total) / (node_visits + 1.0)) as f32;
        let scale = self.settings.exploration * (visits.max(1) as f32).sqrt();
        let puct = |edge: &Edge<_>| {
            let visits = edge.visits + edge.pending;
            let mean = if visits == 0 {
                value - self.settings.fpu_reduction
            } else {
                (edge.total - f64::from(edge.pending)) as f32 / visits as f32
            };
            mean + scale * edge.prior / (1 + visits) as f32
        };
        let mut best = (0, f32::NEG_INFINITY);
        for (i, edge) in edges.iter().enumerate() {
            let score = puct(edge);
            if score > best.1 {
                best = (i, score);
            }
        }
        best.0
    }

    /// Expands a node with the moves, priors and value of its evaluated leaf.
    #[expect(clippy::cast_precision_loss, reason = "no position has millions of moves")]
    fn expand(&mut self, node: NodeId, leaf: &Leaf<P>) {
        // Each prior fits into an f32, but their sum may not.
        let sum: f64 = leaf.priors.iter().copied().map(f64::from).sum();
        let uniform = 1.0 / leaf.moves.len() as f32;
        let prior = |prior: f32| if sum > 0.0 { (f64::from(prior) / sum) as f32 } else { uniform };
        let first = self.edges.len();
        self.edges.extend(leaf.moves.iter().zip(&leaf.priors).map(|(&m, &p)| Edge {
            m,
            prior: prior(p),
            visits: 0,
            pending: 0,
            total: 0.0,
            child: None,
        }));
        self.nodes[node].state = State::Expanded { first, count: leaf.moves.len(), value: leaf.value };
    }

    /// Adds a result, from the perspective of `turn`, to every edge of the trail.
    fn back_up(&mut self, trail: &Trail, turn: Player, value: f32) {
        for &(node, edge) in trail {
            self.nodes[node].visits += 1;
            let (edge, value) = (&mut self.edges[edge], f64::from(value));
            edge.visits += 1;
            edge.pending -= 1;
            edge.total += if self.nodes[node].turn == turn { value } else { -value };
        }
    }
}

impl<M: Copy> Edge<M> {
    fn visit(&self) -> RootVisit<M> {
        let value = if self.visits == 0 { 0.0 } else { (self.total / f64::from(self.visits)) as f32 };
        RootVisit { m: self.m, visits: self.visits, prior: self.prior, value }
    }
}

/// Returns the first of the edges with the most visits.
fn most_visited<M>(edges: &[Edge<M>]) -> Option<&Edge<M>> {
    edges.iter().rev().max_by_key(|edge| edge.visits)
}
