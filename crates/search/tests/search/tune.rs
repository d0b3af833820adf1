//! The tuner: it learns what the games teach.

use sandtable_chess::{DrawRules, Position as Chess};
use sandtable_core::{Evaluate as _, Rules, Weighted};
use sandtable_search::tune::{Sample, SelfPlay, best_scale, loss, self_play, tune};

fn games(games: u64) -> Vec<Sample<Chess>> {
    let how = SelfPlay { games, opening: 6, nodes: 150, limit: 120, seed: 3 };
    self_play(DrawRules::named("claims").unwrap(), how, |_| ())
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
    // Positions judged by the weights themselves: nothing can foresee them better.
    let mut samples = games(12);
    for sample in &mut samples {
        sample.result = (1.0 / (1.0 + 10_f64.powf(-f64::from(sample.position.evaluate()) / 400.0))) as f32;
    }
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
