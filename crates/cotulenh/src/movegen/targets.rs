//! Pseudo-legal targets of a group of pieces: the safety of its commander is ignored.
//!
//! Targets are sets of squares: the squares within reach, cut off by blockers, then split by occupant and terrain.

use std::cell::OnceCell;

use sandtable_core::Player;

use super::facing::{commanders_face, faced_squares};
use crate::air::{FireZones, Flight};
use crate::lines::{ray, slide, star};
use crate::reach::Reach;
use crate::terrain::{
    BRIDGE_FILES, LAND_GROUND, NAVY_GROUND, NOT_LAND_GROUND, NOT_NAVY_GROUND, beyond_straits,
};
use crate::{Board, Direction, Kind, KindSet, River, Rules, Square, SquareSet, Stack, StepKind};

/// The targets of a group, by the kind of step.
#[derive(Clone, Copy, Default)]
pub(crate) struct Targets([SquareSet; StepKind::ALL.len()]);

impl Targets {
    #[inline]
    fn set(&mut self, step_kind: StepKind, squares: SquareSet) {
        self.0[step_kind as usize] = squares;
    }

    #[inline]
    fn add(&mut self, step_kind: StepKind, square: Square) {
        self.0[step_kind as usize].insert(square);
    }

    /// Sets captures on the squares in `ground`, where the capturer may stand, and stay captures on the others.
    #[inline]
    fn set_captures(&mut self, squares: SquareSet, ground: SquareSet) {
        self.set(StepKind::Capture, squares & ground);
        self.set(StepKind::StayCapture, squares - ground);
    }

    #[inline]
    pub(crate) const fn get(&self, step_kind: StepKind) -> SquareSet {
        self.0[step_kind as usize]
    }
}

/// Finds the targets of one player's groups.
pub(crate) struct TargetFinder<'a> {
    board: &'a Board,
    rules: Rules,
    owner: Player,
    own: SquareSet,
    enemy: SquareSet,
    occupied: SquareSet,
    /// The enemy's air defence, computed for the first Air Force.
    zones: OnceCell<FireZones>,
}

/// A group of pieces that may leave its square.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    pub(crate) from: Square,
    /// The stack it belongs to.
    pub(crate) stack: Stack,
    pub(crate) kinds: KindSet,
    /// Whether the group is a whole stack outside a deployment.
    pub(crate) whole: bool,
}

impl Group {
    #[inline]
    pub(crate) fn carrier(self) -> Kind {
        self.kinds.first().expect("a group has pieces")
    }

    /// The pieces that stay behind when the group leaves.
    #[inline]
    pub(crate) fn remainder(self) -> KindSet {
        self.stack.kinds().without(self.kinds)
    }

    /// Whether no piece stays behind when the group leaves.
    #[inline]
    pub(crate) fn vacates(self) -> bool {
        self.remainder().is_empty()
    }
}

impl<'a> TargetFinder<'a> {
    pub(crate) fn new(board: &'a Board, rules: Rules, owner: Player) -> Self {
        let (own, enemy) = (board.occupied(owner), board.occupied(!owner));
        Self { board, rules, owner, own, enemy, occupied: own | enemy, zones: OnceCell::new() }
    }

    /// Whether an enemy stack is near enough that the group might capture it.
    #[inline]
    pub(crate) fn is_enemy_near(&self, group: Group) -> bool {
        let carrier = group.carrier();
        let reach = carrier.captures(group.stack.is_heroic(carrier), true);
        // Commanders that face each other may capture at any distance.
        carrier == Kind::Commander || !(star(group.from, reach) & self.enemy).is_empty()
    }

    /// The targets of a group.
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

    /// The targets of Tanks, soldiers, Engineers, Headquarters and heavy pieces.
    fn land_targets(&self, group: Group, carrier: Kind, heroic: bool) -> Targets {
        let from = group.from;
        let reach = carrier.moves(heroic);
        let open = if reach.straight <= 1 { star(from, reach) } else { slide(from, reach, self.occupied) };
        let shot = if carrier.captures_over() { star(from, reach) } else { open };
        // A ray that leaves land for water never returns to land, so only a piece at sea can be stopped by water.
        let walk = if LAND_GROUND.contains(from) {
            open
        } else {
            slide(from, reach, self.occupied | NOT_LAND_GROUND)
        };
        let (move_ground, capture_ground) = self.land_ground(from, carrier);

        let mut targets = Targets::default();
        targets.set(StepKind::Move, (walk & move_ground) - self.occupied);
        targets.set(StepKind::Combine, self.joinable(group, walk & move_ground));
        targets.set_captures(shot & self.enemy, capture_ground);
        targets
    }

    /// The squares where a land piece can end a move, and those where it can end a capture. The river restricts heavy
    /// pieces.
    pub(crate) fn land_ground(&self, from: Square, carrier: Kind) -> (SquareSet, SquareSet) {
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
        let stop = self.board.navies() | NOT_NAVY_GROUND;
        let sail = (slide(from, Kind::Navy.moves(heroic), stop) & NAVY_GROUND) - beyond_straits(from);
        let shot = (star(from, Kind::Navy.captures(heroic, true)) & self.board.navies())
            | star(from, Kind::Navy.captures(heroic, false));

        let mut targets = Targets::default();
        targets.set(StepKind::Move, sail - self.occupied);
        targets.set(StepKind::Combine, self.joinable(group, sail));
        targets.set_captures(shot & self.enemy, NAVY_GROUND);
        targets
    }

    fn air_targets(&self, group: Group, heroic: bool) -> Targets {
        let reach = Kind::AirForce.moves(heroic);
        let star = star(group.from, reach);
        let (safe, suicides) =
            if heroic { (star, SquareSet::EMPTY) } else { self.flights(group.from, star, reach) };

        let mut targets = Targets::default();
        targets.set(StepKind::Move, (safe & LAND_GROUND) - self.occupied);
        targets.set(StepKind::Combine, self.joinable(group, safe));
        targets.set_captures(safe & self.enemy, LAND_GROUND);
        if group.whole {
            targets.set(StepKind::StayCapture, safe & self.enemy);
        }
        targets.set(StepKind::SuicideCapture, suicides & self.enemy);
        targets
    }

    /// The squares that an Air Force reaches safely, and those that it reaches under fire.
    fn flights(&self, from: Square, star: SquareSet, reach: Reach) -> (SquareSet, SquareSet) {
        let zones = self.zones();
        if (star & zones.covered()).is_empty() {
            return (star, SquareSet::EMPTY);
        }
        let (mut safe, mut under_fire) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for direction in Direction::ALL {
            let mut flight = Flight::Safe;
            for square in ray(from, direction).take(reach.straight.into()) {
                flight = flight.enter(square, zones, self.board);
                match flight {
                    Flight::Safe => safe.insert(square),
                    Flight::UnderFire(_) => under_fire.insert(square),
                    Flight::ShotDown => break,
                }
            }
        }
        (safe, under_fire)
    }

    /// The enemy's air defence.
    pub(crate) fn zones(&self) -> &FireZones {
        self.zones.get_or_init(|| FireZones::of(self.board, !self.owner))
    }

    /// The squares that the enemy commander faces once the group, with the mover's commander, has left.
    pub(crate) fn faced_squares(&self, group: Group) -> SquareSet {
        faced_squares(self.board, !self.owner, group.vacates().then_some(group.from))
    }

    fn commander_targets(&self, group: Group, heroic: bool) -> Targets {
        let from = group.from;
        let faced = self.faced_squares(group);
        let closed = faced | NOT_LAND_GROUND;
        let walk = slide(from, Kind::Commander.moves(heroic), self.occupied | closed) - closed;

        let mut targets = Targets::default();
        targets.set(StepKind::Move, walk - self.occupied);
        targets.set(StepKind::Combine, self.joinable(group, walk));
        targets.set_captures(
            (star(from, Kind::Commander.captures(heroic, false)) & self.enemy) - faced,
            LAND_GROUND,
        );
        if group.whole {
            self.add_facing_capture(&mut targets);
        }
        targets
    }

    /// Adds the capture of the enemy commander at any distance, if both commanders stand alone and face each other.
    fn add_facing_capture(&self, targets: &mut Targets) {
        if let Some(enemy) = self.board.commander(!self.owner)
            && self.board.get(enemy).is_some_and(|stack| !stack.is_stack())
            && commanders_face(self.board)
        {
            targets.add(StepKind::Capture, enemy);
        }
    }

    /// The squares of `reached` where the group can join a friendly stack.
    fn joinable(&self, group: Group, reached: SquareSet) -> SquareSet {
        let joins = |(square, there): (Square, Stack)| {
            let kinds = there.kinds().union(group.kinds);
            let valid = !there.kinds().meets(group.kinds) && self.rules.allow_stack(kinds);
            (valid && kinds.may_end_turn_on(square)).then_some(square)
        };
        self.board.stacks_on(reached & self.own).filter_map(joins).collect()
    }
}
