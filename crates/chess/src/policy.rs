//! The policy: 8 × 8 × 73 indices, from the mover's view.
//!
//! `index = cell × 73 + kind`, with the cell of the from-square as in the tensor and 73 kinds of move:
//!
//! | kinds | move |
//! |---|---|
//! | 0–55 | as a queen moves: direction × 7 + distance − 1; directions clockwise from straight ahead |
//! | 56–63 | as a knight leaps, clockwise from two ahead and one to the right |
//! | 64–72 | a pawn becomes a knight, a bishop or a rook: 3 × (to the left, straight, to the right) + piece |
//!
//! *Ahead* is towards the opponent, *right* is towards the h-file for both players, as files are never flipped. A
//! pawn that becomes a queen moves as a queen does; castling is the king's two steps.

use sandtable_core::{PolicyIndex, PolicyIndexed, Position as _};

use crate::tensor::{cell, square_of};
use crate::{Move, Position, Promotion};

const KINDS: usize = 73;
const KNIGHT: usize = 56;
const UNDERPROMOTION: usize = 64;

/// Steps of a queen as (files to the right, ranks ahead), clockwise from straight ahead.
const QUEEN: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// Leaps of a knight, clockwise from two ahead and one to the right.
const LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The kind of a move by how far it goes to the right and ahead, each from −7 to 7 and 7 added. Where no piece can
/// go the table is 0, and never looked up.
const KIND: [[u8; 15]; 15] = {
    let mut table = [[0; 15]; 15];
    let mut direction = 0;
    while direction < 8 {
        let (right, ahead) = QUEEN[direction];
        let mut distance: i8 = 1;
        while distance <= 7 {
            let kind = direction as u8 * 7 + distance.cast_unsigned() - 1;
            *entry(&mut table, right * distance, ahead * distance) = kind;
            distance += 1;
        }
        let (right, ahead) = LEAPS[direction];
        *entry(&mut table, right, ahead) = (KNIGHT + direction) as u8;
        direction += 1;
    }
    table
};

const fn entry(table: &mut [[u8; 15]; 15], right: i8, ahead: i8) -> &mut u8 {
    &mut table[(7 + right).cast_unsigned() as usize][(7 + ahead).cast_unsigned() as usize]
}

impl PolicyIndexed for Position {
    const POLICY_SIZE: usize = 8 * 8 * KINDS;
    const POLICY: &'static str = "chess-alphazero-4672-1";

    #[inline]
    fn policy_index(&self, m: Move) -> PolicyIndex {
        let mover = self.turn();
        let (from, to) = (cell(m.from(), mover), cell(m.to(), mover));
        // Seen from the mover, rows grow towards the mover.
        let (right, ahead) = (7 + to % 8 - from % 8, 7 + from / 8 - to / 8);
        let kind = match m.promotion() {
            None | Some(Promotion::Queen) => KIND[right][ahead].into(),
            Some(piece) => UNDERPROMOTION + 3 * (right - 6) + piece as usize,
        };
        PolicyIndex((from * KINDS + kind) as u32)
    }

    fn move_at(&self, index: PolicyIndex) -> Option<Move> {
        let (from_cell, kind) = (index.index() / KINDS, index.index() % KINDS);
        let ((right, ahead), distance) = match kind {
            0..KNIGHT => (QUEEN[kind / 7], (kind % 7).cast_signed() + 1),
            KNIGHT..UNDERPROMOTION => (LEAPS[kind - KNIGHT], 1),
            _ => (([(-1, 1), (0, 1), (1, 1)])[(kind - UNDERPROMOTION) / 3], 1),
        };
        let column = (from_cell % 8).checked_add_signed(isize::from(right) * distance).filter(|&c| c < 8)?;
        let row = (from_cell / 8).checked_add_signed(-isize::from(ahead) * distance).filter(|&r| r < 8)?;
        let mover = self.turn();
        let (from, to) = (square_of(from_cell, mover)?, square_of(row * 8 + column, mover)?);
        if kind >= UNDERPROMOTION {
            return self.legal_move(from, to, Some(Promotion::ALL[(kind - UNDERPROMOTION) % 3]));
        }
        self.legal_move(from, to, None).or_else(|| self.legal_move(from, to, Some(Promotion::Queen)))
    }
}
