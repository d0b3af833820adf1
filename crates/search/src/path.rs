//! The positions that led to the one being looked at: the game's, then the search's own. It tells repetitions.

use sandtable_core::{Game, Outcome, Position};

/// Every position since the last move that cannot be taken back, by hash, the current one last.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    visits: Vec<Visit>,
    /// Where the search began.
    root: usize,
}

#[derive(Clone, Copy, Debug)]
struct Visit {
    key: u64,
    /// How many of the visits right before this one could be equal to it.
    reversible: usize,
}

impl Path {
    /// The path to the current position of a game.
    pub(crate) fn new<P: Position>(game: &Game<P>) -> Self {
        let mut path = Self { visits: Vec::new(), root: 0 };
        let mut before: Option<&P> = None;
        for position in game.past().map(|(position, _)| position).chain([game.position()]) {
            match before {
                Some(before) => path.push(before, position),
                None => path.visits.push(Visit { key: position.hash64(), reversible: 0 }),
            }
            before = Some(position);
        }
        path.root = path.visits.len() - 1;
        path
    }

    /// Goes on to `position`, one move after `before`.
    pub(crate) fn push<P: Position>(&mut self, before: &P, position: &P) {
        let last = self.visits.last().map_or(0, |visit| visit.reversible + 1);
        let reversible = if position.cuts_history(before) { 0 } else { last };
        self.visits.push(Visit { key: position.hash64(), reversible });
    }

    /// Goes on to a position that no move leads to: nothing before it counts.
    pub(crate) fn push_apart<P: Position>(&mut self, position: &P) {
        self.visits.push(Visit { key: position.hash64(), reversible: 0 });
    }

    pub(crate) fn pop(&mut self) {
        self.visits.pop();
    }

    /// The hash of the current position.
    pub(crate) fn key(&self) -> u64 {
        self.visits.last().expect("a path has a position").key
    }

    /// How the game stands in `position`, the last of this path.
    ///
    /// A position that came back once within the search, or twice since the game began, can be brought back as often
    /// as the game's rule asks for: it is judged as though it had been.
    pub(crate) fn outcome<P: Position>(&self, position: &P) -> Outcome<P::Reason> {
        let now = self.visits.len() - 1;
        let Visit { key, reversible } = self.visits[now];
        let mut seen = 1;
        for (i, visit) in self.visits[now - reversible..now].iter().enumerate().rev() {
            if visit.key == key {
                seen += 1;
                if seen > 2 || now - reversible + i >= self.root {
                    return position.outcome(u32::MAX);
                }
            }
        }
        position.outcome(seen)
    }
}
