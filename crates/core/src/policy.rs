//! What a neural network chooses from: a fixed index for every move.

use std::ops::ControlFlow;

use crate::{Position, WrongLength};

/// The index of a move in a game's policy, from the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PolicyIndex(pub u32);

impl PolicyIndex {
    /// The index as a place in a slice.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A position whose moves have indices.
///
/// Every legal move of every position has an index of its own, and tensor and policy share one frame: a position
/// and its mirror allow the same indices.
pub trait PolicyIndexed: Position {
    /// How many indices there are.
    const POLICY_SIZE: usize;
    /// The id and version of this encoding; it changes when the index of any move would.
    const POLICY: &'static str;

    /// The index of a legal move.
    #[must_use]
    fn policy_index(&self, m: Self::Move) -> PolicyIndex;

    /// The legal move with that index here, if there is one.
    #[must_use]
    fn move_at(&self, index: PolicyIndex) -> Option<Self::Move> {
        legal_at(self, index)
    }

    /// Writes which indices are legal into the caller's slice, without allocating.
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

/// The legal move with that index, found by looking at all of them.
pub fn legal_at<P: PolicyIndexed>(position: &P, index: PolicyIndex) -> Option<P::Move> {
    let found = position.for_each_legal(|m| {
        if position.policy_index(m) == index { ControlFlow::Break(m) } else { ControlFlow::Continue(()) }
    });
    match found {
        ControlFlow::Break(m) => Some(m),
        ControlFlow::Continue(()) => None,
    }
}
