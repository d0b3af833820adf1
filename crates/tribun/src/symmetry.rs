//! The reflection of the board left to right: the coordinates of every tile are exchanged.
//!
//! It is the only symmetry that keeps the direction in which units of height 1 move.

use sandtable_core::learn::{PolicyIndex, Symmetric};

use crate::tile::Tile;
use crate::{Tribun, factors, policy};

impl Symmetric for Tribun {
    const SYMMETRIES: usize = 2;

    fn reflection(&self) -> Option<Self> {
        Some(self.reflected_board())
    }

    /// Cells without a tile are also reflected: the grid is square.
    fn reflected_cell(cell: usize) -> usize {
        Tile::reflected_cid(cell)
    }

    fn reflected_index(index: PolicyIndex) -> PolicyIndex {
        let (cell, plane) = (index.index() / policy::PLANES, index.index() % policy::PLANES);
        PolicyIndex((Tile::reflected_cid(cell) * policy::PLANES + policy::reflected_plane(plane)) as u32)
    }

    fn reflected_plane(plane: usize) -> usize {
        factors::reflected_plane(plane)
    }
}
