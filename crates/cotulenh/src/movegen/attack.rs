//! Attacks on a square.

use std::cell::OnceCell;

use sandtable_core::Player;

use super::facing::commanders_face;
use crate::air::{FireZones, Flight};
use crate::lines::{ray, star};
use crate::reach::Reach;
use crate::{Board, Direction, Kind, KindSet, Square, SquareSet, Stack};

/// One side's attacks on a square.
pub(crate) struct Aim<'a> {
    board: &'a Board,
    target: Square,
    by: Player,
    /// The squares that may block an attack.
    occupied: SquareSet,
    /// Whether the target is Navy-carried: a Navy has a longer range against it.
    navy_target: bool,
    /// The air defence of the other side, computed for the first Air Force.
    zones: &'a OnceCell<FireZones>,
}

/// The effect of a piece in range on the target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Threat {
    /// The piece attacks the target.
    Attack,
    /// A stack in between blocks the attack.
    Blocked,
    /// The Air Force would be shot down on the way.
    ShotDown,
}

impl<'a> Aim<'a> {
    /// The attacks of `by` on `target`. `zones` is empty, or holds the air defence of the other side.
    pub(crate) fn at(board: &'a Board, target: Square, by: Player, zones: &'a OnceCell<FireZones>) -> Self {
        let navy_target = board.navies().contains(target);
        Self { board, target, by, occupied: board.all_occupied(), navy_target, zones }
    }

    /// The same attacks on a board without the stack on `square`.
    pub(crate) fn without(mut self, square: Square) -> Self {
        self.occupied.remove(square);
        self
    }

    /// The stacks on the lines of the target, within the longest range of any capture.
    #[inline]
    pub(crate) fn candidates(&self) -> impl Iterator<Item = (Square, Stack)> + 'a {
        self.board.stacks_on(self.board.occupied(self.by) & star(self.target, Reach::LONGEST))
    }

    /// The threat of a piece of a candidate stack to the target; `None` if it is out of range.
    pub(crate) fn threat(&self, from: Square, stack: Stack, kind: Kind) -> Option<Threat> {
        let (direction, distance) = from.line_to(self.target)?;
        let heroic = stack.is_heroic(kind);
        if distance > kind.captures(heroic, self.navy_target).along(direction.is_diagonal()) {
            return None;
        }
        if !kind.captures_over() && !self.is_clear(from, direction, distance) {
            return Some(Threat::Blocked);
        }
        if kind == Kind::AirForce && !heroic && !self.flies(from, direction, distance) {
            return Some(Threat::ShotDown);
        }
        Some(Threat::Attack)
    }

    /// The pieces of a candidate stack that attack the target.
    pub(crate) fn attackers(&self, from: Square, stack: Stack) -> KindSet {
        stack.kinds().iter().filter(|&kind| self.threat(from, stack, kind) == Some(Threat::Attack)).collect()
    }

    /// Whether any piece attacks the target.
    pub(crate) fn hits(&self) -> bool {
        self.candidates().any(|(from, stack)| !self.attackers(from, stack).is_empty())
    }

    fn is_clear(&self, from: Square, direction: Direction, distance: u8) -> bool {
        ray(from, direction).take(usize::from(distance) - 1).all(|square| !self.occupied.contains(square))
    }

    fn flies(&self, from: Square, direction: Direction, distance: u8) -> bool {
        let zones = self.zones.get_or_init(|| FireZones::of(self.board, !self.by));
        let flight = ray(from, direction)
            .take(distance.into())
            .fold(Flight::Safe, |flight, square| flight.enter(square, zones, self.board));
        flight != Flight::ShotDown
    }
}

/// Whether the player's commander is attacked.
pub(crate) fn is_attacked(board: &Board, owner: Player) -> bool {
    board.commander(owner).is_some_and(|commander| Aim::at(board, commander, !owner, &OnceCell::new()).hits())
}

/// Whether the player may end a turn: the player's commander is on the board, is not attacked and does not face the
/// enemy commander.
pub(crate) fn is_safe(board: &Board, owner: Player) -> bool {
    board.commander(owner).is_some() && !commanders_face(board) && !is_attacked(board, owner)
}
