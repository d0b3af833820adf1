//! Castling: the two sides, the rights, and how a king's move is recognised as castling.

use std::fmt;

use sandtable_core::Player;

use crate::{BLACK, Square, WHITE};

/// The home file of the king: the e-file.
const KING_HOME_FILE: usize = 4;

/// A side of the board to castle on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// The h-file's side: O-O.
    Kingside,
    /// The a-file's side: O-O-O.
    Queenside,
}

impl CastlingSide {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::Kingside, Self::Queenside];

    /// The file of the rook before castling.
    #[must_use]
    pub const fn rook_file(self) -> usize {
        match self {
            Self::Kingside => 7,
            Self::Queenside => 0,
        }
    }

    /// The file of the king after castling.
    #[must_use]
    pub const fn king_file(self) -> usize {
        match self {
            Self::Kingside => 6,
            Self::Queenside => 2,
        }
    }

    /// The side on which a king castles by moving from one square to another: two files along its rank. `None` for
    /// every other move of a king.
    pub(crate) const fn of_king_move(from: Square, to: Square) -> Option<Self> {
        let two_files = from.rank() == to.rank() && from.file().abs_diff(to.file()) == 2;
        if two_files { Some(Self::towards(from, to)) } else { None }
    }

    /// The side of the board on which `to` lies, seen from `from`.
    pub(crate) const fn towards(from: Square, to: Square) -> Self {
        if to.file() > from.file() { Self::Kingside } else { Self::Queenside }
    }

    /// The square on which a king on this rank lands.
    pub(crate) const fn king_target(self, rank: usize) -> Square {
        Square::from_coords(self.king_file(), rank).expect("a rank of the board")
    }

    /// The home square of the player's rook on this side.
    pub(crate) const fn rook_home(self, player: Player) -> Square {
        Square::from_coords(self.rook_file(), back_rank(player)).expect("a file of the board")
    }
}

/// The home square of the player's king.
pub(crate) const fn king_home(player: Player) -> Square {
    Square::from_coords(KING_HOME_FILE, back_rank(player)).expect("a file of the board")
}

const fn back_rank(player: Player) -> usize {
    match player {
        WHITE => 1,
        BLACK => 8,
    }
}

impl fmt::Display for CastlingSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kingside => "kingside",
            Self::Queenside => "queenside",
        })
    }
}

/// The castling rights of one player: true as long as neither the king nor that rook has moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights {
    /// The right to castle kingside.
    pub kingside: bool,
    /// The right to castle queenside.
    pub queenside: bool,
}

impl CastlingRights {
    /// No rights.
    pub const NONE: Self = Self { kingside: false, queenside: false };
    /// Both rights.
    pub const BOTH: Self = Self { kingside: true, queenside: true };

    /// Returns whether the player has the right on one side.
    #[must_use]
    pub const fn has(self, side: CastlingSide) -> bool {
        match side {
            CastlingSide::Kingside => self.kingside,
            CastlingSide::Queenside => self.queenside,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_king_castles_by_two_files_along_its_rank() {
        for player in Player::ALL {
            let home = king_home(player);
            let castling: Vec<_> = Square::all()
                .filter_map(|to| CastlingSide::of_king_move(home, to).map(|side| (to, side)))
                .collect();
            let target = |side: CastlingSide| (side.king_target(home.rank()), side);
            assert_eq!(castling, [target(CastlingSide::Queenside), target(CastlingSide::Kingside)]);
        }
    }
}
