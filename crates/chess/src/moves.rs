//! Moves.

use crate::{Promotion, Square};

/// A move. Whether it takes something, and what, is for the position to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A piece goes from one square to another, taking what stands there.
    Step {
        /// Where it leaves.
        from: Square,
        /// Where it arrives.
        to: Square,
    },
    /// A pawn takes a pawn that has just passed it.
    EnPassant {
        /// Where it leaves.
        from: Square,
        /// Where it arrives: the square that the other pawn passed over.
        to: Square,
    },
    /// The king goes two squares towards a rook, which leaps over it.
    Castle {
        /// Where the king leaves.
        from: Square,
        /// Where the king arrives.
        to: Square,
    },
    /// A pawn reaches the last rank and becomes another piece.
    Promote {
        /// Where it leaves.
        from: Square,
        /// Where it arrives.
        to: Square,
        /// What it becomes.
        promotion: Promotion,
    },
}

impl Move {
    /// Where the moving piece leaves: the king's square in castling.
    #[must_use]
    pub const fn from(self) -> Square {
        match self {
            Self::Step { from, .. }
            | Self::EnPassant { from, .. }
            | Self::Castle { from, .. }
            | Self::Promote { from, .. } => from,
        }
    }

    /// Where the moving piece arrives.
    #[must_use]
    pub const fn to(self) -> Square {
        match self {
            Self::Step { to, .. }
            | Self::EnPassant { to, .. }
            | Self::Castle { to, .. }
            | Self::Promote { to, .. } => to,
        }
    }

    /// What a pawn becomes by it.
    #[must_use]
    pub const fn promotion(self) -> Option<Promotion> {
        match self {
            Self::Promote { promotion, .. } => Some(promotion),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_three_bytes() {
        assert_eq!(size_of::<Move>(), 3);
    }
}
