//! SAN: Standard Algebraic Notation. `Nf3`, `exd5`, `R1a3`, `e8=Q+`, `O-O`.
//!
//! ```
//! use sandtable_chess::Chess;
//! use sandtable_chess::notation::san::San;
//!
//! let start = Chess::default();
//! let m = "Nf3".parse::<San>()?.to_move(&start)?;
//! assert_eq!(San::with_check(&start, m), "Nf3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The writer is strict. The parser also accepts:
//!
//! - a capture without `x`;
//! - any suffix of `+`, `#`, `!` and `?`, correct or not;
//! - more disambiguation than needed;
//! - a promotion without `=`;
//! - castling written with zeros.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use sandtable_core::Position as _;

use sandtable_core::Describe;

use super::{IllegalReason, MoveError, why_no_castling};
use crate::square::file_letter;
use crate::{CastlingSide, Chess, Move, Promotion, Role, Square};

/// A parsed SAN move without its check suffix, not yet checked against a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum San {
    /// Any move except castling.
    Piece {
        /// The kind of piece that moves.
        role: Role,
        /// The file of the from-square, if written.
        file: Option<usize>,
        /// The rank of the from-square, 1 to 8, if written.
        rank: Option<usize>,
        /// Whether an `x` is written.
        capture: bool,
        /// The target square.
        to: Square,
        /// The piece that a pawn promotes to.
        promotion: Option<Promotion>,
    },
    /// Castling.
    Castle(CastlingSide),
}

/// A text that is not SAN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("chess_san")]
#[error("invalid SAN `{0}`: expected a move such as Nf3, exd5, R1a3, e8=Q or O-O")]
pub struct SanError(#[param(name = "text")] pub String);

impl San {
    /// Returns the SAN of a legal move, with as much of the from-square as needed.
    #[must_use]
    pub fn of(position: &Chess, m: Move) -> Self {
        if let Move::Castle { from, to } = m {
            return Self::Castle(CastlingSide::towards(from, to));
        }
        let (from, to) = (m.from(), m.to());
        let role = position.piece_on(from).expect("a legal move moves a piece").role;
        let capture = matches!(m, Move::EnPassant { .. }) || position.piece_on(to).is_some();
        let (file, rank) = if role == Role::Pawn {
            (capture.then(|| from.file()), None)
        } else {
            // Other pieces of the same kind that can legally move there.
            let rivals = || {
                position
                    .pieces(position.turn(), role)
                    .iter()
                    .filter(move |&other| other != from && position.legal_move(other, to, None).is_some())
            };
            let same_file = rivals().any(|other| other.file() == from.file());
            let same_rank = rivals().any(|other| other.rank() == from.rank());
            match (rivals().next(), same_file, same_rank) {
                (None, ..) => (None, None),
                (Some(_), false, _) => (Some(from.file()), None),
                (Some(_), true, false) => (None, Some(from.rank())),
                (Some(_), true, true) => (Some(from.file()), Some(from.rank())),
            }
        };
        Self::Piece { role, file, rank, capture, to, promotion: m.promotion() }
    }

    /// Returns the full SAN text of a legal move, with `+` for check or `#` for checkmate.
    #[must_use]
    pub fn with_check(position: &Chess, m: Move) -> String {
        let mut text = Self::of(position, m).to_string();
        let after = position.after(m);
        if after.is_check() {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    /// Returns the legal move of the position that this SAN denotes.
    pub fn to_move(self, position: &Chess) -> Result<Move, MoveError> {
        let illegal = |reason| MoveError::Illegal { text: self.to_string(), reason };
        let (role, file, rank, capture, to, promotion) = match self {
            Self::Castle(side) => {
                let king = position.king(position.turn());
                return match position.legal_move(king, side.king_target(king.rank()), None) {
                    Some(castle @ Move::Castle { .. }) => Ok(castle),
                    _ => Err(illegal(why_no_castling(position, side))),
                };
            }
            Self::Piece { role, file, rank, capture, to, promotion } => {
                (role, file, rank, capture, to, promotion)
            }
        };
        // A pawn capture names the pawn's file; without it, the pawn is on the file of the target.
        let file = if role == Role::Pawn { file.or(Some(to.file())) } else { file };
        let matches_origin = |from: &Square| {
            file.is_none_or(|file| from.file() == file) && rank.is_none_or(|rank| from.rank() == rank)
        };
        let candidates = || position.pieces(position.turn(), role).iter().filter(matches_origin);
        let legal = |promotion| {
            let moves = candidates().filter_map(move |from| position.legal_move(from, to, promotion));
            moves.filter(|m| !matches!(m, Move::Castle { .. })).collect::<Vec<_>>()
        };
        match legal(promotion)[..] {
            [] if promotion.is_none() && !legal(Some(Promotion::Queen)).is_empty() => {
                Err(illegal(IllegalReason::PromotionMissing))
            }
            [] if promotion.is_some() && !legal(None).is_empty() => Err(illegal(IllegalReason::NoPromotion)),
            [] if candidates().any(|from| position.is_pseudo_legal(from, to)) => {
                Err(illegal(IllegalReason::LeavesKingInCheck))
            }
            [] => Err(illegal(IllegalReason::NoSuchMove { role, to })),
            [m] if capture && position.piece_on(to).is_none() && !matches!(m, Move::EnPassant { .. }) => {
                Err(illegal(IllegalReason::NothingToCapture(to)))
            }
            [m] => Ok(m),
            ref several => {
                let candidates = several.iter().map(|&m| Self::of(position, m).to_string()).collect();
                Err(MoveError::Ambiguous { text: self.to_string(), candidates })
            }
        }
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Castle(CastlingSide::Kingside) => f.write_str("O-O"),
            Self::Castle(CastlingSide::Queenside) => f.write_str("O-O-O"),
            Self::Piece { role, file, rank, capture, to, promotion } => {
                if role != Role::Pawn {
                    f.write_char(role.letter())?;
                }
                if let Some(file) = file {
                    f.write_char(file_letter(file))?;
                }
                if let Some(rank) = rank {
                    write!(f, "{rank}")?;
                }
                if capture {
                    f.write_char('x')?;
                }
                write!(f, "{to}")?;
                match promotion {
                    Some(promotion) => write!(f, "={}", promotion.role().letter()),
                    None => Ok(()),
                }
            }
        }
    }
}

impl FromStr for San {
    type Err = SanError;

    fn from_str(text: &str) -> Result<Self, SanError> {
        parse(text.trim_end_matches(['+', '#', '!', '?'])).ok_or_else(|| SanError(text.to_owned()))
    }
}

/// Parses from both ends: the role in front, then the promotion and the target at the back. The from-square and the
/// `x` remain in between.
fn parse(text: &str) -> Option<San> {
    match text {
        "O-O" | "0-0" => return Some(San::Castle(CastlingSide::Kingside)),
        "O-O-O" | "0-0-0" => return Some(San::Castle(CastlingSide::Queenside)),
        _ if !text.is_ascii() => return None,
        _ => {}
    }
    let (role, rest) = match Role::from_letter(text.chars().next()?) {
        None => (Role::Pawn, text),
        Some(Role::Pawn) => return None,
        Some(role) => (role, &text[1..]),
    };
    let last = rest.chars().next_back()?;
    let (promotion, rest) = if last.is_ascii_uppercase() {
        if role != Role::Pawn {
            return None;
        }
        let rest = &rest[..rest.len() - 1];
        (Some(Promotion::from_role(Role::from_letter(last)?)?), rest.strip_suffix('=').unwrap_or(rest))
    } else {
        (None, rest)
    };
    let (rest, target) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let to = target.parse().ok()?;
    let (rest, capture) = rest.strip_suffix('x').map_or((rest, false), |rest| (rest, true));
    let (file, rank) = match rest.as_bytes() {
        [] => (None, None),
        &[file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        &[rank @ b'1'..=b'8'] => (None, Some(rank - b'0')),
        &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'0')),
        _ => return None,
    };
    if role == Role::Pawn && capture && file.is_none() {
        return None;
    }
    Some(San::Piece {
        role,
        file: file.map(usize::from),
        rank: rank.map(usize::from),
        capture,
        to,
        promotion,
    })
}
