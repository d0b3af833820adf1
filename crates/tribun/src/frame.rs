//! The mover's frame, shared by tensor, policy and render: White sees the board with both coordinates negated, so that the
//! units of either side advance in the same direction.

use sandtable_core::Player;

use crate::action::Action;
use crate::tile::Tile;

/// Maps a tile to the mover's frame, or back: the map is its own inverse.
pub(crate) const fn framed_tile(tile: Tile, mover: Player) -> Tile {
    match mover {
        Player::First => tile,
        Player::Second => tile.mirrored(),
    }
}

/// Maps an action to the mover's frame, in which the mover is Black, or back: the map is its own inverse.
pub(crate) fn framed_action(action: Action, mover: Player) -> Action {
    match mover {
        Player::First => action,
        Player::Second => action.mirrored(),
    }
}
