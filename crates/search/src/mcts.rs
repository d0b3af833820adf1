//! Monte Carlo tree search with PUCT selection.
//!
//! `store.rs` has the nodes and edges and everything that needs no position: backup, proofs, pruning. `select.rs` walks from
//! the root to leaves, `root.rs` treats the root, `gumbel.rs` selects root moves by sequential halving, `report.rs` has
//! the lines of a tree, and `save.rs` writes trees as bytes.

mod gumbel;
mod report;
mod root;
mod save;
mod select;
mod settings;
mod store;

use std::ops::ControlFlow;

use sandtable_core::rules::{PlayError, Reason, Rng, play_opening};
use sandtable_core::{Game, Position};

use self::gumbel::Gumbel;
pub use self::gumbel::softmax;
pub use self::report::TreeReport;
use self::root::normalise;
pub use self::save::RestoreError;
pub use self::settings::MctsSettings;
use self::store::{Kind, NodeId, ROOT, Store};
use crate::path::Path;
use crate::{Evaluator, Leaf, Limits};

/// The statistics of a move at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootVisit<M> {
    /// The move.
    pub root_move: M,
    /// The number of visits.
    pub visits: u32,
    /// The prior, noise included. All priors add up to 1.
    pub prior: f32,
    /// The mean result from the mover's perspective; 0 without visits, and 1 or −1 if the result is proven.
    pub value: f32,
}

/// A search tree rooted at the current position of a game.
///
/// The same seed, settings, evaluator and calls produce the same tree.
///
/// ```
/// use sandtable_chess::Chess;
/// use sandtable_core::Game;
/// use sandtable_search::{Limits, Mcts, MctsSettings, Static};
///
/// let mut tree = Mcts::new(Game::<Chess>::default(), MctsSettings::default(), 1);
/// tree.search(&Static::default(), &Limits::nodes(100));
/// let best = tree.choose(0.0).expect("the game is not over");
/// tree.advance(best)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`search`](Self::search) calls an evaluator. A caller that evaluates the leaves of many trees at once, or elsewhere,
/// repeats [`select`](Self::select) and [`expand`](Self::expand) instead:
///
/// ```
/// use sandtable_chess::Chess;
/// use sandtable_core::Game;
/// use sandtable_search::{Mcts, MctsSettings};
///
/// let mut tree = Mcts::new(Game::<Chess>::default(), MctsSettings::default(), 1);
/// tree.begin(100, true);
/// while tree.remaining() > 0 {
///     let mut positions = Vec::new();
///     tree.select(8, |position, _context, _moves| positions.push(position));
///     tree.expand(|_leaf, priors| {
///         priors.fill(1.0);
///         0.0
///     });
/// }
/// assert_eq!(tree.visits(), 100);
/// ```
#[derive(Clone, Debug)]
pub struct Mcts<P: Position> {
    game: Game<P>,
    settings: MctsSettings,
    rng: Rng,
    store: Store<P::Move>,
    /// The positions from the start of the game to the root.
    path: Path,
    /// The visits that the current search still has to make.
    remaining: u32,
    /// Whether the root gets noise when it is evaluated.
    wants_noise: bool,
    gumbel: Gumbel,
    /// The priors of the root without noise; empty if there is no noise.
    raw_priors: Vec<f32>,
    /// The leaves of the current batch.
    batch: Vec<NodeId>,
    /// The legal moves to consider at the root, by index; all if empty.
    root_choice: Vec<usize>,
    /// Where visits of the current batch met a leaf of the same batch.
    collisions: Vec<NodeId>,
    /// The number of edges before the current batch.
    edges_before: usize,
    /// Memory for noise and policies, kept between calls.
    noise: Vec<f64>,
    policy: Vec<f32>,
}

impl<P: Position> Mcts<P> {
    /// Creates an empty tree.
    #[must_use]
    pub fn new(game: Game<P>, settings: MctsSettings, seed: u64) -> Self {
        Self {
            path: Path::new(&game),
            store: Store::new(game.turn()),
            game,
            settings,
            rng: Rng::new(seed),
            remaining: 0,
            wants_noise: false,
            gumbel: Gumbel::default(),
            raw_priors: Vec::new(),
            batch: Vec::new(),
            root_choice: Vec::new(),
            collisions: Vec::new(),
            edges_before: 0,
            noise: Vec::new(),
            policy: Vec::new(),
        }
    }

    /// Returns the game; its current position is the root.
    #[must_use]
    pub const fn game(&self) -> &Game<P> {
        &self.game
    }

    /// Returns the settings.
    #[must_use]
    pub const fn settings(&self) -> &MctsSettings {
        &self.settings
    }

    /// Removes the tree and starts a new one from another game, reusing the memory.
    pub fn set_game(&mut self, game: Game<P>) {
        self.game = game;
        self.start_over();
    }

    /// Removes the tree and starts a new game: its position is `position`, after up to `opening_plies` random moves.
    pub fn restart(&mut self, position: P, opening_plies: usize) {
        self.game.restart(position);
        play_opening(&mut self.game, &mut self.rng, opening_plies);
        self.start_over();
    }

    fn start_over(&mut self) {
        self.path.follow(&self.game);
        self.store.clear(self.game.turn());
        self.forget_search();
    }

    /// Ends the current search and its batch.
    fn forget_search(&mut self) {
        self.remaining = 0;
        self.gumbel.clear();
        self.raw_priors.clear();
        self.batch.clear();
        self.collisions.clear();
    }

    /// Returns the random number generator, which determines noise, choices and openings.
    pub const fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// Returns the number of nodes.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.store.nodes.len()
    }

    /// Returns the number of visits of the root.
    #[must_use]
    pub fn visits(&self) -> u32 {
        self.store.children(ROOT).map(|(_, child)| child.visits).sum()
    }

    /// Returns whether the game is over or has reached [`max_plies`](MctsSettings::max_plies).
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.game.ply() >= self.settings.max_plies || self.game.outcome().is_over()
    }

    /// Starts a search of `visits` more visits, with noise at the root or without. Earlier noise is removed.
    ///
    /// Does nothing if the game is over.
    pub fn begin(&mut self, visits: u32, noise: bool) {
        self.cancel();
        self.remove_noise();
        self.start(visits, noise);
    }

    fn start(&mut self, visits: u32, noise: bool) {
        self.wants_noise = noise;
        self.gumbel.clear();
        let root = self.store.node_mut(ROOT);
        // The sum of all visits fits into a `u32`.
        self.remaining = visits.min(u32::MAX - 1 - root.visits);
        if self.is_finished() {
            self.remaining = 0;
        } else if self.store.node(ROOT).kind == Kind::Terminal {
            // The search counts a first repetition as a draw, the game does not.
            self.store.clear(self.game.turn());
        } else if self.store.node(ROOT).kind == Kind::Expanded {
            self.prepare_root();
        }
    }

    /// Adds noise to the evaluated root, or chooses the moves that compete.
    fn prepare_root(&mut self) {
        if self.settings.gumbel_moves > 0 {
            let rng = if self.wants_noise { Some(&mut self.rng) } else { None };
            self.gumbel.start(&self.store, self.settings.gumbel_moves, self.remaining, rng);
        } else if self.wants_noise {
            let alpha = f64::from(self.settings.noise_alpha) / f64::from(self.store.node(ROOT).edges);
            self.mix_noise(alpha, self.settings.noise_fraction);
        }
        self.wants_noise = false;
    }

    /// Returns the number of visits that the current search still has to make, those of the current batch excluded.
    #[must_use]
    pub const fn remaining(&self) -> u32 {
        self.remaining
    }

    /// Returns the number of leaves that [`select`](Self::select) gave and [`expand`](Self::expand) has not received yet.
    #[must_use]
    pub const fn batch_len(&self) -> usize {
        self.batch.len()
    }

    /// Expands the leaves of the current batch: `evaluate` gets the number of a leaf, writes the priors of its moves and
    /// returns its value for the side to move, −1 to 1. Priors are at least 0 and need not be normalised.
    pub fn expand(&mut self, mut evaluate: impl FnMut(usize, &mut [f32]) -> f32) {
        for leaf in 0..self.batch.len() {
            let id = self.batch[leaf];
            let priors = &mut self.store.priors[self.store.nodes[id as usize].edge_range()];
            let value = evaluate(leaf, priors);
            normalise(priors);
            for prior in priors {
                // The sign bit marks an edge that has a child, and an evaluator may give −0.0.
                *prior = prior.abs();
            }
            let node = self.store.node_mut(id);
            (node.kind, node.value) = (Kind::Expanded, value);
            self.store.find_next_edge(id);
            self.store.back_up(id, value);
            if id == ROOT {
                self.prepare_root();
            }
        }
        self.batch.clear();
        self.forget_collisions();
    }

    fn forget_collisions(&mut self) {
        for id in self.collisions.drain(..) {
            self.store.add_pending(id, -1);
        }
    }

    /// Gives up the current batch: its leaves become as they were, and their visits remain to be made.
    pub fn cancel(&mut self) {
        self.forget_collisions();
        if self.batch.is_empty() {
            return;
        }
        for id in self.batch.drain(..) {
            self.store.add_pending(id, -1);
            let node = self.store.node_mut(id);
            (node.kind, node.edges, node.first_edge) = (Kind::New, 0, 0);
            if id != ROOT {
                self.remaining += 1;
                let mut child = id;
                while self.store.node(child).parent != ROOT {
                    child = self.store.node(child).parent;
                }
                self.gumbel.take_back(self.store.node(child).edge);
            }
        }
        self.store.moves.truncate(self.edges_before);
        self.store.priors.truncate(self.edges_before);
    }

    /// Gives up the current batch and the rest of the search.
    pub fn stop(&mut self) {
        self.cancel();
        self.remaining = 0;
    }

    /// Grows the tree by `limits.nodes` visits, or until `limits.stop`, polled before every batch, returns true. In a new tree,
    /// `limits.root_moves` are the only root moves. The other limits are ignored. If the evaluator has no result, the search ends, and the tree keeps the results so far.
    ///
    /// Does nothing if the game is over, or if the tree is new and no index of `limits.root_moves` is in range.
    pub fn search(&mut self, evaluator: &impl Evaluator<P>, limits: &Limits) {
        self.cancel();
        let choice = limits.root_moves.unwrap_or_default();
        if let Some(&least) = choice.iter().min()
            && self.store.node(ROOT).kind == Kind::New
            && least >= self.game.legal_moves().len()
        {
            return;
        }
        self.root_choice.clear();
        self.root_choice.extend_from_slice(choice);
        let expanded = self.expand_root(evaluator);
        self.root_choice.clear();
        if expanded.is_break() {
            return;
        }
        let visits = limits.nodes.unwrap_or(u64::MAX);
        self.start(u32::try_from(visits).unwrap_or(u32::MAX), false);
        while self.remaining > 0 && !limits.should_stop() {
            if self.grow(evaluator).is_break() {
                break;
            }
        }
        self.remaining = 0;
    }

    /// Mixes Dirichlet noise into the priors of the root moves, for variety in self-play: the new prior is
    /// `(1 - fraction) * prior + fraction * noise`. Replaces earlier noise.
    ///
    /// Does nothing if the game is over.
    pub fn add_noise(&mut self, evaluator: &impl Evaluator<P>, alpha: f64, fraction: f32) {
        self.cancel();
        if self.expand_root(evaluator).is_continue() && self.store.node(ROOT).kind == Kind::Expanded {
            self.mix_noise(alpha, fraction);
        }
    }

    /// Evaluates the root if it has not been evaluated. This does not count as a visit.
    fn expand_root(&mut self, evaluator: &impl Evaluator<P>) -> ControlFlow<()> {
        if self.store.node(ROOT).kind == Kind::Expanded {
            return ControlFlow::Continue(());
        }
        self.start(1, false);
        let grown = if self.remaining > 0 { self.grow(evaluator) } else { ControlFlow::Continue(()) };
        self.remaining = 0;
        grown
    }

    /// Makes one batch of visits.
    fn grow(&mut self, evaluator: &impl Evaluator<P>) -> ControlFlow<()> {
        let mut leaves = Vec::new();
        let max = self.settings.batch_size.max(1);
        self.select_batch(max, max, |position, context, moves| {
            leaves.push(Leaf::with_moves(position, context, moves.to_vec(), 0));
        });
        for leaf in &mut leaves {
            leaf.seed = self.rng.next_u64();
        }
        if self.evaluate(evaluator, &mut leaves).is_break() {
            self.cancel();
            return ControlFlow::Break(());
        }
        self.expand(|leaf, priors| {
            priors.copy_from_slice(&leaves[leaf].priors);
            leaves[leaf].value
        });
        ControlFlow::Continue(())
    }

    /// Evaluates a batch on all threads.
    fn evaluate(&self, evaluator: &impl Evaluator<P>, leaves: &mut [Leaf<P>]) -> ControlFlow<()> {
        if leaves.is_empty() {
            return ControlFlow::Continue(());
        }
        let threads = self.settings.threads.clamp(1, leaves.len());
        let share = leaves.len().div_ceil(threads);
        if threads == 1 {
            return evaluator.evaluate_batch(leaves);
        }
        std::thread::scope(|scope| {
            let shares = leaves.chunks_mut(share);
            let threads: Vec<_> =
                shares.map(|leaves| scope.spawn(|| evaluator.evaluate_batch(leaves))).collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("an evaluator does not panic"))
        })
    }

    /// Plays a move in the game and makes its node the root, keeping the subtree. Ends the current search.
    pub fn advance(&mut self, m: P::Move) -> Result<(), PlayError<Reason<P::Ending>>> {
        let before = self.game.position().clone();
        self.game.play(m)?;
        self.path.push(&before, self.game.position());
        self.path.set_root();
        self.cancel();
        let edge = self.root_legal().iter().position(|&legal| legal == m);
        let child = edge.and_then(|edge| self.store.child_at(ROOT, edge as u32));
        match child {
            Some(child) => self.store.prune_to(child),
            None => self.store.clear(self.game.turn()),
        }
        self.forget_search();
        Ok(())
    }
}
