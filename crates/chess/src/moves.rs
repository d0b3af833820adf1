//! Moves.

use crate::{Promotion, Square};

/// A move. The position determines the moving piece and the captured piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A plain move or capture.
    Step {
        /// The square the piece leaves.
        from: Square,
        /// The square it moves to.
        to: Square,
    },
    /// An en passant capture.
    EnPassant {
        /// The square the pawn leaves.
        from: Square,
        /// The square it moves to, which the captured pawn has just passed over.
        to: Square,
    },
    /// Castling.
    Castle {
        /// The square the king leaves.
        from: Square,
        /// The square the king moves to.
        to: Square,
    },
    /// A pawn move or capture that ends on the last rank.
    Promote {
        /// The square the pawn leaves.
        from: Square,
        /// The square it moves to.
        to: Square,
        /// The piece it promotes to.
        promotion: Promotion,
    },
}

impl Move {
    /// The square that the moving piece leaves; in castling, that of the king.
    #[must_use]
    pub const fn from(self) -> Square {
        match self {
            Self::Step { from, .. }
            | Self::EnPassant { from, .. }
            | Self::Castle { from, .. }
            | Self::Promote { from, .. } => from,
        }
    }

    /// The square that the moving piece moves to; in castling, that of the king.
    #[must_use]
    pub const fn to(self) -> Square {
        match self {
            Self::Step { to, .. }
            | Self::EnPassant { to, .. }
            | Self::Castle { to, .. }
            | Self::Promote { to, .. } => to,
        }
    }

    /// The piece that a pawn promotes to.
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
    fn a_move_takes_three_bytes() {
        assert_eq!(size_of::<Move>(), 3);
    }
}
