//! Observations and policy indices for neural networks.

use sandtable_core::learn::{
    Canvas, DecodeError, Layout, Plane, PlaneCursor, PolicyIndex, Shape, WrongLength,
};
use sandtable_core::rules::Context;
use sandtable_core::{Observe, Player, PolicyIndexed};

use crate::position::{Nim, PILE, Take};

impl Observe for Nim {
    const PLANES: &'static [Plane] =
        &[Plane::new("counters", "1 on each counter"), Plane::new("lost", "1 if the mover has lost")];
    const SHAPE: Shape = Shape { rows: 1, cols: PILE as usize, planes: Self::PLANES.len() };
    const ENCODING: &'static str = "greedy-nim-observation-1";

    fn draw_observation(&self, _: Context, canvas: impl Canvas) {
        let lost = f32::from(u8::from(self.winner == Some(!self.turn)));
        let mut planes = PlaneCursor::new(canvas, &[0.0, lost]);
        planes.marks(0..usize::from(self.left));
        planes.constant();
        planes.finish();
    }

    fn decode_observation(
        values: &[f32],
        layout: Layout,
        turn: Player,
    ) -> Result<(Self, Context), DecodeError> {
        WrongLength::check(Self::SHAPE.len(), values.len())?;
        let at = |plane, cell| values[Self::SHAPE.offset(layout, plane, cell)] > 0.5;
        let left = (0..PILE).filter(|&cell| at(0, cell.into())).count() as u8;
        let winner = (left == 0).then_some(if at(1, 0) { !turn } else { turn });
        Ok((Self { left, turn, winner }, Context::FIRST))
    }
}

impl PolicyIndexed for Nim {
    const POLICY_SIZE: usize = 4;
    const POLICY: &'static str = "greedy-nim-policy-1";

    fn policy_index(&self, take: Take) -> PolicyIndex {
        PolicyIndex(take.into())
    }
}
