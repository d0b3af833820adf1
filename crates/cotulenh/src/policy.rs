//! Policy indices: a fixed number for every step.
//!
//! An index encodes the group of pieces, its square, a direction, a distance, and whether the group stays. Only a
//! commander moves more than five squares, and only by itself, so longer distances need no group.
//!
//! | indices | step |
//! |---|---|
//! | `((from × 8 + direction) × 5 + distance − 1) × 14 + (group − 1) × 2 + stays` | distance 1 to 5 |
//! | `73920 + (from × 8 + direction) × 6 + distance − 6` | a commander by itself, distance 6 to 11 |
//! | `80256` | the end of a deployment |
//!
//! `from` is the cell and `direction` the index in [`Direction::ALL`], both in the mover's [frame](crate::frame). Bit 0
//! of `group` stands for the carrier of the stack on the square, bits 1 and 2 for its second and third piece in stack
//! order.

use sandtable_core::learn::PolicyIndex;
use sandtable_core::{Player, PolicyIndexed, Position};

use crate::frame::Frame;
use crate::{CoTuLenh, Direction, Kind, KindSet, Square, Step, StepKind};

pub(crate) const DIRECTIONS: usize = Direction::ALL.len();
/// The distances that any piece may move.
const NEAR: usize = 5;
/// The longer distances that only a commander moves.
const FAR: usize = 6;
/// The non-empty subsets of three pieces.
pub(crate) const GROUPS: usize = 7;

const FAR_BLOCK: usize = Square::NUM * DIRECTIONS * NEAR * GROUPS * 2;
const END: usize = FAR_BLOCK + Square::NUM * DIRECTIONS * FAR;

/// The line of a step.
#[derive(Clone, Copy)]
struct Line {
    /// The index of the direction in the frame of each player.
    directions: [u8; 2],
    distance: u8,
}

/// The line of every legal step, by the difference of the mailbox indices of its squares + [`Square::TABLE`].
///
/// Lines with different directions or distances have different differences.
static LINES: [Line; 2 * Square::TABLE] = {
    let mut lines = [Line { directions: [0; 2], distance: 0 }; 2 * Square::TABLE];
    let mut d = 0;
    while d < DIRECTIONS {
        let direction = Direction::ALL[d];
        let directions = [
            Frame::of(Player::First).direction(direction).index() as u8,
            Frame::of(Player::Second).direction(direction).index() as u8,
        ];
        let mut distance = 1;
        while distance <= NEAR + FAR {
            let at = Square::TABLE.checked_add_signed(direction.offset() as isize * distance.cast_signed());
            let line = &mut lines[at.expect("a line is inside the table")];
            assert!(line.distance == 0, "every difference has one line");
            *line = Line { directions, distance: distance as u8 };
            distance += 1;
        }
        d += 1;
    }
    lines
};

impl PolicyIndexed for CoTuLenh {
    const POLICY_SIZE: usize = END + 1;
    const POLICY: &'static str = "cotulenh-policy-1";

    #[inline]
    fn policy_index(&self, step: Step) -> PolicyIndex {
        let (from, to, group, kind) = match step {
            Step::End { .. } => return PolicyIndex(END as u32),
            Step::Whole { from, to, kind } => (from, to, KindSet::ALL, kind),
            Step::Deploy { from, to, group, kind } => (from, to, group, kind),
        };
        let stack = self.board().get(from).expect("a step begins on a stack");
        let (frame, line) = (Frame::of(self.turn()), LINES[to.index() + Square::TABLE - from.index()]);
        let direction = line.directions[self.turn().index()];
        let origin = frame.cell(from) * DIRECTIONS + usize::from(direction);
        let distance = usize::from(line.distance);
        let index = if distance <= NEAR {
            let slots = slots(stack.kinds(), group);
            let stays = usize::from(kind == StepKind::StayCapture);
            ((origin * NEAR + distance - 1) * GROUPS + slots - 1) * 2 + stays
        } else {
            FAR_BLOCK + origin * FAR + distance - NEAR - 1
        };
        PolicyIndex(index as u32)
    }

    fn move_at(&self, index: PolicyIndex) -> Option<Step> {
        let frame = Frame::of(self.turn());
        let (from, to, group, stays) = match IndexedStep::at(index)? {
            IndexedStep::End => {
                let end = self.deployment().map(|deployment| Step::End { from: deployment.origin() });
                return end.filter(|&end| self.is_legal(end));
            }
            IndexedStep::Step { from, to, group, stays, .. } => {
                (frame.square(from), frame.square(to), group, stays)
            }
        };
        let stack = self.board().get(from)?;
        let group = match group {
            None => Kind::Commander.only(),
            Some(group) => chosen(stack.kinds(), group)?,
        };
        let whole = self.deployment().is_none() && group == stack.kinds();
        let step = |kind| {
            if whole { Step::Whole { from, to, kind } } else { Step::Deploy { from, to, group, kind } }
        };
        let step_kinds: &[StepKind] = if stays {
            &[StepKind::StayCapture]
        } else {
            match self.board().get(to) {
                None => &[StepKind::Move],
                Some(target) if target.owner() == self.turn() => &[StepKind::Combine],
                Some(_) => &[StepKind::Capture, StepKind::SuicideCapture],
            }
        };
        step_kinds.iter().map(|&kind| step(kind)).find(|&step| self.is_legal(step))
    }
}

/// The step of a policy index in the mover's frame, which need not be legal.
pub(crate) enum IndexedStep {
    /// A group moves or captures.
    Step {
        /// The cell of its stack.
        from: usize,
        /// The target cell.
        to: usize,
        /// The direction from the stack to the target.
        direction: Direction,
        /// The pieces of the stack, as in an index; `None` for a commander by itself.
        group: Option<usize>,
        /// Whether the group captures without moving.
        stays: bool,
    },
    /// A deployment ends.
    End,
}

impl IndexedStep {
    /// The step of an index; `None` if it leaves the board or the policy has no such index.
    pub(crate) fn at(index: PolicyIndex) -> Option<Self> {
        let index = index.index();
        if index >= END {
            return (index == END).then_some(Self::End);
        }
        let (origin, distance, group, stays) = match index.checked_sub(FAR_BLOCK) {
            Some(far) => (far / FAR, NEAR + 1 + far % FAR, None, false),
            None => (
                index / (NEAR * GROUPS * 2),
                index / (GROUPS * 2) % NEAR + 1,
                Some(index / 2 % GROUPS + 1),
                index % 2 == 1,
            ),
        };
        // The way from cell to cell is the same in every frame. The frame of the first player is the board itself.
        let frame = Frame::of(Player::First);
        let (from, direction) = (origin / DIRECTIONS, Direction::ALL[origin % DIRECTIONS]);
        let to = (0..distance).try_fold(frame.square(from), |square, _| square.step(direction))?;
        Some(Self::Step { from, to: frame.cell(to), direction, group, stays })
    }
}

/// The pieces of a stack that are in a group; bit 0 is the first in stack order.
#[inline]
fn slots(stack: KindSet, group: KindSet) -> usize {
    // Most stacks are single pieces.
    if stack.is_single() {
        return 1;
    }
    stack.iter().enumerate().map(|(i, kind)| usize::from(group.contains(kind)) << i).sum()
}

/// The inverse of [`slots`]; `None` if the stack has too few pieces.
fn chosen(stack: KindSet, slots: usize) -> Option<KindSet> {
    let at_slots = stack.iter().enumerate().filter(|(i, _)| slots >> i & 1 != 0);
    (slots >> stack.len() == 0).then(|| at_slots.map(|(_, kind)| kind).collect())
}
