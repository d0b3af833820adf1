//! The window of a node, and the best score within it.

use crate::table::Bound;

/// The open window of a node.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const fn is_pv(self) -> bool {
        self.beta - self.alpha > 1
    }

    /// The window that only tests whether a score is above alpha.
    pub(super) const fn zero(self) -> Self {
        Self { alpha: self.alpha, beta: self.alpha + 1 }
    }
}

/// The best score of a node so far, and the window that is left.
pub(super) struct Best<M> {
    pub(super) score: i32,
    /// The move that raised alpha last.
    pub(super) m: Option<M>,
    pub(super) window: Window,
}

impl<M> Best<M> {
    /// Before any move is searched. `score` is a lower bound without a move: the stand-pat score of a quiescence node, or
    /// [`-INFINITE`](crate::score::INFINITE).
    pub(super) fn new(score: i32, window: Window) -> Self {
        Self { score, m: None, window: Window { alpha: window.alpha.max(score), ..window } }
    }

    /// Counts the score of a move. Returns whether it raises alpha.
    pub(super) fn add(&mut self, score: i32, m: M) -> bool {
        self.score = self.score.max(score);
        let raises = score > self.window.alpha;
        if raises {
            (self.window.alpha, self.m) = (score, Some(m));
        }
        raises
    }

    /// Whether no other move needs to be searched: the opponent has a better alternative earlier.
    pub(super) const fn is_cutoff(&self) -> bool {
        self.window.alpha >= self.window.beta
    }
}

/// What the score of a search with a window says about the true score.
pub(super) const fn bound_of(score: i32, window: Window) -> Bound {
    if score >= window.beta {
        Bound::Lower
    } else if score > window.alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}
