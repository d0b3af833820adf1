//! Moves: whole moves, the steps of a deployment, and its end.

use crate::{KindSet, Square};

/// What a group of pieces does on its target square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// It moves to an empty square.
    Move,
    /// It takes an enemy stack and moves there.
    Capture,
    /// It takes an enemy stack and stays where it is.
    StayCapture,
    /// It takes an enemy stack and is lost with it.
    SuicideCapture,
    /// It joins a stack of its own side.
    Combine,
}

impl Action {
    /// All actions, in order.
    pub const ALL: [Self; 5] =
        [Self::Move, Self::Capture, Self::StayCapture, Self::SuicideCapture, Self::Combine];

    /// The actions that take an enemy stack.
    pub const CAPTURES: [Self; 3] = [Self::Capture, Self::StayCapture, Self::SuicideCapture];

    /// Is an enemy stack taken?
    #[must_use]
    pub const fn is_capture(self) -> bool {
        matches!(self, Self::Capture | Self::StayCapture | Self::SuicideCapture)
    }
}

/// One step of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A whole stack moves, and the turn is over.
    Whole {
        /// Where the stack stands.
        from: Square,
        /// The square it acts on.
        to: Square,
        /// What it does there.
        action: Action,
    },
    /// A group leaves a stack, in a turn that may go on with more of the same stack.
    Deploy {
        /// Where the stack stands.
        from: Square,
        /// The square the group acts on.
        to: Square,
        /// The group.
        group: KindSet,
        /// What it does there.
        action: Action,
    },
    /// The rest of the stack stays: the deployment is over.
    End {
        /// Where the stack stands.
        from: Square,
    },
}

impl Step {
    /// Where the stack that acts stands.
    #[must_use]
    pub const fn origin(self) -> Square {
        match self {
            Self::Whole { from, .. } | Self::Deploy { from, .. } | Self::End { from } => from,
        }
    }

    /// The square that the step acts on.
    #[must_use]
    pub const fn target(self) -> Option<Square> {
        match self {
            Self::Whole { to, .. } | Self::Deploy { to, .. } => Some(to),
            Self::End { .. } => None,
        }
    }
}
