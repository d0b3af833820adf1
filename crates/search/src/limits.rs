//! Limits of a search.

use crate::Score;

/// When a search stops: at the first limit reached. Without limits it never stops.
///
/// The crate has no clock. For a time limit, pass a `stop` that checks the time, or break from the report between two
/// iterations.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use sandtable_search::Limits;
///
/// let deadline = Instant::now() + Duration::from_millis(100);
/// let timeout = || Instant::now() >= deadline;
/// let limits = Limits::depth(12).with_stop(&timeout);
/// assert_eq!(limits.depth, Some(12));
/// ```
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct Limits<'a> {
    /// The last iteration of iterative deepening, in plies.
    pub depth: Option<u32>,
    /// The number of nodes searched by all threads. Exact with one thread.
    pub nodes: Option<u64>,
    /// Polled every [`POLL_INTERVAL`] nodes; the search stops when it returns true.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// The root moves to consider, as indices of `game.legal_moves()`; an empty slice is no restriction. At least one
    /// index must be in range, or there is no best move.
    pub root_moves: Option<&'a [usize]>,
    /// The search stops after the iteration that proves a win with a mate distance of at most this; see
    /// [`Score::mate_in`].
    pub mate: Option<u32>,
}

/// The number of nodes between two calls of [`Limits::stop`].
pub const POLL_INTERVAL: u64 = 256;

impl<'a> Limits<'a> {
    const NONE: Self = Self { depth: None, nodes: None, stop: None, root_moves: None, mate: None };

    /// Limits the depth.
    #[must_use]
    pub const fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::NONE }
    }

    /// Limits the number of nodes.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::NONE }
    }

    /// Searches until `stop` returns true.
    #[must_use]
    pub const fn until(stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { stop: Some(stop), ..Self::NONE }
    }

    /// Returns the limits with another depth.
    #[must_use]
    pub const fn with_depth(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// Returns the limits with another number of nodes.
    #[must_use]
    pub const fn with_nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(nodes);
        self
    }

    /// Returns the limits with another `stop`.
    #[must_use]
    pub const fn with_stop(mut self, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Returns the limits with a choice of root moves.
    #[must_use]
    pub const fn with_root_moves(mut self, indices: &'a [usize]) -> Self {
        self.root_moves = Some(indices);
        self
    }

    /// Returns the limits with another mate distance.
    #[must_use]
    pub const fn with_mate(mut self, mate: u32) -> Self {
        self.mate = Some(mate);
        self
    }

    pub(crate) fn should_stop(&self) -> bool {
        self.stop.is_some_and(|stop| stop())
    }

    /// Whether the legal move with this index is a root move.
    pub(crate) fn allows_root_move(&self, index: usize) -> bool {
        self.root_moves.is_none_or(|indices| indices.is_empty() || indices.contains(&index))
    }

    /// Whether a score of the best line is the mate that was searched for.
    pub(crate) fn is_mate_found(&self, score: Option<Score>) -> bool {
        let distance = score.and_then(Score::mate_in).and_then(|n| u32::try_from(n).ok());
        self.mate.zip(distance).is_some_and(|(limit, distance)| (1..=limit).contains(&distance))
    }
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits")
            .field("depth", &self.depth)
            .field("nodes", &self.nodes)
            .field("stop", &self.stop.is_some())
            .field("root_moves", &self.root_moves)
            .field("mate", &self.mate)
            .finish()
    }
}
