//! Positions as plain data, and the one place that says which of them are chess.

use std::fmt;

use cozy_chess::{self as cozy, BitBoard};
use sandtable_core::{ByPlayer, Player, SetupError};

use crate::backend::{color, ours, theirs};
use crate::{BLACK, Piece, Role, Square, WHITE};

/// A side of the board to castle on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wing {
    /// The h-file's side, O-O.
    King,
    /// The a-file's side, O-O-O.
    Queen,
}

impl Wing {
    /// Both wings.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The file of the rook that castles on this wing.
    #[must_use]
    pub const fn rook_file(self) -> usize {
        match self {
            Self::King => 7,
            Self::Queen => 0,
        }
    }

    /// The file on which the king arrives.
    #[must_use]
    pub const fn king_file(self) -> usize {
        match self {
            Self::King => 6,
            Self::Queen => 2,
        }
    }
}

/// The castling rights of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Castling {
    /// O-O may still be possible.
    pub king: bool,
    /// O-O-O may still be possible.
    pub queen: bool,
}

impl Castling {
    /// Both rights.
    pub const BOTH: Self = Self { king: true, queen: true };

    /// The right on one wing.
    #[must_use]
    pub const fn on(self, wing: Wing) -> bool {
        match wing {
            Wing::King => self.king,
            Wing::Queen => self.queen,
        }
    }

    /// The right on one wing, to be changed.
    pub const fn on_mut(&mut self, wing: Wing) -> &mut bool {
        match wing {
            Wing::King => &mut self.king,
            Wing::Queen => &mut self.queen,
        }
    }
}

/// Everything a FEN says, with nothing guaranteed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands on each square, a1 first.
    pub board: [Option<Piece>; Square::NUM],
    /// Who is to move.
    pub turn: Player,
    /// Who may still castle where.
    pub castling: ByPlayer<Castling>,
    /// The square that a pawn has just passed over in a double step.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn's move.
    pub halfmoves: u16,
    /// The number of the move, counted from 1 and up after Black's.
    pub fullmoves: u16,
}

impl Setup {
    /// An empty board, White to move.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            board: [None; Square::NUM],
            turn: WHITE,
            castling: ByPlayer::new(
                Castling { king: false, queen: false },
                Castling { king: false, queen: false },
            ),
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    /// Every reason why this is not a position of chess; none if it is one.
    ///
    /// # Errors
    ///
    /// All the reasons.
    pub fn validate(&self) -> Result<(), SetupError<Invalid>> {
        let mut reasons = Vec::new();
        let squares = Bits::of(self);
        for player in Player::ALL {
            check_material(player, &squares, &mut reasons);
            self.check_castling(player, &mut reasons);
        }
        if reasons.iter().any(|reason| matches!(reason, Invalid::Kings { .. })) {
            // Checks cannot be judged without exactly one king each; everything else has been.
            self.check_en_passant_squares(&mut reasons);
        } else {
            if !squares.checkers(!self.turn).is_empty() {
                reasons.push(Invalid::OpponentInCheck { mover: self.turn });
            }
            let checkers = squares.checkers(self.turn);
            if checkers.len() > 2 {
                reasons.push(Invalid::TooManyCheckers { count: checkers.len() });
            }
            if self.check_en_passant_squares(&mut reasons) {
                self.check_en_passant_checkers(&squares, checkers, &mut reasons);
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
        let home = |file| Square::at(file, back_rank(player)).expect("a file of the board");
        for wing in Wing::ALL.into_iter().filter(|&wing| self.castling[player].on(wing)) {
            if !self.has(home(4), player, Role::King) {
                reasons.push(Invalid::CastlingWithoutKing { player, wing, home: home(4) });
            }
            let rook = home(wing.rook_file());
            if !self.has(rook, player, Role::Rook) {
                reasons.push(Invalid::CastlingWithoutRook { player, wing, home: rook });
            }
        }
    }

    /// The squares of an en-passant target: says whether they are in order.
    fn check_en_passant_squares(&self, reasons: &mut Vec<Invalid>) -> bool {
        let Some(target) = self.en_passant else { return false };
        let before = reasons.len();
        if self.halfmoves > 0 {
            reasons.push(Invalid::EnPassantClock { target, halfmoves: self.halfmoves });
        }
        match EnPassantSquares::of(target, self.turn) {
            None => reasons.push(Invalid::EnPassantRank { target, mover: self.turn }),
            Some(squares) => {
                if !self.has(squares.pawn, !self.turn, Role::Pawn) {
                    reasons.push(Invalid::EnPassantWithoutPawn { target, pawn: squares.pawn });
                }
                for square in [target, squares.origin] {
                    if self.board[square.index()].is_some() {
                        reasons.push(Invalid::EnPassantBlocked { target, square });
                    }
                }
            }
        }
        reasons.len() == before
    }

    /// A double step can only have left a check that the pawn gives, or that its leaving uncovered.
    fn check_en_passant_checkers(&self, squares: &Bits, checkers: BitBoard, reasons: &mut Vec<Invalid>) {
        let target = self.en_passant.expect("its squares are in order");
        let passed = EnPassantSquares::of(target, self.turn).expect("its squares are in order");
        let Some(king) = squares.king(self.turn) else { return };
        for checker in checkers {
            let uncovered = cozy::get_between_rays(checker, king).has(theirs(passed.origin));
            if checker != theirs(passed.pawn) && !uncovered {
                reasons.push(Invalid::EnPassantOtherCheck { target, checker: ours(checker) });
            }
        }
    }
}

fn check_material(player: Player, squares: &Bits, reasons: &mut Vec<Invalid>) {
    let kings = squares.of_role(player, Role::King).len();
    if kings != 1 {
        reasons.push(Invalid::Kings { player, count: kings });
    }
    let pawns = squares.of_role(player, Role::Pawn);
    if pawns.len() > 8 {
        reasons.push(Invalid::TooManyPawns { player, count: pawns.len() });
    }
    // Every piece beyond those of the start was a pawn. It follows that nobody has more than sixteen pieces.
    let beyond = |role, start: u32| squares.of_role(player, role).len().saturating_sub(start);
    let promoted =
        beyond(Role::Queen, 1) + beyond(Role::Rook, 2) + beyond(Role::Bishop, 2) + beyond(Role::Knight, 2);
    if promoted + pawns.len().min(8) > 8 {
        reasons.push(Invalid::TooManyPromoted { player, promoted, pawns: pawns.len() });
    }
    let ends = cozy::Rank::First.bitboard() | cozy::Rank::Eighth.bitboard();
    reasons.extend((pawns & ends).iter().map(|square| Invalid::PawnOnEndRank { square: ours(square) }));
}

/// The squares of a double step, from the view of the player who might take en passant.
struct EnPassantSquares {
    /// Where the pawn came from.
    origin: Square,
    /// Where it stands.
    pawn: Square,
}

impl EnPassantSquares {
    fn of(target: Square, mover: Player) -> Option<Self> {
        let (target_rank, origin, pawn) = match mover {
            WHITE => (5, 6, 4),
            BLACK => (2, 1, 3),
        };
        (target.rank() == target_rank).then(|| {
            let at = |rank| Square::at(target.file(), rank).expect("a rank of the board");
            Self { origin: at(origin), pawn: at(pawn) }
        })
    }
}

/// The placement as sets of squares, to ask about attacks before there is a board.
struct Bits {
    owners: ByPlayer<BitBoard>,
    roles: [BitBoard; 6],
}

impl Bits {
    fn of(setup: &Setup) -> Self {
        let mut bits = Self { owners: ByPlayer::default(), roles: [BitBoard::EMPTY; 6] };
        for square in Square::all() {
            if let Some(piece) = setup.board[square.index()] {
                bits.owners[piece.owner] |= theirs(square).bitboard();
                bits.roles[piece.role as usize] |= theirs(square).bitboard();
            }
        }
        bits
    }

    fn of_role(&self, player: Player, role: Role) -> BitBoard {
        self.owners[player] & self.roles[role as usize]
    }

    fn king(&self, player: Player) -> Option<cozy::Square> {
        self.of_role(player, Role::King).next_square()
    }

    /// The pieces that attack the king of `player`.
    fn checkers(&self, player: Player) -> BitBoard {
        let Some(king) = self.king(player) else { return BitBoard::EMPTY };
        let all = self.owners[WHITE] | self.owners[BLACK];
        let queens = self.roles[Role::Queen as usize];
        let attackers = cozy::get_pawn_attacks(king, color(player)) & self.roles[Role::Pawn as usize]
            | cozy::get_knight_moves(king) & self.roles[Role::Knight as usize]
            | cozy::get_bishop_moves(king, all) & (self.roles[Role::Bishop as usize] | queens)
            | cozy::get_rook_moves(king, all) & (self.roles[Role::Rook as usize] | queens)
            | cozy::get_king_moves(king) & self.roles[Role::King as usize];
        attackers & self.owners[!player]
    }
}

const fn back_rank(player: Player) -> usize {
    match player {
        WHITE => 0,
        BLACK => 7,
    }
}

/// One reason why a setup is not a position of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Invalid {
    /// A player has no king, or several.
    Kings {
        /// Whose.
        player: Player,
        /// How many.
        count: u32,
    },
    /// More than eight pawns.
    TooManyPawns {
        /// Whose.
        player: Player,
        /// How many.
        count: u32,
    },
    /// More promoted pieces than pawns are missing.
    TooManyPromoted {
        /// Whose.
        player: Player,
        /// How many pieces must have been pawns.
        promoted: u32,
        /// How many pawns are left.
        pawns: u32,
    },
    /// A pawn on rank 1 or 8.
    PawnOnEndRank {
        /// Where.
        square: Square,
    },
    /// The player to move could take the other king.
    OpponentInCheck {
        /// Who is to move.
        mover: Player,
    },
    /// Three or more pieces give check, which no move can bring about.
    TooManyCheckers {
        /// How many.
        count: u32,
    },
    /// A castling right, but the king is not at home.
    CastlingWithoutKing {
        /// Whose right.
        player: Player,
        /// On which wing.
        wing: Wing,
        /// Where the king should be.
        home: Square,
    },
    /// A castling right, but the rook is not at home.
    CastlingWithoutRook {
        /// Whose right.
        player: Player,
        /// On which wing.
        wing: Wing,
        /// Where the rook should be.
        home: Square,
    },
    /// No pawn of the opponent passes over that rank.
    EnPassantRank {
        /// The target.
        target: Square,
        /// Who is to move.
        mover: Player,
    },
    /// The pawn that should have made the double step is not there.
    EnPassantWithoutPawn {
        /// The target.
        target: Square,
        /// Where the pawn should be.
        pawn: Square,
    },
    /// A square that the pawn passed over, or came from, is not empty.
    EnPassantBlocked {
        /// The target.
        target: Square,
        /// The square that should be empty.
        square: Square,
    },
    /// A check that the double step cannot have left.
    EnPassantOtherCheck {
        /// The target.
        target: Square,
        /// Who gives the check.
        checker: Square,
    },
    /// The half-move clock says that no pawn has just moved.
    EnPassantClock {
        /// The target.
        target: Square,
        /// The clock.
        halfmoves: u16,
    },
    /// Moves are counted from 1.
    FullmovesZero,
}

const fn name(player: Player) -> &'static str {
    match player {
        WHITE => "White",
        BLACK => "Black",
    }
}

impl fmt::Display for Wing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::King => "kingside",
            Self::Queen => "queenside",
        })
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Kings { player, count: 0 } => write!(f, "{} has no king", name(player)),
            Self::Kings { player, count } => write!(f, "{} has {count} kings", name(player)),
            Self::TooManyPawns { player, count } => {
                write!(f, "{} has {count} pawns, more than 8", name(player))
            }
            Self::TooManyPromoted { player, promoted, pawns } => {
                write!(
                    f,
                    "{} has {promoted} promoted pieces and {pawns} pawns, together more than 8",
                    name(player)
                )
            }
            Self::PawnOnEndRank { square } => write!(f, "a pawn cannot stand on {square}"),
            Self::OpponentInCheck { mover } => {
                write!(f, "{} is in check, but it is {}'s move", name(!mover), name(mover))
            }
            Self::TooManyCheckers { count } => {
                write!(f, "{count} pieces give check, and no move leads to that")
            }
            Self::CastlingWithoutKing { player, wing, home } => {
                write!(f, "{} cannot have the right to castle {wing}: no king on {home}", name(player))
            }
            Self::CastlingWithoutRook { player, wing, home } => {
                write!(f, "{} cannot have the right to castle {wing}: no rook on {home}", name(player))
            }
            Self::EnPassantRank { target, mover } => {
                let rank = if mover == WHITE { 6 } else { 3 };
                write!(
                    f,
                    "en passant on {target}: with {} to move it can only be on rank {rank}",
                    name(mover)
                )
            }
            Self::EnPassantWithoutPawn { target, pawn } => {
                write!(f, "en passant on {target}: there is no pawn on {pawn} that could have passed")
            }
            Self::EnPassantBlocked { target, square } => {
                write!(f, "en passant on {target}: {square} is not empty, so no pawn passed there")
            }
            Self::EnPassantOtherCheck { target, checker } => {
                write!(f, "en passant on {target}: the check from {checker} was there before that pawn moved")
            }
            Self::EnPassantClock { target, halfmoves } => {
                write!(
                    f,
                    "en passant on {target}: the half-move clock is {halfmoves}, so no pawn has just moved"
                )
            }
            Self::FullmovesZero => f.write_str("moves are counted from 1, not 0"),
        }
    }
}
