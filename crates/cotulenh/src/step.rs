//! Moves: whole moves, the steps of a deployment, and its end.

use crate::{KindSet, Square};

/// The action of a group of pieces on its target square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepKind {
    /// Moves to an empty square.
    Move,
    /// Captures an enemy stack and moves to its square.
    Capture,
    /// Captures an enemy stack without moving.
    StayCapture,
    /// Captures an enemy stack and is lost with it.
    SuicideCapture,
    /// Joins a friendly stack.
    Combine,
}

impl StepKind {
    /// All kinds of steps.
    pub const ALL: [Self; 5] =
        [Self::Move, Self::Capture, Self::StayCapture, Self::SuicideCapture, Self::Combine];

    /// The kinds of steps that capture.
    pub const CAPTURES: [Self; 3] = [Self::Capture, Self::StayCapture, Self::SuicideCapture];

    /// Whether an enemy stack is captured.
    #[must_use]
    pub const fn is_capture(self) -> bool {
        matches!(self, Self::Capture | Self::StayCapture | Self::SuicideCapture)
    }
}

/// A move: one step of a turn.
///
/// Most turns are a single [`Whole`](Self::Whole) step. A turn that splits a stack is a sequence of
/// [`Deploy`](Self::Deploy) steps, closed by [`End`](Self::End) unless the last of them completes the turn.
///
/// ```
/// use sandtable_core::{Notation, Position as _};
/// use sandtable_cotulenh::{Position, Rules, Square, Step, StepKind};
///
/// let start = Position::start(Rules::STANDARD);
/// let step = Step::Whole { from: Square::C5, to: Square::C6, kind: StepKind::Move };
/// assert!(start.is_legal(step));
/// assert_eq!(start.move_text(step), "Ic5c6");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A whole stack moves, which completes the turn.
    Whole {
        /// The square of the stack.
        from: Square,
        /// The target square.
        to: Square,
        /// The action of the stack there.
        kind: StepKind,
    },
    /// A group leaves a stack; the turn may continue with other pieces of the same stack.
    Deploy {
        /// The square of the stack.
        from: Square,
        /// The target square.
        to: Square,
        /// The pieces that leave.
        group: KindSet,
        /// The action of the group there.
        kind: StepKind,
    },
    /// Ends a deployment; the rest of the stack stays.
    End {
        /// The square of the stack.
        from: Square,
    },
}

impl Step {
    /// The square of the stack that acts.
    #[must_use]
    pub const fn origin(self) -> Square {
        match self {
            Self::Whole { from, .. } | Self::Deploy { from, .. } | Self::End { from } => from,
        }
    }

    /// The target square; `None` for the end of a deployment.
    #[must_use]
    pub const fn target(self) -> Option<Square> {
        match self {
            Self::Whole { to, .. } | Self::Deploy { to, .. } => Some(to),
            Self::End { .. } => None,
        }
    }

    /// The action on the target square; `None` for the end of a deployment.
    #[must_use]
    pub const fn kind(self) -> Option<StepKind> {
        match self {
            Self::Whole { kind, .. } | Self::Deploy { kind, .. } => Some(kind),
            Self::End { .. } => None,
        }
    }
}
