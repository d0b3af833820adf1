//! Correction history: how far the search results of similar positions were from their static evaluations.

use sandtable_core::search::{Evaluate, NodeView as _};

use crate::history::Previous;

/// The mean errors of the static evaluation in positions of the same structure, and after the same two moves.
pub(crate) struct Corrections {
    by_structure: [Box<[i16]>; 2],
    by_moves: [Box<[i16]>; 2],
}

/// The number of entries of a table. Positions whose indices collide share an entry.
const SIZE: usize = 1 << 14;
/// One centipawn, in the units of an entry.
const UNIT: i32 = 64;
/// The largest error that an entry remembers, in centipawns.
const LIMIT: i32 = 400;
/// A search of depth 0 has a weight of 1 / `INERTIA` in the new entry; a deeper search has more.
const INERTIA: i32 = 256;

impl Corrections {
    pub(crate) fn new() -> Self {
        let table = || vec![0; SIZE].into_boxed_slice();
        Self { by_structure: [table(), table()], by_moves: [table(), table()] }
    }

    /// The correction to add to the static evaluation, in centipawns: the average of the two means, times `weight` per
    /// cent.
    pub(crate) fn get<P: Evaluate>(&self, view: &P::View<'_>, previous: Previous, weight: i32) -> i32 {
        let player = view.position().turn().index();
        let sum = i32::from(self.by_structure[player][structure_index::<P>(view)])
            + i32::from(self.by_moves[player][moves_index::<P>(previous)]);
        sum * weight / (2 * UNIT * 100)
    }

    /// Records that a search of `depth` found a score that differs from the static evaluation by `error`.
    pub(crate) fn record<P: Evaluate>(
        &mut self,
        view: &P::View<'_>,
        previous: Previous,
        depth: i32,
        error: i32,
    ) {
        let player = view.position().turn().index();
        approach(&mut self.by_structure[player][structure_index::<P>(view)], depth, error);
        approach(&mut self.by_moves[player][moves_index::<P>(previous)], depth, error);
    }
}

fn structure_index<P: Evaluate>(view: &P::View<'_>) -> usize {
    view.structure_key() as usize % SIZE
}

fn moves_index<P: Evaluate>(previous: Previous) -> usize {
    let slot = |slot: Option<usize>| slot.unwrap_or(P::HISTORY_SLOTS);
    // Neighbouring slots are spread over the table.
    (slot(previous[0]) * 769 + slot(previous[1])) % SIZE
}

/// Moves an entry towards an error.
fn approach(entry: &mut i16, depth: i32, error: i32) {
    let weight = (depth + 1).min(16);
    let target = error.clamp(-LIMIT, LIMIT) * UNIT;
    *entry = ((i32::from(*entry) * (INERTIA - weight) + target * weight) / INERTIA) as i16;
}

#[cfg(test)]
mod tests {
    use sandtable_chess::{Chess, DrawRules};
    use sandtable_core::Position;

    use super::*;

    #[test]
    fn corrections_approach_the_error_of_similar_positions_up_to_the_limit() {
        let position = Chess::start(DrawRules::default());
        let view = position.view();
        let (here, elsewhere) = ([Some(3), Some(5)], [Some(4), None]);
        let mut corrections = Corrections::new();
        let mut last = 0;
        for _ in 0..200 {
            corrections.record::<Chess>(&view, here, 8, -120);
            let correction = corrections.get::<Chess>(&view, here, 100);
            assert!((-120..=last).contains(&correction), "{correction} after {last}");
            last = correction;
        }
        assert!(last < -110, "{last}");
        // The structure alone is the same: half of the average.
        assert_eq!(corrections.get::<Chess>(&view, elsewhere, 100), last / 2);
        assert_eq!(corrections.get::<Chess>(&view, here, 0), 0);
        for _ in 0..1000 {
            corrections.record::<Chess>(&view, here, 30, 30_000);
        }
        assert!((LIMIT - 2..=LIMIT).contains(&corrections.get::<Chess>(&view, here, 100)));
    }
}
