//! Legal steps.
//!
//! [`targets`] says where a group can go, [`safety`] what the commander's safety hangs on, [`attack`] who attacks a
//! square. Here the three meet: for each group its targets are split into those that are legal without a look at the
//! board after the step, those that need one, and those that cannot be legal.

pub(crate) mod attack;
mod safety;
mod targets;

use std::cell::OnceCell;
use std::ops::ControlFlow;

use sandtable_core::Player;

use self::attack::Aim;
use self::safety::Safety;
use self::targets::{Field, Group};
use crate::air::FireZones;
use crate::{Action, Board, Kind, Position, Square, SquareSet, Step};

/// The generator of one position's legal steps.
pub(crate) struct Generator<'a> {
    position: &'a Position,
    owner: Player,
    field: Field<'a>,
    safety: Safety,
    /// The own air defence, made when an enemy Air Force asks for it.
    zones: OnceCell<FireZones>,
    last_guard: LastGuard,
    /// See [`Self::any_step_raises`].
    raising: OnceCell<bool>,
}

/// Could the enemy's last guard become heroic by a step, and reach further than before?
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastGuard {
    /// No step can do it.
    Never,
    /// A capture might leave a commander and one guard.
    ByCapture,
    /// Any step will: a board that was set up has a last guard who is no hero yet.
    Always,
}

impl LastGuard {
    fn of(board: &Board, owner: Player) -> Self {
        /// The most pieces of a side that one capture can bring down to two.
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
    /// `None` if a commander has been taken: the game is over.
    pub(crate) fn new(position: &'a Position) -> Option<Self> {
        let (board, owner) = (position.board(), position.mover());
        board.commander(!owner)?;
        let zones = OnceCell::new();
        let safety = Safety::of(board, owner, board.commander(owner)?, &zones);
        let last_guard = LastGuard::of(board, !owner);
        Some(Self {
            position,
            owner,
            field: Field::new(board, position.rule_set(), owner),
            safety,
            zones,
            last_guard,
            raising: OnceCell::new(),
        })
    }

    /// Calls `f` with every legal step, until it breaks.
    pub(crate) fn for_each<B>(&self, mut f: impl FnMut(Step) -> ControlFlow<B>) -> ControlFlow<B> {
        if let Some(from) = self.end() {
            f(Step::End { from })?;
        }
        self.for_each_group(|group| self.for_each_step(group, &Action::ALL, &mut f))
    }

    /// Calls `f` with every legal step that takes something, until it breaks.
    pub(crate) fn for_each_capture<B>(&self, mut f: impl FnMut(Step) -> ControlFlow<B>) -> ControlFlow<B> {
        self.for_each_group(|group| {
            if self.field.is_enemy_near(group) {
                self.for_each_step(group, &Action::CAPTURES, &mut f)
            } else {
                ControlFlow::Continue(())
            }
        })
    }

    /// Calls `f` with every legal step of a group that is one of these actions, until it breaks.
    #[inline]
    fn for_each_step<B>(
        &self,
        group: Group,
        actions: &[Action],
        mut f: impl FnMut(Step) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.for_each_action(group, actions, |action, free, risky| {
            for to in (free | risky).iter() {
                if free.contains(to) || self.is_legal_when_tried(group, to, action) {
                    f(group.step(to, action))?;
                }
            }
            ControlFlow::Continue(())
        })
    }

    /// How many legal steps there are.
    pub(crate) fn count(&self) -> u64 {
        let mut count = u64::from(self.end().is_some());
        let _ = self.for_each_group::<()>(|group| {
            self.for_each_action(group, &Action::ALL, |action, free, risky| {
                let tried = risky.iter().filter(|&to| self.is_legal_when_tried(group, to, action)).count();
                count += u64::from(free.len()) + tried as u64;
                ControlFlow::Continue(())
            })
        });
        count
    }

    /// Is the step legal?
    pub(crate) fn is_legal(&self, step: Step) -> bool {
        let (from, to, kinds, action) = match step {
            Step::End { from } => return self.end() == Some(from),
            Step::Whole { from, to, action } => (from, to, None, action),
            Step::Deploy { from, to, group, action } => (from, to, Some(group), action),
        };
        let found = self.for_each_group(|group| {
            if group.from != from
                || kinds.unwrap_or(group.stack.kinds()) != group.kinds
                || kinds.is_none() != group.whole
            {
                return ControlFlow::Continue(());
            }
            self.for_each_action(group, &[action], |_, free, risky| {
                let legal =
                    free.contains(to) || (risky.contains(to) && self.is_legal_when_tried(group, to, action));
                if legal { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        found.is_break()
    }

    /// The origin of the deployment in progress, if it may end as things stand.
    fn end(&self) -> Option<Square> {
        let origin = self.position.deployment()?.origin();
        (!self.safety.in_danger && may_stay(self.position, origin)).then_some(origin)
    }

    /// Calls `f` with every group that can act.
    fn for_each_group<B>(&self, mut f: impl FnMut(Group) -> ControlFlow<B>) -> ControlFlow<B> {
        let board = self.position.board();
        if let Some(deployment) = self.position.deployment() {
            let from = deployment.origin();
            let stack = board.get(from).expect("pending pieces stand on the origin");
            return deployment
                .pending()
                .subsets()
                .try_for_each(|kinds| f(Group { from, stack, kinds, whole: false }));
        }
        for (from, stack) in board.pieces(self.owner) {
            f(Group { from, stack, kinds: stack.kinds(), whole: true })?;
            if stack.is_stack() {
                for kinds in stack.kinds().subsets().skip(1) {
                    f(Group { from, stack, kinds, whole: false })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `f` with each of the actions and the squares it is possible on: first those on which it is legal, then
    /// those on which it must be tried.
    #[inline]
    fn for_each_action<B>(
        &self,
        group: Group,
        actions: &[Action],
        mut f: impl FnMut(Action, SquareSet, SquareSet) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let targets = self.field.targets(group);
        let always = self.is_always_risky(group);
        // Within a turn pieces may wait where they may not stay.
        let waits = !group.stack.carrier().may_stand(group.from);
        for &action in actions {
            let all = targets.get(action);
            if all.is_empty() {
                continue;
            }
            let risky = if self.safety.in_danger {
                self.remedies(group, all)
            } else if always
                || (action == Action::StayCapture && waits)
                || (action == Action::SuicideCapture && self.raises_last_guard(group))
            {
                all
            } else {
                all & self.risky_targets(action)
            };
            let free = if self.safety.in_danger { SquareSet::EMPTY } else { all & !risky };
            f(action, free, risky)?;
        }
        ControlFlow::Continue(())
    }

    /// The targets on which a step might end the danger to the commander, now or later in the turn.
    fn remedies(&self, group: Group, all: SquareSet) -> SquareSet {
        if !group.whole || group.from == self.safety.commander || self.safety.from_the_air {
            all
        } else {
            all & self.safety.remedies
        }
    }

    /// Can any step of the group, wherever it goes, bring a safe commander into danger or leave pieces where they may
    /// not stay?
    fn is_always_risky(&self, group: Group) -> bool {
        let leaves = group.stack.kinds().without(group.kinds);
        group.kinds.contains(Kind::Commander)
            || (group.vacates() && self.safety.shields.contains(group.from))
            || self.safety.guards.contains(group.from)
            || self.last_guard == LastGuard::Always
            || (!self.safety.guards.is_empty() && self.any_step_raises())
            || leaves.first().is_some_and(|carrier| !carrier.may_stand(group.from))
    }

    /// Will any step make an own piece heroic that is none yet and need not move? Only on a board that was set up.
    ///
    /// A defender who rises has a wider zone. An Air Force that entered and left the old one, and was shot down, may
    /// not leave the new one, and may take the commander from within it; or the other way round.
    fn any_step_raises(&self) -> bool {
        let board = self.position.board();
        *self.raising.get_or_init(|| {
            LastGuard::of(board, self.owner) == LastGuard::Always || attack::is_attacked(board, !self.owner)
        })
    }

    /// Will the loss of the group leave the commander with one guard, who rises and may be a defender?
    fn raises_last_guard(&self, group: Group) -> bool {
        let left = self.position.board().piece_count(self.owner) - group.kinds.len();
        left == 2 && !self.safety.guards.is_empty()
    }

    /// The targets on which that action, by any group, can bring a safe commander into danger.
    fn risky_targets(&self, action: Action) -> SquareSet {
        let mut risky = SquareSet::EMPTY;
        if action.is_capture() && self.last_guard == LastGuard::ByCapture {
            risky = self.position.board().occupied(!self.owner);
        }
        match action {
            Action::StayCapture | Action::SuicideCapture => risky |= self.safety.shields,
            Action::Combine => {
                risky = self.safety.guards;
                risky.insert(self.safety.commander);
            }
            Action::Move | Action::Capture => {}
        }
        risky
    }

    /// May the turn end with the commander gone by itself to an empty square?
    ///
    /// No other square changes, a commander is no air defence, and it never goes where the other would see it. So all
    /// that counts is who attacks the square.
    fn is_refuge(&self, group: Group, to: Square) -> bool {
        let leaves = group.stack.kinds().without(group.kinds);
        let stays = leaves.first().is_none_or(|carrier| carrier.may_stand(group.from));
        let mut aim = Aim::at(self.position.board(), to, !self.owner, &self.zones);
        if leaves.is_empty() {
            aim = aim.without(group.from);
        }
        stays && !aim.hits()
    }

    /// Makes the step on a copy, and looks whether the turn can end legally.
    fn is_legal_when_tried(&self, group: Group, to: Square, action: Action) -> bool {
        let commander_moves = group.kinds == Kind::Commander.only() && action == Action::Move;
        if commander_moves && self.last_guard != LastGuard::Always && !self.any_step_raises() {
            let refuge = self.is_refuge(group, to);
            // Within a deployment another step may yet make it one.
            if refuge || group.whole {
                return refuge;
            }
        }
        let mut after = *self.position;
        after.play_step(group.step(to, action));
        if after.deployment().is_some() {
            return Generator::new(&after)
                .is_some_and(|generator| generator.for_each(|_| ControlFlow::Break(())).is_break());
        }
        let stays = group.whole || may_stay(&after, group.from);
        stays && attack::is_safe(after.board(), self.owner)
    }
}

/// May what is left of a deployed stack stay where it is?
fn may_stay(position: &Position, origin: Square) -> bool {
    position.board().get(origin).is_none_or(|stack| stack.carrier().may_stand(origin))
}

impl Group {
    fn step(self, to: Square, action: Action) -> Step {
        if self.whole {
            Step::Whole { from: self.from, to, action }
        } else {
            Step::Deploy { from: self.from, to, group: self.kinds, action }
        }
    }
}
