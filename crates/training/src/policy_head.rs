//! The factored policy and the symmetries of a game of any kind.

use sandtable_core::learn::{FactorsError, PolicyIndex};
use sandtable_games::{GameKind, GameVisitor, Playable};

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

/// Writes the indices of the factors of a policy index in the head of a game to a slice of `kind.head.max_factors` values;
/// unused places are −1.
pub fn write_factors(kind: &GameKind, index: PolicyIndex, out: &mut [i32]) -> Result<(), FactorsError> {
    struct Write<'a>(PolicyIndex, &'a mut [i32]);
    impl GameVisitor for Write<'_> {
        type Out = Result<(), FactorsError>;

        fn visit<P: Playable>(self) -> Self::Out {
            P::write_factors(self.0, self.1)
        }
    }
    kind.visit(Write(index, out))
}

/// The permutations of a symmetry of a game: 0 is the identity, 1 the reflection left to right. `None` if the game has
/// fewer.
#[must_use]
pub fn permutations(kind: &GameKind, symmetry: usize) -> Option<Permutations> {
    struct Permute(usize);
    impl GameVisitor for Permute {
        type Out = Option<Permutations>;

        fn visit<P: Playable>(self) -> Self::Out {
            if self.0 >= P::SYMMETRIES {
                return None;
            }
            let reflects = self.0 == 1;
            let map = |len: usize, reflected: &dyn Fn(usize) -> usize| -> Vec<i32> {
                (0..len).map(|i| (if reflects { reflected(i) } else { i } as u32).cast_signed()).collect()
            };
            let planes = P::HEAD.planes;
            Some(Permutations {
                cells: map(P::HEAD.cells(), &P::reflected_cell),
                actions: map(P::POLICY_SIZE, &|i| P::reflected_index(PolicyIndex(i as u32)).index()),
                factors: map(P::HEAD.len(), &|i| {
                    P::reflected_cell(i / planes) * planes + P::reflected_plane(i % planes)
                }),
            })
        }
    }
    kind.visit(Permute(symmetry))
}
