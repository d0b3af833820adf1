//! A turn that is made step by step: the pieces of one stack leaving one after another.

use crate::{Action, Board, KindSet, Square, SquareSet, Stack, Step};

/// The deployment in progress.
///
/// It knows how it came about, so that the position before the turn can be written down.
///
/// # Equality
///
/// Two deployments are equal if they began alike and made the same steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deployment {
    origin: Square,
    pending: KindSet,
    /// The stack on the origin when the deployment began.
    base: Stack,
    /// The pieces of it that could act, if the beginning of the turn is not known.
    base_pending: Option<KindSet>,
    /// The squares whose carrier, second and third piece were heroic then.
    heroes: [SquareSet; 3],
    /// A stack has at most three pieces, each step takes at least one of them, and a third would end the turn.
    made: [Option<Made>; 2],
}

/// A step that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Made {
    group: KindSet,
    to: Square,
    action: Action,
    /// What stood on the target square.
    replaced: Option<Stack>,
}

impl Deployment {
    /// A deployment of the stack on `origin`: at the beginning of a turn, or somewhere within one with these pieces
    /// pending.
    pub(crate) fn begin(board: &Board, origin: Square, stack: Stack, base_pending: Option<KindSet>) -> Self {
        let mut heroes = [SquareSet::EMPTY; 3];
        for (square, stack) in board.all_pieces() {
            for (slot, set) in heroes.iter_mut().enumerate() {
                if stack.hero_slots() >> slot & 1 != 0 {
                    set.insert(square);
                }
            }
        }
        let pending = base_pending.unwrap_or(stack.kinds());
        Self { origin, pending, base: stack, base_pending, heroes, made: [None; 2] }
    }

    /// Where the stack stands.
    #[must_use]
    pub const fn origin(&self) -> Square {
        self.origin
    }

    /// The pieces that have not acted yet; at least one.
    #[must_use]
    pub const fn pending(&self) -> KindSet {
        self.pending
    }

    /// Has a step of this turn captured something?
    pub(crate) fn has_captured(&self) -> bool {
        self.made.iter().flatten().any(|made| made.action.is_capture())
    }

    /// The deployment after a step, if anything is still pending.
    pub(crate) fn after(
        mut self,
        group: KindSet,
        to: Square,
        action: Action,
        replaced: Option<Stack>,
    ) -> Option<Self> {
        self.pending = self.pending.without(group);
        if self.pending.is_empty() {
            return None;
        }
        let free = self.made.iter_mut().find(|made| made.is_none()).expect("a third step ends the turn");
        *free = Some(Made { group, to, action, replaced });
        Some(self)
    }

    /// The pieces that could act when the deployment began, if the beginning of the turn is not known.
    pub(crate) const fn base_pending(&self) -> Option<KindSet> {
        self.base_pending
    }

    /// The steps made so far.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        let step = |made: &Made| Step::Deploy {
            from: self.origin,
            to: made.to,
            group: made.group,
            action: made.action,
        };
        self.made.iter().flatten().map(step)
    }

    /// The board before the first step, given the board now.
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

    /// The deployment seen from the other side of the board.
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
