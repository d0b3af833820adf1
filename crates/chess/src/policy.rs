//! The policy: 8 × 8 × 73 indices from the mover's perspective.
//!
//! `index = cell × 73 + kind`, where `cell` is the cell of the from-square in the mover's frame:
//!
//! | kinds | move |
//! |---|---|
//! | 0–55 | queen moves: direction × 7 + distance − 1; directions clockwise from straight ahead |
//! | 56–63 | knight moves, clockwise from two ahead and one to the right |
//! | 64–72 | underpromotions: 3 × (left, straight, right) + (knight, bishop, rook) |
//!
//! *Ahead* is towards the opponent, *right* is towards the h-file for both players, because files are never flipped. A
//! promotion to a queen is a queen move; castling is a king move of two columns.

use sandtable_core::learn::PolicyIndex;
use sandtable_core::{PolicyIndexed, Position};

use crate::frame::{Frame, SIZE, offset_cell, reflected_cell, row_and_column};
use crate::{Chess, Move, Promotion};

const KINDS: usize = 73;
const FIRST_KNIGHT: usize = 56;
const FIRST_UNDERPROMOTION: usize = 64;
/// The lines of underpromotions to the left, straight ahead and to the right.
const UNDERPROMOTION_LINES: [usize; 3] = [7, 0, 1];

/// Directions of a queen as (columns to the right, rows ahead), clockwise from straight ahead.
const QUEEN_DIRECTIONS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// Moves of a knight, clockwise from two ahead and one to the right.
const KNIGHT_MOVES: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The kind of a move by its columns to the right and rows ahead, each from −7 to 7, plus 7. Entries that no piece can
/// reach are 0 and never read.
const KIND: [[u8; 15]; 15] = {
    let mut table = [[0; 15]; 15];
    let mut direction = 0;
    while direction < 8 {
        let (right, ahead) = QUEEN_DIRECTIONS[direction];
        let mut distance: i8 = 1;
        while distance <= 7 {
            let kind = direction as u8 * 7 + distance.cast_unsigned() - 1;
            *entry(&mut table, right * distance, ahead * distance) = kind;
            distance += 1;
        }
        let (right, ahead) = KNIGHT_MOVES[direction];
        *entry(&mut table, right, ahead) = (FIRST_KNIGHT + direction) as u8;
        direction += 1;
    }
    table
};

const fn entry(table: &mut [[u8; 15]; 15], right: i8, ahead: i8) -> &mut u8 {
    &mut table[(7 + right).cast_unsigned() as usize][(7 + ahead).cast_unsigned() as usize]
}

impl PolicyIndexed for Chess {
    const POLICY_SIZE: usize = SIZE * SIZE * KINDS;
    const POLICY: &'static str = "chess-alphazero-4672-1";

    #[inline]
    fn policy_index(&self, m: Move) -> PolicyIndex {
        let frame = Frame::of(self.turn());
        let from = frame.cell(m.from());
        let ((from_row, from_column), (to_row, to_column)) =
            (row_and_column(from), row_and_column(frame.cell(m.to())));
        // Rows are numbered from the far end, so that a move ahead lowers the row.
        let (right, ahead) = (7 + to_column - from_column, 7 + from_row - to_row);
        let kind = match m.promotion() {
            None | Some(Promotion::Queen) => KIND[right][ahead].into(),
            Some(piece) => FIRST_UNDERPROMOTION + 3 * (right - 6) + piece as usize,
        };
        PolicyIndex((from * KINDS + kind) as u32)
    }

    fn move_at(&self, index: PolicyIndex) -> Option<Move> {
        let IndexedMove { from, to, underpromotion, .. } = IndexedMove::at(index)?;
        let frame = Frame::of(self.turn());
        let (from, to) = (frame.square(from), frame.square(to));
        if underpromotion.is_some() {
            return self.legal_move(from, to, underpromotion);
        }
        self.legal_move(from, to, None).or_else(|| self.legal_move(from, to, Some(Promotion::Queen)))
    }
}

/// The number of lines: the directions of a queen and the moves of a knight.
pub(crate) const LINES: usize = QUEEN_DIRECTIONS.len() + KNIGHT_MOVES.len();

/// The move of a policy index in the mover's frame, which need not be legal.
pub(crate) struct IndexedMove {
    /// The cell of the from-square.
    pub(crate) from: usize,
    /// The cell of the target square.
    pub(crate) to: usize,
    /// The line of the move: 0 to 7 are the directions of a queen, 8 to 15 the moves of a knight.
    pub(crate) line: usize,
    /// The piece of an underpromotion.
    pub(crate) underpromotion: Option<Promotion>,
}

impl IndexedMove {
    /// The move of an index; `None` if it starts or ends off the board.
    pub(crate) fn at(index: PolicyIndex) -> Option<Self> {
        let (from, kind) = (index.index() / KINDS, index.index() % KINDS);
        if from >= SIZE * SIZE {
            return None;
        }
        let (line, distance, underpromotion) = match kind {
            0..FIRST_KNIGHT => (kind / 7, kind % 7 + 1, None),
            FIRST_KNIGHT..FIRST_UNDERPROMOTION => (QUEEN_DIRECTIONS.len() + kind - FIRST_KNIGHT, 1, None),
            _ => {
                let (side, piece) = ((kind - FIRST_UNDERPROMOTION) / 3, (kind - FIRST_UNDERPROMOTION) % 3);
                (UNDERPROMOTION_LINES[side], 1, Some(Promotion::ALL[piece]))
            }
        };
        let (right, ahead) = match line.checked_sub(QUEEN_DIRECTIONS.len()) {
            None => QUEEN_DIRECTIONS[line],
            Some(knight) => KNIGHT_MOVES[knight],
        };
        let along = |step: i8| isize::from(step) * distance.cast_signed();
        let to = offset_cell(from, along(right), along(ahead))?;
        Some(Self { from, to, line, underpromotion })
    }
}

/// The line on the board reflected left to right.
pub(crate) const fn reflected_line(line: usize) -> usize {
    let directions = QUEEN_DIRECTIONS.len();
    if line < directions { (directions - line) % directions } else { directions + LINES - 1 - line }
}

/// The index on the board reflected left to right.
pub(crate) const fn reflected_index(index: PolicyIndex) -> PolicyIndex {
    let (cell, kind) = (index.index() / KINDS, index.index() % KINDS);
    let kind = match kind {
        0..FIRST_KNIGHT => reflected_line(kind / 7) * 7 + kind % 7,
        FIRST_KNIGHT..FIRST_UNDERPROMOTION => {
            let directions = QUEEN_DIRECTIONS.len();
            FIRST_KNIGHT + reflected_line(directions + kind - FIRST_KNIGHT) - directions
        }
        _ => {
            let (side, piece) = ((kind - FIRST_UNDERPROMOTION) / 3, (kind - FIRST_UNDERPROMOTION) % 3);
            FIRST_UNDERPROMOTION + (2 - side) * 3 + piece
        }
    };
    PolicyIndex((reflected_cell(cell) * KINDS + kind) as u32)
}
