//! Legal steps.
//!
//! [`targets`] finds the targets of a group, [`safety`] the pieces that protect the commander, [`attack`] the attackers
//! of a square, and [`facing`] whether the commanders face each other. This module combines them: the targets of each
//! group are split into targets that are legal without trying the step, targets that have to be tried on a copy, and
//! targets that cannot be legal.

pub(crate) mod attack;
pub(crate) mod facing;
mod safety;
mod targets;

use std::cell::OnceCell;
use std::ops::ControlFlow;

use sandtable_core::{Player, Position};

use self::attack::Aim;
use self::safety::Safety;
pub(crate) use self::targets::{Group, TargetFinder};
use crate::air::FireZones;
use crate::{Board, CoTuLenh, Kind, Square, SquareSet, Stack, Step, StepKind};

/// The generator of the legal steps of a position.
pub(crate) struct Generator<'a> {
    position: &'a CoTuLenh,
    owner: Player,
    finder: TargetFinder<'a>,
    safety: Safety,
    /// The mover's own air defence, computed when an enemy Air Force makes it relevant.
    zones: OnceCell<FireZones>,
    last_guard: LastGuard,
    /// The result of [`Self::any_step_promotes`].
    promotes: OnceCell<bool>,
}

/// The steps that can promote the enemy's last guard and so extend its range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastGuard {
    /// No step.
    Never,
    /// Captures, because one may leave a commander and one guard.
    ByCapture,
    /// Every step, because the last guard of a set-up position is not heroic yet.
    Always,
}

impl LastGuard {
    fn of(board: &Board, owner: Player) -> Self {
        /// The largest number of pieces that one capture can reduce to two.
        const FEW: usize = 5;
        match board.piece_count(owner) {
            2 if board
                .pieces(owner)
                .any(|(_, stack)| stack.carrier() != Kind::Commander && !stack.is_carrier_heroic()) =>
            {
                Self::Always
            }
            0..=FEW => Self::ByCapture,
            _ => Self::Never,
        }
    }
}

impl<'a> Generator<'a> {
    /// `None` if a commander has been captured and the game is over.
    pub(crate) fn new(position: &'a CoTuLenh) -> Option<Self> {
        let (board, owner) = (position.board(), position.turn());
        board.commander(!owner)?;
        let zones = OnceCell::new();
        let safety = Safety::of(board, owner, board.commander(owner)?, &zones);
        let last_guard = LastGuard::of(board, !owner);
        Some(Self {
            position,
            owner,
            finder: TargetFinder::new(board, position.rules(), owner),
            safety,
            zones,
            last_guard,
            promotes: OnceCell::new(),
        })
    }

    /// Calls `f` with every legal step, until it breaks.
    pub(crate) fn for_each<B>(&self, mut f: impl FnMut(Step) -> ControlFlow<B>) -> ControlFlow<B> {
        if let Some(from) = self.end() {
            f(Step::End { from })?;
        }
        self.for_each_group(|group| self.for_each_step(group, &StepKind::ALL, &mut f))
    }

    /// Calls `f` with every legal step of the stack on a square, until it breaks.
    pub(crate) fn for_each_from<B>(
        &self,
        from: Square,
        mut f: impl FnMut(Step) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.end() == Some(from) {
            f(Step::End { from })?;
        }
        self.for_each_group_on(from, |group| self.for_each_step(group, &StepKind::ALL, &mut f))
    }

    /// Calls `f` with every legal step of a group, until it breaks.
    pub(crate) fn for_each_step_of<B>(
        &self,
        group: Group,
        f: impl FnMut(Step) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.for_each_step(group, &StepKind::ALL, f)
    }

    /// The finder of the targets of the mover's groups.
    pub(crate) const fn finder(&self) -> &TargetFinder<'a> {
        &self.finder
    }

    /// The steps of a group, the safety of its commander ignored.
    pub(crate) fn pseudo_legal_steps(&self, group: Group) -> Vec<Step> {
        let targets = self.finder.targets(group);
        let steps = |&kind: &StepKind| targets.get(kind).iter().map(move |to| group.step(to, kind));
        StepKind::ALL.iter().flat_map(steps).collect()
    }

    /// Whether the mover's commander is attacked.
    pub(crate) const fn in_check(&self) -> bool {
        self.safety.attacked
    }

    /// Whether the mover's commander is attacked or faces the enemy commander.
    pub(crate) const fn is_commander_in_danger(&self) -> bool {
        self.safety.in_danger
    }

    /// Calls `f` with every legal capture, until it breaks.
    pub(crate) fn for_each_capture<B>(&self, mut f: impl FnMut(Step) -> ControlFlow<B>) -> ControlFlow<B> {
        self.for_each_group(|group| {
            if self.finder.is_enemy_near(group) {
                self.for_each_step(group, &StepKind::CAPTURES, &mut f)
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    /// Calls `f` with every legal step that captures nothing, until it breaks.
    pub(crate) fn for_each_quiet<B>(&self, mut f: impl FnMut(Step) -> ControlFlow<B>) -> ControlFlow<B> {
        if let Some(from) = self.end() {
            f(Step::End { from })?;
        }
        self.for_each_group(|group| self.for_each_step(group, &StepKind::QUIET, &mut f))
    }

    /// Calls `f` with every legal step of a group that has one of `step_kinds`, until it breaks.
    #[inline]
    fn for_each_step<B>(
        &self,
        group: Group,
        step_kinds: &[StepKind],
        mut f: impl FnMut(Step) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.for_each_step_kind(group, step_kinds, |step_kind, free, risky| {
            (free | risky).try_for_each(|to| {
                if free.contains(to) || self.is_legal_when_tried(group, to, step_kind) {
                    f(group.step(to, step_kind))?;
                }
                ControlFlow::Continue(())
            })
        })
    }

    /// The number of legal steps.
    pub(crate) fn count(&self) -> u64 {
        let mut count = u64::from(self.end().is_some());
        let _ = self.for_each_group::<()>(|group| {
            self.for_each_step_kind(group, &StepKind::ALL, |step_kind, free, risky| {
                let tried = risky.iter().filter(|&to| self.is_legal_when_tried(group, to, step_kind)).count();
                count += (free.len() + tried) as u64;
                ControlFlow::Continue(())
            })
        });
        count
    }

    /// Whether the step is legal.
    pub(crate) fn is_legal(&self, step: Step) -> bool {
        let (from, to, kinds, step_kind) = match step {
            Step::End { from } => return self.end() == Some(from),
            Step::Whole { from, to, kind } => (from, to, None, kind),
            Step::Deploy { from, to, group, kind } => (from, to, Some(group), kind),
        };
        let found = self.for_each_group_on(from, |group| {
            if kinds.unwrap_or(group.stack.kinds()) != group.kinds || kinds.is_none() != group.whole {
                return ControlFlow::Continue(());
            }
            self.for_each_step_kind(group, &[step_kind], |_, free, risky| {
                let legal = free.contains(to)
                    || (risky.contains(to) && self.is_legal_when_tried(group, to, step_kind));
                if legal { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        found.is_break()
    }

    /// The origin of the deployment in progress, if the turn may end now.
    fn end(&self) -> Option<Square> {
        let origin = self.position.deployment()?.origin();
        (!self.safety.in_danger && may_end_turn(self.position, origin)).then_some(origin)
    }

    /// Calls `f` with every group that can act.
    #[inline]
    fn for_each_group<B>(&self, mut f: impl FnMut(Group) -> ControlFlow<B>) -> ControlFlow<B> {
        let board = self.position.board();
        if let Some(deployment) = self.position.deployment() {
            return self.for_each_group_on(deployment.origin(), f);
        }
        for (from, stack) in board.pieces(self.owner) {
            Self::for_each_group_of(from, stack, &mut f)?;
        }
        ControlFlow::Continue(())
    }

    /// Calls `f` with every group on a square that can act, the largest one first.
    pub(crate) fn for_each_group_on<B>(
        &self,
        from: Square,
        mut f: impl FnMut(Group) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(stack) = self.position.board().get(from).filter(|stack| stack.owner() == self.owner) else {
            return ControlFlow::Continue(());
        };
        match self.position.deployment() {
            None => Self::for_each_group_of(from, stack, &mut f),
            Some(deployment) if deployment.origin() == from => deployment
                .pending()
                .subsets()
                .try_for_each(|kinds| f(Group { from, stack, kinds, whole: false })),
            Some(_) => ControlFlow::Continue(()),
        }
    }

    /// Calls `f` with every group of a stack outside a deployment: the whole stack, then its proper subsets.
    #[inline]
    fn for_each_group_of<B>(
        from: Square,
        stack: Stack,
        f: &mut impl FnMut(Group) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        f(Group { from, stack, kinds: stack.kinds(), whole: true })?;
        if stack.is_stack() {
            for kinds in stack.kinds().subsets().skip(1) {
                f(Group { from, stack, kinds, whole: false })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `f` with each step kind and two sets of targets: the legal targets, and the targets that have to be tried.
    #[inline]
    fn for_each_step_kind<B>(
        &self,
        group: Group,
        step_kinds: &[StepKind],
        mut f: impl FnMut(StepKind, SquareSet, SquareSet) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let targets = self.finder.targets(group);
        let always = self.is_always_risky(group);
        let strands = !group.remainder().may_end_turn_on(group.from);
        // A group that waits at sea in a deployment must not stay there by a stay capture.
        let waits = !group.stack.kinds().may_end_turn_on(group.from);
        for &step_kind in step_kinds {
            let all = targets.get(step_kind);
            if all.is_empty() {
                continue;
            }
            let risky = if self.safety.in_danger {
                self.remedies(group, all)
            } else if always
                || (strands && !(step_kind == StepKind::Move && self.can_rest_follow(group)))
                || (step_kind == StepKind::StayCapture && waits)
                || (step_kind == StepKind::SuicideCapture && self.promotes_last_guard(group))
            {
                all
            } else {
                all & self.risky_targets(step_kind)
            };
            let free = if self.safety.in_danger { SquareSet::EMPTY } else { all - risky };
            f(step_kind, free, risky)?;
        }
        ControlFlow::Continue(())
    }

    /// The targets where a step might end the danger to the commander, now or later in the turn.
    fn remedies(&self, group: Group, all: SquareSet) -> SquareSet {
        if !group.whole || group.from == self.safety.commander || self.safety.from_the_air {
            all
        } else {
            all & self.safety.remedies
        }
    }

    /// Whether every step of the group is risky: it may endanger a safe commander.
    fn is_always_risky(&self, group: Group) -> bool {
        group.kinds.contains(Kind::Commander)
            || (group.vacates() && self.safety.shields.contains(group.from))
            || self.safety.guards.contains(group.from)
            || self.last_guard == LastGuard::Always
            || (!self.safety.guards.is_empty() && self.any_step_promotes())
    }

    /// Whether the rest of the stack can certainly leave after the group, so that the group may strand it: the rest is an
    /// Air Force with a choice of empty squares, and its flight cannot endanger a safe commander.
    fn can_rest_follow(&self, group: Group) -> bool {
        let rest = Group { kinds: group.remainder(), whole: false, ..group };
        rest.carrier() == Kind::AirForce
            && self.position.deployment().is_none()
            && !group.stack.kinds().contains(Kind::Commander)
            && !self.safety.shields.contains(group.from)
            && self.safety.guards.is_empty()
            && self.last_guard == LastGuard::Never
            // The move takes at most one of the squares.
            && self.finder.targets(rest).get(StepKind::Move).len() > 1
    }

    /// Whether every step promotes a piece that does not take part in it, which happens only in a set-up position.
    ///
    /// A promoted defender has a wider fire zone. That matters in both directions: an Air Force that entered and left
    /// the old zone was shot down, but if it does not leave the new zone, it may capture the commander from inside it.
    fn any_step_promotes(&self) -> bool {
        let board = self.position.board();
        *self.promotes.get_or_init(|| {
            LastGuard::of(board, self.owner) == LastGuard::Always || attack::is_attacked(board, !self.owner)
        })
    }

    /// Whether losing the group leaves the commander with one guard, which is promoted and may be a defender.
    fn promotes_last_guard(&self, group: Group) -> bool {
        let left = self.position.board().piece_count(self.owner) - group.kinds.len();
        left == 2 && !self.safety.guards.is_empty()
    }

    /// The targets where a step of this kind, by any group, can endanger a safe commander.
    fn risky_targets(&self, step_kind: StepKind) -> SquareSet {
        let mut risky = SquareSet::EMPTY;
        if step_kind.is_capture() && self.last_guard == LastGuard::ByCapture {
            risky = self.position.board().occupied(!self.owner);
        }
        match step_kind {
            StepKind::StayCapture | StepKind::SuicideCapture => risky |= self.safety.shields,
            StepKind::Combine => {
                risky = self.safety.guards;
                risky.insert(self.safety.commander);
            }
            StepKind::Move | StepKind::Capture => {}
        }
        risky
    }

    /// Whether the turn may end after the commander has moved by itself to an empty square.
    ///
    /// No other square changes, a commander has no air defence, and it never enters a square that the enemy commander
    /// faces. So it is enough that no piece attacks the square.
    fn is_refuge(&self, group: Group, to: Square) -> bool {
        let mut aim = Aim::at(self.position.board(), to, !self.owner, &self.zones);
        if group.vacates() {
            aim = aim.without(group.from);
        }
        group.remainder().may_end_turn_on(group.from) && !aim.hits()
    }

    /// Plays the step on a copy and checks that the turn can end legally.
    fn is_legal_when_tried(&self, group: Group, to: Square, step_kind: StepKind) -> bool {
        let commander_moves = group.kinds == Kind::Commander.only() && step_kind == StepKind::Move;
        if commander_moves && self.last_guard != LastGuard::Always && !self.any_step_promotes() {
            let refuge = self.is_refuge(group, to);
            // Within a deployment a later step may still make the square safe.
            if refuge || group.whole {
                return refuge;
            }
        }
        let mut after = *self.position;
        after.play_unchecked(group.step(to, step_kind));
        if after.deployment().is_some() {
            return Generator::new(&after)
                .is_some_and(|generator| generator.for_each(|_| ControlFlow::Break(())).is_break());
        }
        let stands = group.whole || may_end_turn(&after, group.from);
        stands && attack::is_safe(after.board(), self.owner)
    }
}

/// Whether the turn may end with the pieces that are left on the origin of a deployment.
pub(crate) fn may_end_turn(position: &CoTuLenh, origin: Square) -> bool {
    position.board().get(origin).is_none_or(|stack| stack.kinds().may_end_turn_on(origin))
}

impl Group {
    fn step(self, to: Square, kind: StepKind) -> Step {
        if self.whole {
            Step::Whole { from: self.from, to, kind }
        } else {
            Step::Deploy { from: self.from, to, group: self.kinds, kind }
        }
    }
}
