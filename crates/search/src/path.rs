//! The positions from the start of the game to the current node, for repetition detection.

use sandtable_core::rules::Reason;
use sandtable_core::{Game, Outcome, Position};

/// The hashes of the positions of the game and of the search, the current position last.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    visits: Vec<Visit>,
    /// The index of the root position.
    root: usize,
}

#[derive(Clone, Copy, Debug)]
struct Visit {
    key: u64,
    /// The number of preceding visits since the last irreversible move: only these positions can repeat.
    reversible: usize,
}

impl Path {
    /// Creates the path to the current position of a game.
    pub(crate) fn new<P: Position>(game: &Game<P>) -> Self {
        let mut path = Self { visits: Vec::new(), root: 0 };
        path.follow(game);
        path
    }

    /// Becomes the path to the current position of another game.
    pub(crate) fn follow<P: Position>(&mut self, game: &Game<P>) {
        self.visits.clear();
        let mut before: Option<&P> = None;
        for position in game.history().map(|(position, _)| position).chain([game.position()]) {
            match before {
                Some(before) => self.push(before, position),
                None => self.visits.push(Visit { key: position.hash64(), reversible: 0 }),
            }
            before = Some(position);
        }
        self.set_root();
    }

    /// Makes the current position the root.
    pub(crate) fn set_root(&mut self) {
        self.root = self.visits.len() - 1;
    }

    /// Appends `position`, one move after `before`.
    pub(crate) fn push<P: Position>(&mut self, before: &P, position: &P) {
        let last = self.visits.last().map_or(0, |visit| visit.reversible + 1);
        let reversible = if position.is_irreversible_from(before) { 0 } else { last };
        self.visits.push(Visit { key: position.hash64(), reversible });
    }

    /// Appends the position after a null move. Repetitions do not reach across it.
    pub(crate) fn push_null_move<P: Position>(&mut self, position: &P) {
        self.visits.push(Visit { key: position.hash64(), reversible: 0 });
    }

    pub(crate) fn pop(&mut self) {
        self.visits.pop();
    }

    /// Returns the hash of the current position.
    pub(crate) fn key(&self) -> u64 {
        self.visits.last().expect("a path has a position").key
    }

    /// Returns how often the current position has occurred, itself included.
    pub(crate) fn occurrences(&self) -> u32 {
        1 + self.earlier().count() as u32
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
        for index in self.earlier() {
            occurrences += 1;
            if occurrences > 2 || index >= self.root {
                return u32::MAX;
            }
        }
        occurrences
    }

    /// Returns the indices of earlier occurrences of the current position, latest first.
    fn earlier(&self) -> impl Iterator<Item = usize> + '_ {
        let now = self.visits.len() - 1;
        let Visit { key, reversible } = self.visits[now];
        (now - reversible..now).rev().filter(move |&index| self.visits[index].key == key)
    }
}
