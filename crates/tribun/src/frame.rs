//! The mover's frame, shared by tensor, policy and render: White sees the board with both coordinates negated, so that the
//! units of either side advance in the same direction.

use sandtable_core::Player;

use crate::action::Action;
use crate::tile::Tile;

/// The board from one player's perspective. A cell is the cid of a tile in the frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    player: Player,
}

impl Frame {
    pub(crate) const fn of(player: Player) -> Self {
        Self { player }
    }

    /// The cell of a tile.
    #[inline]
    pub(crate) const fn cell(self, tile: Tile) -> usize {
        self.oriented(tile).index()
    }

    /// Maps a tile to the frame, or back: the map is its own inverse.
    #[inline]
    pub(crate) const fn oriented(self, tile: Tile) -> Tile {
        match self.player {
            Player::First => tile,
            Player::Second => tile.mirrored(),
        }
    }

    /// Maps an action to the frame, in which the mover is Black, or back: the map is its own inverse.
    pub(crate) fn action(self, action: Action) -> Action {
        match self.player {
            Player::First => action,
            Player::Second => action.mirrored(),
        }
    }
}
