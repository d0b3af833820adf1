//! Trees as bytes, so that a search can go on in another process.
//!
//! The bytes hold the nodes, the priors, the random state and the state of the search, but neither the game, which the caller
//! saves, nor the moves, which are generated again.

use std::ops::ControlFlow;

use sandtable_core::rules::Rng;
use sandtable_core::{Game, Player, Position};

use super::gumbel::Candidate;
use super::store::{Kind, NONE, Node, NodeId, Proof, ROOT};
use super::{Mcts, MctsSettings};

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
    /// The bytes were not written for this game.
    #[error("the bytes are not a search tree of this game")]
    Invalid,
}

/// Reads numbers from bytes.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], RestoreError> {
        let (first, rest) = self.0.split_first_chunk().ok_or(RestoreError::TooShort)?;
        self.0 = rest;
        Ok(*first)
    }

    fn u8(&mut self) -> Result<u8, RestoreError> {
        self.array().map(u8::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, RestoreError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, RestoreError> {
        self.array().map(u64::from_le_bytes)
    }

    fn f32(&mut self) -> Result<f32, RestoreError> {
        self.array().map(f32::from_le_bytes)
    }

    fn f64(&mut self) -> Result<f64, RestoreError> {
        self.array().map(f64::from_le_bytes)
    }

    /// A length, each of whose items has at least `size` bytes.
    fn len(&mut self, size: usize) -> Result<usize, RestoreError> {
        let len = self.u32()? as usize;
        if len.saturating_mul(size) > self.0.len() { Err(RestoreError::TooShort) } else { Ok(len) }
    }

    fn floats(&mut self) -> Result<Vec<f32>, RestoreError> {
        let len = self.len(4)?;
        (0..len).map(|_| self.f32()).collect()
    }
}

fn put(bytes: &mut Vec<u8>, numbers: &[u32]) {
    for number in numbers {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
}

fn put_floats(bytes: &mut Vec<u8>, floats: &[f32]) {
    put(bytes, &[floats.len() as u32]);
    for float in floats {
        bytes.extend_from_slice(&float.to_le_bytes());
    }
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Self> {
        [Self::New, Self::Expanded, Self::Terminal].into_iter().find(|kind| *kind as u8 == byte)
    }
}

impl Proof {
    fn from_byte(byte: u8) -> Option<Self> {
        [Self::Open, Self::Win, Self::Loss].into_iter().find(|proof| *proof as u8 == byte)
    }
}

fn put_node(bytes: &mut Vec<u8>, node: &Node) {
    let Node { parent, edge, first_child, next_sibling, first_edge, edges, next_edge, lost, visits, .. } =
        *node;
    put(bytes, &[parent, edge, first_child, next_sibling, first_edge, edges, next_edge, lost, visits]);
    bytes.extend_from_slice(&node.total.to_le_bytes());
    bytes.extend_from_slice(&node.value.to_le_bytes());
    bytes.extend_from_slice(&node.visited_prior.to_le_bytes());
    bytes.extend_from_slice(&[
        node.kind as u8,
        node.proof as u8,
        node.turn.index() as u8,
        u8::from(node.same_mover),
    ]);
}

fn read_node(bytes: &mut Reader<'_>) -> Result<Node, RestoreError> {
    let [parent, edge, first_child, next_sibling, first_edge, edges, next_edge, lost, visits] = [
        bytes.u32()?,
        bytes.u32()?,
        bytes.u32()?,
        bytes.u32()?,
        bytes.u32()?,
        bytes.u32()?,
        bytes.u32()?,
        bytes.u32()?,
        bytes.u32()?,
    ];
    let (total, value, visited_prior) = (bytes.f64()?, bytes.f32()?, bytes.f32()?);
    let kind = Kind::from_byte(bytes.u8()?).ok_or(RestoreError::Invalid)?;
    let proof = Proof::from_byte(bytes.u8()?).ok_or(RestoreError::Invalid)?;
    let turn = *Player::ALL.get(usize::from(bytes.u8()?)).ok_or(RestoreError::Invalid)?;
    let same_mover = bytes.u8()? != 0;
    Ok(Node {
        total,
        visits,
        pending: 0,
        parent,
        edge,
        first_child,
        next_sibling,
        first_edge,
        edges,
        next_edge,
        value,
        visited_prior,
        lost,
        kind,
        proof,
        turn,
        same_mover,
    })
}

impl<P: Position> Mcts<P> {
    /// Appends the tree, the random state and the state of the search, but not the game and the settings. An error if a
    /// batch has been selected but not expanded.
    pub fn save(&self, bytes: &mut Vec<u8>) -> Result<(), RestoreError> {
        if !self.batch.is_empty() {
            return Err(RestoreError::Pending);
        }
        bytes.extend_from_slice(&self.rng.state().to_le_bytes());
        put(bytes, &[self.remaining, self.wants_noise.into()]);
        put_floats(bytes, &self.raw_priors);
        let gumbel = &self.gumbel;
        put(bytes, &[gumbel.active as u32, gumbel.quota, gumbel.budget, gumbel.rounds]);
        put(bytes, &[gumbel.candidates.len() as u32]);
        for Candidate { edge, visits, logit } in &gumbel.candidates {
            put(bytes, &[*edge, *visits, logit.to_bits()]);
        }
        put(bytes, &[self.store.nodes.len() as u32]);
        for node in &self.store.nodes {
            put_node(bytes, node);
        }
        put_floats(bytes, &self.store.priors);
        Ok(())
    }

    /// Restores a tree of a game from the front of `bytes`, and removes it from them.
    pub fn restore(game: Game<P>, settings: MctsSettings, bytes: &mut &[u8]) -> Result<Self, RestoreError> {
        let mut reader = Reader(bytes);
        let mut tree = Self::new(game, settings, 0);
        tree.rng = Rng::new(reader.u64()?);
        tree.remaining = reader.u32()?;
        tree.wants_noise = reader.u32()? != 0;
        tree.raw_priors = reader.floats()?;
        let gumbel = &mut tree.gumbel;
        gumbel.active = reader.u32()? as usize;
        (gumbel.quota, gumbel.budget, gumbel.rounds) = (reader.u32()?, reader.u32()?, reader.u32()?);
        for _ in 0..reader.len(12)? {
            let (edge, visits, logit) = (reader.u32()?, reader.u32()?, reader.f32()?);
            gumbel.candidates.push(Candidate { edge, visits, logit });
        }
        let nodes = reader.len(56)?;
        tree.store.nodes = (0..nodes).map(|_| read_node(&mut reader)).collect::<Result<_, _>>()?;
        tree.store.priors = reader.floats()?;
        tree.regenerate_moves().ok_or(RestoreError::Invalid)?;
        tree.check().ok_or(RestoreError::Invalid)?;
        *bytes = reader.0;
        Ok(tree)
    }

    /// Generates the moves of all nodes. `None` if they do not fit the nodes.
    fn regenerate_moves(&mut self) -> Option<()> {
        let mut moves: Vec<Option<P::Move>> = vec![None; self.store.priors.len()];
        let mut line = Vec::new();
        for (id, node) in self.store.nodes.iter().enumerate() {
            // A parent precedes its children, so that its moves are known.
            let is_root = id == ROOT as usize;
            if is_root != (node.parent == NONE) || (!is_root && node.parent as usize >= id) {
                return None;
            }
            line.clear();
            let mut at = node;
            while at.parent != NONE {
                let parent = &self.store.nodes[at.parent as usize];
                let edge = if at.edge < parent.edges {
                    parent.first_edge.checked_add(at.edge)?
                } else {
                    return None;
                };
                line.push((*moves.get(edge as usize)?)?);
                at = parent;
            }
            let mut position = self.game.position().clone();
            for m in line.iter().rev() {
                position.play(*m).ok()?;
            }
            if position.turn() != node.turn {
                return None;
            }
            if node.kind != Kind::Expanded {
                continue;
            }
            let slots = moves.get_mut(node.edge_range())?;
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
        self.store.moves = moves.into_iter().collect::<Option<_>>()?;
        Some(())
    }

    /// Checks every index of a tree whose moves are known. `None` if one is out of range.
    fn check(&self) -> Option<()> {
        let nodes = &self.store.nodes;
        let root = nodes.first()?;
        let link = |id: usize, to: NodeId, parent: NodeId| {
            // Links to earlier siblings and to later children end.
            to == NONE
                || nodes.get(to as usize).is_some_and(|node| node.parent == parent && to as usize != id)
        };
        for (id, node) in nodes.iter().enumerate() {
            let ascending = node.next_sibling == NONE || (node.next_sibling as usize) < id;
            let next_edge = node.next_edge == NONE || node.next_edge < node.edges;
            let links = link(id, node.first_child, id as NodeId) && link(id, node.next_sibling, node.parent);
            let numbers = node.total.is_finite() && node.value.is_finite() && node.visited_prior.is_finite();
            if !(ascending && next_edge && links && numbers) {
                return None;
            }
        }
        let raw = self.raw_priors.len();
        let gumbel = &self.gumbel;
        let candidates = gumbel.candidates.iter().all(|candidate| candidate.edge < root.edges);
        let gumbel = gumbel.active <= gumbel.candidates.len() && (gumbel.active == 0 || gumbel.rounds > 0);
        let priors = self.store.priors.iter().chain(&self.raw_priors).all(|prior| prior.is_finite());
        let visits = u32::MAX - 1 - root.visits.min(u32::MAX - 1) >= self.remaining;
        let valid = (raw == 0 || raw == root.edges as usize) && candidates && gumbel && priors && visits;
        if valid { Some(()) } else { None }
    }
}
