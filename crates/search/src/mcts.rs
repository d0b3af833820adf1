//! Monte-Carlo tree search with PUCT: it goes where the value is high, the prior promises and few have been.

use sandtable_core::{Game, PlayError, Player, Position, Rng};

use crate::dirichlet::dirichlet;
use crate::path::Path;
use crate::{Evaluator, Leaf, Limits};

/// How a tree is grown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsSettings {
    /// How much priors and few visits count against the value.
    pub exploration: f32,
    /// A move not yet tried is taken to be worth this much less than its position.
    pub first_play: f32,
    /// How many leaves are judged at once; at least one. More than one changes which leaves are chosen.
    pub batch: usize,
    /// How many threads share a batch; at least one. It changes nothing but the time.
    pub threads: usize,
}

impl Default for MctsSettings {
    fn default() -> Self {
        Self { exploration: 1.6, first_play: 0.25, batch: 1, threads: 1 }
    }
}

/// What the tree knows of a first move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootVisit<M> {
    /// The move.
    pub m: M,
    /// How often it was tried.
    pub visits: u32,
    /// What it promised, noise included: all priors add up to 1.
    pub prior: f32,
    /// The mean result for the player to move; 0 if it was never tried.
    pub value: f32,
}

/// A search tree below the current position of a game.
///
/// With the same seed, settings and evaluator, the same calls give the same tree.
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
    /// Nobody has judged it yet.
    New,
    /// It is being judged.
    Pending,
    /// Its moves are these edges, and its value for the player to move was this.
    Open { first: EdgeId, count: usize, value: f32 },
    /// The game is over, with this result for the player to move.
    Over { value: f32 },
}

#[derive(Clone, Debug)]
struct Edge<M> {
    m: M,
    prior: f32,
    visits: u32,
    /// Visits whose results are not known yet; each counts as lost, so that the next one goes elsewhere.
    pending: u32,
    /// The sum of the results, for the player who makes the move.
    total: f64,
    child: Option<NodeId>,
}

/// The nodes and edges from the root to a leaf.
type Trail = Vec<(NodeId, EdgeId)>;

enum Descent<P: Position> {
    /// A new leaf to judge.
    Leaf(NodeId, Trail, Leaf<P>),
    /// A game that is over: known without judging.
    Over(Trail, Player, f32),
    /// A leaf that is being judged already.
    Busy(Trail),
}

impl<P: Position> Mcts<P> {
    /// An empty tree.
    #[must_use]
    pub fn new(game: Game<P>, settings: MctsSettings, seed: u64) -> Self {
        let root = Node { turn: game.turn(), visits: 0, state: State::New };
        Self { game, settings, rng: Rng::new(seed), nodes: vec![root], edges: Vec::new() }
    }

    /// The game that the tree belongs to.
    #[must_use]
    pub const fn game(&self) -> &Game<P> {
        &self.game
    }

    /// How many nodes the tree has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// How many times the current position was passed through.
    #[must_use]
    pub fn visits(&self) -> u32 {
        self.nodes[0].visits
    }

    /// The first moves, in the order of the legal moves; none before the first search or if the game is over.
    #[must_use]
    pub fn root_moves(&self) -> Vec<RootVisit<P::Move>> {
        self.edges_of(0).iter().map(Edge::visit).collect()
    }

    /// The line that was visited most.
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

    /// Grows the tree until `limits.nodes` more visits have been made or `limits.stop` says so; asks before every
    /// batch. Depth is no limit here.
    ///
    /// If the game is over nothing happens.
    pub fn search(&mut self, evaluator: &impl Evaluator<P>, limits: &Limits) {
        if self.game.outcome().is_over() {
            return;
        }
        self.open_root(evaluator);
        let mut left = limits.nodes.unwrap_or(u64::MAX);
        while left > 0 && !limits.stops() {
            left -= self.grow(evaluator, left.min(self.settings.batch.max(1) as u64));
        }
    }

    /// Mixes noise into the priors of the first moves, so that self-play does not always see the same: a share
    /// `fraction` of each prior becomes that of a symmetric Dirichlet distribution.
    ///
    /// If the game is over nothing happens.
    pub fn add_noise(&mut self, evaluator: &impl Evaluator<P>, alpha: f64, fraction: f32) {
        if self.game.outcome().is_over() {
            return;
        }
        self.open_root(evaluator);
        let State::Open { first, count, .. } = self.nodes[0].state else { return };
        let noise = dirichlet(&mut self.rng, alpha, count);
        for (edge, noise) in self.edges[first..first + count].iter_mut().zip(noise) {
            edge.prior += fraction * (noise as f32 - edge.prior);
        }
    }

    /// A first move by its visits: at temperature 0 the one with the most (the first of them), at 1 each as likely as
    /// its share, above that more evenly. None before the first search or if the game is over.
    pub fn choose(&mut self, temperature: f32) -> Option<P::Move> {
        let best = most_visited(self.edges_of(0))?.m;
        if temperature <= 0.0 {
            return Some(best);
        }
        let most = f64::from(self.edges_of(0).iter().map(|edge| edge.visits).max()?.max(1));
        // In shares of the most visited, no power overflows.
        let weight = |edge: &Edge<_>| (f64::from(edge.visits) / most).powf(1.0 / f64::from(temperature));
        let sum: f64 = self.edges_of(0).iter().map(weight).sum();
        let mut left = self.rng.unit() * sum;
        for edge in self.edges_of(0) {
            left -= weight(edge);
            if left < 0.0 {
                return Some(edge.m);
            }
        }
        Some(best)
    }

    /// Plays a move in the game and keeps what is known below it.
    pub fn advance(&mut self, m: P::Move) -> Result<(), PlayError<P::Reason>> {
        self.game.play(m)?;
        let kept = self.edges_of(0).iter().find(|edge| edge.m == m).and_then(|edge| edge.child);
        let (nodes, edges) = (std::mem::take(&mut self.nodes), std::mem::take(&mut self.edges));
        let Some(kept) = kept else {
            self.nodes.push(Node { turn: self.game.turn(), visits: 0, state: State::New });
            return Ok(());
        };
        // Copies the subtree, breadth first: a node's children are numbered when its edges are copied.
        let mut order = vec![kept];
        let mut next = 0;
        while let Some(&old) = order.get(next) {
            next += 1;
            let mut node = nodes[old].clone();
            if let State::Open { first, count, value } = node.state {
                node.state = State::Open { first: self.edges.len(), count, value };
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
            State::Open { first, count, .. } => &self.edges[first..first + count],
            _ => &[],
        }
    }

    /// Judges the root if that has not been done, at no one's expense: a root without moves cannot be searched.
    fn open_root(&mut self, evaluator: &impl Evaluator<P>) {
        // A node that was over for the search, by a repetition, may be where the game now stands.
        if let State::Open { .. } = self.nodes[0].state {
            return;
        }
        let position = self.game.position().clone();
        let mut leaf = Leaf::new(position, self.game.occurrences(), self.rng.next_u64());
        evaluator.evaluate(&mut leaf);
        self.open(0, &leaf);
    }

    /// Makes up to `most` visits with one batch; at least one.
    fn grow(&mut self, evaluator: &impl Evaluator<P>, most: u64) -> u64 {
        let mut path = Path::new(&self.game);
        let mut made = 0;
        let mut batch = Vec::new();
        let mut leaves = Vec::new();
        while made < most {
            match self.descend(&mut path) {
                Descent::Leaf(node, trail, leaf) => {
                    batch.push((node, trail));
                    leaves.push(leaf);
                }
                Descent::Over(trail, turn, value) => self.back_up(&trail, turn, value),
                Descent::Busy(trail) => {
                    for (_, edge) in trail {
                        self.edges[edge].pending -= 1;
                    }
                    break;
                }
            }
            made += 1;
        }
        self.judge(evaluator, &mut leaves);
        for ((node, trail), leaf) in batch.into_iter().zip(&leaves) {
            self.open(node, leaf);
            self.back_up(&trail, leaf.position.turn(), leaf.value);
        }
        made
    }

    fn judge(&self, evaluator: &impl Evaluator<P>, leaves: &mut [Leaf<P>]) {
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

    /// Follows the most promising moves to a leaf. The path comes back as it was.
    fn descend(&mut self, path: &mut Path) -> Descent<P> {
        let mut position = self.game.position().clone();
        let mut trail = Trail::new();
        let mut node = 0;
        let end = loop {
            match self.nodes[node].state {
                State::Open { first, count, value } => {
                    let edge = first + self.select(node, &self.edges[first..first + count], value);
                    self.edges[edge].pending += 1;
                    trail.push((node, edge));
                    let before = position.clone();
                    position.play_unchecked(self.edges[edge].m);
                    path.push(&before, &position);
                    node = self.child(edge, path, &position);
                }
                State::New => break State::New,
                State::Pending => break State::Pending,
                over @ State::Over { .. } => break over,
            }
        };
        let occurrences = path.occurrences();
        for _ in &trail {
            path.pop();
        }
        match end {
            State::Over { value } => Descent::Over(trail, position.turn(), value),
            State::New => {
                self.nodes[node].state = State::Pending;
                let leaf = Leaf::new(position, occurrences, self.rng.next_u64());
                Descent::Leaf(node, trail, leaf)
            }
            _ => Descent::Busy(trail),
        }
    }

    /// The node that an edge leads to, made if it is not there yet.
    fn child(&mut self, edge: EdgeId, path: &Path, position: &P) -> NodeId {
        if let Some(child) = self.edges[edge].child {
            return child;
        }
        let turn = position.turn();
        let state = path.outcome(position).value_for(turn).map_or(State::New, |value| State::Over { value });
        self.nodes.push(Node { turn, visits: 0, state });
        self.edges[edge].child = Some(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// The place of the edge to follow.
    #[expect(clippy::cast_precision_loss, reason = "visits are guesses as much as numbers")]
    fn select(&self, node: NodeId, edges: &[Edge<P::Move>], judged: f32) -> usize {
        let tries: u32 = edges.iter().map(|edge| edge.visits + edge.pending).sum();
        let total: f64 = edges.iter().map(|edge| edge.total).sum();
        // What is known of the node's own value: its judgement, then the mean of what was found below.
        let seen = f64::from(self.nodes[node].visits.max(1));
        let value = ((f64::from(judged) + total) / (seen + 1.0)) as f32;
        let scale = self.settings.exploration * (tries.max(1) as f32).sqrt();
        let promise = |edge: &Edge<_>| {
            let tries = edge.visits + edge.pending;
            let mean = if tries == 0 {
                value - self.settings.first_play
            } else {
                (edge.total - f64::from(edge.pending)) as f32 / tries as f32
            };
            mean + scale * edge.prior / (1 + tries) as f32
        };
        let mut best = (0, f32::NEG_INFINITY);
        for (i, edge) in edges.iter().enumerate() {
            let promise = promise(edge);
            if promise > best.1 {
                best = (i, promise);
            }
        }
        best.0
    }

    /// Gives a node the moves and priors of its judged leaf.
    #[expect(clippy::cast_precision_loss, reason = "no position has millions of moves")]
    fn open(&mut self, node: NodeId, leaf: &Leaf<P>) {
        // Each fits into an f32, but their sum may not.
        let sum: f64 = leaf.priors.iter().copied().map(f64::from).sum();
        let even = 1.0 / leaf.moves.len() as f32;
        let prior = |prior: f32| if sum > 0.0 { (f64::from(prior) / sum) as f32 } else { even };
        let first = self.edges.len();
        self.edges.extend(leaf.moves.iter().zip(&leaf.priors).map(|(&m, &p)| Edge {
            m,
            prior: prior(p),
            visits: 0,
            pending: 0,
            total: 0.0,
            child: None,
        }));
        self.nodes[node].state = State::Open { first, count: leaf.moves.len(), value: leaf.value };
    }

    /// Adds a result, as seen by `turn`, to everything that led to it.
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

/// The first of the edges with the most visits.
fn most_visited<M>(edges: &[Edge<M>]) -> Option<&Edge<M>> {
    edges.iter().rev().max_by_key(|edge| edge.visits)
}
