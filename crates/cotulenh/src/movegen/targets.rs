//! Where a group of pieces can go by itself, before anybody asks about the commander.

use std::cell::OnceCell;

use sandtable_core::Player;

use super::attack::{is_open_line, path};
use crate::air::{FireZones, Flight};
use crate::{Action, Board, Direction, Kind, KindSet, River, Rules, Square, SquareSet, Stack};

/// The squares a group can act on, by what it does there.
#[derive(Clone, Copy, Default)]
pub(crate) struct Targets([SquareSet; Action::ALL.len()]);

impl Targets {
    #[inline]
    fn add(&mut self, action: Action, square: Square) {
        self.0[action as usize].insert(square);
    }

    #[inline]
    pub(crate) const fn get(&self, action: Action) -> SquareSet {
        self.0[action as usize]
    }
}

/// What the movement of one player's pieces depends on.
pub(crate) struct Field<'a> {
    board: &'a Board,
    rules: Rules,
    owner: Player,
    /// The enemy's air defence, made when the first Air Force asks for it.
    zones: OnceCell<FireZones>,
}

/// A group that leaves its square.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    pub(crate) from: Square,
    /// The stack it belongs to.
    pub(crate) stack: Stack,
    pub(crate) kinds: KindSet,
    /// Is it a whole stack, moving outside a deployment?
    pub(crate) whole: bool,
}

impl Group {
    #[inline]
    fn carrier(&self) -> Kind {
        self.kinds.first().expect("a group has pieces")
    }
}

impl<'a> Field<'a> {
    pub(crate) fn new(board: &'a Board, rules: Rules, owner: Player) -> Self {
        Self { board, rules, owner, zones: OnceCell::new() }
    }

    /// Where the group can go.
    pub(crate) fn targets(&self, group: &Group) -> Targets {
        let mut targets = Targets::default();
        let carrier = group.carrier();
        let heroic = group.stack.is_heroic(carrier);
        for direction in Direction::ALL {
            match carrier {
                Kind::Commander => self.commander_ray(group, heroic, direction, &mut targets),
                Kind::Navy => self.navy_ray(group, heroic, direction, &mut targets),
                Kind::AirForce => self.air_ray(group, heroic, direction, &mut targets),
                _ => self.land_ray(group, carrier, heroic, direction, &mut targets),
            }
        }
        if group.whole && group.kinds == Kind::Commander.only() {
            self.facing_commander(group.from, &mut targets);
        }
        targets
    }

    /// Tanks, soldiers, Engineers, Headquarters and heavy pieces.
    fn land_ray(
        &self,
        group: &Group,
        carrier: Kind,
        heroic: bool,
        direction: Direction,
        targets: &mut Targets,
    ) {
        let range = carrier.moves(heroic).along(direction.is_diagonal());
        let mut may_move = true;
        for square in path(group.from, direction).take(range.into()) {
            may_move = may_move
                && carrier.may_stand(square)
                && (!carrier.is_heavy() || self.may_cross(group.from, square, direction));
            match self.board.get(square) {
                None => {
                    if may_move {
                        targets.add(Action::Move, square);
                    }
                    continue;
                }
                Some(target) if target.owner() == self.owner => {
                    if may_move {
                        self.combine(group, square, target, targets);
                    }
                }
                Some(_) => {
                    let crosses = self.rules.river == River::Bridged
                        || !carrier.is_heavy()
                        || group.from.zone() == square.zone();
                    let stands = carrier.may_stand(square) && crosses;
                    targets.add(if stands { Action::Capture } else { Action::StayCapture }, square);
                }
            }
            if !carrier.captures_over() {
                return;
            }
            may_move = false;
        }
    }

    /// May a heavy piece move by itself to that square, as far as the river goes?
    fn may_cross(&self, from: Square, to: Square, direction: Direction) -> bool {
        const F: u8 = 5;
        const H: u8 = 7;
        let on_bridge =
            matches!(direction, Direction::North | Direction::South) && matches!(from.file(), F | H);
        from.zone() == to.zone() || (self.rules.river == River::Bridged && on_bridge)
    }

    fn navy_ray(&self, group: &Group, heroic: bool, direction: Direction, targets: &mut Targets) {
        let diagonal = direction.is_diagonal();
        let range = Kind::Navy.moves(heroic).along(diagonal);
        let mut may_move = true;
        let mut previous = group.from;
        for (square, distance) in path(group.from, direction).zip(1..=range) {
            let stands = Kind::Navy.may_stand(square);
            may_move &= stands && !is_strait(previous, square);
            previous = square;
            match self.board.get(square) {
                None => {
                    if may_move {
                        targets.add(Action::Move, square);
                    }
                }
                Some(target) => {
                    let is_navy = target.carrier() == Kind::Navy;
                    if target.owner() == self.owner {
                        if may_move {
                            self.combine(group, square, target, targets);
                        }
                    } else if distance <= Kind::Navy.captures(heroic, is_navy).along(diagonal) {
                        targets.add(if stands { Action::Capture } else { Action::StayCapture }, square);
                    }
                    may_move &= !is_navy;
                }
            }
        }
    }

    fn air_ray(&self, group: &Group, heroic: bool, direction: Direction, targets: &mut Targets) {
        let range = Kind::AirForce.moves(heroic).along(direction.is_diagonal());
        let mut flight = Flight::Safe;
        for square in path(group.from, direction).take(range.into()) {
            if !heroic {
                flight = flight.enter(square, self.zones());
            }
            let safe = match flight {
                Flight::Safe => true,
                Flight::UnderFire(_) => false,
                Flight::ShotDown => return,
            };
            let stands = Kind::AirForce.may_stand(square);
            match self.board.get(square) {
                None => {
                    if safe && stands {
                        targets.add(Action::Move, square);
                    }
                }
                Some(target) if target.owner() == self.owner => {
                    if safe {
                        self.combine(group, square, target, targets);
                    }
                }
                Some(_) if !safe => targets.add(Action::SuicideCapture, square),
                Some(_) => {
                    if stands {
                        targets.add(Action::Capture, square);
                    }
                    if !stands || group.whole {
                        targets.add(Action::StayCapture, square);
                    }
                }
            }
        }
    }

    fn zones(&self) -> &FireZones {
        self.zones.get_or_init(|| FireZones::of(self.board, !self.owner))
    }

    fn commander_ray(&self, group: &Group, heroic: bool, direction: Direction, targets: &mut Targets) {
        let diagonal = direction.is_diagonal();
        let range = Kind::Commander.moves(heroic).along(diagonal);
        for (square, distance) in path(group.from, direction).zip(1..=range) {
            if self.is_seen(square, group) {
                return;
            }
            let stands = Kind::Commander.may_stand(square);
            match self.board.get(square) {
                None if stands => targets.add(Action::Move, square),
                Some(target) if target.owner() == self.owner => {
                    if stands {
                        self.combine(group, square, target, targets);
                    }
                    return;
                }
                Some(_) => {
                    if distance <= Kind::Commander.captures(heroic, false).along(diagonal) {
                        targets.add(if stands { Action::Capture } else { Action::StayCapture }, square);
                    }
                    return;
                }
                None => return,
            }
        }
    }

    /// Does the enemy commander see the square along an open rank or file, the moving commander taken away?
    fn is_seen(&self, square: Square, group: &Group) -> bool {
        let Some(enemy) = self.board.commander(!self.owner) else { return false };
        let on_line = enemy.file() == square.file() || enemy.rank_index() == square.rank_index();
        if !on_line || enemy == square {
            return false;
        }
        let mut blocking = enemy.between(square)
            & (self.board.occupied(Player::First) | self.board.occupied(Player::Second));
        if group.kinds == group.stack.kinds() {
            blocking.remove(group.from);
        }
        blocking.is_empty()
    }

    /// A commander that faces the other, both alone, can take it at any distance.
    fn facing_commander(&self, from: Square, targets: &mut Targets) {
        if let Some(enemy) = self.board.commander(!self.owner)
            && self.board.get(enemy).is_some_and(|stack| !stack.is_stack())
            && is_open_line(self.board, from, enemy)
        {
            targets.add(Action::Capture, enemy);
        }
    }

    fn combine(&self, group: &Group, square: Square, target: Stack, targets: &mut Targets) {
        let kinds = target.kinds().with(group.kinds);
        if !target.kinds().meets(group.kinds)
            && self.rules.allow_stack(kinds)
            && kinds.first().is_some_and(|carrier| carrier.may_stand(square))
        {
            targets.add(Action::Combine, square);
        }
    }
}

/// The two diagonals that no Navy sails along: c5–d6 and c8–d7.
fn is_strait(one: Square, other: Square) -> bool {
    let (west, east) = if one.file() < other.file() { (one, other) } else { (other, one) };
    (west, east) == (Square::C5, Square::D6) || (west, east) == (Square::C8, Square::D7)
}
