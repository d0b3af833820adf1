//! The tuner: it learns what the games teach.

use sandtable_chess::{DrawRules, Position as Chess};
use sandtable_core::{Evaluate as _, Rules, Weighted};
use sandtable_search::tune::{Sample, SelfPlay, best_scale, fit, loss, self_play, tune};

fn games(games: u64) -> Vec<Sample<Chess>> {
    let how = SelfPlay { games, opening: 6, nodes: 150, limit: 120, seed: 3 };
    let mut samples = Vec::new();
    self_play(DrawRules::named("claims").unwrap(), how, |game| samples.extend(game));
    samples
}

/// Positions judged by the weights themselves, at the scale 400: nothing can foresee them better.
fn judged_by_looks(mut samples: Vec<Sample<Chess>>) -> Vec<Sample<Chess>> {
    for sample in &mut samples {
        sample.score = sample.position.evaluate();
        sample.result = (1.0 / (1.0 + 10_f64.powf(-f64::from(sample.score) / 400.0))) as f32;
    }
    samples
}

#[test]
fn samples_are_quiet_and_have_results_for_their_mover() {
    let samples = games(12);
    assert!(samples.len() > 50);
    assert!(samples.iter().all(|sample| !sample.position.is_check()));
    assert!(samples.iter().all(|sample| [0.0, 0.5, 1.0].contains(&sample.result)));
    assert_eq!(samples, games(12), "the same seed, the same games");
    // Who looks better wins more often than not.
    let foreseen: f32 = samples
        .iter()
        .filter(|sample| sample.position.evaluate().abs() > 300)
        .map(|sample| (sample.result - 0.5) * if sample.position.evaluate() > 0 { 1.0 } else { -1.0 })
        .sum();
    assert!(foreseen > 0.0);
}

#[test]
fn a_spoilt_weight_is_mended() {
    let samples = judged_by_looks(games(12));
    let truth = Chess::WEIGHTS;
    assert!(loss(&samples, &truth, 400.0) < 1e-6);
    assert!((best_scale(&samples, &truth) - 400.0).abs() < 1e-9);
    let mut spoilt = truth.clone();
    spoilt.material[1].mg += 40;
    let before = loss(&samples, &spoilt, 400.0);
    let after = tune(&samples, &mut spoilt, 400.0, 20);
    assert!(after < before / 2.0, "{before} to {after}");
    assert!((loss(&samples, &spoilt, 400.0) - after).abs() < 1e-12);
}

#[test]
fn fitting_ends_when_unseen_positions_gain_nothing() {
    let samples = judged_by_looks(games(24));
    let (held_out, learnt) = samples.split_at(samples.len() / 4);
    let mut weights = Chess::WEIGHTS;
    weights.material[1].mg += 40;
    let mut passes = Vec::new();
    let before = loss(held_out, &weights, 400.0);
    fit(learnt, held_out, &mut weights, 400.0, |pass| passes.push(pass));
    let best = passes.iter().map(|pass| pass.held_out).fold(before, f64::min);
    assert!(best < before && (loss(held_out, &weights, 400.0) - best).abs() < 1e-12);
    assert!(passes.last().is_some_and(|pass| pass.step == 1));
}
