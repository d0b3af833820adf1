//! The safety of a commander, computed once per position so that few steps have to be tried.

use std::cell::OnceCell;

use sandtable_core::Player;

use super::attack::{Aim, Threat};
use super::facing::FacingLine;
use crate::air::{FireZones, defenders};
use crate::lines::between;
use crate::{Board, Kind, Square, SquareSet};

/// The safety of the commander of the side to move.
///
/// A step can endanger a safe commander only by moving it, or by changing its protection: a blocker (`shields`) or a
/// defender that keeps an Air Force away (`guards`), which may leave or be promoted. A step can save an endangered
/// commander only by moving its stack, by acting on one of the `remedies` or, if an Air Force attacks, by changing the
/// fire zones.
pub(crate) struct Safety {
    pub(crate) commander: Square,
    /// Whether the commander is attacked: in check.
    pub(crate) attacked: bool,
    /// Whether the commander is attacked or faces the enemy commander.
    pub(crate) in_danger: bool,
    /// The targets where a step can end the danger: the attackers, and the squares where a piece blocks an attacker.
    pub(crate) remedies: SquareSet,
    /// Whether air defence could stop one of the attackers.
    pub(crate) from_the_air: bool,
    /// The stacks that block an attack on the commander or stand between the commanders.
    pub(crate) shields: SquareSet,
    /// The defenders whose zones an Air Force enters on its way to the commander.
    pub(crate) guards: SquareSet,
}

impl Safety {
    /// The safety of `commander`. `zones` is empty, or holds the air defence of `owner`.
    pub(crate) fn of(board: &Board, owner: Player, commander: Square, zones: &OnceCell<FireZones>) -> Self {
        let mut safety = Self {
            commander,
            attacked: false,
            in_danger: false,
            remedies: SquareSet::EMPTY,
            from_the_air: false,
            shields: SquareSet::EMPTY,
            guards: SquareSet::EMPTY,
        };
        let occupied = board.all_occupied();
        let aim = Aim::at(board, commander, !owner, zones);
        for (from, stack) in aim.candidates() {
            for kind in stack.kinds() {
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
                        safety.attacked = true;
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
        if let Some(FacingLine { between, blockers }) = FacingLine::of(board) {
            if blockers.is_empty() {
                safety.in_danger = true;
                safety.remedies |= between;
                safety.remedies.extend(board.commander(!owner));
            }
            // A step removes at most two blockers: the group, and a stack that it captures without moving there.
            if blockers.len() <= 2 {
                safety.shields |= blockers;
            }
        }
        safety
    }
}
