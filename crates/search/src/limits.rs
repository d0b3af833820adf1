//! Limits of a search.

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
}

/// The number of nodes between two calls of [`Limits::stop`].
pub const POLL_INTERVAL: u64 = 256;

impl<'a> Limits<'a> {
    /// Limits the depth.
    #[must_use]
    pub const fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), nodes: None, stop: None }
    }

    /// Limits the number of nodes.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self { depth: None, nodes: Some(nodes), stop: None }
    }

    /// Searches until `stop` returns true.
    #[must_use]
    pub const fn until(stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { depth: None, nodes: None, stop: Some(stop) }
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

    pub(crate) fn should_stop(&self) -> bool {
        self.stop.is_some_and(|stop| stop())
    }
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limits")
            .field("depth", &self.depth)
            .field("nodes", &self.nodes)
            .field("stop", &self.stop.is_some())
            .finish()
    }
}
