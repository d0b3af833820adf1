//! Fits the parameters of a static evaluation to self-play games (Texel tuning).
//!
//! [`self_play`] plays games and collects their quiet positions; [`loss`] measures how well an evaluation predicts the
//! results; [`tune`] adjusts each parameter in turn; [`fit`] repeats that until the validation loss stops improving.
//!
//! ```
//! use sandtable_chess::{DrawRules, Position};
//! use sandtable_core::{Rules as _, Tunable as _};
//! use sandtable_search::tune::{SelfPlaySettings, best_scale, loss, self_play};
//!
//! let settings = SelfPlaySettings::default().with_games(2).with_nodes(50).with_max_plies(40);
//! let mut samples = Vec::new();
//! self_play::<Position>(DrawRules::default(), settings, |game| samples.extend(game));
//! let scale = best_scale(&samples, &Position::WEIGHTS);
//! assert!(loss(&samples, &Position::WEIGHTS, scale) < 0.25);
//! ```

use std::ops::ControlFlow;

use sandtable_core::{Evaluate, Game, Player, Rng, Tunable, play_random_moves};

use crate::{AlphaBeta, AlphaBetaSettings, Limits, Score};

/// A quiet position with its search score and the result of its game.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample<P> {
    /// The position.
    pub position: P,
    /// The score of the search that played the game, from the mover's perspective, in centipawns.
    pub score: i32,
    /// The result from the mover's perspective: 1 for a win, ½ for a draw, 0 for a loss.
    pub result: f32,
}

impl<P> Sample<P> {
    /// The training target: the mean of the game result (unbiased, but noisy) and the expected result of the search
    /// score (biased, but less noisy).
    fn target(&self, scale: f64) -> f64 {
        f64::midpoint(f64::from(self.result), expected_result(self.score, scale))
    }
}

/// Settings of self-play games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SelfPlaySettings {
    /// The number of games.
    pub games: u64,
    /// The number of random moves before the engine takes over.
    pub opening_plies: usize,
    /// The number of nodes searched for each move.
    pub nodes: u64,
    /// The maximum number of moves after the opening. Longer games count as draws.
    pub max_plies: usize,
    /// The seed of the random openings.
    pub seed: u64,
}

impl Default for SelfPlaySettings {
    fn default() -> Self {
        Self { games: 1000, opening_plies: 8, nodes: 1000, max_plies: 300, seed: 1 }
    }
}

impl SelfPlaySettings {
    /// Sets the number of games.
    #[must_use]
    pub const fn with_games(mut self, games: u64) -> Self {
        self.games = games;
        self
    }

    /// Sets the number of random moves before the engine takes over.
    #[must_use]
    pub const fn with_opening_plies(mut self, opening_plies: usize) -> Self {
        self.opening_plies = opening_plies;
        self
    }

    /// Sets the number of nodes searched for each move.
    #[must_use]
    pub const fn with_nodes(mut self, nodes: u64) -> Self {
        self.nodes = nodes;
        self
    }

    /// Sets the maximum number of moves after the opening.
    #[must_use]
    pub const fn with_max_plies(mut self, max_plies: usize) -> Self {
        self.max_plies = max_plies;
        self
    }

    /// Sets the seed of the random openings.
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }
}

/// Games are skipped if their opening is more unbalanced than this, in centipawns.
const BALANCED: i32 = 150;

/// Positions with a larger score than this are decided and yield no sample.
const DECIDED: i32 = 2000;

/// Plays games and calls `each` with the samples of each game.
///
/// A position is sampled if its best move is quiet and the side to move need not respond to a threat.
pub fn self_play<P: Evaluate>(
    rules: P::Rules,
    settings: SelfPlaySettings,
    mut each: impl FnMut(Vec<Sample<P>>),
) {
    let mut search = AlphaBeta::new(8, AlphaBetaSettings::default());
    let mut rng = Rng::new(settings.seed);
    for _ in 0..settings.games {
        let mut game = Game::<P>::new(rules);
        play_random_moves(&mut game, &mut rng, settings.opening_plies);
        search.clear();
        each(play_game(&mut search, game, settings));
    }
}

fn play_game<P: Evaluate>(
    search: &mut AlphaBeta,
    mut game: Game<P>,
    settings: SelfPlaySettings,
) -> Vec<Sample<P>> {
    let mut quiet = Vec::new();
    let end = game.ply() + settings.max_plies;
    while !game.outcome().is_over() && game.ply() < end {
        let report = search.search(&game, &Limits::nodes(settings.nodes), |_| ControlFlow::Continue(()));
        let (Some(best), Some(Score::Centipawns(score))) = (report.best(), report.score()) else {
            // A forced win: the rest of the game yields no useful samples.
            break;
        };
        if game.ply() == settings.opening_plies && score.abs() > BALANCED {
            return Vec::new();
        }
        let position = game.position();
        if score.abs() < DECIDED && !position.must_respond() && position.tactic(best).gain == 0 {
            quiet.push((position.clone(), score));
        }
        game.play(best).expect("the search returns legal moves");
    }
    let winner = winner(search, &game, settings.nodes);
    let sample = |(position, score): (P, i32)| {
        let result = winner.map_or(0.5, |winner| if winner == position.turn() { 1.0 } else { 0.0 });
        Sample { position, score, result }
    };
    quiet.into_iter().map(sample).collect()
}

/// Returns the player who has won or has a forced win.
fn winner<P: Evaluate>(search: &mut AlphaBeta, game: &Game<P>, nodes: u64) -> Option<Player> {
    if game.outcome().is_over() {
        return game.outcome().winner();
    }
    match search.search(game, &Limits::nodes(nodes), |_| ControlFlow::Continue(())).score() {
        Some(Score::Win(_)) => Some(game.turn()),
        Some(Score::Loss(_)) => Some(!game.turn()),
        _ => None,
    }
}

/// The expected result of an evaluation: 10/11 at `scale`.
fn expected_result(evaluation: i32, scale: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-f64::from(evaluation) / scale))
}

/// Returns the mean squared error between expected results and targets.
///
/// Chunks of a fixed size are summed in parallel and then in order, so the sum is the same on every machine.
#[expect(clippy::cast_precision_loss, reason = "samples are counted in millions at most")]
#[must_use]
pub fn loss<P: Tunable>(samples: &[Sample<P>], weights: &P::Weights, scale: f64) -> f64 {
    const CHUNK: usize = 8192;
    let squared_error = |sample: &Sample<P>| {
        (expected_result(sample.position.evaluate_with(weights), scale) - sample.target(scale)).powi(2)
    };
    let chunks: Vec<&[Sample<P>]> = samples.chunks(CHUNK).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let sums: Vec<f64> = std::thread::scope(|scope| {
        let handles: Vec<_> = chunks
            .chunks(chunks.len().div_ceil(threads).max(1))
            .map(|share| {
                let sum = |chunk: &&[Sample<P>]| chunk.iter().map(squared_error).sum::<f64>();
                scope.spawn(move || share.iter().map(sum).collect::<Vec<_>>())
            })
            .collect();
        handles.into_iter().flat_map(|handle| handle.join().expect("an evaluation does not panic")).collect()
    });
    sums.into_iter().sum::<f64>() / samples.len().max(1) as f64
}

/// Returns the scale with the lowest loss, to the nearest 50 centipawns. It is large for games with many draws.
#[must_use]
pub fn best_scale<P: Tunable>(samples: &[Sample<P>], weights: &P::Weights) -> f64 {
    let scales = (1..=100).map(|fifties| f64::from(fifties) * 50.0);
    let losses = scales.map(|scale| (loss(samples, weights, scale), scale));
    losses.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(400.0, |(_, scale)| scale)
}

/// Changes each parameter in turn by `step`, up or down, where that lowers the loss. Returns the final loss.
pub fn tune<P: Tunable>(samples: &[Sample<P>], weights: &mut P::Weights, scale: f64, step: i32) -> f64 {
    let mut best = loss(samples, weights, scale);
    for i in 0..P::parameters(weights).len() {
        for change in [step, -step] {
            *P::parameters(weights)[i] += change;
            let changed = loss(samples, weights, scale);
            if changed < best {
                best = changed;
                break;
            }
            *P::parameters(weights)[i] -= change;
        }
    }
    best
}

/// The result of one pass of [`fit`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pass {
    /// The step by which parameters were changed.
    pub step: i32,
    /// The loss on the training samples.
    pub training_loss: f64,
    /// The loss on the validation samples.
    pub validation_loss: f64,
}

/// Tunes on the training samples with decreasing steps, each repeated while the validation loss improves (early
/// stopping against overfitting). Calls `report` after every pass.
pub fn fit<P: Tunable>(
    training: &[Sample<P>],
    validation: &[Sample<P>],
    weights: &mut P::Weights,
    scale: f64,
    mut report: impl FnMut(Pass),
) {
    let mut best = loss(validation, weights, scale);
    for step in [16, 8, 4, 2, 1] {
        loop {
            let mut tuned = weights.clone();
            let training_loss = tune(training, &mut tuned, scale, step);
            let pass = Pass { step, training_loss, validation_loss: loss(validation, &tuned, scale) };
            report(pass);
            if pass.validation_loss >= best {
                break;
            }
            (*weights, best) = (tuned, pass.validation_loss);
        }
    }
}
