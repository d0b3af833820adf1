//! Symmetries of a game, which multiply the training data of neural networks.

use crate::learn::{FactoredPolicy, PolicyIndex};

/// A position with its symmetries: the identity and, in some games, a reflection of the board left to right.
///
/// A reflection keeps the side to move and its frame. The legal moves of a reflected position are the reflected legal moves,
/// so both positions have the same value. Every map here is its own inverse. The defaults are those of a game without a
/// reflection.
pub trait Symmetric: FactoredPolicy {
    /// The number of symmetries, the identity included: 1 or 2.
    const SYMMETRIES: usize = 1;
    /// The planes of the observation that are not symmetric: a position in which one of them is not 0 everywhere has no
    /// reflection.
    const ASYMMETRIC_PLANES: &'static [usize] = &[];

    /// The reflected position; `None` if the position or the game has no reflection.
    #[must_use]
    fn reflection(&self) -> Option<Self> {
        None
    }

    /// The reflection of a cell of the observation and the head.
    #[must_use]
    fn reflected_cell(cell: usize) -> usize {
        cell
    }

    /// The reflection of a policy index.
    #[must_use]
    fn reflected_index(index: PolicyIndex) -> PolicyIndex {
        index
    }

    /// The reflection of a plane of the head.
    #[must_use]
    fn reflected_plane(plane: usize) -> usize {
        plane
    }
}
