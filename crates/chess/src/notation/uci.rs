//! UCI: from, to, and what a pawn becomes. `e2e4`, `e1g1`, `e7e8q`.

use std::fmt;
use std::str::FromStr;

use super::{MoveError, forbidden};
use crate::{Move, Position, Promotion, Role, Square};

/// A move as UCI writes it, not yet looked at in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uci {
    /// Where the piece leaves.
    pub from: Square,
    /// Where it arrives; in castling, where the king arrives.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Promotion>,
}

/// Why a text is not UCI.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not UCI: it takes two squares and maybe one of q, r, b, n, as in e7e8q")]
pub struct UciError(pub String);

impl Uci {
    /// The legal move of the position that is written like this.
    pub fn to_move(self, position: &Position) -> Result<Move, MoveError> {
        let Self { from, to, promotion } = self;
        position.legal_move(from, to, promotion).ok_or_else(|| MoveError::Illegal {
            text: self.to_string(),
            why: forbidden(position, from, to, promotion),
        })
    }
}

impl From<Move> for Uci {
    fn from(m: Move) -> Self {
        Self { from: m.from(), to: m.to(), promotion: m.promotion() }
    }
}

impl fmt::Display for Uci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(promotion) => write!(f, "{}", promotion.role().letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl FromStr for Uci {
    type Err = UciError;

    fn from_str(text: &str) -> Result<Self, UciError> {
        let parse = || {
            let promotion = match text.get(4..)? {
                "" => None,
                letter @ ("n" | "b" | "r" | "q") => {
                    Promotion::to(Role::from_letter(letter.chars().next()?.to_ascii_uppercase())?)
                }
                _ => return None,
            };
            Some(Self { from: text.get(..2)?.parse().ok()?, to: text.get(2..4)?.parse().ok()?, promotion })
        };
        parse().ok_or_else(|| UciError(text.to_owned()))
    }
}
