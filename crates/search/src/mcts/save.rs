//! Trees as bytes, so that a search can go on in another process.
//!
//! The bytes hold what cannot be computed again: the results, the priors, the random state and the state of the search.
//! They hold neither the game, which the caller saves, nor moves, proofs and links between nodes, which
//! [`restore`](Mcts::restore) derives. Therefore no bytes can contradict the rules of the game or each other in these.

use std::collections::HashSet;
use std::ops::ControlFlow;

use sandtable_core::rules::Rng;
use sandtable_core::{Game, Position};
use serde::{Deserialize, Serialize};

use super::gumbel::{Candidate, Gumbel};
use super::store::{Kind, NONE, Node, NodeId, Proof, ROOT, Store};
use super::{Mcts, MctsSettings};

/// The version of the bytes: their first byte.
const VERSION: u8 = 2;

/// The error for bytes that are not a tree of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// A batch has been selected but not expanded.
    #[error("a batch of leaves is not expanded yet")]
    Pending,
    /// The bytes end too early.
    #[error("the bytes of a search tree end too early")]
    TooShort,
    /// The bytes were written by another version of this crate.
    #[error(
        "the bytes are a search tree of version {0}: expected version {VERSION}; search again and save the new tree"
    )]
    Version(u8),
    /// The bytes were not written for this game.
    #[error("the bytes are not a search tree of this game")]
    Invalid,
}

/// A tree without its game, its settings and everything that follows from the game.
#[derive(Serialize, Deserialize)]
struct SavedTree {
    rng: u64,
    remaining: u32,
    wants_noise: bool,
    raw_priors: Vec<f32>,
    gumbel: SavedGumbel,
    root: State,
    /// The other nodes. A parent precedes its children.
    nodes: Vec<SavedNode>,
}

/// The state of the competition, without the number of halvings, which follows from the number of candidates.
#[derive(Serialize, Deserialize)]
struct SavedGumbel {
    candidates: Vec<Candidate>,
    active: u32,
    quota: u32,
    budget: u32,
}

#[derive(Serialize, Deserialize)]
struct SavedNode {
    parent: NodeId,
    edge: u32,
    state: State,
}

/// What is known about a node.
#[derive(Serialize, Deserialize)]
enum State {
    New,
    Expanded { results: Results, visited_prior: f32, priors: Vec<f32> },
    Terminal(Results),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Results {
    visits: u32,
    total: f64,
    value: f32,
}

impl Results {
    fn of(node: &Node) -> Self {
        Self { visits: node.visits, total: node.total, value: node.value }
    }

    /// Writes the results to a node. `None` if they cannot be results.
    fn write(self, node: &mut Node) -> Option<()> {
        let Self { visits, total, value } = self;
        (node.visits, node.total, node.value) = (visits, total, value);
        (visits > 0 && total.is_finite() && value.is_finite()).then_some(())
    }
}

impl State {
    fn of<M: Copy>(store: &Store<M>, node: &Node) -> Self {
        match node.kind {
            Kind::New | Kind::Pending => Self::New,
            Kind::Terminal => Self::Terminal(Results::of(node)),
            Kind::Expanded => Self::Expanded {
                results: Results::of(node),
                visited_prior: node.visited_prior,
                priors: store.priors[node.edge_range()].iter().map(|prior| prior.abs()).collect(),
            },
        }
    }
}

fn are_priors(priors: &[f32]) -> bool {
    priors.iter().all(|prior| prior.is_finite() && prior.is_sign_positive())
}

impl<P: Position> Mcts<P> {
    /// Appends the tree, the random state and the state of the search, but not the game and the settings. An error if a
    /// batch has been selected but not expanded.
    pub fn save(&self, bytes: &mut Vec<u8>) -> Result<(), RestoreError> {
        if !self.batch.is_empty() {
            return Err(RestoreError::Pending);
        }
        let (store, gumbel) = (&self.store, &self.gumbel);
        let node =
            |node: &Node| SavedNode { parent: node.parent, edge: node.edge, state: State::of(store, node) };
        let saved = SavedTree {
            rng: self.rng.state(),
            remaining: self.remaining,
            wants_noise: self.wants_noise,
            raw_priors: self.raw_priors.iter().map(|prior| prior.abs()).collect(),
            gumbel: SavedGumbel {
                candidates: gumbel.candidates.clone(),
                active: gumbel.active as u32,
                quota: gumbel.quota,
                budget: gumbel.budget,
            },
            root: State::of(store, store.node(ROOT)),
            nodes: store.nodes[1..].iter().map(node).collect(),
        };
        bytes.push(VERSION);
        let written = postcard::to_extend(&saved, std::mem::take(bytes));
        *bytes = written.expect("numbers and lists can always be written to a vector");
        Ok(())
    }

    /// Restores a tree of a game from the front of `bytes`, and removes it from them.
    pub fn restore(game: Game<P>, settings: MctsSettings, bytes: &mut &[u8]) -> Result<Self, RestoreError> {
        let (&version, rest) = bytes.split_first().ok_or(RestoreError::TooShort)?;
        if version != VERSION {
            return Err(RestoreError::Version(version));
        }
        let (saved, rest) = postcard::take_from_bytes(rest).map_err(|error| match error {
            postcard::Error::DeserializeUnexpectedEnd => RestoreError::TooShort,
            _ => RestoreError::Invalid,
        })?;
        let tree = Self::from_saved(game, settings, saved).ok_or(RestoreError::Invalid)?;
        *bytes = rest;
        Ok(tree)
    }

    /// The tree, or `None` if it cannot be one of the game.
    fn from_saved(game: Game<P>, settings: MctsSettings, saved: SavedTree) -> Option<Self> {
        let mut tree = Self::new(game, settings, 0);
        tree.store.nodes.clear();
        tree.add_node(NONE, NONE, saved.root)?;
        for SavedNode { parent, edge, state } in saved.nodes {
            tree.add_node(parent, edge, state)?;
        }
        tree.check_visits(saved.remaining)?;
        tree.generate_moves()?;
        tree.derive_proofs();
        for id in 0..tree.store.nodes.len() {
            tree.store.find_next_edge(id as NodeId);
        }
        let root = tree.store.node(ROOT);
        tree.gumbel = saved.gumbel.checked(root.edges, saved.remaining)?;
        let raw = saved.raw_priors.len();
        if !(are_priors(&saved.raw_priors) && (raw == 0 || raw == root.edges as usize)) {
            return None;
        }
        tree.rng = Rng::new(saved.rng);
        tree.remaining = if tree.is_finished() { 0 } else { saved.remaining };
        tree.wants_noise = saved.wants_noise;
        tree.raw_priors = saved.raw_priors;
        Some(tree)
    }

    /// Adds a node without its player. `None` if its parent has no such edge or another child there.
    fn add_node(&mut self, parent: NodeId, edge: u32, state: State) -> Option<()> {
        let store = &mut self.store;
        let mut node = Node { parent, edge, ..Node::root(self.game.turn()) };
        match state {
            State::New => {}
            State::Terminal(results) => {
                node.kind = Kind::Terminal;
                results.write(&mut node)?;
                node.proof = Proof::of(node.value);
            }
            State::Expanded { results, visited_prior, priors } => {
                node.kind = Kind::Expanded;
                results.write(&mut node)?;
                node.visited_prior = visited_prior;
                node.first_edge = u32::try_from(store.priors.len()).ok()?;
                node.edges = u32::try_from(priors.len()).ok()?;
                if !(visited_prior.is_finite() && are_priors(&priors)) {
                    return None;
                }
                store.priors.extend(priors);
            }
        }
        let id = u32::try_from(store.nodes.len()).ok()?;
        if id != ROOT {
            let above = store.nodes.get_mut(parent as usize).filter(|above| edge < above.edges)?;
            node.next_sibling = std::mem::replace(&mut above.first_child, id);
            let prior = &mut store.priors[(above.first_edge + edge) as usize];
            if prior.is_sign_negative() {
                return None;
            }
            *prior = -*prior;
        }
        store.nodes.push(node);
        Some(())
    }

    /// Checks that no number of visits can overflow: that a node has at least the visits of its children, and that the root can
    /// have the remaining ones.
    fn check_visits(&self, remaining: u32) -> Option<()> {
        let nodes = &self.store.nodes;
        let mut below = vec![0_u32; nodes.len()];
        for (id, node) in nodes.iter().enumerate().rev() {
            // Its own evaluation counts, too.
            if node.kind == Kind::Expanded && node.visits <= below[id] {
                return None;
            }
            if let Some(sum) = below.get_mut(node.parent as usize) {
                *sum = sum.checked_add(node.visits)?;
            }
        }
        (nodes[ROOT as usize].visits.checked_add(remaining)? < u32::MAX).then_some(())
    }

    /// Generates the moves of all nodes, and with them their players. `None` if the moves of a node are not as many as its priors.
    fn generate_moves(&mut self) -> Option<()> {
        let mut moves: Vec<Option<P::Move>> = vec![None; self.store.priors.len()];
        // The positions from the root to the current node: a walk through the tree visits each node once.
        let mut line: Vec<P> = Vec::new();
        let mut open = vec![(ROOT, 0)];
        while let Some((id, depth)) = open.pop() {
            line.truncate(depth);
            let node = self.store.node(id);
            let position = match line.last() {
                None => self.game.position().clone(),
                Some(before) => {
                    let first_edge = self.store.node(node.parent).first_edge;
                    before.after(moves[(first_edge + node.edge) as usize]?)
                }
            };
            if node.kind == Kind::Expanded {
                let slots = &mut moves[node.edge_range()];
                let mut count = 0;
                let _ = position.for_each_legal::<()>(|m| {
                    if let Some(slot) = slots.get_mut(count) {
                        *slot = Some(m);
                    }
                    count += 1;
                    ControlFlow::Continue(())
                });
                if count != slots.len() || count == 0 {
                    return None;
                }
            }
            open.extend(self.store.children(id).map(|(child, _)| (child, depth + 1)));
            let turn = position.turn();
            let same_mover = line.last().is_some_and(|before| before.turn() == turn);
            line.push(position);
            let node = self.store.node_mut(id);
            (node.turn, node.same_mover) = (turn, same_mover);
        }
        self.store.moves = moves.into_iter().collect::<Option<_>>()?;
        Some(())
    }

    /// Derives the proofs of all nodes from those of the terminal ones.
    fn derive_proofs(&mut self) {
        for id in (1..self.store.nodes.len()).rev() {
            let node = &self.store.nodes[id];
            let proof = node.proof_for_parent();
            let parent = self.store.node_mut(node.parent);
            match proof {
                Proof::Open => {}
                Proof::Win => parent.proof = Proof::Win,
                Proof::Loss => {
                    parent.lost += 1;
                    if parent.lost == parent.edges {
                        parent.proof = Proof::Loss;
                    }
                }
            }
        }
    }
}

impl SavedGumbel {
    /// The competition among the moves of a root with this number of edges, in a search with `remaining` visits to make.
    /// `None` if there can be no such competition.
    fn checked(self, edges: u32, remaining: u32) -> Option<Gumbel> {
        let Self { candidates, active, quota, budget } = self;
        let mut seen = HashSet::new();
        let possible = |candidate: &Candidate| {
            candidate.edge < edges && candidate.visits <= quota && candidate.logit.is_finite()
        };
        let visits = candidates.iter().map(|candidate| u64::from(candidate.visits)).sum::<u64>();
        let in_budget = quota <= budget.max(1) && visits + u64::from(remaining) <= u64::from(budget);
        let valid = candidates.iter().all(|candidate| possible(candidate) && seen.insert(candidate.edge))
            && active as usize <= candidates.len()
            && (candidates.is_empty() || in_budget);
        valid.then(|| Gumbel {
            rounds: Gumbel::rounds(candidates.len()),
            candidates,
            active: active as usize,
            quota,
            budget,
        })
    }
}

#[cfg(test)]
mod tests {
    use sandtable_chess::Chess;

    use super::*;

    /// A saved tree with a competition, children and grandchildren.
    fn saved() -> SavedTree {
        let settings = MctsSettings::default().with_gumbel_moves(4);
        let mut tree = Mcts::new(Game::<Chess>::default(), settings, 1);
        tree.begin(40, true);
        while tree.remaining() > 10 {
            tree.select(2, |_, _, _| {});
            tree.expand(|_, _| 0.1);
        }
        let mut bytes = Vec::new();
        tree.save(&mut bytes).unwrap();
        postcard::from_bytes(&bytes[1..]).unwrap()
    }

    fn results(state: &mut State) -> &mut Results {
        match state {
            State::Expanded { results, .. } | State::Terminal(results) => results,
            State::New => panic!("a node with results"),
        }
    }

    fn priors(state: &mut State) -> &mut Vec<f32> {
        match state {
            State::Expanded { priors, .. } => priors,
            _ => panic!("a node with priors"),
        }
    }

    #[test]
    fn impossible_trees_are_refused() {
        type Change = fn(&mut SavedTree);
        let changes: [(&str, bool, Change); 23] = [
            ("no change", true, |_| {}),
            ("a parent that comes later", false, |tree| tree.nodes[0].parent = 5),
            ("an edge that the parent lacks", false, |tree| tree.nodes[0].edge = 20),
            ("two children at one edge", false, |tree| tree.nodes[1].edge = tree.nodes[0].edge),
            ("fewer priors than moves", false, |tree| priors(&mut tree.nodes[0].state).truncate(19)),
            ("more priors than moves", false, |tree| priors(&mut tree.nodes[0].state).push(0.1)),
            ("a negative prior", false, |tree| priors(&mut tree.root)[3] = -0.1),
            ("an infinite prior", false, |tree| priors(&mut tree.root)[3] = f32::INFINITY),
            ("a child of a new node", false, |tree| tree.root = State::New),
            ("no visits", false, |tree| results(&mut tree.nodes[0].state).visits = 0),
            ("a child with more visits", false, |tree| results(&mut tree.nodes[0].state).visits = 40),
            ("visits whose sum overflows", false, |tree| {
                results(&mut tree.nodes[0].state).visits = u32::MAX;
                results(&mut tree.nodes[1].state).visits = u32::MAX;
            }),
            ("all visits", false, |tree| results(&mut tree.root).visits = u32::MAX - 5),
            ("many visits", true, |tree| results(&mut tree.root).visits = u32::MAX - 11),
            ("a total that is no number", false, |tree| results(&mut tree.root).total = f64::NAN),
            ("an infinite value", false, |tree| results(&mut tree.root).value = f32::INFINITY),
            ("too few priors without noise", false, |tree| tree.raw_priors = vec![1.0]),
            ("a candidate without an edge", false, |tree| tree.gumbel.candidates[0].edge = 20),
            ("a candidate twice", false, |tree| {
                tree.gumbel.candidates[0].edge = tree.gumbel.candidates[1].edge;
            }),
            ("a logit that is no number", false, |tree| tree.gumbel.candidates[0].logit = f32::NAN),
            ("more active candidates than there are", false, |tree| tree.gumbel.active = 5),
            ("a quota above the budget", false, |tree| tree.gumbel.quota = 41),
            ("more visits than the budget", false, |tree| tree.remaining = 39),
        ];
        for (name, valid, change) in changes {
            let mut tree = saved();
            change(&mut tree);
            let settings = MctsSettings::default().with_gumbel_moves(4);
            let restored = Mcts::from_saved(Game::<Chess>::default(), settings, tree);
            assert_eq!(restored.is_some(), valid, "{name}");
        }
    }
}
