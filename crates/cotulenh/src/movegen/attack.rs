//! Who attacks a square.

use std::cell::OnceCell;

use sandtable_core::Player;

use crate::air::{FireZones, Flight};
use crate::reach::Reach;
use crate::{Board, Direction, Kind, KindSet, Square, SquareSet, Stack};

/// For each square those on its eight lines from which any piece could capture on it.
static LINES: [SquareSet; Square::TABLE] = {
    let mut lines = [SquareSet::EMPTY; Square::TABLE];
    let mut i = 0;
    while i < Square::TABLE {
        if let Some(centre) = Square::new(i as u8) {
            let mut d = 0;
            while d < Direction::ALL.len() {
                let mut square = centre.step(Direction::ALL[d]);
                let mut distance = 1;
                while let (Some(reached), true) = (square, distance <= Reach::LONGEST_CAPTURE) {
                    lines[i].insert(reached);
                    square = reached.step(Direction::ALL[d]);
                    distance += 1;
                }
                d += 1;
            }
        }
        i += 1;
    }
    lines
};

/// One side's pieces aiming at one square.
pub(crate) struct Aim<'a> {
    board: &'a Board,
    target: Square,
    by: Player,
    /// A Navy reaches further against a stack that a Navy carries.
    navy_target: bool,
    zones: OnceCell<FireZones>,
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
    pub(crate) fn at(board: &'a Board, target: Square, by: Player) -> Self {
        let navy_target = board.get(target).is_some_and(|stack| stack.carrier() == Kind::Navy);
        Self { board, target, by, navy_target, zones: OnceCell::new() }
    }

    /// The stacks from which a piece might reach the target, if it were in range and nothing were in its way.
    #[inline]
    pub(crate) fn candidates(&self) -> impl Iterator<Item = (Square, Stack)> + '_ {
        let near = self.board.occupied(self.by) & LINES[self.target.index()];
        near.iter().map(|square| (square, self.board.get(square).expect("it is occupied")))
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
        path(from, direction).take(usize::from(distance) - 1).all(|square| self.board.get(square).is_none())
    }

    fn flies(&self, from: Square, direction: Direction, distance: u8) -> bool {
        let zones = self.zones.get_or_init(|| FireZones::of(self.board, !self.by));
        let flight = path(from, direction)
            .take(distance.into())
            .fold(Flight::Safe, |flight, square| flight.enter(square, zones));
        flight != Flight::ShotDown
    }
}

/// The squares in a direction up to the edge of the board, without the first.
pub(crate) fn path(from: Square, direction: Direction) -> impl Iterator<Item = Square> {
    std::iter::successors(from.step(direction), move |square| square.step(direction))
}

/// Do the two squares lie on one rank or file with nothing between them?
pub(crate) fn is_open_line(board: &Board, one: Square, other: Square) -> bool {
    if one.file() != other.file() && one.rank_index() != other.rank_index() {
        return false;
    }
    let occupied = board.occupied(Player::First) | board.occupied(Player::Second);
    (one.between(other) & occupied).is_empty()
}

/// Is the player's commander attacked?
pub(crate) fn is_attacked(board: &Board, owner: Player) -> bool {
    board.commander(owner).is_some_and(|commander| Aim::at(board, commander, !owner).hits())
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
