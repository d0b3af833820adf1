//! What a step is worth after the enemy has answered on the same square.

use std::cell::OnceCell;

use sandtable_core::Player;

use crate::movegen::attack::Aim;
use crate::weights::{Weights, worth};
use crate::{Board, Square};

/// What `owner` loses if the enemy takes on `square` with the piece it can best spare, and is taken back if anybody
/// can; nothing if the enemy had better leave it.
///
/// The rest of a longer exchange is not looked at, nor is who may not leave a place: it would cost more than it tells.
pub(crate) fn loss(board: &Board, square: Square, owner: Player) -> i32 {
    let Some(stack) = board.get(square) else { return 0 };
    let zones = OnceCell::new();
    let aim = Aim::at(board, square, !owner, &zones);
    let takers = aim.candidates().filter_map(|(from, stack)| {
        aim.attackers(from, stack)
            .iter()
            .map(move |kind| Weights::CHOSEN.piece(kind, stack.is_heroic(kind)))
            .min()
    });
    let Some(cheapest) = takers.min() else { return 0 };
    let guarded = Aim::at(board, square, owner, &OnceCell::new()).hits();
    (worth(stack) - if guarded { cheapest } else { 0 }).max(0)
}
