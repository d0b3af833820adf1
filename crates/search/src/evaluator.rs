//! What Monte-Carlo tree search asks about a position: a value, and which moves are worth a look.

use sandtable_core::{Evaluate, Game, Position, Rng, play_randomly};

/// A position to be judged, and the judgement.
#[derive(Clone, Debug)]
pub struct Leaf<P: Position> {
    /// The position. The game goes on in it.
    pub position: P,
    /// How often it has occurred on the way here, itself included.
    pub occurrences: u32,
    /// The legal moves.
    pub moves: Vec<P::Move>,
    /// A number for this leaf alone, for those who judge by chance: the answer must depend on nothing else.
    pub seed: u64,
    /// To be filled in: the expected result for the player to move, from −1 (lost) to 1 (won).
    pub value: f32,
    /// To be filled in: for each move, in the order of `moves`, how much it deserves a look. They need not add up to
    /// anything; they are the same for all moves to begin with.
    pub priors: Vec<f32>,
}

impl<P: Position> Leaf<P> {
    /// A leaf that nobody has judged yet.
    #[must_use]
    pub fn new(position: P, occurrences: u32, seed: u64) -> Self {
        let moves = position.legal_moves();
        let priors = vec![1.0; moves.len()];
        Self { position, occurrences, moves, seed, value: 0.0, priors }
    }
}

/// Judges positions for [`Mcts`](crate::Mcts): a rollout, a static evaluation, a neural network.
pub trait Evaluator<P: Position>: Sync {
    /// Judges one position.
    fn evaluate(&self, leaf: &mut Leaf<P>);

    /// Judges several positions, for those who can do it faster at once. The judgements must be the same.
    fn evaluate_batch(&self, leaves: &mut [Leaf<P>]) {
        for leaf in leaves {
            self.evaluate(leaf);
        }
    }
}

/// Plays on at random and takes the result; every move deserves the same look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rollout {
    /// How many games to play out from each leaf; at least one is.
    pub games: u32,
    /// A game that lasts longer than this many moves counts as drawn.
    pub limit: usize,
}

impl<P: Position> Evaluator<P> for Rollout {
    fn evaluate(&self, leaf: &mut Leaf<P>) {
        let mut rng = Rng::new(leaf.seed);
        let games = self.games.max(1);
        let mut sum = 0.0;
        for _ in 0..games {
            let mut game = Game::from_position(leaf.position.clone());
            play_randomly(&mut game, &mut rng, self.limit);
            sum += game.outcome().value_for(leaf.position.turn()).unwrap_or(0.0);
        }
        #[expect(clippy::cast_precision_loss, reason = "nobody plays millions of games from one leaf")]
        let games = games as f32;
        leaf.value = sum / games;
    }
}

/// Takes the static evaluation, and what the best exchange adds to it; moves that lead to what looks better deserve a
/// closer look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Static {
    /// The evaluation at which three games of four are won.
    pub scale: f32,
    /// The difference in evaluation that makes one move deserve e times the look of another.
    pub sharpness: f32,
}

impl Default for Static {
    fn default() -> Self {
        Self { scale: 190.0, sharpness: 90.0 }
    }
}

#[expect(clippy::cast_precision_loss, reason = "evaluations are a few thousand at most")]
impl<P: Evaluate> Evaluator<P> for Static {
    fn evaluate(&self, leaf: &mut Leaf<P>) {
        let position = &leaf.position;
        let exchanged = leaf.moves.iter().filter(|&&m| position.tactic(m).gain > 0);
        let gain = exchanged.map(|&m| position.exchange(m)).max().unwrap_or(0).max(0);
        let looks = (position.evaluate() + gain) as f32;
        // With odds of 3 to 1 at `scale`, the logistic curve is the hyperbolic tangent of looks · ln 3 / 2 · scale.
        leaf.value = (looks / self.scale * 3_f32.ln() / 2.0).tanh();

        let mut best = f32::NEG_INFINITY;
        for (prior, &m) in leaf.priors.iter_mut().zip(&leaf.moves) {
            let mut next = position.clone();
            next.play_unchecked(m);
            let looks = if next.turn() == position.turn() { next.evaluate() } else { -next.evaluate() };
            let taken_back = position.exchange(m) - position.tactic(m).gain;
            *prior = (looks + taken_back) as f32 / self.sharpness;
            best = best.max(*prior);
        }
        for prior in &mut leaf.priors {
            *prior = (*prior - best).exp();
        }
    }
}
