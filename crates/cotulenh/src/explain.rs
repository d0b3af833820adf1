//! Why a stack, or some of its pieces, cannot act.

use std::ops::ControlFlow;

use sandtable_core::view::Explain;
use sandtable_core::{Describe, Player, Position};

use crate::air::Flight;
use crate::lines::ray;
use crate::movegen::facing::commanders_face;
use crate::movegen::{Generator, Group, TargetFinder, may_end_turn};
use crate::reach::Reach;
use crate::terrain::{LAND_GROUND, NAVY_GROUND, NOT_LAND_GROUND, NOT_NAVY_GROUND, beyond_straits};
use crate::{CoTuLenh, Kind, KindSet, River, Square, SquareSet, Stack, Step};

/// A rule that stands in the way of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_obstacle")]
#[non_exhaustive]
pub enum Obstacle {
    /// A commander has been captured.
    #[error("The game is over: a commander has been captured")]
    CommanderCaptured,
    /// Another stack is being deployed.
    #[error("First finish the deployment on {origin}: move its pieces or end the turn")]
    OtherDeployment {
        /// The square of the stack that is being deployed.
        origin: Square,
    },
    /// The piece is not in the stack, or it has acted in this deployment.
    #[error("This piece has already acted or is not on {square}")]
    NotPending {
        /// The square of the stack.
        square: Square,
    },
    /// A Headquarters does not move.
    #[error("A Headquarters moves only once it is heroic")]
    Headquarters,
    /// The target is out of reach: a range along ranks and files.
    #[error("This {} reaches {} along ranks and files", piece.name(), squares(*range))]
    StraightRange {
        /// The carrier of the group.
        #[param(term, value = piece.name())]
        piece: Kind,
        /// The range.
        range: u8,
    },
    /// The target is out of reach: the same range in all directions.
    #[error("This {} reaches {} in any direction", piece.name(), squares(*range))]
    Range {
        /// The carrier of the group.
        #[param(term, value = piece.name())]
        piece: Kind,
        /// The range.
        range: u8,
    },
    /// The target is out of reach: different ranges along ranks and files and along diagonals.
    #[error("This {} reaches {} along ranks and files and {} along diagonals", piece.name(), squares(*straight), squares(*diagonal))]
    TwoRanges {
        /// The carrier of the group.
        #[param(term, value = piece.name())]
        piece: Kind,
        /// The range along ranks and files.
        straight: u8,
        /// The range along diagonals.
        diagonal: u8,
    },
    /// A commander does not move there.
    #[error("A commander moves along ranks and files")]
    Commander,
    /// A heroic commander does not move there.
    #[error("A heroic commander moves along ranks, files and diagonals")]
    HeroicCommander,
    /// The target is too far away for a commander's capture.
    #[error("A commander captures only on the next square")]
    CommanderCapture,
    /// The target is too far away for a Navy's capture.
    #[error("This navy captures up to {} away; only other navies it captures one square farther", squares(*range))]
    NavyCapture {
        /// The range.
        range: u8,
    },
    /// A stack is in between.
    #[error("The {} on {square} is in the way", piece.name())]
    Blocked {
        /// Its carrier.
        #[param(term, value = piece.name())]
        piece: Kind,
        /// Its square.
        square: Square,
    },
    /// The sea is open to the Navy only.
    #[error("Only a navy goes to sea")]
    Sea,
    /// Land is closed to the Navy.
    #[error("A navy stays on the sea, the coast and the river")]
    Land,
    /// No Navy passes one of the straits c5–d6 and c8–d7.
    #[error("No navy passes between the coast and the river here")]
    Strait,
    /// The river stops a heavy piece.
    #[error("Heavy pieces do not cross the river by themselves")]
    River,
    /// The river stops a heavy piece outside the bridges.
    #[error("Heavy pieces cross the river only straight ahead on files f and h")]
    Bridge,
    /// A stack has no two pieces of one kind.
    #[error("A stack has only one {}", piece.name())]
    SameKind {
        /// The kind.
        #[param(term, value = piece.name())]
        piece: Kind,
    },
    /// The pieces do not form a stack.
    #[error("The {} and the {} cannot form a stack", piece.name(), there.name())]
    NoStack {
        /// The carrier of the group.
        #[param(term, value = piece.name())]
        piece: Kind,
        /// The carrier on the target.
        #[param(term, value = there.name())]
        there: Kind,
    },
    /// The rules do not allow the stack.
    #[error("Under these rules a navy does not carry a tank and a soldier")]
    NavyTankSoldier,
    /// The air defence of the enemy stops an Air Force.
    #[error("Air defence shoots the air force down at {square}")]
    ShotDown {
        /// The square where it is shot down.
        square: Square,
    },
    /// An Air Force does not stay in a fire zone.
    #[error("In a fire zone the air force can only capture, and it is lost with its target")]
    UnderFire,
    /// The enemy commander faces the square.
    #[error("The enemy commander faces {square}, which your commander may not enter")]
    Faced {
        /// The square.
        square: Square,
    },
    /// The commanders would face each other.
    #[error("The commanders would face each other on an open line")]
    Facing,
    /// The commander could be captured on the target square.
    #[error("Your commander could be captured on {square}")]
    CommanderAttacked {
        /// The square.
        square: Square,
    },
    /// The commander is in check, and the move does not stop it.
    #[error("Your commander is in check, and this move does not stop it")]
    InCheck,
    /// The move opens an attack on the commander.
    #[error("This would leave your commander open to capture")]
    Exposes,
    /// The pieces left behind may not stand on their square.
    #[error("The pieces left on {square} could not stay there")]
    LeftBehind {
        /// The square.
        square: Square,
    },
    /// The pieces cannot move at all.
    #[error("This {} has no square to move to", piece.name())]
    NoTarget {
        /// The carrier of the group.
        #[param(term, value = piece.name())]
        piece: Kind,
    },
}

/// A number of squares in words.
fn squares(range: u8) -> String {
    if range == 1 { "1 square".to_owned() } else { format!("up to {range} squares") }
}

impl Explain for CoTuLenh {
    type Cell = Square;
    type Obstacle = Obstacle;

    fn owner(&self, cell: Square) -> Option<Player> {
        self.board().get(cell).map(Stack::owner)
    }

    fn obstacle(&self, from: Square, to: Option<Square>, group: &[&str]) -> Option<Obstacle> {
        let stack = self.board().get(from)?;
        let Some(generator) = Generator::new(self) else { return Some(Obstacle::CommanderCaptured) };
        if let Some(origin) =
            self.deployment().map(crate::Deployment::origin).filter(|&origin| origin != from)
        {
            return Some(Obstacle::OtherDeployment { origin });
        }
        let movable = self.deployment().map_or(stack.kinds(), crate::Deployment::pending);
        let Some(chosen) = kinds_named(group).filter(|&kinds| movable.contains_all(kinds)) else {
            return Some(Obstacle::NotPending { square: from });
        };
        let chosen = Some(chosen).filter(|chosen| !chosen.is_empty());
        let mut groups = Vec::new();
        let _ = generator.for_each_group_on::<()>(from, |group| {
            if chosen.is_none_or(|chosen| chosen == group.kinds) {
                groups.push(group);
            }
            ControlFlow::Continue(())
        });
        let is_target = |step: Step| to.is_none_or(|to| step.target() == Some(to));
        for &group in &groups {
            if generator
                .for_each_step_of(group, |step| {
                    if is_target(step) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
                .is_break()
            {
                return None;
            }
        }
        for &group in &groups {
            let unsafe_step = generator.pseudo_legal_steps(group).into_iter().find(|&step| is_target(step));
            if let Some(step) = unsafe_step {
                return Some(self.danger_of(group, step, generator.is_commander_in_danger()));
            }
        }
        // Every group is a subset of the first one.
        let group = *groups.first()?;
        Some(match to {
            Some(to) => self.obstacle_on_the_way(generator.finder(), group, to),
            None if is_immobile(group) => Obstacle::Headquarters,
            None => Obstacle::NoTarget { piece: group.carrier() },
        })
    }
}

/// The kinds with these names; `None` if a name is unknown.
fn kinds_named(names: &[&str]) -> Option<KindSet> {
    names.iter().map(|name| Kind::ALL.into_iter().find(|kind| kind.name() == *name)).collect()
}

/// Whether the carrier of a group does not move: a Headquarters that is not heroic.
fn is_immobile(group: Group) -> bool {
    group.carrier() == Kind::Headquarters && !group.stack.is_heroic(Kind::Headquarters)
}

impl CoTuLenh {
    /// Why a pseudo-legal step is not legal: it endangers the commander, or leaves pieces where they may not stand.
    fn danger_of(&self, group: Group, step: Step, in_danger: bool) -> Obstacle {
        let after = self.after(step);
        let moves_commander = group.kinds.contains(Kind::Commander);
        let danger = || match after.board().commander(self.turn()) {
            Some(square) if moves_commander => Obstacle::CommanderAttacked { square },
            _ if in_danger => Obstacle::InCheck,
            _ => Obstacle::Exposes,
        };
        let origin = (!group.whole).then_some(group.from);
        after.left_behind_or_facing(origin).unwrap_or_else(danger)
    }

    /// Why the deployment on `origin` may not end now.
    pub(crate) fn obstacle_to_end(&self, origin: Square) -> Obstacle {
        self.left_behind_or_facing(Some(origin)).unwrap_or(Obstacle::InCheck)
    }

    /// The obstacles to the end of a turn other than an attack on the commander.
    fn left_behind_or_facing(&self, origin: Option<Square>) -> Option<Obstacle> {
        let left = origin.filter(|&origin| !may_end_turn(self, origin));
        let facing = || commanders_face(self.board()).then_some(Obstacle::Facing);
        left.map(|square| Obstacle::LeftBehind { square }).or_else(facing)
    }

    /// Why a group does not reach a target, the safety of the commander ignored.
    fn obstacle_on_the_way(&self, finder: &TargetFinder<'_>, group: Group, to: Square) -> Obstacle {
        if is_immobile(group) {
            return Obstacle::Headquarters;
        }
        let carrier = group.carrier();
        let heroic = group.stack.is_heroic(carrier);
        let there = self.board().get(to);
        let captures = there.is_some_and(|stack| stack.owner() != self.turn());
        if let Some(there) = there.filter(|_| !captures && to != group.from)
            && let Some(obstacle) = self.obstacle_to_join(group, there)
        {
            return obstacle;
        }
        let reach = if captures {
            carrier.captures(heroic, self.board().navies().contains(to))
        } else {
            carrier.moves(heroic)
        };
        let line = group.from.line_to(to);
        let Some((direction, distance)) =
            line.filter(|(direction, distance)| *distance <= reach.along(direction.is_diagonal()))
        else {
            return out_of_range(carrier, heroic, captures, reach);
        };
        let way: Vec<_> = ray(group.from, direction).take(distance.into()).collect();
        match carrier {
            Kind::AirForce => self.obstacle_in_flight(finder, &way, to, heroic),
            Kind::Navy => self.obstacle_at_sea(group.from, &way, to),
            Kind::Commander => self.obstacle_of_commander(finder.faced_squares(group), &way, to),
            _ => self.obstacle_on_land(finder, group, &way, to),
        }
    }

    /// Why a group cannot join a stack of its side, on whatever square the stack stands.
    fn obstacle_to_join(&self, group: Group, there: Stack) -> Option<Obstacle> {
        if let Some(piece) = there.kinds().intersection(group.kinds).first() {
            return Some(Obstacle::SameKind { piece });
        }
        let kinds = there.kinds().union(group.kinds);
        if !kinds.is_valid_stack() {
            return Some(Obstacle::NoStack { piece: group.carrier(), there: there.carrier() });
        }
        (!self.rules().allow_stack(kinds)).then_some(Obstacle::NavyTankSoldier)
    }

    /// The first stack on the way, the target excluded.
    fn blocker(&self, way: impl IntoIterator<Item = Square>, to: Square) -> Option<Obstacle> {
        let mut stacks = way.into_iter().filter(|&square| square != to).filter_map(|square| {
            self.board().get(square).map(|stack| Obstacle::Blocked { piece: stack.carrier(), square })
        });
        stacks.next()
    }

    fn obstacle_on_land(
        &self,
        finder: &TargetFinder<'_>,
        group: Group,
        way: &[Square],
        to: Square,
    ) -> Obstacle {
        let captures = self.owner(to) == Some(!self.turn());
        let (move_ground, _) = finder.land_ground(group.from, group.carrier());
        if !captures && !LAND_GROUND.contains(to) {
            return Obstacle::Sea;
        } else if !captures && !move_ground.contains(to) {
            return match self.rules().river {
                River::Sealed => Obstacle::River,
                River::Bridged => Obstacle::Bridge,
            };
        }
        // The remaining obstacles are a stack on the way, and the sea between a group on a Navy and the land.
        self.blocker(way.iter().copied(), to).unwrap_or(Obstacle::Sea)
    }

    fn obstacle_at_sea(&self, from: Square, way: &[Square], to: Square) -> Obstacle {
        if way.iter().any(|&square| NOT_NAVY_GROUND.contains(square)) || !NAVY_GROUND.contains(to) {
            Obstacle::Land
        } else if beyond_straits(from).contains(to) {
            Obstacle::Strait
        } else {
            // Only navies stop a Navy.
            let navies = way.iter().copied().filter(|&square| self.board().navies().contains(square));
            self.blocker(navies, to).unwrap_or(Obstacle::Land)
        }
    }

    fn obstacle_in_flight(
        &self,
        finder: &TargetFinder<'_>,
        way: &[Square],
        to: Square,
        heroic: bool,
    ) -> Obstacle {
        let mut flight = Flight::Safe;
        for &square in way.iter().filter(|_| !heroic) {
            flight = flight.enter(square, finder.zones(), self.board());
            if flight == Flight::ShotDown {
                return Obstacle::ShotDown { square };
            }
        }
        if flight == Flight::Safe && self.owner(to).is_none() && NOT_LAND_GROUND.contains(to) {
            Obstacle::Sea
        } else {
            Obstacle::UnderFire
        }
    }

    fn obstacle_of_commander(&self, faced: SquareSet, way: &[Square], to: Square) -> Obstacle {
        for &square in way {
            if faced.contains(square) {
                return Obstacle::Faced { square };
            }
            if NOT_LAND_GROUND.contains(square) {
                return Obstacle::Sea;
            }
            if let Some(blocked) = self.blocker([square], to) {
                return blocked;
            }
        }
        Obstacle::Sea
    }
}

/// The rule about the range of a carrier.
fn out_of_range(carrier: Kind, heroic: bool, captures: bool, reach: Reach) -> Obstacle {
    let Reach { straight, diagonal } = reach;
    match carrier {
        Kind::Commander if captures => Obstacle::CommanderCapture,
        Kind::Commander if heroic => Obstacle::HeroicCommander,
        Kind::Commander => Obstacle::Commander,
        Kind::Navy if captures && straight < Kind::Navy.moves(heroic).straight => {
            Obstacle::NavyCapture { range: straight }
        }
        piece if diagonal == 0 => Obstacle::StraightRange { piece, range: straight },
        piece if diagonal == straight => Obstacle::Range { piece, range: straight },
        piece => Obstacle::TwoRanges { piece, straight, diagonal },
    }
}
