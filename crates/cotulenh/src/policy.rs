//! What a neural network chooses from: an index for every step.
//!
//! A step is a group of the pieces on a square, a direction and a distance, and whether the group stays. Only a
//! commander goes further than five squares, and only by itself, so that longer distances need no group.
//!
//! | indices | step |
//! |---|---|
//! | `((from × 8 + direction) × 5 + distance − 1) × 14 + (group − 1) × 2 + stays` | distance 1 to 5 |
//! | `73920 + (from × 8 + direction) × 6 + distance − 6` | a commander by itself, distance 6 to 11 |
//! | `80256` | the end of a deployment |
//!
//! `from` is the square counted from a12 (0) along the ranks to k1 (131), `direction` that of
//! [`Direction::ALL`], both from the mover's side: for Blue ranks are counted from the other end. `group` has bit 0 for
//! the carrier of the stack that stands on the square, bit 1 and 2 for its second and third piece, in stack order.

use sandtable_core::{Player, PolicyIndex, PolicyIndexed, Position as _};

use crate::{Action, Direction, Kind, KindSet, Position, Square, Step};

const DIRECTIONS: usize = Direction::ALL.len();
/// Distances that any piece may go.
const NEAR: usize = 5;
/// Distances that only a commander goes.
const FAR: usize = 6;
/// Ways to choose some of three pieces.
const GROUPS: usize = 7;

const FAR_BLOCK: usize = Square::NUM * DIRECTIONS * NEAR * GROUPS * 2;
const END: usize = FAR_BLOCK + Square::NUM * DIRECTIONS * FAR;

impl PolicyIndexed for Position {
    const POLICY_SIZE: usize = END + 1;
    const POLICY: &'static str = "cotulenh-policy-1";

    fn policy_index(&self, step: Step) -> PolicyIndex {
        let (from, to, group, action) = match step {
            Step::End { .. } => return PolicyIndex(END as u32),
            Step::Whole { from, to, action } => (from, to, KindSet::FULL, action),
            Step::Deploy { from, to, group, action } => (from, to, group, action),
        };
        let stack = self.board().get(from).expect("a step begins on a stack");
        let (direction, distance) = from.line_to(to).expect("a step goes along a line");
        let origin = self.seen(from).dense() * DIRECTIONS + self.seen_direction(direction).index();
        let distance = usize::from(distance);
        let index = if distance <= NEAR {
            let slots = slots(stack.kinds(), group);
            let stays = usize::from(action == Action::StayCapture);
            ((origin * NEAR + distance - 1) * GROUPS + slots - 1) * 2 + stays
        } else {
            FAR_BLOCK + origin * FAR + distance - NEAR - 1
        };
        PolicyIndex(index as u32)
    }

    fn move_at(&self, index: PolicyIndex) -> Option<Step> {
        let index = index.index();
        if index >= END {
            let end = self.deployment().map(|deployment| Step::End { from: deployment.origin() });
            return end.filter(|&end| index == END && self.is_legal(end));
        }
        let far = index.checked_sub(FAR_BLOCK);
        let (origin, distance) = match far {
            Some(far) => (far / FAR, NEAR + 1 + far % FAR),
            None => (index / (NEAR * GROUPS * 2), index / (GROUPS * 2) % NEAR + 1),
        };
        let from = self.seen(from_dense(origin / DIRECTIONS));
        let direction = self.seen_direction(Direction::ALL[origin % DIRECTIONS]);
        let to = (0..distance).try_fold(from, |square, _| square.step(direction))?;
        let stack = self.board().get(from)?;
        let group = match far {
            Some(_) => Kind::Commander.only(),
            None => chosen(stack.kinds(), index / 2 % GROUPS + 1)?,
        };
        let whole = self.deployment().is_none() && group == stack.kinds();
        let step = |action| {
            if whole { Step::Whole { from, to, action } } else { Step::Deploy { from, to, group, action } }
        };
        let actions: &[Action] = if far.is_none() && index % 2 == 1 {
            &[Action::StayCapture]
        } else {
            match self.board().get(to) {
                None => &[Action::Move],
                Some(target) if target.owner() == self.turn() => &[Action::Combine],
                Some(_) => &[Action::Capture, Action::SuicideCapture],
            }
        };
        actions.iter().map(|&action| step(action)).find(|&step| self.is_legal(step))
    }
}

impl Position {
    /// The square as the mover sees it, who always sits at the bottom; and back.
    pub(crate) const fn seen(&self, square: Square) -> Square {
        match self.mover() {
            Player::First => square,
            Player::Second => square.mirrored(),
        }
    }

    const fn seen_direction(&self, direction: Direction) -> Direction {
        match self.mover() {
            Player::First => direction,
            Player::Second => direction.mirrored(),
        }
    }
}

fn from_dense(dense: usize) -> Square {
    let files = usize::from(Square::FILES);
    Square::at((dense % files) as u8, (dense / files) as u8).expect("a place below 132 is a square")
}

/// Which pieces of a stack a group is: bit 0 for the first in stack order.
fn slots(stack: KindSet, group: KindSet) -> usize {
    stack.iter().enumerate().map(|(i, kind)| usize::from(group.contains(kind)) << i).sum()
}

/// The pieces of a stack at these places, if it has as many.
fn chosen(stack: KindSet, slots: usize) -> Option<KindSet> {
    let at_slots = stack.iter().enumerate().filter(|(i, _)| slots >> i & 1 != 0);
    (slots >> stack.len() == 0).then(|| at_slots.map(|(_, kind)| kind).collect())
}
