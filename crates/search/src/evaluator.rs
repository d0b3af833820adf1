//! Leaf evaluation for Monte Carlo tree search: a value and move priors.

use std::ops::ControlFlow;

use sandtable_core::rules::{Context, Rng, play_random_moves};
use sandtable_core::search::{Evaluate, NodeView as _, WinCurve};
use sandtable_core::{Game, Position};

/// A leaf to evaluate, and the result.
#[derive(Clone, Debug)]
pub struct Leaf<P: Position> {
    /// The position. The game is not over.
    pub position: P,
    /// What the game and the search path add to the position: its occurrences and the draw offer.
    pub context: Context,
    /// The legal moves.
    pub moves: Vec<P::Move>,
    /// A seed for evaluators that use randomness. The result must depend only on the leaf and its seed.
    pub seed: u64,
    /// Output: the expected result from the mover's perspective, from −1 (loss) to 1 (win).
    pub value: f32,
    /// Output: the prior of each move, in the order of `moves`. Initially 1 for all; the tree normalises them.
    pub priors: Vec<f32>,
}

impl<P: Position> Leaf<P> {
    /// Creates a leaf with value 0 and equal priors.
    #[must_use]
    pub fn new(position: P, context: Context, seed: u64) -> Self {
        let moves = position.legal_moves();
        Self::with_moves(position, context, moves, seed)
    }

    /// Creates a leaf whose legal moves are known.
    pub(crate) fn with_moves(position: P, context: Context, moves: Vec<P::Move>, seed: u64) -> Self {
        let priors = vec![1.0; moves.len()];
        Self { position, context, moves, seed, value: 0.0, priors }
    }
}

/// Evaluates leaves for [`Mcts`](crate::Mcts): by rollouts, a static evaluation or a neural network.
///
/// ```
/// use sandtable_chess::Chess;
/// use sandtable_core::Game;
/// use sandtable_search::{Evaluator, Leaf, Limits, Mcts, MctsSettings};
///
/// struct AlwaysEqual;
///
/// impl Evaluator<Chess> for AlwaysEqual {
///     fn evaluate(&self, leaf: &mut Leaf<Chess>) {
///         leaf.value = 0.0;
///     }
/// }
///
/// let mut tree = Mcts::new(Game::<Chess>::default(), MctsSettings::default(), 1);
/// tree.search(&AlwaysEqual, &Limits::nodes(40));
/// assert_eq!(tree.visits(), 40);
/// ```
pub trait Evaluator<P: Position>: Sync {
    /// Evaluates one leaf: sets its `value` and, optionally, its `priors`.
    fn evaluate(&self, leaf: &mut Leaf<P>);

    /// Evaluates several leaves at once, if that is faster. The results must equal those of [`evaluate`](Self::evaluate).
    ///
    /// `Break` means that there is no result: the search gives up the batch and ends.
    fn evaluate_batch(&self, leaves: &mut [Leaf<P>]) -> ControlFlow<()> {
        for leaf in leaves {
            self.evaluate(leaf);
        }
        ControlFlow::Continue(())
    }
}

/// Evaluates a leaf by random rollouts. All priors are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rollout {
    /// The number of rollouts for each leaf; 0 counts as 1.
    pub games: u32,
    /// The maximum length of a rollout, in moves. Longer ones count as draws.
    pub max_plies: usize,
}

impl Rollout {
    /// Evaluates each leaf by `games` rollouts of at most `max_plies` moves.
    #[must_use]
    pub const fn new(games: u32, max_plies: usize) -> Self {
        Self { games, max_plies }
    }
}

impl<P: Position> Evaluator<P> for Rollout {
    fn evaluate(&self, leaf: &mut Leaf<P>) {
        let mut rng = Rng::new(leaf.seed);
        let games = self.games.max(1);
        let mut sum = 0.0;
        for _ in 0..games {
            let mut game = Game::from_position(leaf.position.clone());
            play_random_moves(&mut game, &mut rng, self.max_plies);
            sum += game.outcome().value_for(leaf.position.turn()).unwrap_or(0.0);
        }
        #[expect(clippy::cast_precision_loss, reason = "the number of rollouts is far below 2^24")]
        let games = games as f32;
        leaf.value = sum / games;
    }
}

/// Evaluates a leaf by the static evaluation plus the best capture's static exchange. Priors are a softmax over the
/// static evaluations after each move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Static {
    /// The curve from evaluations to values.
    pub curve: WinCurve,
    /// The temperature of the softmax, in centipawns: a difference of this much multiplies a prior by e.
    pub temperature: f32,
}

impl Static {
    /// Sets the curve from evaluations to values.
    #[must_use]
    pub const fn with_curve(mut self, curve: WinCurve) -> Self {
        self.curve = curve;
        self
    }

    /// Sets the temperature of the priors.
    #[must_use]
    pub const fn with_temperature(mut self, temperature: f32) -> Self {
        self.temperature = temperature;
        self
    }
}

impl Default for Static {
    fn default() -> Self {
        Self { curve: WinCurve::new(172.945), temperature: 90.0 }
    }
}

#[expect(clippy::cast_precision_loss, reason = "evaluations are a few thousand at most")]
impl<P: Evaluate> Evaluator<P> for Static {
    fn evaluate(&self, leaf: &mut Leaf<P>) {
        let (position, view) = (&leaf.position, leaf.position.view());
        let captures = leaf.moves.iter().filter(|&&m| view.tactic(m).gain > 0);
        let gain = captures.map(|&m| view.static_exchange(m)).max().unwrap_or(0).max(0);
        leaf.value = self.curve.value((view.evaluate() + gain).into()) as f32;

        let mut best = f32::NEG_INFINITY;
        for (prior, &m) in leaf.priors.iter_mut().zip(&leaf.moves) {
            let next = position.after(m);
            let static_eval = next.view().evaluate();
            let static_eval = if next.turn() == position.turn() { static_eval } else { -static_eval };
            let recaptured = view.static_exchange(m) - view.tactic(m).gain;
            *prior = (static_eval + recaptured) as f32 / self.temperature;
            best = best.max(*prior);
        }
        for prior in &mut leaf.priors {
            *prior = (*prior - best).exp();
        }
    }
}
