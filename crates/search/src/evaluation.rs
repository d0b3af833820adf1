//! The static evaluation along the path of a search: by a network that follows the moves, or the game's own.

use std::sync::Arc;

use sandtable_core::{Analysis, Evaluate};
use sandtable_nnue::{Accumulator, Network};

use crate::score::{MAX_PLY, WON};

/// The static evaluation of the positions on the current path.
pub(crate) struct PathEvaluation<P> {
    network: Option<PathNetwork<P>>,
}

/// A network with the hidden layers of the positions on the path.
///
/// A position gets its hidden layer when its evaluation is first asked for, by the difference to the nearest position
/// before it that has one: nodes that are cut off without an evaluation cost nothing.
struct PathNetwork<P> {
    network: Arc<Network>,
    /// By ply.
    computed: Vec<Computed<P>>,
}

#[derive(Clone)]
struct Computed<P> {
    accumulator: Accumulator,
    position: P,
    /// Whether the two belong to the position that is at this ply of the current path.
    is_current: bool,
}

impl<P: Evaluate> PathEvaluation<P> {
    /// Begins at the root. A network for another game is ignored.
    pub(crate) fn new(network: Option<&Arc<Network>>, root: &P) -> Self {
        let network = network.filter(|network| network.is_for::<P>()).map(|network| {
            let mut accumulator = Accumulator::new(network);
            accumulator.refresh(network, root);
            let computed = Computed { accumulator, position: root.clone(), is_current: false };
            let mut computed: Vec<_> = (0..MAX_PLY + 2).map(|_| computed.clone()).collect();
            computed[0].is_current = true;
            PathNetwork { network: Arc::clone(network), computed }
        });
        Self { network }
    }

    /// Notes that another position is at `ply`, which is not the root.
    pub(crate) fn enter(&mut self, ply: usize) {
        if let Some(network) = &mut self.network {
            network.computed[ply].is_current = false;
        }
    }

    /// The evaluation of the position at `ply`, clamped to stay clear of mate scores.
    pub(crate) fn score(&mut self, ply: usize, analysis: &P::Analysis<'_>) -> i32 {
        let position = analysis.position();
        let score = match &mut self.network {
            Some(network) if network.network.corrects_hand_made() => {
                network.score(ply, position) + analysis.evaluate()
            }
            Some(network) => network.score(ply, position),
            None => analysis.evaluate(),
        };
        position.faded(score).clamp(1 - WON, WON - 1)
    }
}

impl<P: Evaluate> PathNetwork<P> {
    fn score(&mut self, ply: usize, position: &P) -> i32 {
        let network = &*self.network;
        if !self.computed[ply].is_current {
            let nearest = (0..ply).rev().find(|&ply| self.computed[ply].is_current);
            let (path, rest) = self.computed.split_at_mut(ply);
            let (before, here) = (&path[nearest.expect("the root has a hidden layer")], &mut rest[0]);
            here.accumulator.update(network, &before.accumulator, &before.position, position);
            here.position.clone_from(position);
            here.is_current = true;
        }
        self.computed[ply].accumulator.score(network, position)
    }
}
