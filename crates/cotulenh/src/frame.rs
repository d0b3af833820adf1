//! The mover's frame: the board as the side to move sees it, with its own side at the bottom.
//!
//! Observation, policy and diagram all number cells in this frame, so a position and its mirror with colours swapped
//! have the same encoding.

use sandtable_core::Player;

use crate::{Direction, Square};

/// The board from one player's perspective.
///
/// Cells are numbered row by row from the upper left: 0 to 131. Rows run from the opponent's back rank (0) to the
/// player's own (11), columns from file a to file k.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    player: Player,
}

impl Frame {
    pub(crate) const fn of(player: Player) -> Self {
        Self { player }
    }

    /// The cell of a square.
    pub(crate) const fn cell(self, square: Square) -> usize {
        self.oriented(square).dense()
    }

    /// The square of a cell.
    ///
    /// # Panics
    ///
    /// If the cell is 132 or more.
    pub(crate) const fn square(self, cell: usize) -> Square {
        self.oriented(Square::from_dense(cell))
    }

    /// A direction of the board in the frame; the inverse of itself.
    pub(crate) const fn direction(self, direction: Direction) -> Direction {
        match self.player {
            Player::First => direction,
            Player::Second => direction.mirrored(),
        }
    }

    /// The number of ranks between a square and the player's back rank.
    pub(crate) const fn advance(self, square: Square) -> u8 {
        match self.player {
            Player::First => Square::RANKS - 1 - square.rank_index(),
            Player::Second => square.rank_index(),
        }
    }

    const fn oriented(self, square: Square) -> Square {
        match self.player {
            Player::First => square,
            Player::Second => square.mirrored(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_start_at_the_far_left() {
        for (player, first, last, own_rank) in
            [(Player::First, Square::A12, Square::K1, 1), (Player::Second, Square::A1, Square::K12, 12)]
        {
            let frame = Frame::of(player);
            assert_eq!((frame.square(0), frame.square(131)), (first, last));
            for square in Square::all() {
                assert_eq!(frame.square(frame.cell(square)), square);
                assert_eq!(frame.advance(square), square.rank().abs_diff(own_rank));
            }
        }
    }

    #[test]
    fn north_leads_away_from_the_player() {
        for player in Player::ALL {
            let frame = Frame::of(player);
            let north = frame.direction(Direction::North);
            let ahead = Square::E6.step(north).unwrap();
            assert_eq!(frame.cell(ahead) + usize::from(Square::FILES), frame.cell(Square::E6));
            assert!(Direction::ALL.iter().all(|&d| frame.direction(frame.direction(d)) == d));
        }
    }
}
