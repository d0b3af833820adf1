//! Steps as text that needs no position.
//!
//! This is LAN without the parts that depend on a position: the pieces of a whole stack and the heroism of a group.
//! `c5d5`, `d3xd5`, `Tc3>c4`, `(FT)c3>&f3`; the end of a deployment names its origin, `c3>end`.

use std::fmt;
use std::str::FromStr;

use super::lan::{END, MoveError, Pieces};
use crate::{Square, Step, StepKind};

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Whole { from, to, kind } => write!(f, "{from}{}{to}", kind.separator()),
            Self::Deploy { from, to, group, kind } => {
                write!(f, "{}{from}>{}{to}", Pieces::plain(group), kind.separator())
            }
            Self::End { from } => write!(f, "{from}>{END}"),
        }
    }
}

impl FromStr for Step {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        if text.is_empty() {
            return Err(MoveError::Empty);
        }
        if let Some(from) = text.strip_suffix(END).and_then(|text| text.strip_suffix('>')) {
            return Ok(Self::End { from: from.parse().map_err(MoveError::Origin)? });
        }
        let squares = |text: &str| -> Result<(Square, Square, StepKind), MoveError> {
            let to_start = text.rfind(|c: char| !c.is_ascii_digit()).unwrap_or(0);
            let (from, to) = text.split_at(to_start);
            let to = to.parse().map_err(MoveError::Target)?;
            let separator = from.chars().next_back().and_then(StepKind::from_separator);
            let from = &from[..from.len() - usize::from(separator.is_some())];
            Ok((from.parse().map_err(MoveError::Origin)?, to, separator.unwrap_or(StepKind::Move)))
        };
        let Some((group_and_from, target)) = text.split_once('>') else {
            let (from, to, kind) = squares(text)?;
            return Ok(Self::Whole { from, to, kind });
        };
        let from_start = group_and_from
            .find(|c: char| c.is_ascii_lowercase())
            .ok_or_else(|| MoveError::Middle(group_and_from.into()))?;
        let (group, from) = group_and_from.split_at(from_start);
        let group = Pieces::parse_plain(group).ok_or_else(|| MoveError::Pieces(text.into()))?;
        let (from, to, kind) = squares(&format!("{from}{target}"))?;
        Ok(Self::Deploy { from, to, group, kind })
    }
}
