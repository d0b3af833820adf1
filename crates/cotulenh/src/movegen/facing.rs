//! Facing commanders: two commanders face each other along a rank or file with nothing between them.
//!
//! A turn may not end so, and a commander by itself may not enter or cross a square that the enemy commander faces, not
//! even by a capture or a combination.

use sandtable_core::Player;

use crate::lines::{between, slide};
use crate::{Board, Kind, Square, SquareSet};

/// The squares that a player's commander faces along ranks and files: up to and including the first occupied square, on
/// the board without the stack on `vacated`.
pub(crate) fn faced_squares(board: &Board, owner: Player, vacated: Option<Square>) -> SquareSet {
    let Some(commander) = board.commander(owner) else { return SquareSet::EMPTY };
    let mut occupied = board.all_occupied();
    if let Some(vacated) = vacated {
        occupied.remove(vacated);
    }
    slide(commander, Kind::Commander.moves(false), occupied)
}

/// The line between commanders that stand on one rank or file.
pub(crate) struct FacingLine {
    /// The squares between the commanders.
    pub(crate) between: SquareSet,
    /// The stacks between the commanders. Without any, the commanders face each other.
    pub(crate) blockers: SquareSet,
}

impl FacingLine {
    /// `None` if the commanders share no rank or file, or one is missing.
    pub(crate) fn of(board: &Board) -> Option<Self> {
        let (first, second) = (board.commander(Player::First)?, board.commander(Player::Second)?);
        if first.file() != second.file() && first.rank_index() != second.rank_index() {
            return None;
        }
        let between = between(first, second);
        Some(Self { between, blockers: between & board.all_occupied() })
    }
}

/// Whether the commanders face each other.
pub(crate) fn commanders_face(board: &Board) -> bool {
    FacingLine::of(board).is_some_and(|line| line.blockers.is_empty())
}
