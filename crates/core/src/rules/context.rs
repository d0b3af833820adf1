//! The facts that a game adds to a bare position.

use crate::rules::DrawOffer;

/// The facts about the current position that depend on the game's history, not on the board.
///
/// [`Game::context`](crate::Game::context) returns it; encoders such as
/// [`Observe::write_observation`](crate::Observe::write_observation) take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Context {
    /// The number of times that the position has occurred in the game, including now: at least 1.
    pub occurrences: u32,
    /// The state of the draw offer.
    pub draw_offer: DrawOffer,
}

impl Context {
    /// The context of a first occurrence without a draw offer.
    pub const FIRST: Self = Self { occurrences: 1, draw_offer: DrawOffer::None };

    /// The context of a position that has occurred `occurrences` times, without a draw offer.
    #[must_use]
    pub const fn repeated(occurrences: u32) -> Self {
        Self { occurrences, ..Self::FIRST }
    }
}

impl Default for Context {
    fn default() -> Self {
        Self::FIRST
    }
}
