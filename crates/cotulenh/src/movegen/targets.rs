//! Where a group of pieces can go by itself, before anybody asks about the commander.
//!
//! All of it is said in sets of squares: the squares within reach, cut off by what is in the way, then divided by what
//! stands there and on what ground.

use std::cell::OnceCell;

use sandtable_core::Player;

use super::attack::is_open_line;
use crate::air::{FireZones, Flight};
use crate::lines::{ray, slide, star};
use crate::reach::Reach;
use crate::terrain::{BRIDGE_FILES, LAND_GROUND, NAVY_GROUND};
use crate::{Action, Board, Direction, Kind, KindSet, River, Rules, Square, SquareSet, Stack};

/// The squares a group can act on, by what it does there.
#[derive(Clone, Copy, Default)]
pub(crate) struct Targets([SquareSet; Action::ALL.len()]);

impl Targets {
    #[inline]
    fn set(&mut self, action: Action, squares: SquareSet) {
        self.0[action as usize] = squares;
    }

    #[inline]
    fn add(&mut self, action: Action, square: Square) {
        self.0[action as usize].insert(square);
    }

    /// Captures on those of `squares` where the capturer may stand, stay captures on the others.
    #[inline]
    fn set_captures(&mut self, squares: SquareSet, ground: SquareSet) {
        self.set(Action::Capture, squares & ground);
        self.set(Action::StayCapture, squares & !ground);
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
    own: SquareSet,
    enemy: SquareSet,
    occupied: SquareSet,
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
    fn carrier(self) -> Kind {
        self.kinds.first().expect("a group has pieces")
    }

    /// Does it leave nothing behind when it goes?
    #[inline]
    pub(crate) fn vacates(self) -> bool {
        self.kinds == self.stack.kinds()
    }
}

impl<'a> Field<'a> {
    pub(crate) fn new(board: &'a Board, rules: Rules, owner: Player) -> Self {
        let (own, enemy) = (board.occupied(owner), board.occupied(!owner));
        Self { board, rules, owner, own, enemy, occupied: own | enemy, zones: OnceCell::new() }
    }

    /// Is an enemy stack so near that the group might take it?
    #[inline]
    pub(crate) fn is_enemy_near(&self, group: Group) -> bool {
        let carrier = group.carrier();
        let reach = carrier.captures(group.stack.is_heroic(carrier), true);
        // Commanders that face each other are never far.
        carrier == Kind::Commander || !(star(group.from, reach) & self.enemy).is_empty()
    }

    /// Where the group can go.
    #[inline]
    pub(crate) fn targets(&self, group: Group) -> Targets {
        let carrier = group.carrier();
        let heroic = group.stack.is_heroic(carrier);
        match carrier {
            Kind::Commander => self.commander_targets(group, heroic),
            Kind::Navy => self.navy_targets(group, heroic),
            Kind::AirForce => self.air_targets(group, heroic),
            _ => self.land_targets(group, carrier, heroic),
        }
    }

    /// Tanks, soldiers, Engineers, Headquarters and heavy pieces.
    fn land_targets(&self, group: Group, carrier: Kind, heroic: bool) -> Targets {
        let from = group.from;
        let reach = carrier.moves(heroic);
        let open = if reach.straight <= 1 { star(from, reach) } else { slide(from, reach, self.occupied) };
        let shot = if carrier.captures_over() { star(from, reach) } else { open };
        // From land no ray comes back to land once it is over water; from water it must not cross any.
        let walk =
            if LAND_GROUND.contains(from) { open } else { slide(from, reach, self.occupied | !LAND_GROUND) };
        let (move_ground, capture_ground) = self.land_ground(from, carrier);

        let mut targets = Targets::default();
        targets.set(Action::Move, walk & move_ground & !self.occupied);
        targets.set(Action::Combine, self.joinable(group, walk & move_ground));
        targets.set_captures(shot & self.enemy, capture_ground);
        targets
    }

    /// Where a land piece can stand by its own movement, and by a capture: the river holds heavy pieces back.
    fn land_ground(&self, from: Square, carrier: Kind) -> (SquareSet, SquareSet) {
        if !carrier.is_heavy() {
            return (LAND_GROUND, LAND_GROUND);
        }
        let this_side = LAND_GROUND & from.zone().squares();
        match self.rules.river {
            River::Sealed => (this_side, this_side),
            River::Bridged => {
                let bridges = BRIDGE_FILES.into_iter().filter(|file| file.contains(from));
                (bridges.fold(this_side, |ground, file| ground | file), LAND_GROUND)
            }
        }
    }

    fn navy_targets(&self, group: Group, heroic: bool) -> Targets {
        let from = group.from;
        let mut sail =
            slide(from, Kind::Navy.moves(heroic), self.board.navies() | !NAVY_GROUND) & NAVY_GROUND;
        for (west, east) in STRAITS {
            if west.contains(from) {
                sail = sail & !east;
            } else if east.contains(from) {
                sail = sail & !west;
            }
        }
        let shot = (star(from, Kind::Navy.captures(heroic, true)) & self.board.navies())
            | star(from, Kind::Navy.captures(heroic, false));

        let mut targets = Targets::default();
        targets.set(Action::Move, sail & !self.occupied);
        targets.set(Action::Combine, self.joinable(group, sail));
        targets.set_captures(shot & self.enemy, NAVY_GROUND);
        targets
    }

    fn air_targets(&self, group: Group, heroic: bool) -> Targets {
        let reach = Kind::AirForce.moves(heroic);
        let star = star(group.from, reach);
        let (safe, suicides) =
            if heroic { (star, SquareSet::EMPTY) } else { self.flights(group.from, star, reach) };

        let mut targets = Targets::default();
        targets.set(Action::Move, safe & LAND_GROUND & !self.occupied);
        targets.set(Action::Combine, self.joinable(group, safe));
        targets.set_captures(safe & self.enemy, LAND_GROUND);
        if group.whole {
            targets.set(Action::StayCapture, safe & self.enemy);
        }
        targets.set(Action::SuicideCapture, suicides & self.enemy);
        targets
    }

    /// The squares that an Air Force reaches safely, and those it reaches under fire.
    fn flights(&self, from: Square, star: SquareSet, reach: Reach) -> (SquareSet, SquareSet) {
        let zones = self.zones.get_or_init(|| FireZones::of(self.board, !self.owner));
        if (star & zones.covered()).is_empty() {
            return (star, SquareSet::EMPTY);
        }
        let (mut safe, mut under_fire) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for direction in Direction::ALL {
            let mut flight = Flight::Safe;
            for square in ray(from, direction).take(reach.straight.into()) {
                flight = flight.enter(square, zones);
                match flight {
                    Flight::Safe => safe.insert(square),
                    Flight::UnderFire(_) => under_fire.insert(square),
                    Flight::ShotDown => break,
                }
            }
        }
        (safe, under_fire)
    }

    fn commander_targets(&self, group: Group, heroic: bool) -> Targets {
        let from = group.from;
        let seen = self.seen(group);
        let closed = seen | !LAND_GROUND;
        let walk = slide(from, Kind::Commander.moves(heroic), self.occupied | closed) & !closed;

        let mut targets = Targets::default();
        targets.set(Action::Move, walk & !self.occupied);
        targets.set(Action::Combine, self.joinable(group, walk));
        targets.set_captures(
            star(from, Kind::Commander.captures(heroic, false)) & self.enemy & !seen,
            LAND_GROUND,
        );
        if group.whole {
            self.face_commander(from, &mut targets);
        }
        targets
    }

    /// What the enemy commander sees along open ranks and files, the moving commander taken away.
    fn seen(&self, group: Group) -> SquareSet {
        let Some(enemy) = self.board.commander(!self.owner) else { return SquareSet::EMPTY };
        let mut blocking = self.occupied;
        if group.vacates() {
            blocking.remove(group.from);
        }
        slide(enemy, Kind::Commander.moves(false), blocking)
    }

    /// A commander that faces the other, both alone, can take it at any distance.
    fn face_commander(&self, from: Square, targets: &mut Targets) {
        if let Some(enemy) = self.board.commander(!self.owner)
            && self.board.get(enemy).is_some_and(|stack| !stack.is_stack())
            && is_open_line(self.board, from, enemy)
        {
            targets.add(Action::Capture, enemy);
        }
    }

    /// The squares of `reached` with a stack that the group can join there.
    fn joinable(&self, group: Group, reached: SquareSet) -> SquareSet {
        let joins = |(square, there): (Square, Stack)| {
            let kinds = there.kinds().with(group.kinds);
            let valid = !there.kinds().meets(group.kinds) && self.rules.allow_stack(kinds);
            (valid && kinds.first()?.may_stand(square)).then_some(square)
        };
        self.board.stacks_on(reached & self.own).filter_map(joins).collect()
    }
}

/// The two diagonals on which no Navy passes between c5 and d6, or c8 and d7: the squares on either side.
const STRAITS: [(SquareSet, SquareSet); 2] = [
    (SquareSet::of(&[Square::C5, Square::B4, Square::A3]), SquareSet::of(&[Square::D6, Square::E7])),
    (SquareSet::of(&[Square::C8, Square::B9, Square::A10]), SquareSet::of(&[Square::D7, Square::E6])),
];
