//! The puzzle themes of a game.

use crate::view::MoveDetails;

/// A theme of puzzles: its name, and whether a turn has it.
#[derive(Clone, Copy, Debug)]
pub struct Theme<P> {
    /// The name, which puzzles list.
    pub name: &'static str,
    /// Whether a turn has the theme.
    pub applies: fn(&PlayedTurn<'_, P>) -> bool,
}

/// A complete turn with the positions before and after it.
#[derive(Clone, Copy, Debug)]
pub struct PlayedTurn<'a, P> {
    /// The position before the turn.
    pub before: &'a P,
    /// The moves of the turn.
    pub moves: &'a [MoveDetails],
    /// The position after the turn.
    pub after: &'a P,
}

impl<P> PlayedTurn<'_, P> {
    /// Whether a move of the turn is of this kind.
    #[must_use]
    pub fn has_kind(&self, kind: &str) -> bool {
        self.moves.iter().any(|m| m.kind == kind)
    }
}
