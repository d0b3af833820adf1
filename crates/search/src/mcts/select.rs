//! Selection: the walk from the root to a leaf.

use std::ops::ControlFlow;

use sandtable_core::Position;
use sandtable_core::rules::Context;

use super::Mcts;
use super::gumbel::Turn;
use super::store::{Kind, NONE, NodeId, Proof, ROOT};

/// The number of walks of one batch that may end without a leaf, for each leaf: at terminal nodes, or at leaves that are
/// already in the batch.
const WALKS_PER_LEAF: usize = 4;

/// The number of walks to terminal nodes after which a batch ends, so that a caller can stop a search without leaves.
const MAX_WALKS: usize = 256;

/// The next node of a walk.
enum Step {
    Child(NodeId),
    /// A move that has no node yet.
    Edge(u32),
    /// Nothing, until the batch has been evaluated.
    Wait,
}

/// The end of a walk.
enum End<P> {
    /// A new leaf to evaluate.
    Leaf(P, Context),
    /// A result is known; it has been backed up.
    Result,
    /// The leaf is already in the batch.
    Collision,
    /// The batch has to be evaluated first.
    Wait,
}

impl<P: Position> Mcts<P> {
    /// Selects up to `max` leaves for evaluation and calls `on_leaf` with the position, its context and the legal moves
    /// of each. Returns the number of leaves. Gives up the previous batch if it has not been expanded.
    ///
    /// The first leaf of a new tree is its root, alone; its evaluation does not count as a visit. There may be no leaf
    /// although visits [remain](Self::remaining): all walks may have ended where the game is over.
    pub fn select(&mut self, max: usize, on_leaf: impl FnMut(P, Context, &[P::Move])) -> usize {
        self.select_batch(max, max.saturating_add(MAX_WALKS), on_leaf)
    }

    /// [`select`](Self::select) with at most `max_visits` visits.
    pub(super) fn select_batch(
        &mut self,
        max: usize,
        max_visits: usize,
        mut on_leaf: impl FnMut(P, Context, &[P::Move]),
    ) -> usize {
        self.cancel();
        self.edges_before = self.store.moves.len();
        if self.remaining == 0 {
            return 0;
        }
        let root = self.store.node(ROOT);
        if root.kind == Kind::New {
            self.store.node_mut(ROOT).pending += 1;
            self.list_moves(ROOT, &self.game.position().clone());
            self.batch.push(ROOT);
            on_leaf(
                self.game.position().clone(),
                self.game.context(),
                &self.store.moves[self.edges_before..],
            );
            return 1;
        }
        let mut visits = 0;
        while self.batch.len() < max && visits < max_visits && self.remaining > 0 {
            if self.store.size() >= self.settings.max_nodes as usize {
                self.remaining = 0;
                break;
            }
            let edges = self.store.moves.len();
            match self.walk() {
                End::Leaf(position, context) => on_leaf(position, context, &self.store.moves[edges..]),
                End::Result => {}
                End::Collision if self.collisions.len() < max * WALKS_PER_LEAF => continue,
                End::Wait if self.batch.is_empty() => {
                    // There is nothing to wait for: an evaluator gave values that are no numbers.
                    self.remaining = 0;
                    break;
                }
                End::Collision | End::Wait => break,
            }
            visits += 1;
            self.remaining -= 1;
        }
        self.batch.len()
    }

    /// Walks from the root to a leaf. Leaves the path as it was.
    fn walk(&mut self) -> End<P> {
        let mut position = self.game.position().clone();
        let mut draw_offer = self.game.draw_offer();
        let mut plies = 0;
        let mut id = ROOT;
        let mut root_edge = NONE;
        self.store.node_mut(ROOT).pending += 1;
        let end = loop {
            let node = self.store.node(id);
            match node.kind {
                Kind::Expanded if id == ROOT || node.proof == Proof::Open => {
                    let (edge, child) = match self.step(id) {
                        Step::Child(child) => (self.store.node(child).edge, Some(child)),
                        Step::Edge(edge) => (edge, None),
                        Step::Wait => {
                            self.store.add_pending(id, -1);
                            self.gumbel.take_back(root_edge);
                            break End::Wait;
                        }
                    };
                    if id == ROOT {
                        root_edge = edge;
                    }
                    let next =
                        position.after(self.store.moves[(self.store.node(id).first_edge + edge) as usize]);
                    self.path.push(&position, &next);
                    draw_offer = draw_offer.after_move::<P>(position.turn());
                    position = next;
                    plies += 1;
                    id = child.unwrap_or_else(|| self.store.add_child(id, edge, position.turn()));
                    self.store.node_mut(id).pending += 1;
                }
                Kind::New => {
                    self.open(id, &position, plies);
                    if self.store.node(id).kind == Kind::Pending {
                        self.batch.push(id);
                        break End::Leaf(
                            position,
                            Context { occurrences: self.path.occurrences(), draw_offer },
                        );
                    }
                }
                Kind::Pending => {
                    self.collisions.push(id);
                    // This walk makes no visit; another walk makes it later.
                    self.gumbel.take_back(root_edge);
                    break End::Collision;
                }
                Kind::Expanded | Kind::Terminal => {
                    let value = node.proof.value().unwrap_or(node.value);
                    self.store.back_up(id, value);
                    break End::Result;
                }
            }
        };
        for _ in 0..plies {
            self.path.pop();
        }
        end
    }

    /// Looks at a new node for the first time: it becomes terminal, or pending with its legal moves.
    fn open(&mut self, id: NodeId, position: &P, plies: usize) {
        let turn = position.turn();
        let mut outcome = self.path.outcome_by_rule(position);
        let is_last = self.game.ply() + plies >= self.settings.max_plies;
        if !outcome.is_over() && (is_last || !self.list_moves(id, position)) {
            outcome = self.path.outcome(position);
        }
        let value = outcome.value_for(turn).or(if is_last { Some(0.0) } else { None });
        if let Some(value) = value {
            let node = self.store.node_mut(id);
            (node.kind, node.value) = (Kind::Terminal, value);
            self.store.prove(id, Proof::of(value));
        }
    }

    /// Makes a node pending with the legal moves of its position. Returns whether there are any.
    fn list_moves(&mut self, id: NodeId, position: &P) -> bool {
        let store = &mut self.store;
        let first = store.moves.len();
        let choice = if id == ROOT { &self.root_choice[..] } else { &[] };
        let mut index = 0;
        let _ = position.for_each_legal::<()>(|m| {
            if choice.is_empty() || choice.contains(&index) {
                store.moves.push(m);
            }
            index += 1;
            ControlFlow::Continue(())
        });
        let count = store.moves.len() - first;
        store.priors.resize(store.moves.len(), 0.0);
        let node = store.node_mut(id);
        (node.kind, node.first_edge, node.edges) = (Kind::Pending, first as u32, count as u32);
        count > 0
    }

    /// Chooses the next node of a walk.
    fn step(&mut self, id: NodeId) -> Step {
        let is_won = self.store.node(id).proof == Proof::Win;
        if id != ROOT || is_won || self.gumbel.active == 0 {
            return self.best_by_puct(id);
        }
        let in_flight = !self.batch.is_empty();
        match self.gumbel.next(&self.store, in_flight) {
            Turn::Wait => Step::Wait,
            Turn::Visit(edge) => self.store.child_at(ROOT, edge).map_or(Step::Edge(edge), Step::Child),
        }
    }

    /// The move with the highest PUCT score. A move that is proven to win is chosen at once; a move that is proven to
    /// lose, only if all moves are.
    #[expect(clippy::cast_precision_loss, reason = "visit counts need no exact f32")]
    fn best_by_puct(&self, id: NodeId) -> Step {
        let node = self.store.node(id);
        // The current walk is among the pending visits.
        let visits = node.visits_below() + node.pending - 1;
        let scale = self.settings.exploration * (visits.max(1) as f32).sqrt();
        let reduction =
            if id == ROOT { self.settings.root_fpu_reduction } else { self.settings.fpu_reduction };
        let first_play = node.mean() - reduction * node.visited_prior.max(0.0).sqrt();
        let all_lose = node.proof == Proof::Loss;

        let mut best = (Step::Wait, f32::NEG_INFINITY, NONE);
        if node.next_edge != NONE {
            let score = first_play + scale * self.store.prior(node, node.next_edge);
            best = (Step::Edge(node.next_edge), score, node.next_edge);
        }
        for (child_id, child) in self.store.children(id) {
            match child.proof_for_parent() {
                Proof::Win => return Step::Child(child_id),
                Proof::Loss if !all_lose => continue,
                _ => {}
            }
            let visits = child.visits + child.pending;
            let value = if visits == 0 {
                first_play
            } else {
                let total = if child.same_mover { child.total } else { -child.total };
                (total - f64::from(child.pending)) as f32 / visits as f32
            };
            let score = value + scale * self.store.prior(node, child.edge) / (1 + visits) as f32;
            if score > best.1 || (score >= best.1 && child.edge < best.2) {
                best = (Step::Child(child_id), score, child.edge);
            }
        }
        best.0
    }
}
