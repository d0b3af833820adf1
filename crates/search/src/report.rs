//! Results of a search.

use crate::Score;

/// A principal variation and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// The score from the perspective of the side to move at the start of the line.
    pub score: Score,
    /// The moves of both sides; at least one.
    pub moves: Vec<M>,
}

/// What a search has found, after an iteration or at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The last completed iteration.
    pub depth: u32,
    /// The selective depth: the length of the longest line searched, quiescence included.
    pub seldepth: u32,
    /// The number of nodes searched by all threads.
    pub nodes: u64,
    /// How full the transposition table is with entries of this search, per mille.
    pub hashfull: u32,
    /// The best lines, best first, each with a different first move. Empty if the game is over.
    pub lines: Vec<Line<M>>,
}

impl<M> Report<M> {
    /// Returns the same report with other moves: `convert` gets the moves of each line.
    #[must_use]
    pub fn map_lines<N>(&self, mut convert: impl FnMut(&[M]) -> Vec<N>) -> Report<N> {
        let lines = self.lines.iter();
        let lines = lines.map(|line| Line { score: line.score, moves: convert(&line.moves) }).collect();
        Report {
            depth: self.depth,
            seldepth: self.seldepth,
            nodes: self.nodes,
            hashfull: self.hashfull,
            lines,
        }
    }
}

impl<M: Clone> Report<M> {
    /// Returns the best move, or `None` if the game is over.
    #[must_use]
    pub fn best(&self) -> Option<M> {
        self.lines.first().and_then(|line| line.moves.first()).cloned()
    }

    /// Returns the score of the best line, or `None` if the game is over.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}
