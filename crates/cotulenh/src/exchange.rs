//! Static exchange evaluation.

use std::cell::OnceCell;

use sandtable_core::Player;

use crate::movegen::attack::Aim;
use crate::weights::{Weights, worth};
use crate::{Board, Square};

/// The material `owner` loses if the enemy captures on `square` with its cheapest attacker and `owner` recaptures if it
/// can; 0 if the enemy gains nothing.
///
/// Longer exchanges and pinned pieces are ignored: following them costs more time than it gains in accuracy.
pub(crate) fn loss(board: &Board, square: Square, owner: Player) -> i32 {
    let Some(stack) = board.get(square) else { return 0 };
    let zones = OnceCell::new();
    let aim = Aim::at(board, square, !owner, &zones);
    let attackers = aim.candidates().filter_map(|(from, stack)| {
        aim.attackers(from, stack)
            .iter()
            .map(move |kind| Weights::CHOSEN.piece(kind, stack.is_heroic(kind)))
            .min()
    });
    let Some(cheapest) = attackers.min() else { return 0 };
    let defended = Aim::at(board, square, owner, &OnceCell::new()).hits();
    (worth(stack) - if defended { cheapest } else { 0 }).max(0)
}
