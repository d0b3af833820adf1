//! Why a piece cannot move.

use sandtable_core::view::Explain;
use sandtable_core::{Describe, Player, Position};

use crate::attacks::between;
use crate::castling::{CastlingSide, king_home};
use crate::{Chess, Piece, Role, Square, WHITE};

/// A rule that stands in the way of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("chess_obstacle")]
#[non_exhaustive]
pub enum Obstacle {
    /// A piece of the mover is on the target square.
    #[error("Your own {} is on {square}", role.name())]
    OwnPiece {
        /// The piece.
        #[param(name = "piece", term, value = role.name())]
        role: Role,
        /// Its square.
        square: Square,
    },
    /// A piece is between.
    #[error("The {} on {square} is in the way", role.name())]
    Blocked {
        /// The piece.
        #[param(name = "piece", term, value = role.name())]
        role: Role,
        /// Its square.
        square: Square,
    },
    /// A pawn does not move there.
    #[error("A pawn moves straight ahead and captures one square diagonally ahead")]
    Pawn,
    /// A pawn that has moved does not move two squares.
    #[error("A pawn moves two squares only from its first square")]
    PawnDoubleStep,
    /// An enemy piece is straight ahead of a pawn.
    #[error("A pawn captures diagonally ahead, not straight ahead")]
    PawnAhead,
    /// There is nothing to capture diagonally ahead of a pawn.
    #[error("A pawn moves diagonally only to capture")]
    PawnCapture,
    /// A knight does not move there.
    #[error("A knight moves two squares along a rank or file and one to the side")]
    Knight,
    /// A bishop does not move there.
    #[error("A bishop moves along diagonals")]
    Bishop,
    /// A rook does not move there.
    #[error("A rook moves along ranks and files")]
    Rook,
    /// A queen does not move there.
    #[error("A queen moves along ranks, files and diagonals")]
    Queen,
    /// A king does not move there.
    #[error("A king moves one square in any direction, or castles")]
    King,
    /// The king would be in check on the target square.
    #[error("The king would be in check on {square}")]
    KingAttacked {
        /// The target square.
        square: Square,
    },
    /// The king is in check, and the move does not stop it.
    #[error("The king is in check, and this move does not stop it")]
    InCheck,
    /// The move opens a line to the king.
    #[error("This piece protects the king: if it moves, the king is in check")]
    Pinned,
    /// The mover has no right to castle on that side.
    #[error("The king cannot castle on this side: it or the rook has moved")]
    NoCastlingRight,
    /// The king is in check.
    #[error("A king in check cannot castle")]
    CastlingInCheck,
    /// The king would pass or reach an attacked square.
    #[error("The king cannot castle: {square} is attacked")]
    CastlingAttacked {
        /// The attacked square.
        square: Square,
    },
    /// The king cannot move at all.
    #[error("Every square beside the king is occupied or attacked")]
    KingSurrounded,
    /// The piece cannot move at all.
    #[error("This {} has no free square to move to", role.name())]
    NoFreeSquare {
        /// The piece.
        #[param(name = "piece", term, value = role.name())]
        role: Role,
    },
}

impl Explain for Chess {
    type Cell = Square;
    type Obstacle = Obstacle;

    fn owner(&self, cell: Square) -> Option<Player> {
        self.piece_on(cell).map(|piece| piece.owner)
    }

    fn obstacle(&self, from: Square, to: Option<Square>, _group: &[&str]) -> Option<Obstacle> {
        let role = self.piece_on(from)?.role;
        let legal = self.legal_moves_from(from);
        match to {
            Some(to) if legal.iter().any(|m| m.to() == to) => None,
            Some(to) => Some(self.obstacle_between(from, to, role)),
            None if !legal.is_empty() => None,
            None => Some(self.obstacle_everywhere(from, role)),
        }
    }
}

impl Chess {
    /// Why a piece without legal moves cannot move.
    fn obstacle_everywhere(&self, from: Square, role: Role) -> Obstacle {
        if !Square::all().any(|to| self.is_pseudo_legal(from, to)) {
            Obstacle::NoFreeSquare { role }
        } else if role == Role::King {
            Obstacle::KingSurrounded
        } else {
            self.obstacle_of_check()
        }
    }

    /// Why the mover's piece on `from` has no legal move to `to`.
    fn obstacle_between(&self, from: Square, to: Square, role: Role) -> Obstacle {
        if let Some(Piece { role, .. }) = self.piece_on(to).filter(|piece| piece.owner == self.turn()) {
            return Obstacle::OwnPiece { role, square: to };
        }
        if self.is_pseudo_legal(from, to) {
            return if role == Role::King {
                Obstacle::KingAttacked { square: to }
            } else {
                self.obstacle_of_check()
            };
        }
        match role {
            Role::Pawn => self.obstacle_of_pawn(from, to),
            Role::Knight => Obstacle::Knight,
            Role::Bishop => self.obstacle_of_slider(from, to, Obstacle::Bishop),
            Role::Rook => self.obstacle_of_slider(from, to, Obstacle::Rook),
            Role::Queen => self.obstacle_of_slider(from, to, Obstacle::Queen),
            Role::King => match CastlingSide::of_king_move(from, to) {
                Some(side) if from == king_home(self.turn()) => self.obstacle_of_castling(side),
                _ => Obstacle::King,
            },
        }
    }

    /// Why a pseudo-legal move of a piece other than the king is not legal.
    fn obstacle_of_check(&self) -> Obstacle {
        if self.is_check() { Obstacle::InCheck } else { Obstacle::Pinned }
    }

    /// The first piece between two squares of a line, seen from `from`.
    fn blocker(&self, from: Square, to: Square) -> Option<Obstacle> {
        let distance =
            |square: &Square| square.file().abs_diff(from.file()).max(square.rank().abs_diff(from.rank()));
        let occupied = between(from, to).iter().filter(|&square| self.piece_on(square).is_some());
        let square = occupied.min_by_key(distance)?;
        Some(Obstacle::Blocked { role: self.piece_on(square)?.role, square })
    }

    fn obstacle_of_slider(&self, from: Square, to: Square, pattern: Obstacle) -> Obstacle {
        let straight = from.file() == to.file() || from.rank() == to.rank();
        let fits = match pattern {
            Obstacle::Bishop => !straight,
            Obstacle::Rook => straight,
            _ => true,
        };
        Some(()).filter(|()| fits).and_then(|()| self.blocker(from, to)).unwrap_or(pattern)
    }

    fn obstacle_of_pawn(&self, from: Square, to: Square) -> Obstacle {
        let (ahead, first_rank) = if self.turn() == WHITE {
            (to.rank().checked_sub(from.rank()), 2)
        } else {
            (from.rank().checked_sub(to.rank()), 7)
        };
        match (from.file().abs_diff(to.file()), ahead) {
            (0, Some(2)) if from.rank() != first_rank => Obstacle::PawnDoubleStep,
            (0, Some(1 | 2)) => self.blocker(from, to).unwrap_or(Obstacle::PawnAhead),
            (1, Some(1)) => Obstacle::PawnCapture,
            _ => Obstacle::Pawn,
        }
    }

    fn obstacle_of_castling(&self, side: CastlingSide) -> Obstacle {
        let mover = self.turn();
        let (king, rook) = (king_home(mover), side.rook_home(mover));
        if !self.castling()[mover].has(side) {
            return Obstacle::NoCastlingRight;
        }
        if let Some(blocked) = self.blocker(king, rook) {
            return blocked;
        }
        if self.is_check() {
            return Obstacle::CastlingInCheck;
        }
        let target = side.king_target(king.rank());
        let passed = between(king, target).iter().chain([target]);
        let attacked = |square: &Square| !(self.attackers(*square) & self.occupied(!mover)).is_empty();
        passed
            .into_iter()
            .find(attacked)
            .map_or(Obstacle::King, |square| Obstacle::CastlingAttacked { square })
    }
}
