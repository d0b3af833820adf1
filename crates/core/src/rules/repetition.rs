//! Which positions of a game or a search repeat earlier ones.

use crate::Position;

/// The hashes of the positions of a game or a search path, the current one last. Never empty.
///
/// Equal hashes are candidates for a repetition. A search takes them for repetitions; a game also compares the positions.
#[derive(Clone, Debug)]
pub struct Repetition {
    visits: Vec<Visit>,
}

#[derive(Clone, Copy, Debug)]
struct Visit {
    key: u64,
    /// The number of preceding visits since the last irreversible move: only those can repeat.
    reversible: usize,
}

impl Visit {
    /// A position that no earlier one can equal.
    fn first<P: Position>(position: &P) -> Self {
        Self { key: position.hash64(), reversible: 0 }
    }
}

impl Repetition {
    /// A history that begins with `first`.
    #[must_use]
    pub fn new<P: Position>(first: &P) -> Self {
        Self { visits: vec![Visit::first(first)] }
    }

    /// Starts over from `first` and reuses the memory.
    pub fn restart<P: Position>(&mut self, first: &P) {
        self.visits.clear();
        self.visits.push(Visit::first(first));
    }

    /// Becomes a copy of `other` and reuses the memory.
    pub fn copy_from(&mut self, other: &Self) {
        self.visits.clone_from(&other.visits);
    }

    /// Appends `position`, one move after `before`, which is the current position.
    pub fn push<P: Position>(&mut self, before: &P, position: &P) {
        let reversible = if position.is_irreversible_from(before) { 0 } else { self.last().reversible + 1 };
        self.visits.push(Visit { key: position.hash64(), reversible });
    }

    /// Appends a position that repeats none, for example after a null move. Repetitions do not reach across it.
    pub fn push_unrepeatable<P: Position>(&mut self, position: &P) {
        self.visits.push(Visit::first(position));
    }

    /// Removes the current position, which is not the first one.
    pub fn pop(&mut self) {
        debug_assert!(self.visits.len() > 1, "the first position stays");
        self.visits.pop();
    }

    /// Removes the positions that no later one can repeat.
    pub fn forget_unrepeatable(&mut self) {
        let last = self.last();
        if last.reversible == 0 {
            self.visits.clear();
            self.visits.push(last);
        }
    }

    /// The index of the current position: the number of positions before it.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.visits.len() - 1
    }

    /// The hash of the current position.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.last().key
    }

    /// The indices of earlier positions that have the hash of the current one and may be equal to it, latest first.
    pub fn earlier(&self) -> impl Iterator<Item = usize> + '_ {
        let now = self.index();
        let Visit { key, reversible } = self.visits[now];
        (now - reversible..now).rev().filter(move |&index| self.visits[index].key == key)
    }

    /// Whether an index is among the [earlier](Self::earlier) ones.
    #[must_use]
    pub fn is_earlier(&self, index: usize) -> bool {
        let now = self.index();
        let Visit { key, reversible } = self.visits[now];
        (now - reversible..now).contains(&index) && self.visits[index].key == key
    }

    fn last(&self) -> Visit {
        *self.visits.last().expect("a history has a position")
    }
}
