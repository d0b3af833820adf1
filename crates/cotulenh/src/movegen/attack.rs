//! Who attacks a square.

use std::cell::OnceCell;

use sandtable_core::Player;

use crate::air::{FireZones, Flight};
use crate::lines::{between, ray, star};
use crate::reach::Reach;
use crate::{Board, Direction, Kind, KindSet, Square, SquareSet, Stack};

/// One side's pieces aiming at one square.
pub(crate) struct Aim<'a> {
    board: &'a Board,
    target: Square,
    by: Player,
    /// What may block the way.
    occupied: SquareSet,
    /// A Navy reaches further against a stack that a Navy carries.
    navy_target: bool,
    /// The air defence of the other side, made when an Air Force asks for it.
    zones: &'a OnceCell<FireZones>,
}

/// How a piece that is near enough stands to the target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Threat {
    /// It could capture there.
    Attack,
    /// Something stands between.
    Blocked,
    /// It would be shot down on its way.
    ShotDown,
}

impl<'a> Aim<'a> {
    /// `zones` is empty, or holds the air defence of the side that is aimed at.
    pub(crate) fn at(board: &'a Board, target: Square, by: Player, zones: &'a OnceCell<FireZones>) -> Self {
        let navy_target = board.navies().contains(target);
        Self { board, target, by, occupied: board.all_occupied(), navy_target, zones }
    }

    /// The same aim, if nothing stood on `square`.
    pub(crate) fn without(mut self, square: Square) -> Self {
        self.occupied.remove(square);
        self
    }

    /// The stacks from which a piece might reach the target, if it were in range and nothing were in its way.
    #[inline]
    pub(crate) fn candidates(&self) -> impl Iterator<Item = (Square, Stack)> + 'a {
        self.board.stacks_on(self.board.occupied(self.by) & star(self.target, Reach::LONGEST))
    }

    /// How the piece of that kind in a candidate's stack stands to the target; `None` if it is out of range.
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

    /// The pieces of a candidate's stack that attack the target.
    pub(crate) fn attackers(&self, from: Square, stack: Stack) -> KindSet {
        stack.kinds().iter().filter(|&kind| self.threat(from, stack, kind) == Some(Threat::Attack)).collect()
    }

    /// Is the target attacked?
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
            .fold(Flight::Safe, |flight, square| flight.enter(square, zones));
        flight != Flight::ShotDown
    }
}

/// Do the two squares lie on one rank or file with nothing between them?
pub(crate) fn is_open_line(board: &Board, one: Square, other: Square) -> bool {
    let on_line = one.file() == other.file() || one.rank_index() == other.rank_index();
    on_line && (between(one, other) & board.all_occupied()).is_empty()
}

/// Is the player's commander attacked?
pub(crate) fn is_attacked(board: &Board, owner: Player) -> bool {
    board.commander(owner).is_some_and(|commander| Aim::at(board, commander, !owner, &OnceCell::new()).hits())
}

/// Do the commanders face each other along an open rank or file?
pub(crate) fn is_exposed(board: &Board) -> bool {
    let commanders = board.commander(Player::First).zip(board.commander(Player::Second));
    commanders.is_some_and(|(first, second)| is_open_line(board, first, second))
}

/// May the player end a turn like this, with the commander on the board, not attacked and not exposed?
pub(crate) fn is_safe(board: &Board, owner: Player) -> bool {
    board.commander(owner).is_some() && !is_exposed(board) && !is_attacked(board, owner)
}
