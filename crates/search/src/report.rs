//! What a search has found so far.

use crate::Score;

/// A line of play, best moves of both sides, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// The score for the player to move at the beginning of the line.
    pub score: Score,
    /// The moves; at least one.
    pub moves: Vec<M>,
}

/// What a search has found, after an iteration or at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The deepest iteration that was completed.
    pub depth: u32,
    /// The length of the longest line looked at.
    pub longest: u32,
    /// Positions looked at, by all threads.
    pub nodes: u64,
    /// How many of a thousand places in the table are taken by this search.
    pub per_mille_full: u32,
    /// The best lines, best first, each with another first move. None if the game is over.
    pub lines: Vec<Line<M>>,
}

impl<M: Copy> Report<M> {
    /// The best move; none if the game is over.
    #[must_use]
    pub fn best(&self) -> Option<M> {
        self.lines.first().and_then(|line| line.moves.first()).copied()
    }

    /// The score of the best line; none if the game is over.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}
