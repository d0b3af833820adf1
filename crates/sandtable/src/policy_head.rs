//! The factored policy and the symmetries of a game of any kind.

use sandtable_core::learn::{FactorsError, PlaneGroup, PolicyIndex, Shape, Symmetric};

/// The factored policy of a game, and its symmetries.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PolicyHead {
    /// The shape of the head.
    pub shape: Shape,
    /// The groups of the planes of the head, in order.
    pub planes: &'static [PlaneGroup],
    /// The id of the encoding.
    pub id: &'static str,
    /// The largest number of factors of a move.
    pub max_factors: usize,
    /// The number of symmetries, the identity included: see [`Symmetric`].
    pub symmetries: usize,
    /// The planes of the observation that are not symmetric: a position in which one of them is not 0 everywhere has only
    /// the identity.
    pub asymmetric_planes: &'static [usize],
    policy_size: usize,
    write_factors: fn(PolicyIndex, &mut [i32]) -> Result<(), FactorsError>,
    reflected_cell: fn(usize) -> usize,
    reflected_plane: fn(usize) -> usize,
    reflected_index: fn(PolicyIndex) -> PolicyIndex,
}

/// A symmetry as permutations: the entry at an index is the index to which it is moved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Permutations {
    /// The cells of the observation and the head.
    pub cells: Vec<i32>,
    /// The policy indices.
    pub actions: Vec<i32>,
    /// The indices of the head in the layout `[row][column][plane]`.
    pub factors: Vec<i32>,
}

impl PolicyHead {
    pub(crate) const fn of<P: Symmetric>() -> Self {
        Self {
            shape: P::HEAD,
            planes: P::HEAD_PLANES,
            id: P::HEAD_ID,
            max_factors: P::MAX_FACTORS,
            symmetries: P::SYMMETRIES,
            asymmetric_planes: P::ASYMMETRIC_PLANES,
            policy_size: P::POLICY_SIZE,
            write_factors: P::write_factors,
            reflected_cell: P::reflected_cell,
            reflected_plane: P::reflected_plane,
            reflected_index: P::reflected_index,
        }
    }

    /// Writes the indices of the factors of a policy index in the head to a slice of [`max_factors`](Self::max_factors)
    /// values; unused places are −1.
    pub fn write_factors(&self, index: PolicyIndex, out: &mut [i32]) -> Result<(), FactorsError> {
        (self.write_factors)(index, out)
    }

    /// The permutations of a symmetry: 0 is the identity, 1 the reflection left to right. `None` if the game has fewer.
    #[must_use]
    pub fn permutations(&self, symmetry: usize) -> Option<Permutations> {
        if symmetry >= self.symmetries {
            return None;
        }
        let reflects = symmetry == 1;
        let map = |len: usize, reflected: &dyn Fn(usize) -> usize| -> Vec<i32> {
            (0..len).map(|i| (if reflects { reflected(i) } else { i } as u32).cast_signed()).collect()
        };
        let planes = self.shape.planes;
        Some(Permutations {
            cells: map(self.shape.cells(), &self.reflected_cell),
            actions: map(self.policy_size, &|i| (self.reflected_index)(PolicyIndex(i as u32)).index()),
            factors: map(self.shape.len(), &|i| {
                (self.reflected_cell)(i / planes) * planes + (self.reflected_plane)(i % planes)
            }),
        })
    }
}
