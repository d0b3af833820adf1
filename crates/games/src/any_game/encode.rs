//! Encodings of a game of any kind.

use std::ops::ControlFlow;

use sandtable_core::learn::{Layout, Plane, PolicyIndex, Shape, WrongLength};
use sandtable_core::{Describe, Game};

use super::play::check_ongoing;
use super::{BoxedGame, Playable};
use crate::Error;

/// Encodings for neural networks: observations, masks and policy indices.
pub trait AnyEncode {
    /// The shape of an observation.
    fn shape(&self) -> Shape;
    /// The planes of an observation.
    fn planes(&self) -> &'static [Plane];
    /// Writes the observation of the current position.
    fn write_observation(&self, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength>;
    /// The number of policy indices.
    fn policy_size(&self) -> usize;
    /// Writes the mask of legal policy indices; all `false` once the game is over.
    fn write_mask(&self, mask: &mut [bool]) -> Result<(), WrongLength>;
    /// The legal policy indices in ascending order; none once the game is over.
    fn legal_indices(&self) -> Vec<PolicyIndex>;
    /// The policy index of a legal move in any notation of the game.
    fn index_of(&self, text: &str) -> Result<PolicyIndex, Error>;
    /// The legal move with this policy index, in the form that programs exchange.
    fn move_text_at(&self, index: PolicyIndex) -> Result<String, Error>;
    /// Plays the legal move with this policy index.
    fn play_index(&mut self, index: PolicyIndex) -> Result<(), Error>;
    /// The policy indices of the moves played so far.
    fn indices_played(&self) -> Vec<PolicyIndex>;
    /// A new game at the position transformed by a symmetry: 0 is the identity, 1 the reflection left to right. `None` if
    /// the symmetry does not apply to the position.
    fn transformed(&self, symmetry: usize) -> Option<BoxedGame>;
}

impl<P: Playable> AnyEncode for Game<P> {
    fn shape(&self) -> Shape {
        P::SHAPE
    }

    fn planes(&self) -> &'static [Plane] {
        P::PLANES
    }

    fn write_observation(&self, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength> {
        Self::write_observation(self, layout, out)
    }

    fn policy_size(&self) -> usize {
        P::POLICY_SIZE
    }

    fn write_mask(&self, mask: &mut [bool]) -> Result<(), WrongLength> {
        Self::write_mask(self, mask)
    }

    fn legal_indices(&self) -> Vec<PolicyIndex> {
        let mut indices = Vec::new();
        if !self.is_over() {
            let position = self.position();
            let _ = position.for_each_legal::<()>(|m| {
                indices.push(position.policy_index(m));
                ControlFlow::Continue(())
            });
            indices.sort_unstable();
        }
        indices
    }

    fn index_of(&self, text: &str) -> Result<PolicyIndex, Error> {
        check_ongoing(self)?;
        Ok(self.position().policy_index(self.position().parse_move(text)?))
    }

    fn move_text_at(&self, index: PolicyIndex) -> Result<String, Error> {
        Ok(self.position().move_text(move_at(self, index)?))
    }

    fn play_index(&mut self, index: PolicyIndex) -> Result<(), Error> {
        let m = move_at(self, index)?;
        self.play_unchecked(m);
        Ok(())
    }

    fn indices_played(&self) -> Vec<PolicyIndex> {
        self.history().map(|(position, m)| position.policy_index(m)).collect()
    }

    fn transformed(&self, symmetry: usize) -> Option<BoxedGame> {
        let position = match symmetry {
            0 => self.position().clone(),
            1 => self.position().reflection()?,
            _ => return None,
        };
        Some(Box::new(Self::from_position(position).with_draw_offer(self.draw_offer())))
    }
}

/// The legal move with this policy index in an ongoing game.
pub fn move_at<P: Playable>(game: &Game<P>, index: PolicyIndex) -> Result<P::Move, Error> {
    check_ongoing(game)?;
    if index.index() >= P::POLICY_SIZE {
        return Err(IllegalAction::OutOfRange { action: index.0, last: P::POLICY_SIZE - 1 }.into());
    }
    Ok(game.position().move_at(index).ok_or(IllegalAction::Illegal { action: index.0 })?)
}

/// The error for a policy index that is not a legal move of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("action")]
#[non_exhaustive]
pub enum IllegalAction {
    /// The policy has no such index.
    #[error("action {action} is out of range: expected 0 to {last}")]
    OutOfRange {
        /// The index.
        action: u32,
        /// The last index of the policy.
        last: usize,
    },
    /// The move with this index is not legal.
    #[error("action {action} is not legal in this position")]
    Illegal {
        /// The index.
        action: u32,
    },
}
