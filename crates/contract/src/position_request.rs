//! The position a request is about: a kind of game, rules, a position text and moves.

use sandtable::{BoxedGame, GameKind, find};
use serde::{Deserialize, Serialize};

use crate::error::{ApiError, ErrorCode};
use crate::request_error::RequestError;
use crate::view::Listed;

/// The most moves of a game, far more than in any real game.
pub(crate) const MAX_MOVES: usize = 5_000;
/// The longest text of a move or a turn, in bytes.
pub(crate) const MAX_MOVE_LENGTH: usize = 200;
/// The longest text of a position, in bytes; every position, in base64 or readable, is much shorter.
const MAX_POSITION_LENGTH: usize = 4_000;

/// A position, given by a start and the moves played from there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    pub(crate) kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) rules: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) position: Option<String>,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    pub(crate) moves: Vec<String>,
    /// Whether the response lists the legal moves; true if absent.
    #[serde(default = "default_legal_moves", skip_serializing)]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub(crate) legal_moves: bool,
    /// The index of the first legal move in the response; 0 if absent.
    #[serde(default, skip_serializing)]
    #[cfg_attr(test, ts(as = "Option<u32>", optional))]
    pub(crate) legal_offset: u32,
}

const fn default_legal_moves() -> bool {
    true
}

impl PositionRequest {
    /// Which legal moves the response lists.
    pub(crate) const fn listed(&self) -> Listed {
        if self.legal_moves { Listed::From(self.legal_offset as usize) } else { Listed::None }
    }

    /// The game after the moves.
    pub fn game(&self) -> Result<BoxedGame, ApiError> {
        let kind = find_kind(&self.kind)?;
        let rules = rules_or_default(kind, self.rules.as_deref());
        let invalid = |e: RequestError| ApiError::new(ErrorCode::InvalidPosition, &e);
        let mut game = match self.position.as_deref() {
            None => kind.start(rules).map_err(|e| invalid(e.into()))?,
            Some(text) if text.len() > MAX_POSITION_LENGTH => {
                let (length, limit) = (text.len(), MAX_POSITION_LENGTH);
                return Err(invalid(RequestError::PositionTooLong { length, limit }));
            }
            Some(text) => kind.parse(text, rules).map_err(|e| invalid(e.into()))?,
        };
        if self.moves.len() > MAX_MOVES {
            return Err(ApiError::new(ErrorCode::IllegalMove, &too_many_moves(self.moves.len())));
        }
        for (number, text) in (1..).zip(&self.moves) {
            let at_move = |error: RequestError| {
                ApiError::new(
                    ErrorCode::IllegalMove,
                    &RequestError::AtMove { number, error: Box::new(error) },
                )
            };
            check_move_length(text).map_err(at_move)?;
            game.replay(text).map_err(|e| at_move(e.into()))?;
        }
        Ok(game)
    }
}

/// Rejects texts that are too long to be a move, before anything parses or quotes them.
pub(crate) fn check_move_length(text: &str) -> Result<(), RequestError> {
    match text.len() {
        0..=MAX_MOVE_LENGTH => Ok(()),
        length => Err(RequestError::MoveTooLong { length, limit: MAX_MOVE_LENGTH }),
    }
}

/// The error for a game with more than [`MAX_MOVES`] moves.
pub(crate) const fn too_many_moves(count: usize) -> RequestError {
    RequestError::TooManyMoves { count, limit: MAX_MOVES }
}

/// Finds a kind of game by name.
pub(crate) fn find_kind(name: &str) -> Result<&'static GameKind, ApiError> {
    find(name).map_err(|e| ApiError::new(ErrorCode::InvalidPosition, &e))
}

/// The requested rules, or the kind's default.
pub(crate) fn rules_or_default<'a>(kind: &GameKind, requested: Option<&'a str>) -> &'a str {
    requested.unwrap_or_else(|| kind.rules[0])
}
