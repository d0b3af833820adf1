//! UCI: moves as coordinates. `e2e4`, `e1g1`, `e7e8q`.
//!
//! ```
//! use sandtable_chess::Chess;
//! use sandtable_chess::notation::uci::Uci;
//!
//! let uci: Uci = "e2e4".parse()?;
//! let m = uci.to_move(&Chess::default())?;
//! assert_eq!(Uci::from(m), uci);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

use sandtable_core::Describe;

use super::{MoveError, illegal_reason};
use crate::{Chess, Move, Promotion, Role, Square};

/// A parsed UCI move, not yet checked against a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uci {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square it moves to; in castling, that of the king.
    pub to: Square,
    /// The piece that a pawn promotes to.
    pub promotion: Option<Promotion>,
}

/// A text that is not UCI.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("chess_uci")]
#[error("invalid UCI move `{0}`: expected two squares and optionally q, r, b or n, as in e7e8q")]
pub struct UciError(#[param(name = "text")] pub String);

impl Uci {
    /// Returns the legal move of the position with these coordinates.
    pub fn to_move(self, position: &Chess) -> Result<Move, MoveError> {
        let Self { from, to, promotion } = self;
        position.legal_move(from, to, promotion).ok_or_else(|| MoveError::Illegal {
            text: self.to_string(),
            reason: illegal_reason(position, from, to, promotion),
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
                    Promotion::from_role(Role::from_letter(letter.chars().next()?.to_ascii_uppercase())?)
                }
                _ => return None,
            };
            Some(Self { from: text.get(..2)?.parse().ok()?, to: text.get(2..4)?.parse().ok()?, promotion })
        };
        parse().ok_or_else(|| UciError(text.to_owned()))
    }
}
