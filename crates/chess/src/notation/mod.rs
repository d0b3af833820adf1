//! Text: FEN for positions, UCI and SAN for moves, PGN for games.
//!
//! [`Notation`] reads and writes them all; the modules below have the details.
//!
//! ```
//! use sandtable_chess::{DrawRules, Chess};
//! use sandtable_core::Notation as _;
//!
//! let position = Chess::from_text("4k3/8/8/8/8/8/8/4K2R w K - 0 1", DrawRules::default())?;
//! let m = position.parse_move("O-O")?;
//! assert_eq!(position.move_text(m), "e1g1");
//! assert_eq!(position.move_san(m), "O-O");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod fen;
pub mod pgn;
pub mod san;
pub mod uci;

use sandtable_core::{Describe, Notation, Position};

use crate::castling::CastlingSide;
use crate::{Chess, DrawRules, Move, Piece, Promotion, Role, Square};
pub use fen::PositionError;
pub use pgn::{RecordError, RecordFault};
use san::{San, SanError};
use uci::Uci;

/// The reason why a text is not a legal move in a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("chess_move")]
#[non_exhaustive]
pub enum MoveError {
    /// The text is neither UCI nor SAN.
    #[error("`{0}` is not a move: expected UCI (e2e4, e7e8q) or SAN (Nf3, exd5, O-O, e8=Q)")]
    Syntax(#[param(name = "text")] String),
    /// The move is well-formed, but not legal.
    #[error("illegal move `{text}`: {reason}")]
    Illegal {
        /// The text of the move.
        text: String,
        /// The reason why it is not legal.
        #[param(message)]
        reason: IllegalReason,
    },
    /// Several legal moves match the text.
    #[error("ambiguous move `{text}`: could be {}", candidates.join(" or "))]
    Ambiguous {
        /// The text of the move.
        text: String,
        /// The matching moves, written in full.
        #[param(list)]
        candidates: Vec<String>,
    },
}

/// The reason why a well-formed move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("chess_illegal")]
#[non_exhaustive]
pub enum IllegalReason {
    /// The from-square is empty.
    #[error("no piece on {0}")]
    NoPiece(#[param(name = "square")] Square),
    /// The piece on the from-square belongs to the opponent.
    #[error("the piece on {0} belongs to the opponent")]
    OpponentsPiece(#[param(name = "square")] Square),
    /// A piece of the mover is on the target square.
    #[error("your own piece is on {0}")]
    OwnPiece(#[param(name = "square")] Square),
    /// A pawn reaches the last rank, but the text names no promotion.
    #[error("a pawn that reaches the last rank must promote: add q, r, b or n")]
    PromotionMissing,
    /// The text names a promotion, but no pawn reaches the last rank.
    #[error("only a pawn that reaches the last rank can promote")]
    NoPromotion,
    /// The mover has no right to castle on that side.
    #[error("no right to castle on that side")]
    NoCastlingRight,
    /// The mover has the right to castle, but cannot do so at this move.
    #[error(
        "castling is not possible now: a piece is in between, or the king is in, crosses or enters check"
    )]
    CastlingBlocked,
    /// The piece does not move that way, or another piece is in between.
    #[error("a {} cannot move from {from} to {to} here", role.name())]
    Unreachable {
        /// The kind of piece.
        #[param(name = "piece", term, value = role.name())]
        role: Role,
        /// The square it would leave.
        from: Square,
        /// The square it would move to.
        to: Square,
    },
    /// The move leaves the mover's king in check.
    #[error("it leaves your king in check")]
    LeavesKingInCheck,
    /// No piece of that kind can move to the target square.
    #[error("no {} can legally move to {to}", role.name())]
    NoSuchMove {
        /// The kind of piece.
        #[param(name = "piece", term, value = role.name())]
        role: Role,
        /// The target square.
        to: Square,
    },
    /// The text has an `x`, but the move captures nothing.
    #[error("nothing to capture on {0}")]
    NothingToCapture(#[param(name = "square")] Square),
}

/// The reason why a move between two squares is not legal. The move must be illegal.
fn illegal_reason(position: &Chess, from: Square, to: Square, promotion: Option<Promotion>) -> IllegalReason {
    let Some(Piece { owner, role }) = position.piece_on(from) else { return IllegalReason::NoPiece(from) };
    let mover = position.turn();
    if owner != mover {
        return IllegalReason::OpponentsPiece(from);
    }
    if position.piece_on(to).is_some_and(|piece| piece.owner == mover) {
        return IllegalReason::OwnPiece(to);
    }
    let promotes = role == Role::Pawn && to.is_on_end_rank();
    if promotion.is_some() && !promotes {
        return IllegalReason::NoPromotion;
    }
    if let Some(side) = CastlingSide::of_king_move(from, to).filter(|_| role == Role::King) {
        return why_no_castling(position, side);
    }
    if !position.is_pseudo_legal(from, to) {
        return IllegalReason::Unreachable { role, from, to };
    }
    if promotes && promotion.is_none() {
        return IllegalReason::PromotionMissing;
    }
    IllegalReason::LeavesKingInCheck
}

/// The reason why the mover cannot castle on one side.
fn why_no_castling(position: &Chess, side: CastlingSide) -> IllegalReason {
    if position.castling()[position.turn()].has(side) {
        IllegalReason::CastlingBlocked
    } else {
        IllegalReason::NoCastlingRight
    }
}

impl Notation for Chess {
    type PositionError = PositionError;
    type MoveError = MoveError;
    type Records = pgn::Pgn;

    const RECORD_EXTENSION: &'static str = "pgn";
    const SAN_IS_TEXT: bool = false;

    fn to_text(&self) -> String {
        self.to_fen()
    }

    fn from_text(text: &str, rules: DrawRules) -> Result<Self, PositionError> {
        Self::from_fen(text, rules)
    }

    fn move_text(&self, m: Move) -> String {
        Uci::from(m).to_string()
    }

    fn move_san(&self, m: Move) -> String {
        San::with_check(self, m)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        match text.parse::<Uci>() {
            Ok(uci) => uci.to_move(self),
            Err(_) => text.parse::<San>().map_err(|SanError(text)| MoveError::Syntax(text))?.to_move(self),
        }
    }

    fn move_number(&self) -> usize {
        self.fullmoves().into()
    }
}
