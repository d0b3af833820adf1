//! The nodes and edges of a search tree.
//!
//! A wide game has hundreds of legal moves in a position and few of them are ever visited. An edge is therefore only a
//! move and a prior; all statistics are in the nodes, and a node exists for a visited move only.

use sandtable_core::Player;

/// The index of a node.
pub(super) type NodeId = u32;

/// No node, or no edge.
pub(super) const NONE: u32 = u32::MAX;

/// The root.
pub(super) const ROOT: NodeId = 0;

/// What is known about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Not evaluated yet.
    New,
    /// Part of the current batch.
    Pending,
    /// Evaluated.
    Expanded,
    /// The game is over.
    Terminal,
}

/// A result that no further search can change, for the player to move at the node, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Proof {
    Loss,
    Open,
    Win,
}

impl Proof {
    /// The proof of a terminal node with this value. A draw proves nothing: the search counts a first repetition as a
    /// draw.
    pub(super) fn of(value: f32) -> Self {
        if value > 0.5 {
            Self::Win
        } else if value < -0.5 {
            Self::Loss
        } else {
            Self::Open
        }
    }

    /// The same result for the other player.
    pub(super) const fn reversed(self) -> Self {
        match self {
            Self::Open => Self::Open,
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
        }
    }

    /// The value of a proven result.
    pub(super) const fn value(self) -> Option<f32> {
        match self {
            Self::Open => None,
            Self::Win => Some(1.0),
            Self::Loss => Some(-1.0),
        }
    }
}

/// A node: 64 bytes.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The sum of the results for the player to move here, its own evaluation included.
    pub(super) total: f64,
    /// The number of results: one for the node's own evaluation, and one for each visit of a child.
    pub(super) visits: u32,
    /// Visits whose results are pending. Each counts as a loss for the player who moves here (virtual loss), which
    /// diversifies the batch.
    pub(super) pending: u32,
    pub(super) parent: NodeId,
    /// The edge that leads here, counted from the first edge of the parent.
    pub(super) edge: u32,
    /// The child that was created last.
    pub(super) first_child: NodeId,
    /// The child of the same parent that was created before this one.
    pub(super) next_sibling: NodeId,
    pub(super) first_edge: u32,
    pub(super) edges: u32,
    /// The edge without a child that has the highest prior, counted from `first_edge`; [`NONE`] if all have a child.
    pub(super) next_edge: u32,
    /// The evaluation of this node for the player to move.
    pub(super) value: f32,
    /// The sum of the priors of the children with a visit.
    pub(super) visited_prior: f32,
    /// The number of children that are proven losses for the player to move here.
    pub(super) lost: u32,
    pub(super) kind: Kind,
    pub(super) proof: Proof,
    pub(super) turn: Player,
    /// Whether the player to move is also the one who moved here.
    pub(super) same_mover: bool,
}

impl Node {
    pub(super) const fn root(turn: Player) -> Self {
        Self {
            total: 0.0,
            visits: 0,
            pending: 0,
            parent: NONE,
            edge: NONE,
            first_child: NONE,
            next_sibling: NONE,
            first_edge: 0,
            edges: 0,
            next_edge: NONE,
            value: 0.0,
            visited_prior: 0.0,
            lost: 0,
            kind: Kind::New,
            proof: Proof::Open,
            turn,
            same_mover: false,
        }
    }

    /// The mean result for the player to move; 0 without visits.
    pub(super) fn mean(&self) -> f32 {
        self.proof.value().unwrap_or_else(|| {
            if self.visits == 0 { 0.0 } else { (self.total / f64::from(self.visits)) as f32 }
        })
    }

    /// A value of this node as seen by the player who moved here.
    pub(super) fn for_parent(&self, value: f32) -> f32 {
        if self.same_mover { value } else { -value }
    }

    /// The proof as seen by the player who moved here.
    pub(super) const fn proof_for_parent(&self) -> Proof {
        if self.same_mover { self.proof } else { self.proof.reversed() }
    }

    /// The visits that went on to a child.
    pub(super) const fn visits_below(&self) -> u32 {
        self.visits.saturating_sub(1)
    }

    pub(super) fn edge_range(&self) -> std::ops::Range<usize> {
        let first = self.first_edge as usize;
        first..first + self.edges as usize
    }
}

/// The nodes and edges of a tree, the root first. A parent precedes its children.
#[derive(Clone, Debug)]
pub(super) struct Store<M> {
    pub(super) nodes: Vec<Node>,
    pub(super) moves: Vec<M>,
    /// The prior of each move. The sign bit is set once the move has a child.
    pub(super) priors: Vec<f32>,
    /// The new index of each node while the tree is pruned.
    renumbered: Vec<NodeId>,
}

impl<M: Copy> Store<M> {
    pub(super) fn new(turn: Player) -> Self {
        Self { nodes: vec![Node::root(turn)], moves: Vec::new(), priors: Vec::new(), renumbered: Vec::new() }
    }

    /// Removes everything but a new root.
    pub(super) fn clear(&mut self, turn: Player) {
        self.nodes.clear();
        self.nodes.push(Node::root(turn));
        self.moves.clear();
        self.priors.clear();
    }

    /// The number of nodes and edges.
    pub(super) const fn size(&self) -> usize {
        self.nodes.len() + self.moves.len()
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// The children of a node, the latest first.
    pub(super) fn children(&self, id: NodeId) -> impl Iterator<Item = (NodeId, &Node)> {
        let mut next = self.node(id).first_child;
        std::iter::from_fn(move || {
            let id = next;
            let node = self.nodes.get(id as usize)?;
            next = node.next_sibling;
            Some((id, node))
        })
    }

    pub(super) fn child_at(&self, id: NodeId, edge: u32) -> Option<NodeId> {
        self.children(id).find(|(_, child)| child.edge == edge).map(|(child, _)| child)
    }

    /// The prior of an edge of a node.
    pub(super) fn prior(&self, node: &Node, edge: u32) -> f32 {
        self.priors[(node.first_edge + edge) as usize].abs()
    }

    /// The move that leads to a node. The node is not the root.
    pub(super) fn move_to(&self, id: NodeId) -> M {
        let node = self.node(id);
        self.moves[(self.node(node.parent).first_edge + node.edge) as usize]
    }

    /// Adds a child at an edge that has none.
    pub(super) fn add_child(&mut self, parent: NodeId, edge: u32, turn: Player) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let before = self.node(parent);
        let child = Node {
            parent,
            edge,
            next_sibling: before.first_child,
            same_mover: before.turn == turn,
            ..Node::root(turn)
        };
        let at = (before.first_edge + edge) as usize;
        self.priors[at] = -self.priors[at];
        self.nodes.push(child);
        self.node_mut(parent).first_child = id;
        self.find_next_edge(parent);
        id
    }

    /// Finds the edge without a child that has the highest prior; the first of several.
    pub(super) fn find_next_edge(&mut self, id: NodeId) {
        let priors = &self.priors[self.node(id).edge_range()];
        // Read as signed integers, priors with the sign bit are negative, and priors without it keep their order.
        let bits = |prior: &f32| prior.to_bits().cast_signed();
        let best = priors.iter().map(bits).fold(-1, i32::max);
        let next = if best < 0 { None } else { priors.iter().position(|prior| bits(prior) == best) };
        self.node_mut(id).next_edge = next.map_or(NONE, |edge| edge as u32);
    }

    /// Changes the priors of a node.
    pub(super) fn set_priors(&mut self, id: NodeId, new: impl Fn(usize, f32) -> f32) {
        let range = self.node(id).edge_range();
        for (edge, prior) in self.priors[range].iter_mut().enumerate() {
            *prior = new(edge, prior.abs()).copysign(*prior);
        }
        let visited = self.children(id).filter(|(_, child)| child.visits > 0);
        let sum = visited.map(|(_, child)| self.prior(self.node(id), child.edge)).sum();
        self.node_mut(id).visited_prior = sum;
        self.find_next_edge(id);
    }

    /// Adds `by` to the pending visits from a node to the root.
    pub(super) fn add_pending(&mut self, mut id: NodeId, by: i32) {
        while id != NONE {
            let node = self.node_mut(id);
            node.pending = node.pending.wrapping_add_signed(by);
            id = node.parent;
        }
    }

    /// Completes a pending visit: adds a result for the player to move at a node to the node and all its ancestors.
    pub(super) fn back_up(&mut self, mut id: NodeId, mut value: f32) {
        loop {
            let node = self.node_mut(id);
            node.visits += 1;
            node.pending -= 1;
            node.total += f64::from(value);
            value = node.for_parent(value);
            let (parent, edge, first) = (node.parent, node.edge, node.visits == 1);
            if parent == NONE {
                return;
            }
            if first {
                let prior = self.prior(self.node(parent), edge);
                self.node_mut(parent).visited_prior += prior;
            }
            id = parent;
        }
    }

    /// Records the proof of a node and of every ancestor that it decides: a player with a winning move wins, and a
    /// player whose moves all lose has lost.
    pub(super) fn prove(&mut self, mut id: NodeId, proof: Proof) {
        self.node_mut(id).proof = proof;
        loop {
            let node = self.node(id);
            let (parent, proof) = (node.parent, node.proof_for_parent());
            if parent == NONE || self.node(parent).proof != Proof::Open {
                return;
            }
            let parent_node = self.node_mut(parent);
            match proof {
                Proof::Open => return,
                Proof::Win => parent_node.proof = Proof::Win,
                Proof::Loss => {
                    parent_node.lost += 1;
                    if parent_node.lost < parent_node.edges {
                        return;
                    }
                    parent_node.proof = Proof::Loss;
                }
            }
            id = parent;
        }
    }

    /// Makes a node the root and removes everything that is not below it, in place.
    pub(super) fn prune_to(&mut self, root: NodeId) {
        let mut kept = 0;
        self.renumbered.clear();
        self.renumbered.resize(self.nodes.len(), NONE);
        for id in root as usize..self.nodes.len() {
            let parent = self.nodes[id].parent;
            let below = parent != NONE && self.renumbered[parent as usize] != NONE;
            if id == root as usize || below {
                self.renumbered[id] = kept;
                kept += 1;
            }
        }
        let renumbered = |id: NodeId| self.renumbered.get(id as usize).copied().unwrap_or(NONE);
        (self.nodes[root as usize].parent, self.nodes[root as usize].next_sibling) = (NONE, NONE);
        // The new number of a node is never larger than the old one.
        for id in root as usize..self.nodes.len() {
            let new = self.renumbered[id];
            if new != NONE {
                let node = &mut self.nodes[id];
                node.parent = renumbered(node.parent);
                node.first_child = renumbered(node.first_child);
                node.next_sibling = renumbered(node.next_sibling);
                self.nodes.swap(new as usize, id);
            }
        }
        self.nodes.truncate(kept as usize);
        self.compact_edges();
    }

    /// Closes the gaps between the edges of the nodes, keeping their order.
    fn compact_edges(&mut self) {
        let owners = &mut self.renumbered;
        owners.clear();
        let with_edges = self.nodes.iter().enumerate().filter(|(_, node)| node.edges > 0);
        owners.extend(with_edges.map(|(id, _)| id as NodeId));
        owners.sort_unstable_by_key(|&id| self.nodes[id as usize].first_edge);
        let mut end = 0;
        for &id in &*owners {
            let node = &mut self.nodes[id as usize];
            let range = node.edge_range();
            node.first_edge = end as u32;
            self.moves.copy_within(range.clone(), end);
            self.priors.copy_within(range.clone(), end);
            end += range.len();
        }
        self.moves.truncate(end);
        self.priors.truncate(end);
    }
}
