//! Policies for neural networks: a fixed index for every move.

use std::ops::ControlFlow;

use crate::Position;
use crate::learn::WrongLength;

/// The index of a move in the policy of a game, from the mover's perspective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PolicyIndex(pub u32);

impl PolicyIndex {
    /// The index as a `usize`, for slices.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A position whose moves have policy indices.
///
/// The legal moves of a position have different indices. Tensor and policy share the mover's frame: a position and its
/// mirror have the same legal indices.
pub trait PolicyIndexed: Position {
    /// The number of indices.
    const POLICY_SIZE: usize;
    /// The id and version of this encoding; any change of an index changes it.
    const POLICY: &'static str;

    /// The index of a legal move.
    #[must_use]
    fn policy_index(&self, m: Self::Move) -> PolicyIndex;

    /// The legal move with this index, if there is one.
    #[must_use]
    fn move_at(&self, index: PolicyIndex) -> Option<Self::Move> {
        legal_move_at(self, index)
    }

    /// Writes the mask of legal indices into the caller's slice, without allocating.
    fn write_mask(&self, mask: &mut [bool]) -> Result<(), WrongLength> {
        WrongLength::check(Self::POLICY_SIZE, mask.len())?;
        mask.fill(false);
        let _ = self.for_each_legal::<()>(|m| {
            mask[self.policy_index(m).index()] = true;
            ControlFlow::Continue(())
        });
        Ok(())
    }
}

/// Returns the legal move with this index by scanning all legal moves.
pub fn legal_move_at<P: PolicyIndexed>(position: &P, index: PolicyIndex) -> Option<P::Move> {
    let found = position.for_each_legal(|m| {
        if position.policy_index(m) == index { ControlFlow::Break(m) } else { ControlFlow::Continue(()) }
    });
    match found {
        ControlFlow::Break(m) => Some(m),
        ControlFlow::Continue(()) => None,
    }
}
