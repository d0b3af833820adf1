//! Texel tuning.

use sandtable_chess::{Chess, DrawRules};
use sandtable_core::Rules;
use sandtable_core::search::{Evaluate as _, NodeView as _, Tunable, WinCurve};
use sandtable_search::self_play::SelfPlay;
use sandtable_search::tune::{Sample, best_curve, fit, loss, self_play, tune};

const CURVE: WinCurve = WinCurve::new(180.0);

fn games(games: u64) -> Vec<Sample<Chess>> {
    let rules = DrawRules::named("claims").unwrap();
    let settings = SelfPlay { opening_plies: 6, nodes: 150, max_plies: 120, seed: 3, ..SelfPlay::default() };
    let mut samples = Vec::new();
    self_play(&settings, rules, games, |game| samples.extend(game));
    samples
}

/// Replaces scores and results by those that the weights predict on `CURVE`, so that no other weights fit better.
fn predicted_results(mut samples: Vec<Sample<Chess>>) -> Vec<Sample<Chess>> {
    for sample in &mut samples {
        sample.score = sample.position.view().evaluate();
        sample.result = CURVE.expected(sample.score.into()) as f32;
    }
    samples
}

#[test]
fn samples_are_quiet_with_results_from_the_movers_perspective() {
    let samples = games(12);
    assert!(samples.len() > 50);
    assert!(samples.iter().all(|sample| !sample.position.is_check()));
    assert!(samples.iter().all(|sample| [0.0, 0.5, 1.0].contains(&sample.result)));
    assert_eq!(samples, games(12), "the same seed, the same games");
    // The side with the better static evaluation wins more often than not.
    let correlation: f32 = samples
        .iter()
        .filter(|sample| sample.position.view().evaluate().abs() > 300)
        .map(|sample| (sample.result - 0.5) * if sample.position.view().evaluate() > 0 { 1.0 } else { -1.0 })
        .sum();
    assert!(correlation > 0.0);
}

#[test]
fn tuning_restores_a_changed_weight() {
    let samples = predicted_results(games(12));
    let truth = Chess::WEIGHTS;
    assert!(loss(&samples, &truth, CURVE) < 1e-6);
    assert!(best_curve(&samples, &truth) == CURVE);
    let mut changed = truth.clone();
    changed.material[1].mg += 40;
    let before = loss(&samples, &changed, CURVE);
    let after = tune(&samples, &mut changed, CURVE, 20);
    assert!(after < before / 2.0, "{before} to {after}");
    assert!((loss(&samples, &changed, CURVE) - after).abs() < 1e-12);
}

#[test]
fn fitting_stops_when_the_validation_loss_stops_improving() {
    let samples = predicted_results(games(24));
    let (validation, training) = samples.split_at(samples.len() / 4);
    let mut weights = Chess::WEIGHTS;
    weights.material[1].mg += 40;
    let mut passes = Vec::new();
    let before = loss(validation, &weights, CURVE);
    fit(training, validation, &mut weights, CURVE, |pass| passes.push(pass));
    let best = passes.iter().map(|pass| pass.validation_loss).fold(before, f64::min);
    assert!(best < before && (loss(validation, &weights, CURVE) - best).abs() < 1e-12);
    assert!(passes.last().is_some_and(|pass| pass.step == 1));
}
