//! The mover's frame: the board as the side to move sees it. The tensor, the policy and the diagram share it.
//!
//! A *cell* is row × 8 + column. Row 0 is the far end of the board: rank 8 for White, rank 1 for Black. Column 0 is the
//! a-file for both players: files are never flipped.

use sandtable_core::Player;

use crate::{BLACK, Square, WHITE};

/// Rows and columns of the frame.
pub(crate) const SIZE: usize = 8;

/// The cell of a square.
#[inline]
pub(crate) const fn cell_of(square: Square, mover: Player) -> usize {
    match mover {
        WHITE => square.flipped().index(),
        BLACK => square.index(),
    }
}

/// The square of a cell, the inverse of [`cell_of`]. `None` beyond the last cell.
pub(crate) const fn square_of(cell: usize, mover: Player) -> Option<Square> {
    match Square::from_coords(cell % SIZE, cell / SIZE) {
        Some(square) => Some(match mover {
            WHITE => square.flipped(),
            BLACK => square,
        }),
        None => None,
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
            for square in Square::all() {
                let cell = cell_of(square, mover);
                assert_eq!(square_of(cell, mover), Some(square));
                assert_eq!(cell_of(square.flipped(), !mover), cell, "both players share one frame");
                let far_rank = if mover == WHITE { 7 } else { 0 };
                assert_eq!(row_and_column(cell), (square.rank().abs_diff(far_rank), square.file()));
            }
            assert_eq!((square_of(64, mover), square_of(usize::MAX, mover)), (None, None));
        }
    }

    #[test]
    fn offsets_off_the_board_return_none() {
        let corner = cell_of("a1".parse().unwrap(), WHITE);
        assert_eq!(offset_cell(corner, 1, 2), Some(cell_of("b3".parse().unwrap(), WHITE)));
        for (right, ahead) in [(-1, 0), (0, -1), (8, 0), (0, 8)] {
            assert_eq!(offset_cell(corner, right, ahead), None);
        }
    }
}
