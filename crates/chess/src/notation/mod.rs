//! Text: FEN for positions, UCI and SAN for moves, PGN for games.

pub mod fen;
pub mod pgn;
pub mod san;
pub mod uci;

use sandtable_core::{Game, Notation, Position as _, Tags};

use crate::{Castling, DrawRules, Move, Piece, Position, Promotion, Role, Square};
use fen::FenError;
use pgn::{Pgn, PgnError};
use san::{San, SanError};
use uci::Uci;

/// Why a text is not a legal move in a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// It is written neither as UCI nor as SAN.
    #[error("`{0}` is not a move: write it like e2e4 or e7e8q, or like Nf3, exd5, O-O, e8=Q")]
    Syntax(String),
    /// It is written well, but the rules do not allow it.
    #[error("{text}: {why}")]
    Illegal {
        /// The move as it was written.
        text: String,
        /// What is against it.
        why: Forbidden,
    },
    /// Several legal moves are written like this.
    #[error("{text} could be {}", candidates.join(" or "))]
    Ambiguous {
        /// The move as it was written.
        text: String,
        /// The moves it could be, in full.
        candidates: Vec<String>,
    },
}

/// What is against a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    /// There is nothing to move.
    #[error("there is no piece on {0}")]
    NoPiece(Square),
    /// The piece is the opponent's.
    #[error("the piece on {0} is not yours to move")]
    NotYours(Square),
    /// The target holds a piece of one's own.
    #[error("your own piece stands on {0}")]
    OwnPiece(Square),
    /// A pawn on the last rank must become something.
    #[error("a pawn that reaches the last rank must become something: add q, r, b or n")]
    PromotionMissing,
    /// Only a pawn on the last rank becomes something.
    #[error("only a pawn that reaches the last rank becomes something else")]
    NoPromotion,
    /// The right to castle is lost.
    #[error("the right to castle there is lost")]
    CastlingRight,
    /// Castling is not possible at this move.
    #[error(
        "castling is not possible now: a piece stands between, or the king is, passes or arrives in check"
    )]
    CastlingNow,
    /// The piece does not move like that, or something is in its way.
    #[error("a {} cannot go from {from} to {to} here", role.name())]
    Unreachable {
        /// What would move.
        role: Role,
        /// From where.
        from: Square,
        /// To where.
        to: Square,
    },
    /// The king would be left in check.
    #[error("it would leave your king in check")]
    LeavesKingInCheck,
    /// No piece of that kind can go there.
    #[error("no {} of yours can legally go to {to}", role.name())]
    NoSuchMove {
        /// The kind.
        role: Role,
        /// To where.
        to: Square,
    },
    /// An `x`, but nothing to take.
    #[error("there is nothing to take on {0}")]
    NothingToTake(Square),
}

/// Why a move of these squares is not legal here. Only to be asked if it is not.
fn forbidden(position: &Position, from: Square, to: Square, promotion: Option<Promotion>) -> Forbidden {
    let Some(Piece { owner, role }) = position.piece_on(from) else { return Forbidden::NoPiece(from) };
    let mover = position.turn();
    if owner != mover {
        return Forbidden::NotYours(from);
    }
    if position.piece_on(to).is_some_and(|piece| piece.owner == mover) {
        return Forbidden::OwnPiece(to);
    }
    let last_rank = matches!(to.rank(), 0 | 7);
    if promotion.is_some() && !(role == Role::Pawn && last_rank) {
        return Forbidden::NoPromotion;
    }
    if role == Role::King && from.rank() == to.rank() && from.file().abs_diff(to.file()) == 2 {
        let Castling { king, queen } = position.castling()[mover];
        let right = if to.file() > from.file() { king } else { queen };
        return if right { Forbidden::CastlingNow } else { Forbidden::CastlingRight };
    }
    if !position.reaches(from, to) {
        return Forbidden::Unreachable { role, from, to };
    }
    if role == Role::Pawn && last_rank && promotion.is_none() {
        return Forbidden::PromotionMissing;
    }
    Forbidden::LeavesKingInCheck
}

impl Notation for Position {
    type PositionError = FenError;
    type MoveError = MoveError;
    type RecordError = PgnError;

    const RECORD_EXTENSION: &'static str = "pgn";

    fn to_text(&self) -> String {
        self.to_fen()
    }

    fn from_text(text: &str, rules: DrawRules) -> Result<Self, FenError> {
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

    fn write_record(game: &Game<Self>, tags: &Tags) -> String {
        Pgn::from_game(game, tags).to_string()
    }

    fn read_record(text: &str, rules: DrawRules) -> Result<(Game<Self>, Tags), PgnError> {
        let pgn = Pgn::read(text, rules)?;
        Ok((pgn.to_game(), pgn.tags))
    }
}
