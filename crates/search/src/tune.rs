//! Finding the weights of an evaluation from games that it played against itself: the method of the Texel engine.
//!
//! A position is as good as the results of the games it came from, and as a search says that it is. [`self_play`] makes games and keeps their quiet
//! positions; [`loss`] says how far an evaluation is from foreseeing their results; [`tune`] moves one weight after
//! another where that helps; [`fit`] does so until positions that it has not seen say that it is enough.

use std::ops::ControlFlow;

use sandtable_core::{Evaluate, Game, Player, Rng, Weighted, play_randomly};

use crate::{AlphaBeta, AlphaBetaSettings, Limits, Score};

/// A quiet position, what a search said of it and how its game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample<P> {
    /// The position.
    pub position: P,
    /// What the search that played the game said, for the player to move.
    pub score: i32,
    /// For the player to move: 1 won, ½ drawn, 0 lost.
    pub result: f32,
}

impl<P> Sample<P> {
    /// What an evaluation should foresee: half the result, which is true but full of chance, and half what the search
    /// expected, which is neither.
    fn target(&self, scale: f64) -> f64 {
        f64::midpoint(f64::from(self.result), expected(self.score, scale))
    }
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

/// A position that is better than this for one side is decided: what happens there teaches little.
const DECIDED: i32 = 2000;

/// Plays games and keeps their quiet positions: those whose best move is quiet and whose player is not pressed.
/// `each` gets the positions of one game after the other.
pub fn self_play<P: Evaluate>(rules: P::Rules, how: SelfPlay, mut each: impl FnMut(Vec<Sample<P>>)) {
    let mut search = AlphaBeta::new(8, AlphaBetaSettings::default());
    let mut rng = Rng::new(how.seed);
    for _ in 0..how.games {
        let mut game = Game::<P>::new(rules);
        play_randomly(&mut game, &mut rng, how.opening);
        search.clear();
        each(one_game(&mut search, game, how));
    }
}

fn one_game<P: Evaluate>(search: &mut AlphaBeta, mut game: Game<P>, how: SelfPlay) -> Vec<Sample<P>> {
    let mut quiet = Vec::new();
    let end = game.ply() + how.limit;
    while !game.outcome().is_over() && game.ply() < end {
        let report = search.search(&game, &Limits::nodes(how.nodes), |_| ControlFlow::Continue(()));
        let (Some(best), Some(Score::Centipawns(score))) = (report.best(), report.score()) else {
            // The rest of a game that is won teaches nothing.
            break;
        };
        if game.ply() == how.opening && score.abs() > BALANCED {
            return Vec::new();
        }
        let position = game.position();
        if score.abs() < DECIDED && !position.is_pressed() && position.tactic(best).gain == 0 {
            quiet.push((position.clone(), score));
        }
        game.play(best).expect("a search finds legal moves");
    }
    let winner = decided(search, &game, how.nodes);
    let sample = |(position, score): (P, i32)| {
        let result = winner.map_or(0.5, |winner| if winner == position.turn() { 1.0 } else { 0.0 });
        Sample { position, score, result }
    };
    quiet.into_iter().map(sample).collect()
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

/// The mean square of the difference between what is expected and what should be.
///
/// Parts of a fixed size are summed side by side, so the sum is the same on every machine.
#[expect(clippy::cast_precision_loss, reason = "samples are counted in millions at most")]
#[must_use]
pub fn loss<P: Weighted>(samples: &[Sample<P>], weights: &P::Weights, scale: f64) -> f64 {
    const PART: usize = 8192;
    let square = |sample: &Sample<P>| {
        (expected(sample.position.evaluate_with(weights), scale) - sample.target(scale)).powi(2)
    };
    let parts: Vec<&[Sample<P>]> = samples.chunks(PART).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let sums: Vec<f64> = std::thread::scope(|scope| {
        let shares: Vec<_> = parts
            .chunks(parts.len().div_ceil(threads).max(1))
            .map(|share| {
                let sum = |part: &&[Sample<P>]| part.iter().map(square).sum::<f64>();
                scope.spawn(move || share.iter().map(sum).collect::<Vec<_>>())
            })
            .collect();
        shares.into_iter().flat_map(|share| share.join().expect("an evaluation does not panic")).collect()
    });
    sums.into_iter().sum::<f64>() / samples.len().max(1) as f64
}

/// The scale with which the weights foresee the results best, to the nearest 50. Games that are often drawn have a large one.
#[must_use]
pub fn best_scale<P: Weighted>(samples: &[Sample<P>], weights: &P::Weights) -> f64 {
    let scales = (1..=100).map(|fifties| f64::from(fifties) * 50.0);
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

/// What a pass of [`fit`] came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pass {
    /// By how much weights were moved.
    pub step: i32,
    /// The loss of the samples that are learnt from.
    pub learnt: f64,
    /// The loss of the samples that are not.
    pub held_out: f64,
}

/// Tunes with smaller and smaller steps, each as long as the samples that are *not* learnt from are foreseen better:
/// beyond that, weights describe the games at hand and no others. `report` hears of every pass.
pub fn fit<P: Weighted>(
    samples: &[Sample<P>],
    held_out: &[Sample<P>],
    weights: &mut P::Weights,
    scale: f64,
    mut report: impl FnMut(Pass),
) {
    let mut best = loss(held_out, weights, scale);
    for step in [16, 8, 4, 2, 1] {
        loop {
            let mut tried = weights.clone();
            let learnt = tune(samples, &mut tried, scale, step);
            let pass = Pass { step, learnt, held_out: loss(held_out, &tried, scale) };
            report(pass);
            if pass.held_out >= best {
                break;
            }
            (*weights, best) = (tried, pass.held_out);
        }
    }
}
