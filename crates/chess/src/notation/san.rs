//! SAN: moves as people write them. `Nf3`, `exd5`, `R1a3`, `e8=Q+`, `O-O`.
//!
//! The writer is strict. The reader also takes, and says so here: a missing `x`; any check, mate or comment sign
//! (`+`, `#`, `!`, `?`) whether or not it is true; more of the from-square than is needed; a promotion without `=`;
//! castling with zeros.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use sandtable_core::Position as _;

use super::{Forbidden, MoveError};
use crate::square::file_letter;
use crate::{Move, Position, Promotion, Role, Square, Wing};

/// A move as SAN writes it, without its check sign, not yet looked at in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum San {
    /// A piece goes to a square.
    Piece {
        /// What moves.
        role: Role,
        /// The file it leaves, if written.
        file: Option<usize>,
        /// The rank it leaves, if written.
        rank: Option<usize>,
        /// Is an `x` written?
        takes: bool,
        /// Where it arrives.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Promotion>,
    },
    /// The king castles.
    Castle(Wing),
}

/// Why a text is not SAN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not SAN: it is written like Nf3, exd5, R1a3, e8=Q or O-O")]
pub struct SanError(pub String);

impl San {
    /// How a legal move of the position is written: with as much of the from-square as is needed.
    #[must_use]
    pub fn of(position: &Position, m: Move) -> Self {
        if let Move::Castle { from, to } = m {
            return Self::Castle(if to.file() > from.file() { Wing::King } else { Wing::Queen });
        }
        let (from, to) = (m.from(), m.to());
        let role = position.piece_on(from).expect("a legal move moves a piece").role;
        let takes = matches!(m, Move::EnPassant { .. }) || position.piece_on(to).is_some();
        let (file, rank) = if role == Role::Pawn {
            (takes.then(|| from.file()), None)
        } else {
            let rivals = || {
                position
                    .squares(position.turn(), role)
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
        Self::Piece { role, file, rank, takes, to, promotion: m.promotion() }
    }

    /// The whole text of a legal move, with `+` or `#`.
    #[must_use]
    pub fn with_check(position: &Position, m: Move) -> String {
        let mut text = Self::of(position, m).to_string();
        let mut after = position.clone();
        after.play_unchecked(m);
        if after.is_check() {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    /// The legal move of the position that is written like this.
    pub fn to_move(self, position: &Position) -> Result<Move, MoveError> {
        let illegal = |why| MoveError::Illegal { text: self.to_string(), why };
        let (role, file, rank, takes, to, promotion) = match self {
            Self::Castle(wing) => {
                let king =
                    position.squares(position.turn(), Role::King).next().expect("each side has a king");
                let to = Square::at(wing.king_file(), king.rank()).expect("a file of the board");
                return match position.legal_move(king, to, None) {
                    Some(castle @ Move::Castle { .. }) => Ok(castle),
                    _ if position.castling()[position.turn()].on(wing) => {
                        Err(illegal(Forbidden::CastlingNow))
                    }
                    _ => Err(illegal(Forbidden::CastlingRight)),
                };
            }
            Self::Piece { role, file, rank, takes, to, promotion } => {
                (role, file, rank, takes, to, promotion)
            }
        };
        // A pawn's capture is written with its file; without one it is a pawn of the target's own file.
        let file = if role == Role::Pawn { file.or(Some(to.file())) } else { file };
        let fits = |from: &Square| {
            file.is_none_or(|file| from.file() == file) && rank.is_none_or(|rank| from.rank() == rank)
        };
        let from_here = || position.squares(position.turn(), role).filter(fits);
        let legal = |promotion| {
            let moves = from_here().filter_map(move |from| position.legal_move(from, to, promotion));
            moves.filter(|m| !matches!(m, Move::Castle { .. })).collect::<Vec<_>>()
        };
        match legal(promotion)[..] {
            [] if promotion.is_none() && !legal(Some(Promotion::Queen)).is_empty() => {
                Err(illegal(Forbidden::PromotionMissing))
            }
            [] if promotion.is_some() && !legal(None).is_empty() => Err(illegal(Forbidden::NoPromotion)),
            [] if from_here().any(|from| position.reaches(from, to)) => {
                Err(illegal(Forbidden::LeavesKingInCheck))
            }
            [] => Err(illegal(Forbidden::NoSuchMove { role, to })),
            [m] if takes && position.piece_on(to).is_none() && !matches!(m, Move::EnPassant { .. }) => {
                Err(illegal(Forbidden::NothingToTake(to)))
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
            Self::Castle(Wing::King) => f.write_str("O-O"),
            Self::Castle(Wing::Queen) => f.write_str("O-O-O"),
            Self::Piece { role, file, rank, takes, to, promotion } => {
                if role != Role::Pawn {
                    f.write_char(role.letter())?;
                }
                if let Some(file) = file {
                    f.write_char(file_letter(file))?;
                }
                if let Some(rank) = rank {
                    write!(f, "{}", rank + 1)?;
                }
                if takes {
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

/// Reads from both ends: the role in front, the promotion and the target behind, and what is left between them is
/// the from-square and the `x`.
fn parse(text: &str) -> Option<San> {
    match text {
        "O-O" | "0-0" => return Some(San::Castle(Wing::King)),
        "O-O-O" | "0-0-0" => return Some(San::Castle(Wing::Queen)),
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
        (Some(Promotion::to(Role::from_letter(last)?)?), rest.strip_suffix('=').unwrap_or(rest))
    } else {
        (None, rest)
    };
    let (rest, target) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let to = target.parse().ok()?;
    let (rest, takes) = rest.strip_suffix('x').map_or((rest, false), |rest| (rest, true));
    let (file, rank) = match rest.as_bytes() {
        [] => (None, None),
        &[file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        &[rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return None,
    };
    if role == Role::Pawn && takes && file.is_none() {
        return None;
    }
    Some(San::Piece { role, file: file.map(usize::from), rank: rank.map(usize::from), takes, to, promotion })
}
