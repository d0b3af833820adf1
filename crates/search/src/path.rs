//! The positions from the start of the game to the current node, for repetition detection.

use sandtable_core::rules::{Reason, Repetition};
use sandtable_core::{Game, Outcome, Position};

/// The hashes of the positions of the game and of the search, the current position last.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    repetition: Repetition,
    /// The index of the root position.
    root: usize,
}

impl Path {
    /// Creates the path to the current position of a game.
    pub(crate) fn new<P: Position>(game: &Game<P>) -> Self {
        Self { repetition: game.repetition().clone(), root: game.repetition().index() }
    }

    /// Becomes the path to the current position of another game.
    pub(crate) fn follow<P: Position>(&mut self, game: &Game<P>) {
        self.repetition.copy_from(game.repetition());
        self.set_root();
    }

    /// Makes the current position the root.
    pub(crate) fn set_root(&mut self) {
        self.root = self.repetition.index();
    }

    /// Appends `position`, one move after `before`.
    pub(crate) fn push<P: Position>(&mut self, before: &P, position: &P) {
        self.repetition.push(before, position);
    }

    /// Appends the position after a null move. Repetitions do not reach across it.
    pub(crate) fn push_null_move<P: Position>(&mut self, position: &P) {
        self.repetition.push_unrepeatable(position);
    }

    pub(crate) fn pop(&mut self) {
        self.repetition.pop();
    }

    /// Returns the hash of the current position.
    pub(crate) fn key(&self) -> u64 {
        self.repetition.key()
    }

    /// Returns how often the current position has occurred, itself included.
    pub(crate) fn occurrences(&self) -> u32 {
        1 + self.repetition.earlier().count() as u32
    }

    /// Returns the outcome of `position`, the last of this path.
    pub(crate) fn outcome<P: Position>(&self, position: &P) -> Outcome<Reason<P::Ending>> {
        position.outcome(self.counted_occurrences())
    }

    /// Returns the outcome of `position`, the last of this path. Mate and stalemate alone are not recognised: the
    /// position is searched for a legal move only if another rule ends the game.
    pub(crate) fn outcome_by_rule<P: Position>(&self, position: &P) -> Outcome<Reason<P::Ending>> {
        let occurrences = self.counted_occurrences();
        match position.outcome_with_moves(occurrences) {
            Outcome::Ongoing => Outcome::Ongoing,
            // A mate ends the game before a draw by repetition or by a counter does.
            _ => position.outcome(occurrences),
        }
    }

    /// Returns how often the current position counts as having occurred.
    ///
    /// A position that repeats once within the search, or twice since the start of the game, counts as repeated often
    /// enough for a draw: the players can repeat it as often as the rule requires.
    fn counted_occurrences(&self) -> u32 {
        let mut occurrences = 1;
        for index in self.repetition.earlier() {
            occurrences += 1;
            if occurrences > 2 || index >= self.root {
                return u32::MAX;
            }
        }
        occurrences
    }
}
