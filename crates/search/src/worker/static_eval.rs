//! The static evaluation of a node, and what the search learns about its errors.

use sandtable_core::search::Evaluate;

use super::node::Node;
use super::window::{Window, bound_of};
use super::{Ply, Worker};
use crate::score::{WON, from_table};
use crate::table::{Bound, Entry, UNKNOWN};

impl<P: Evaluate> Worker<'_, P> {
    /// The static evaluation of a node: from its table entry, or computed; corrected by what searches of similar positions
    /// found.
    pub(super) fn static_eval(&mut self, view: &P::View<'_>, entry: Option<Entry>, ply: usize) -> i32 {
        let stored = entry.map(|entry| entry.static_eval).filter(|&stored| stored != UNKNOWN);
        let raw = stored.map_or_else(|| self.evaluation.score(ply, view), i32::from);
        let score = if self.shared.selectivity.pruning {
            let weight = self.shared.parameters.correction_weight;
            let correction = self.history.corrections.get::<P>(view, self.previous(ply), weight);
            (raw + correction).clamp(1 - WON, WON - 1)
        } else {
            raw
        };
        let here = &mut self.plies[ply];
        (here.raw_eval, here.static_eval) = (Some(raw), Some(score));
        score
    }

    /// Learns from the score of a node how wrong its static evaluation was, unless the bound of the score leaves it
    /// open.
    pub(super) fn record_error(&mut self, view: &P::View<'_>, score: i32, window: Window, node: Node) {
        let Ply { raw_eval: Some(raw), static_eval: Some(corrected), .. } = self.plies[node.ply] else {
            return;
        };
        let tells = match bound_of(score, window) {
            Bound::Lower => score > corrected,
            Bound::Upper => score < corrected,
            Bound::Exact => true,
        };
        if tells && score.abs() < WON {
            let previous = self.previous(node.ply);
            self.history.corrections.record::<P>(view, previous, node.depth, score - raw);
        }
    }

    /// Whether the side to move has a better static evaluation than before its last move.
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let here = &self.plies[ply];
        let earlier =
            ply.checked_sub(2).map(|ply| &self.plies[ply]).filter(|earlier| earlier.turn == here.turn);
        match (here.static_eval, earlier.and_then(|earlier| earlier.static_eval)) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}

/// The static evaluation, or the score of a table entry that bounds the true score more tightly.
pub(super) fn better_estimate(static_eval: i32, entry: Option<Entry>, turns: usize) -> i32 {
    let Some(entry) = entry else { return static_eval };
    let score = from_table(entry.score, turns);
    let is_better = entry.bound.allows_cutoff(score, static_eval, static_eval) && score.abs() < WON;
    if is_better { score } else { static_eval }
}
