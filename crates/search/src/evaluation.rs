//! The static evaluation along the path of a search: by a network that follows the moves, or hand-made.

use std::sync::Arc;

use sandtable_core::search::{Evaluate, NodeView as _};
use sandtable_nnue::{Accumulator, Network};

use crate::score::{MAX_PLY, WON};

/// The static evaluation of a position, as a search uses it: by the network if it is a network for this game, otherwise
/// hand-made.
#[must_use]
pub fn static_eval<P: Evaluate>(position: &P, network: Option<&Arc<Network>>) -> i32 {
    let view = position.view();
    let score = network.filter(|network| network.is_for::<P>()).map(|network| {
        let mut accumulator = Accumulator::new(network);
        accumulator.refresh(network, position);
        with_base::<P>(network, accumulator.score(network, position), &view)
    });
    bounded::<P>(score.unwrap_or_else(|| view.evaluate()), &view)
}

/// The score of a network, added to the hand-made evaluation if the network corrects it.
fn with_base<P: Evaluate>(network: &Network, score: i32, view: &P::View<'_>) -> i32 {
    if network.corrects_hand_made() { score + view.evaluate() } else { score }
}

/// A static evaluation that fades as a draw for lack of progress approaches and stays clear of mate scores.
fn bounded<P: Evaluate>(score: i32, view: &P::View<'_>) -> i32 {
    view.progress_clock().fade(score).clamp(1 - WON, WON - 1)
}

/// The static evaluation of the positions on the current path.
pub(crate) struct PathEvaluation<P> {
    network: Option<PathNetwork<P>>,
}

/// A network with the hidden layers of the positions on the path.
///
/// The hidden layer of a position is computed when its evaluation is first asked for or its moves are searched, from
/// the nearest earlier position with a hidden layer. A node that is cut off before costs nothing.
struct PathNetwork<P> {
    network: Arc<Network>,
    /// By ply.
    computed: Vec<Computed<P>>,
}

#[derive(Clone)]
struct Computed<P> {
    accumulator: Accumulator,
    position: P,
    /// Whether accumulator and position are those of this ply of the current path.
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

    /// Updates the accumulator at `ply`, so that each child position needs only one incremental update.
    pub(crate) fn prepare(&mut self, ply: usize, position: &P) {
        if let Some(path) = &mut self.network {
            path.update(ply, position);
        }
    }

    /// The [static evaluation](static_eval) of the position at `ply`.
    pub(crate) fn score(&mut self, ply: usize, view: &P::View<'_>) -> i32 {
        let position = view.position();
        let score = match &mut self.network {
            Some(path) => {
                let score = path.score(ply, position);
                with_base::<P>(&path.network, score, view)
            }
            None => view.evaluate(),
        };
        bounded::<P>(score, view)
    }
}

impl<P: Evaluate> PathNetwork<P> {
    fn score(&mut self, ply: usize, position: &P) -> i32 {
        self.update(ply, position);
        self.computed[ply].accumulator.score(&self.network, position)
    }

    /// Computes the hidden layer of the position at `ply`, if it is not known.
    fn update(&mut self, ply: usize, position: &P) {
        if self.computed[ply].is_current {
            return;
        }
        let nearest = (0..ply).rev().find(|&ply| self.computed[ply].is_current);
        let (path, rest) = self.computed.split_at_mut(ply);
        let (before, here) = (&path[nearest.expect("the root has a hidden layer")], &mut rest[0]);
        here.accumulator.update(&self.network, &before.accumulator, &before.position, position);
        here.position.clone_from(position);
        here.is_current = true;
    }
}
