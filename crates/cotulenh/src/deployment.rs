//! A deployment in progress: a turn in which the pieces of one stack leave one after another.

use crate::{Board, KindSet, Square, SquareSet, Stack, Step, StepKind};

/// The deployment in progress.
///
/// It records how it began, so that the position before the turn can be restored.
///
/// ```
/// use sandtable_core::{Notation, Position};
/// use sandtable_cotulenh::{CoTuLenh, Kind, Rules, Square};
///
/// let text = "6c4/11/11/11/11/11/11/11/11/2(NT)8/11/5C5 r - - 0 1 c3:T:N>c5...";
/// let position = CoTuLenh::from_text(text, Rules::STANDARD)?;
/// let deployment = position.deployment().unwrap();
/// assert_eq!(deployment.origin(), Square::C3);
/// assert_eq!(deployment.pending(), Kind::Tank.only());
/// # Ok::<(), sandtable_cotulenh::PositionError>(())
/// ```
///
/// # Equality
///
/// Two deployments are equal if they began in the same way and made the same steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deployment {
    origin: Square,
    pending: KindSet,
    /// The stack on the origin when the deployment began.
    base: Stack,
    /// The pieces of `base` that were pending when the deployment began, if the earlier steps of the turn are unknown.
    base_pending: Option<KindSet>,
    /// For each slot of a stack (carrier, second, third piece): the squares whose piece in that slot was heroic when
    /// the deployment began.
    heroes: [SquareSet; 3],
    /// The steps made. Two are enough: each step takes at least one of at most three pieces, and a third step would
    /// complete the turn.
    made: [Option<Made>; 2],
}

/// A step that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Made {
    group: KindSet,
    to: Square,
    kind: StepKind,
    /// The stack that stood on the target square.
    replaced: Option<Stack>,
}

impl Deployment {
    /// Begins a deployment of the stack on `origin`. With `base_pending`, begins in the middle of a turn whose earlier
    /// steps are unknown, with these pieces pending.
    pub(crate) fn begin(board: &Board, origin: Square, stack: Stack, base_pending: Option<KindSet>) -> Self {
        let mut heroes = [SquareSet::EMPTY; 3];
        for (square, stack) in board.heroes() {
            for (slot, set) in heroes.iter_mut().enumerate() {
                if stack.hero_slots() >> slot & 1 != 0 {
                    set.insert(square);
                }
            }
        }
        let pending = base_pending.unwrap_or(stack.kinds());
        Self { origin, pending, base: stack, base_pending, heroes, made: [None; 2] }
    }

    /// The square of the stack.
    #[must_use]
    pub const fn origin(&self) -> Square {
        self.origin
    }

    /// The pieces that have not acted yet; never empty.
    #[must_use]
    pub const fn pending(&self) -> KindSet {
        self.pending
    }

    /// Whether a step of this turn has captured.
    pub(crate) fn has_captured(&self) -> bool {
        self.made.iter().flatten().any(|made| made.kind.is_capture())
    }

    /// The deployment after a step; `None` if no piece is left pending.
    pub(crate) fn after(
        mut self,
        group: KindSet,
        to: Square,
        kind: StepKind,
        replaced: Option<Stack>,
    ) -> Option<Self> {
        self.pending = self.pending.without(group);
        if self.pending.is_empty() {
            return None;
        }
        let free = self.made.iter_mut().find(|made| made.is_none()).expect("a third step completes the turn");
        *free = Some(Made { group, to, kind, replaced });
        Some(self)
    }

    /// The pieces that were pending when the deployment began, if the earlier steps of the turn are unknown.
    pub(crate) const fn base_pending(&self) -> Option<KindSet> {
        self.base_pending
    }

    /// The steps made so far.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        let step =
            |made: &Made| Step::Deploy { from: self.origin, to: made.to, group: made.group, kind: made.kind };
        self.made.iter().flatten().map(step)
    }

    /// The board before the first step, given the current board.
    pub(crate) fn board_before(&self, mut board: Board) -> Board {
        for made in self.made.iter().rev().flatten() {
            board.set(made.to, made.replaced);
        }
        board.set(self.origin, Some(self.base));
        let now = board;
        for (square, stack) in now.all_pieces() {
            let slot = |i: usize| u16::from(self.heroes[i].contains(square)) << i;
            board.set(square, Some(stack.with_hero_slots(slot(0) | slot(1) | slot(2))));
        }
        board
    }

    /// The deployment with ranks mirrored and colours swapped.
    pub(crate) fn mirrored(self) -> Self {
        let made =
            |made: Made| Made { to: made.to.mirrored(), replaced: made.replaced.map(Stack::swapped), ..made };
        Self {
            origin: self.origin.mirrored(),
            base: self.base.swapped(),
            heroes: self.heroes.map(SquareSet::mirrored),
            made: self.made.map(|step| step.map(made)),
            ..self
        }
    }
}
