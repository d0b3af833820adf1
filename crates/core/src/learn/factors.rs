//! Factored policies for neural networks: the logit of a move as a sum of a few values of a compact head.

use crate::learn::{PolicyIndex, Shape, WrongLength};
use crate::rules::OutOfRange;
use crate::{Observe, PolicyIndexed};

/// A value of the head of a factored policy: a plane at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Factor {
    /// The cell: row · columns + column.
    pub cell: usize,
    /// The plane.
    pub plane: usize,
}

impl Factor {
    /// The index of the value in a head of this shape, in the layout `[row][column][plane]`.
    #[must_use]
    pub const fn offset(self, head: Shape) -> usize {
        self.cell * head.planes + self.plane
    }
}

/// Consecutive planes with the same meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneGroup {
    /// The name of the group.
    pub name: &'static str,
    /// The number of its planes.
    pub planes: usize,
    /// The cell of a move in these planes.
    pub cell: &'static str,
    /// The data that the plane encodes.
    pub encodes: &'static str,
}

impl PlaneGroup {
    /// Creates a group.
    #[must_use]
    pub const fn new(name: &'static str, planes: usize, cell: &'static str, encodes: &'static str) -> Self {
        Self { name, planes, cell, encodes }
    }

    /// The first plane of the group with this number; after the last group, the number of planes.
    #[must_use]
    pub const fn first_plane(groups: &[Self], number: usize) -> usize {
        let (mut first, mut i) = (0, 0);
        while i < number {
            first += groups[i].planes;
            i += 1;
        }
        first
    }
}

/// A position whose policy is factored: the logit of a move is the sum of the values of its factors in a compact head.
///
/// The factors depend on the policy index alone, and share the mover's frame with it. Different legal moves of a position
/// have different sets of factors. By default nothing is factored: every index is one value of the head.
pub trait FactoredPolicy: Observe + PolicyIndexed {
    /// The shape of the head. It has the rows and columns of the observation.
    const HEAD: Shape = Shape { planes: Self::POLICY_SIZE.div_ceil(Self::SHAPE.cells()), ..Self::SHAPE };
    /// The groups of the planes of the head, in order.
    const HEAD_PLANES: &'static [PlaneGroup] = &[PlaneGroup::new(
        "policy",
        Self::HEAD.planes,
        "the index modulo the number of cells",
        "the index divided by the number of cells",
    )];
    /// The id and version of this encoding; any change of a factor changes it.
    const HEAD_ID: &'static str = Self::POLICY;
    /// The largest number of factors of a move.
    const MAX_FACTORS: usize = 1;

    /// Calls `f` with every factor of a policy index. An index whose move would leave the board is never legal and has
    /// no factors.
    fn for_each_factor(index: PolicyIndex, mut f: impl FnMut(Factor)) {
        let (index, cells) = (index.index(), Self::HEAD.cells());
        f(Factor { cell: index % cells, plane: index / cells });
    }

    /// Writes the indices of the factors in the head to the caller's slice of [`MAX_FACTORS`](Self::MAX_FACTORS) values;
    /// unused places are −1.
    fn write_factors(index: PolicyIndex, out: &mut [i32]) -> Result<(), FactorsError> {
        WrongLength::check(Self::MAX_FACTORS, out.len())?;
        if index.index() >= Self::POLICY_SIZE {
            return Err(OutOfRange { value: index.index(), limit: Self::POLICY_SIZE }.into());
        }
        out.fill(-1);
        let mut places = out.iter_mut();
        Self::for_each_factor(index, |factor| {
            let place = places.next().expect("no move has more factors than MAX_FACTORS");
            *place = (factor.offset(Self::HEAD) as u32).cast_signed();
        });
        Ok(())
    }
}

/// The error of [`FactoredPolicy::write_factors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FactorsError {
    /// The policy has no such index.
    #[error(transparent)]
    Index(#[from] OutOfRange),
    /// The slice has the wrong length.
    #[error(transparent)]
    Length(#[from] WrongLength),
}
