//! Setups: positions as plain data, and the validator that decides which of them are valid.

use sandtable_core::rules::SetupError;
use sandtable_core::{ByPlayer, Describe, Player};

use crate::attacks::{Placement, between};
use crate::castling::{CastlingRights, CastlingSide, king_home};
use crate::piece::player_name;
use crate::{BLACK, Piece, Role, Square, SquareSet, WHITE};

/// The content of a FEN as plain data, valid or not.
///
/// ```
/// use sandtable_chess::{DrawRules, Invalid, Piece, Chess, Role, Setup, WHITE};
/// use sandtable_core::FromSetup as _;
///
/// let mut setup = Setup::empty();
/// setup.board[0] = Some(Piece { owner: WHITE, role: Role::King });
/// let error = Chess::from_setup(&setup, DrawRules::default()).unwrap_err();
/// assert_eq!(error.to_string(), "Black has no king");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The piece on each square, a1 first.
    pub board: [Option<Piece>; Square::NUM],
    /// The side to move.
    pub turn: Player,
    /// The castling rights.
    pub castling: ByPlayer<CastlingRights>,
    /// The square that a pawn has just passed over in a double step.
    pub en_passant: Option<Square>,
    /// The half-move clock: half-moves since the last capture or pawn move.
    pub halfmoves: u16,
    /// The move number: starts at 1 and increases after each move of Black.
    pub fullmoves: u16,
}

impl Setup {
    /// An empty board with White to move.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            board: [None; Square::NUM],
            turn: WHITE,
            castling: ByPlayer::new(CastlingRights::NONE, CastlingRights::NONE),
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    /// Checks whether the setup is a valid position.
    ///
    /// # Errors
    ///
    /// Lists *all* reasons why it is not.
    pub fn validate(&self) -> Result<(), SetupError<Invalid>> {
        let mut reasons = Vec::new();
        let placement = Placement::of_setup(self);
        for player in Player::ALL {
            check_material(player, &placement, &mut reasons);
            self.check_castling(player, &mut reasons);
        }
        let king = |player| placement.pieces(player, Role::King).iter().next();
        if reasons.iter().any(|reason| matches!(reason, Invalid::NoKing { .. } | Invalid::Kings { .. })) {
            // Only the rules about checks need exactly one king on each side.
            self.check_en_passant_squares(&mut reasons);
        } else if let (Some(own), Some(other)) = (king(self.turn), king(!self.turn)) {
            if !(placement.attackers(other) & placement.occupied(self.turn)).is_empty() {
                reasons.push(Invalid::OpponentInCheck { mover: self.turn });
            }
            let checkers = placement.attackers(own) & placement.occupied(!self.turn);
            if checkers.len() > 2 {
                reasons.push(Invalid::TooManyCheckers { count: checkers.len() });
            }
            if let Some(double_step) = self.check_en_passant_squares(&mut reasons) {
                double_step.check_checkers(own, checkers, &mut reasons);
            }
        }
        if self.fullmoves == 0 {
            reasons.push(Invalid::FullmovesZero);
        }
        SetupError::check(reasons)
    }

    fn has(&self, square: Square, owner: Player, role: Role) -> bool {
        self.board[square.index()] == Some(Piece { owner, role })
    }

    fn check_castling(&self, player: Player, reasons: &mut Vec<Invalid>) {
        for side in CastlingSide::ALL.into_iter().filter(|&side| self.castling[player].has(side)) {
            let (king, rook) = (king_home(player), side.rook_home(player));
            if !self.has(king, player, Role::King) {
                reasons.push(Invalid::CastlingWithoutKing { player, side, home: king });
            }
            if !self.has(rook, player, Role::Rook) {
                reasons.push(Invalid::CastlingWithoutRook { player, side, home: rook });
            }
        }
    }

    /// Checks the squares of the en passant target. Returns the double step if they are consistent.
    fn check_en_passant_squares(&self, reasons: &mut Vec<Invalid>) -> Option<DoubleStep> {
        let target = self.en_passant?;
        let before = reasons.len();
        if self.halfmoves > 0 {
            reasons.push(Invalid::EnPassantClock { target, halfmoves: self.halfmoves });
        }
        let double_step = DoubleStep::over(target, self.turn);
        match double_step {
            None => reasons.push(Invalid::EnPassantRank { target, mover: self.turn }),
            Some(DoubleStep { origin, pawn, .. }) => {
                if !self.has(pawn, !self.turn, Role::Pawn) {
                    reasons.push(Invalid::EnPassantWithoutPawn { target, pawn });
                }
                for square in [target, origin] {
                    if self.board[square.index()].is_some() {
                        reasons.push(Invalid::EnPassantBlocked { target, square });
                    }
                }
            }
        }
        double_step.filter(|_| reasons.len() == before)
    }
}

fn check_material(player: Player, placement: &Placement, reasons: &mut Vec<Invalid>) {
    let count = |role| placement.pieces(player, role).len();
    match count(Role::King) {
        0 => reasons.push(Invalid::NoKing { player }),
        1 => {}
        count => reasons.push(Invalid::Kings { player, count }),
    }
    let pawns = count(Role::Pawn);
    if pawns > 8 {
        reasons.push(Invalid::TooManyPawns { player, count: pawns });
    }
    // Every piece beyond those of the start position is a promoted pawn. This also limits a side to 16 pieces.
    let beyond = |role, start: usize| count(role).saturating_sub(start);
    let promoted =
        beyond(Role::Queen, 1) + beyond(Role::Rook, 2) + beyond(Role::Bishop, 2) + beyond(Role::Knight, 2);
    if promoted + pawns.min(8) > 8 {
        reasons.push(Invalid::TooManyPromoted { player, promoted, pawns });
    }
    let on_end_rank = placement.pieces(player, Role::Pawn).iter().filter(|square| square.is_on_end_rank());
    reasons.extend(on_end_rank.map(|square| Invalid::PawnOnEndRank { square }));
}

/// The squares of a double step that has just been made.
#[derive(Clone, Copy)]
struct DoubleStep {
    /// The square that the pawn left.
    origin: Square,
    /// The square that it passed over.
    target: Square,
    /// The square that it moved to.
    pawn: Square,
}

impl DoubleStep {
    /// The double step over `target` by the opponent of `mover`. `None` if no double step crosses that rank.
    fn over(target: Square, mover: Player) -> Option<Self> {
        let (target_rank, origin, pawn) = match mover {
            WHITE => (6, 7, 5),
            BLACK => (3, 2, 4),
        };
        (target.rank() == target_rank).then(|| {
            let on = |rank| Square::from_coords(target.file(), rank).expect("a rank of the board");
            Self { origin: on(origin), target, pawn: on(pawn) }
        })
    }

    /// Reports the checks that the double step cannot cause. A double step gives check by the pawn itself or along a
    /// line that the pawn opens.
    fn check_checkers(self, king: Square, checkers: SquareSet, reasons: &mut Vec<Invalid>) {
        for checker in checkers {
            let discovered = between(checker, king).contains(self.origin);
            if checker != self.pawn && !discovered {
                reasons.push(Invalid::EnPassantOtherCheck { target: self.target, checker });
            }
        }
    }
}

/// The rank of an en passant square with `mover` to move.
const fn en_passant_rank(mover: Player) -> u8 {
    match mover {
        WHITE => 6,
        BLACK => 3,
    }
}

/// A reason why a setup is not a valid position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error, Describe)]
#[code("chess_setup")]
#[non_exhaustive]
pub enum Invalid {
    /// A player has no king.
    #[error("{} has no king", player_name(*player))]
    NoKing {
        /// The player.
        #[param(term, value = player_name(*player))]
        player: Player,
    },
    /// A player has several kings.
    #[error("{} has {count} kings, expected 1", player_name(*player))]
    Kings {
        /// The player.
        #[param(term, value = player_name(*player))]
        player: Player,
        /// The number of kings.
        count: usize,
    },
    /// A player has more than eight pawns.
    #[error("{} has {count} pawns, expected at most 8", player_name(*player))]
    TooManyPawns {
        /// The player.
        #[param(term, value = player_name(*player))]
        player: Player,
        /// The number of pawns.
        count: usize,
    },
    /// A player has more promoted pieces than missing pawns.
    #[error("{} has {promoted} promoted pieces and {pawns} pawns, expected at most 8 in total", player_name(*player))]
    TooManyPromoted {
        /// The player.
        #[param(term, value = player_name(*player))]
        player: Player,
        /// The number of promoted pieces.
        promoted: usize,
        /// The number of pawns left.
        pawns: usize,
    },
    /// A pawn is on rank 1 or 8.
    #[error("pawn on {square}: pawns cannot stand on rank 1 or 8")]
    PawnOnEndRank {
        /// The square of the pawn.
        square: Square,
    },
    /// The side that is not to move is in check.
    #[error("{} is in check, but {} is to move", player_name(!*mover), player_name(*mover))]
    OpponentInCheck {
        /// The side to move.
        #[param(name = "player", term, value = player_name(!*mover))]
        #[param(term, value = player_name(*mover))]
        mover: Player,
    },
    /// More than two pieces give check, which no legal move can cause.
    #[error("{count} pieces give check, expected at most 2")]
    TooManyCheckers {
        /// The number of checking pieces.
        count: usize,
    },
    /// A castling right without the king on its home square.
    #[error("{} has the right to castle {side}, but no king on {home}", player_name(*player))]
    CastlingWithoutKing {
        /// The player with the right.
        #[param(term, value = player_name(*player))]
        player: Player,
        /// The side to castle on.
        #[param(term)]
        side: CastlingSide,
        /// The home square of the king.
        home: Square,
    },
    /// A castling right without the rook on its home square.
    #[error("{} has the right to castle {side}, but no rook on {home}", player_name(*player))]
    CastlingWithoutRook {
        /// The player with the right.
        #[param(term, value = player_name(*player))]
        player: Player,
        /// The side to castle on.
        #[param(term)]
        side: CastlingSide,
        /// The home square of the rook.
        home: Square,
    },
    /// The en passant square is on a rank that no double step of the opponent crosses.
    #[error("en passant square {target}: expected rank {} with {} to move", en_passant_rank(*mover), player_name(*mover))]
    EnPassantRank {
        /// The en passant square.
        target: Square,
        /// The side to move.
        #[param(name = "rank", number, value = en_passant_rank(*mover))]
        #[param(term, value = player_name(*mover))]
        mover: Player,
    },
    /// The pawn that made the double step is missing.
    #[error("en passant square {target}: no opposing pawn on {pawn}")]
    EnPassantWithoutPawn {
        /// The en passant square.
        target: Square,
        /// The square where the pawn should be.
        pawn: Square,
    },
    /// A square that the double step left or passed over is occupied.
    #[error("en passant square {target}: {square} must be empty after the double step")]
    EnPassantBlocked {
        /// The en passant square.
        target: Square,
        /// The occupied square.
        square: Square,
    },
    /// A check that the double step cannot cause.
    #[error("en passant square {target}: the double step cannot cause the check from {checker}")]
    EnPassantOtherCheck {
        /// The en passant square.
        target: Square,
        /// The square of the checking piece.
        checker: Square,
    },
    /// The half-move clock is not 0, although a pawn has just moved.
    #[error("en passant square {target}: the half-move clock must be 0 after a pawn move, found {halfmoves}")]
    EnPassantClock {
        /// The en passant square.
        target: Square,
        /// The half-move clock.
        halfmoves: u16,
    },
    /// The move number is 0.
    #[error("move number 0: move numbers start at 1")]
    FullmovesZero,
}
