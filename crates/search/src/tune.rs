//! Finding the weights of an evaluation from games that it played against itself: the method of the Texel engine.
//!
//! A position is as good as the results of the games it came from. [`self_play`] makes games and keeps their quiet
//! positions; [`loss`] says how far an evaluation is from foreseeing their results; [`tune`] moves one weight after
//! another as long as that helps.

use std::ops::ControlFlow;

use sandtable_core::{Evaluate, Game, Player, Rng, Weighted, play_randomly};

use crate::{AlphaBeta, AlphaBetaSettings, Limits, Score};

/// A quiet position and how its game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample<P> {
    /// The position.
    pub position: P,
    /// For the player to move: 1 won, ½ drawn, 0 lost.
    pub result: f32,
}

/// How games are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfPlay {
    /// How many.
    pub games: u64,
    /// Random moves before the search begins.
    pub opening: usize,
    /// Nodes for each move.
    pub nodes: u64,
    /// A game that lasts longer than this many moves counts as drawn.
    pub limit: usize,
    /// Another seed, other games.
    pub seed: u64,
}

/// An opening that is better than this for one side teaches little.
const BALANCED: i32 = 150;

/// Plays games and keeps their quiet positions: those whose best move is quiet and whose player is not in check.
/// `progress` hears of every game.
pub fn self_play<P: Evaluate>(
    rules: P::Rules,
    how: SelfPlay,
    mut progress: impl FnMut(u64),
) -> Vec<Sample<P>> {
    let mut samples = Vec::new();
    let mut search = AlphaBeta::new(8, AlphaBetaSettings::default());
    let mut rng = Rng::new(how.seed);
    for number in 0..how.games {
        let mut game = Game::<P>::new(rules);
        play_randomly(&mut game, &mut rng, how.opening);
        search.clear();
        let begin = samples.len();
        let mut movers = Vec::new();
        let end = game.ply() + how.limit;
        while !game.outcome().is_over() && game.ply() < end {
            let report = search.search(&game, &Limits::nodes(how.nodes), |_| ControlFlow::Continue(()));
            let (Some(best), Some(Score::Centipawns(score))) = (report.best(), report.score()) else {
                // The rest of a game that is decided teaches nothing.
                break;
            };
            if game.ply() == how.opening && score.abs() > BALANCED {
                break;
            }
            let position = game.position();
            if position.check() != Some(true) && position.tactic(best).gain == 0 {
                movers.push(position.turn());
                samples.push(Sample { position: position.clone(), result: 0.5 });
            }
            game.play(best).expect("a search finds legal moves");
        }
        let winner = decided(&mut search, &game, how.nodes);
        for (sample, mover) in samples[begin..].iter_mut().zip(movers) {
            sample.result = winner.map_or(0.5, |winner| if winner == mover { 1.0 } else { 0.0 });
        }
        progress(number + 1);
    }
    samples
}

/// Who has won or will.
fn decided<P: Evaluate>(search: &mut AlphaBeta, game: &Game<P>, nodes: u64) -> Option<Player> {
    if game.outcome().is_over() {
        return game.outcome().winner();
    }
    match search.search(game, &Limits::nodes(nodes), |_| ControlFlow::Continue(())).score() {
        Some(Score::Win(_)) => Some(game.turn()),
        Some(Score::Loss(_)) => Some(!game.turn()),
        _ => None,
    }
}

/// The expected result of an evaluation: at `scale`, ten games of eleven are won.
fn expected(evaluation: i32, scale: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-f64::from(evaluation) / scale))
}

/// The mean square of the difference between expected and true results.
#[expect(clippy::cast_precision_loss, reason = "samples are counted in millions at most")]
#[must_use]
pub fn loss<P: Weighted>(samples: &[Sample<P>], weights: &P::Weights, scale: f64) -> f64 {
    let square = |sample: &Sample<P>| {
        (expected(sample.position.evaluate_with(weights), scale) - f64::from(sample.result)).powi(2)
    };
    samples.iter().map(square).sum::<f64>() / samples.len().max(1) as f64
}

/// The scale with which the weights foresee the results best, to the nearest 10.
#[must_use]
pub fn best_scale<P: Weighted>(samples: &[Sample<P>], weights: &P::Weights) -> f64 {
    let scales = (5..=120).map(|tens| f64::from(tens) * 10.0);
    let losses = scales.map(|scale| (loss(samples, weights, scale), scale));
    losses.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(400.0, |(_, scale)| scale)
}

/// Moves one weight after another by `step`, up or down, wherever that lowers the loss; says the loss at the end.
pub fn tune<P: Weighted>(samples: &[Sample<P>], weights: &mut P::Weights, scale: f64, step: i32) -> f64 {
    let mut best = loss(samples, weights, scale);
    for i in 0..P::numbers(weights).len() {
        for change in [step, -step] {
            *P::numbers(weights)[i] += change;
            let tried = loss(samples, weights, scale);
            if tried < best {
                best = tried;
                break;
            }
            *P::numbers(weights)[i] -= change;
        }
    }
    best
}
