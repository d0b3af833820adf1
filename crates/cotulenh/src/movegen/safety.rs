//! What a commander's safety hangs on: found once, so that most steps need no test.

use std::cell::OnceCell;

use sandtable_core::Player;

use super::attack::{Aim, Threat};
use crate::air::{FireZones, defenders};
use crate::lines::between;
use crate::{Board, Kind, Square, SquareSet};

/// The state of the commander of the player to move.
///
/// A step can make a safe commander unsafe only by changing what protects it: a piece that blocks (`shields`), a
/// defender that keeps an Air Force off (`guards`), by leaving or by rising, or the commander's own place. And an unsafe one becomes safe only
/// by the commander's own stack, by acting on one of the `remedies`, or, if an Air Force attacks, by any change
/// to the fire zones.
pub(crate) struct Safety {
    pub(crate) commander: Square,
    /// Is the commander attacked or exposed?
    pub(crate) in_danger: bool,
    /// Where a step can end the danger: attackers, and squares that block one.
    pub(crate) remedies: SquareSet,
    /// Is one of the attackers an Air Force that air defence could stop?
    pub(crate) from_the_air: bool,
    /// What stands between the commander and a piece that would attack or expose it.
    pub(crate) shields: SquareSet,
    /// Defenders in whose zones an Air Force on its way to the commander would come.
    pub(crate) guards: SquareSet,
}

impl Safety {
    /// `zones` is empty, or holds the air defence of `owner`.
    pub(crate) fn of(board: &Board, owner: Player, commander: Square, zones: &OnceCell<FireZones>) -> Self {
        let mut safety = Self {
            commander,
            in_danger: false,
            remedies: SquareSet::EMPTY,
            from_the_air: false,
            shields: SquareSet::EMPTY,
            guards: SquareSet::EMPTY,
        };
        let occupied = board.all_occupied();
        let aim = Aim::at(board, commander, !owner, zones);
        for (from, stack) in aim.candidates() {
            for kind in stack.kinds().iter() {
                let between = || between(from, commander);
                match aim.threat(from, stack, kind) {
                    None => {}
                    Some(Threat::Blocked) => safety.shields |= between() & occupied,
                    Some(Threat::ShotDown) => {
                        let mut path = between();
                        path.insert(commander);
                        let on_path = defenders(board, owner).filter(|&(_, zone)| !(zone & path).is_empty());
                        safety.guards |= on_path.map(|(place, _)| place).collect();
                    }
                    Some(Threat::Attack) => {
                        safety.in_danger = true;
                        safety.remedies.insert(from);
                        if !kind.captures_over() {
                            safety.remedies |= between();
                        }
                        safety.from_the_air |= kind == Kind::AirForce && !stack.is_heroic(kind);
                    }
                }
            }
        }
        if let Some(enemy) = board.commander(!owner)
            && (enemy.file() == commander.file() || enemy.rank_index() == commander.rank_index())
        {
            let between = between(commander, enemy);
            let blocking = between & occupied;
            if blocking.is_empty() {
                safety.in_danger = true;
                safety.remedies |= between;
                safety.remedies.insert(enemy);
            }
            // No step takes away more than two: a group, and what it takes without standing there.
            if blocking.len() <= 2 {
                safety.shields |= blocking;
            }
        }
        safety
    }
}
