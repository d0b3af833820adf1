//! The static evaluation along the path of a search: by a network that follows the moves, or the game's own.

use std::sync::Arc;

use sandtable_core::Evaluate;
use sandtable_nnue::{Accumulator, Network};

use crate::score::{MAX_PLY, WON};

/// The static evaluation of the positions on the current path.
pub(crate) struct PathEvaluation {
    network: Option<PathNetwork>,
}

struct PathNetwork {
    network: Arc<Network>,
    /// By ply: the hidden layer of the position there.
    accumulators: Vec<Accumulator>,
}

impl PathEvaluation {
    /// Begins at the root. A network for another game is ignored.
    pub(crate) fn new<P: Evaluate>(network: Option<&Arc<Network>>, root: &P) -> Self {
        let network = network.filter(|network| network.is_for::<P>()).map(|network| {
            let mut accumulators = vec![Accumulator::new(network); MAX_PLY + 2];
            accumulators[0].refresh(network, root);
            PathNetwork { network: Arc::clone(network), accumulators }
        });
        Self { network }
    }

    /// Follows a move from the position at `ply` to the next.
    pub(crate) fn push<P: Evaluate>(&mut self, ply: usize, position: &P, next: &P) {
        if let Some(PathNetwork { network, accumulators }) = &mut self.network {
            let (path, rest) = accumulators.split_at_mut(ply + 1);
            rest[0].update(network, &path[ply], position, next);
        }
    }

    /// The evaluation of the position at `ply`, clamped to stay clear of mate scores.
    pub(crate) fn score<P: Evaluate>(&self, ply: usize, position: &P) -> i32 {
        let score = match &self.network {
            Some(PathNetwork { network, accumulators }) => accumulators[ply].score(network, position),
            None => position.evaluate(),
        };
        position.faded(score).clamp(1 - WON, WON - 1)
    }
}
