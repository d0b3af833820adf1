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

    /// The kinds of steps that do not capture.
    pub const QUIET: [Self; 2] = [Self::Move, Self::Combine];

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
/// use sandtable_core::{Notation, Position};
/// use sandtable_cotulenh::{CoTuLenh, Rules, Square, Step, StepKind};
///
/// let start = CoTuLenh::start(Rules::STANDARD);
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
    /// The step as 32 bits: the squares in 8 bits each, the action in 3, the group in 11, and the variant in 2.
    pub(crate) fn to_bits(self) -> u32 {
        let pack = |variant: u32, from: Square, to: Square, kind: StepKind, group: KindSet| {
            from.index() as u32
                | (to.index() as u32) << 8
                | (kind as u32) << 16
                | u32::from(group.to_bits()) << 19
                | variant << 30
        };
        match self {
            Self::Whole { from, to, kind } => pack(0, from, to, kind, KindSet::EMPTY),
            Self::Deploy { from, to, group, kind } => pack(1, from, to, kind, group),
            Self::End { from } => pack(2, from, from, StepKind::Move, KindSet::EMPTY),
        }
    }

    /// The step with these [bits](Self::to_bits), legal or not; `None` if there is none.
    pub(crate) fn from_bits(bits: u32) -> Option<Self> {
        let square = |shift: u32| Square::new((bits >> shift) as u8);
        let (from, to) = (square(0)?, square(8)?);
        let kind = *StepKind::ALL.get((bits >> 16 & 7) as usize)?;
        match bits >> 30 {
            0 => Some(Self::Whole { from, to, kind }),
            1 => {
                let group = KindSet::from_bits((bits >> 19) as u16 & KindSet::ALL.to_bits());
                Some(Self::Deploy { from, to, group, kind })
            }
            2 => Some(Self::End { from }),
            _ => None,
        }
    }

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
