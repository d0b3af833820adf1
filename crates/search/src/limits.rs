//! When a search ends.

/// What ends a search; the first limit that is reached does. Without any, nothing does.
///
/// There is no clock here: time is a limit that the caller tells through `stop`, or by ending the search between two
/// iterations from its report.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// The deepest iteration.
    pub depth: Option<u32>,
    /// The number of nodes, of all threads together. With one thread it is kept to the node.
    pub nodes: Option<u64>,
    /// Asked every [`POLL`] nodes whether to stop now.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
}

/// A search looks at this many nodes between two looks at [`Limits::stop`].
pub const POLL: u64 = 256;

impl<'a> Limits<'a> {
    /// Stops after that depth.
    #[must_use]
    pub const fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), nodes: None, stop: None }
    }

    /// Stops after that many nodes.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self { depth: None, nodes: Some(nodes), stop: None }
    }

    /// Stops when told.
    #[must_use]
    pub const fn until(stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { depth: None, nodes: None, stop: Some(stop) }
    }

    pub(crate) fn stops(&self) -> bool {
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
