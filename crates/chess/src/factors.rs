//! The factored policy: a move is a departure, an arrival and possibly an underpromotion.
//!
//! The arrival of a move is its target and its line. Only the nearest piece on a line reaches the target along it, so
//! no two legal moves have the same arrival, underpromotions aside, and the arrivals alone can express every policy.
//! The departures add what the head learns about the origin of a move.

use sandtable_core::learn::{Factor, FactoredPolicy, PlaneGroup, PolicyIndex, Shape};

use crate::Chess;
use crate::frame::SIZE;
use crate::policy::{IndexedMove, LINES};

/// The groups of planes of the head, in order.
const GROUPS: [PlaneGroup; 3] = [
    PlaneGroup::new("departure", LINES, "from", "line"),
    PlaneGroup::new("arrival", LINES, "to", "line"),
    PlaneGroup::new("underpromotion", 3, "to", "knight, bishop or rook"),
];

/// The first planes of the groups.
pub(crate) const DEPARTURE: usize = PlaneGroup::first_plane(&GROUPS, 0);
pub(crate) const ARRIVAL: usize = PlaneGroup::first_plane(&GROUPS, 1);
pub(crate) const UNDERPROMOTION: usize = PlaneGroup::first_plane(&GROUPS, 2);

impl FactoredPolicy for Chess {
    const HEAD: Shape =
        Shape { rows: SIZE, cols: SIZE, planes: PlaneGroup::first_plane(&GROUPS, GROUPS.len()) };
    const HEAD_PLANES: &'static [PlaneGroup] = &GROUPS;
    const HEAD_ID: &'static str = "chess-head-1";
    const MAX_FACTORS: usize = 3;

    fn for_each_factor(index: PolicyIndex, mut f: impl FnMut(Factor)) {
        let Some(IndexedMove { from, to, line, underpromotion }) = IndexedMove::at(index) else { return };
        f(Factor { cell: from, plane: DEPARTURE + line });
        f(Factor { cell: to, plane: ARRIVAL + line });
        if let Some(piece) = underpromotion {
            f(Factor { cell: to, plane: UNDERPROMOTION + piece as usize });
        }
    }
}
