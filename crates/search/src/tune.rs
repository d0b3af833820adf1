//! Fits the parameters of a static evaluation to self-play games (Texel tuning).
//!
//! [`self_play`] plays games and collects their quiet positions; [`loss`] measures how well an evaluation predicts the
//! results; [`tune`] adjusts each parameter in turn; [`fit`] repeats that until the validation loss stops improving.
//!
//! ```
//! use sandtable_chess::{Chess, DrawRules};
//! use sandtable_core::search::Tunable as _;
//! use sandtable_search::self_play::SelfPlay;
//! use sandtable_search::tune::{best_curve, loss, self_play};
//!
//! let settings = SelfPlay { nodes: 50, max_plies: 40, ..SelfPlay::default() };
//! let mut samples = Vec::new();
//! self_play::<Chess>(&settings, DrawRules::default(), 2, |game| samples.extend(game));
//! let curve = best_curve(&samples, &Chess::WEIGHTS);
//! assert!(loss(&samples, &Chess::WEIGHTS, curve) < 0.25);
//! ```

use sandtable_core::PolicyIndexed;
use sandtable_core::search::{Evaluate, Tunable, WinCurve};

use crate::self_play::SelfPlay;
use crate::{AlphaBeta, AlphaBetaSettings};

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
    fn target(&self, curve: WinCurve) -> f64 {
        f64::midpoint(f64::from(self.result), curve.expected(self.score.into()))
    }
}

/// Plays the first `games` games of a series and calls `each` with the quiet positions of each game.
pub fn self_play<P: Evaluate + PolicyIndexed>(
    settings: &SelfPlay,
    rules: P::Rules,
    games: u64,
    mut each: impl FnMut(Vec<Sample<P>>),
) {
    let mut engine = AlphaBeta::new(8, AlphaBetaSettings::default());
    for number in 0..games {
        let mut samples = Vec::new();
        settings
            .play::<P>(rules, &mut engine, number)
            .for_each_quiet(rules, |position: &P, score, result| {
                samples.push(Sample {
                    position: position.clone(),
                    score: score.into(),
                    result: result.unwrap_or(0.5),
                });
            })
            .expect("a game that was just played is legal");
        each(samples);
    }
}

/// Returns the mean squared error between expected results and targets.
///
/// Chunks of a fixed size are summed in parallel and then in order, so the sum is the same on every machine.
#[expect(clippy::cast_precision_loss, reason = "samples are counted in millions at most")]
#[must_use]
pub fn loss<P: Tunable>(samples: &[Sample<P>], weights: &P::Weights, curve: WinCurve) -> f64 {
    const CHUNK: usize = 8192;
    let squared_error = |sample: &Sample<P>| {
        (curve.expected(sample.position.evaluate_with(weights).into()) - sample.target(curve)).powi(2)
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

/// Returns the curve with the lowest loss, its scale to the nearest 20 centipawns. The scale is large for games with many draws.
#[must_use]
pub fn best_curve<P: Tunable>(samples: &[Sample<P>], weights: &P::Weights) -> WinCurve {
    let curves = (1..=100).map(|twenties| WinCurve::new(f64::from(twenties) * 20.0));
    let losses = curves.map(|curve| (loss(samples, weights, curve), curve));
    losses.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(WinCurve::new(P::WIN_SCALE), |(_, curve)| curve)
}

/// Changes each parameter in turn by `step`, up or down, where that lowers the loss. Returns the final loss.
pub fn tune<P: Tunable>(samples: &[Sample<P>], weights: &mut P::Weights, curve: WinCurve, step: i32) -> f64 {
    let mut best = loss(samples, weights, curve);
    for i in 0..P::parameters(weights).len() {
        for change in [step, -step] {
            *P::parameters(weights)[i] += change;
            let changed = loss(samples, weights, curve);
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
    curve: WinCurve,
    mut report: impl FnMut(Pass),
) {
    let mut best = loss(validation, weights, curve);
    for step in [16, 8, 4, 2, 1] {
        loop {
            let mut tuned = weights.clone();
            let training_loss = tune(training, &mut tuned, curve, step);
            let pass = Pass { step, training_loss, validation_loss: loss(validation, &tuned, curve) };
            report(pass);
            if pass.validation_loss >= best {
                break;
            }
            (*weights, best) = (tuned, pass.validation_loss);
        }
    }
}
