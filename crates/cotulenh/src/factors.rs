//! The factored policy: a step is a direction and a group at its origin, the pair of both at its target, and possibly a
//! stay.
//!
//! The arrival of a step is its target, direction and group. Stays aside, two legal steps share an arrival only if one
//! of them passes over another stack, so the arrivals alone can express nearly every policy. The other factors add what
//! the head learns about the origin of a step.

use sandtable_core::learn::{Factor, FactoredPolicy, PlaneGroup, PolicyIndex, Shape};

use crate::policy::{DIRECTIONS, GROUPS, IndexedStep};
use crate::{CoTuLenh, Square};

/// The groups of planes of the head, in order.
const HEAD_PLANES: [PlaneGroup; 5] = [
    PlaneGroup::new("departure", DIRECTIONS, "from", "direction"),
    PlaneGroup::new("group", GROUPS, "from", "group − 1"),
    PlaneGroup::new("arrival", DIRECTIONS * GROUPS, "to", "direction × 7 + group − 1"),
    PlaneGroup::new("stay", DIRECTIONS, "to", "direction"),
    PlaneGroup::new("end", 1, "row 6, column 5", "nothing"),
];

const DEPARTURE: usize = PlaneGroup::first_plane(&HEAD_PLANES, 0);
const GROUP: usize = PlaneGroup::first_plane(&HEAD_PLANES, 1);
const ARRIVAL: usize = PlaneGroup::first_plane(&HEAD_PLANES, 2);
const STAY: usize = PlaneGroup::first_plane(&HEAD_PLANES, 3);
const END: usize = PlaneGroup::first_plane(&HEAD_PLANES, 4);

/// The cell of the end of a deployment, which has no square of its own: a cell in the middle of the board.
const END_CELL: usize = 6 * Square::FILES as usize + 5;

impl FactoredPolicy for CoTuLenh {
    const HEAD: Shape = Shape {
        rows: Square::RANKS as usize,
        cols: Square::FILES as usize,
        planes: PlaneGroup::first_plane(&HEAD_PLANES, HEAD_PLANES.len()),
    };
    const HEAD_PLANES: &'static [PlaneGroup] = &HEAD_PLANES;
    const HEAD_ID: &'static str = "cotulenh-head-1";
    const MAX_FACTORS: usize = 4;

    fn for_each_factor(index: PolicyIndex, mut f: impl FnMut(Factor)) {
        match IndexedStep::at(index) {
            None => {}
            Some(IndexedStep::End) => f(Factor { cell: END_CELL, plane: END }),
            Some(IndexedStep::Step { from, to, direction, group, stays }) => {
                let direction = direction.index();
                // A commander by itself is nearly always a stack of its own.
                let group = group.unwrap_or(1) - 1;
                f(Factor { cell: from, plane: DEPARTURE + direction });
                f(Factor { cell: from, plane: GROUP + group });
                f(Factor { cell: to, plane: ARRIVAL + direction * GROUPS + group });
                if stays {
                    f(Factor { cell: to, plane: STAY + direction });
                }
            }
        }
    }
}
