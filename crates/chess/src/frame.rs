//! The mover's frame: the board as the side to move sees it. The tensor, the policy and the diagram share it.
//!
//! A *cell* is row × 8 + column. Row 0 is the far end of the board: rank 8 for White, rank 1 for Black. Column 0 is the
//! a-file for both players: files are never flipped.

use sandtable_core::Player;

use crate::{BLACK, Square, WHITE};

/// Rows and columns of the frame.
pub(crate) const SIZE: usize = 8;

/// The board from one player's perspective.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    player: Player,
}

impl Frame {
    pub(crate) const fn of(player: Player) -> Self {
        Self { player }
    }

    /// The cell of a square.
    #[inline]
    pub(crate) const fn cell(self, square: Square) -> usize {
        self.oriented(square).index()
    }

    /// The square of a cell.
    ///
    /// # Panics
    ///
    /// If the cell is 64 or more.
    pub(crate) const fn square(self, cell: usize) -> Square {
        assert!(cell < Square::NUM, "cells end at 63");
        self.oriented(Square::new(cell as u8).expect("a cell of the board"))
    }

    #[inline]
    const fn oriented(self, square: Square) -> Square {
        match self.player {
            WHITE => square.flipped(),
            BLACK => square,
        }
    }
}

/// The cell on the board reflected left to right.
#[inline]
pub(crate) const fn reflected_cell(cell: usize) -> usize {
    cell ^ (SIZE - 1)
}

/// The row and the column of a cell.
#[inline]
pub(crate) const fn row_and_column(cell: usize) -> (usize, usize) {
    (cell / SIZE, cell % SIZE)
}

/// The cell at an offset from another, in columns to the right and rows ahead. `None` off the board.
pub(crate) fn offset_cell(cell: usize, right: isize, ahead: isize) -> Option<usize> {
    let (row, column) = row_and_column(cell);
    // Rows are numbered from the far end, so that ahead is towards row 0.
    let row = row.checked_add_signed(-ahead).filter(|&row| row < SIZE)?;
    let column = column.checked_add_signed(right).filter(|&column| column < SIZE)?;
    Some(row * SIZE + column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_squares_are_inverse() {
        for mover in Player::ALL {
            let frame = Frame::of(mover);
            for square in Square::all() {
                let cell = frame.cell(square);
                assert_eq!(frame.square(cell), square);
                assert_eq!(Frame::of(!mover).cell(square.flipped()), cell, "both players share one frame");
                let far_rank = if mover == WHITE { 8 } else { 1 };
                assert_eq!(row_and_column(cell), (square.rank().abs_diff(far_rank), square.file()));
            }
        }
    }

    #[test]
    fn offsets_off_the_board_return_none() {
        let corner = Frame::of(WHITE).cell(Square::A1);
        assert_eq!(offset_cell(corner, 1, 2), Some(Frame::of(WHITE).cell(Square::B3)));
        for (right, ahead) in [(-1, 0), (0, -1), (8, 0), (0, 8)] {
            assert_eq!(offset_cell(corner, right, ahead), None);
        }
    }
}
