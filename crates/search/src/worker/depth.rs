//! Late move reductions and singular extensions: how deep a move is searched.

use sandtable_core::search::Evaluate;

use super::Worker;
use super::node::{Known, Node};
use super::window::Window;
use crate::picker::Candidate;
use crate::score::{WON, from_table};
use crate::table::Bound;

impl<P: Evaluate> Worker<'_, P> {
    /// Late move reduction: how many plies less deep a move of `node` is searched first. `next_depth` is the depth without
    /// the reduction, and `number` the number of moves before this one.
    pub(super) fn reduction(
        &self,
        late: Candidate<P::Move>,
        number: usize,
        node: Node,
        next_depth: i32,
        is_pv: bool,
        improving: bool,
    ) -> i32 {
        let parameters = &self.shared.parameters;
        if !self.shared.selectivity.reductions || next_depth < 2 || number < 2 {
            return 0;
        }
        let product = log2_256(next_depth + 1) * log2_256(number as i32 + 1) / 256;
        let mut hundredths =
            parameters.reduction_base + product * 100 / 256 * 100 / parameters.reduction_divisor;
        if late.is_quiet() {
            hundredths -= 100 * late.history() / parameters.reduction_history;
            hundredths -= 100 * i32::from(late.is_refutation) + 100 * i32::from(late.threatens);
        } else {
            hundredths /= 2;
        }
        hundredths -= 100 * i32::from(is_pv);
        hundredths += 100 * i32::from(node.expects_cutoff) + 50 * i32::from(!improving);
        (hundredths / 100).clamp(0, next_depth - 1)
    }

    /// Singular extension: how much deeper the table move is searched, because all other moves are much worse.
    /// The error is the score of a node that is pruned because another move causes a cutoff too (multi-cut).
    pub(super) fn singular_extension(
        &mut self,
        position: &P,
        window: Window,
        known: &Known<P::Move>,
        node: Node,
    ) -> Result<i32, i32> {
        let Node { depth, ply, turns, .. } = node;
        let (selectivity, parameters) = (self.shared.selectivity, self.shared.parameters);
        let (Some(table_move), Some(entry)) = (known.table_move, known.entry) else { return Ok(0) };
        let score = from_table(entry.score, turns);
        let worth_testing = selectivity.extensions
            && depth >= parameters.singular_depth
            && self.plies[ply].excluded.is_none()
            && i32::from(entry.depth) >= depth - 3
            && entry.bound != Bound::Upper
            && score.abs() < WON
            && (ply as i32) < 2 * self.root_depth;
        if !worth_testing {
            return Ok(0);
        }
        let target = score - parameters.singular_margin * depth / 10;
        let static_eval = self.plies[ply].static_eval;
        self.plies[ply].excluded = Some(table_move);
        let others = Node { depth: (depth - 1) / 2, ..node };
        let best = self.search(position, Window { alpha: target - 1, beta: target }, others);
        self.plies[ply].excluded = None;
        self.plies[ply].static_eval = static_eval;
        Ok(match best {
            _ if self.stopped => 0,
            _ if best < target => 1,
            _ if selectivity.pruning && !window.is_pv() && target >= window.beta => return Err(target),
            _ if score >= window.beta => -1,
            _ => 0,
        })
    }
}

/// 256 times the binary logarithm of a positive number, interpolated linearly between powers of two. Integers only, so
/// that node counts are the same on every machine.
const fn log2_256(n: i32) -> i32 {
    let whole = n.ilog2().cast_signed();
    256 * whole + ((n << 8) >> whole) - 256
}
