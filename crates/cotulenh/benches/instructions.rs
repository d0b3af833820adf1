//! Instruction counts, the same on every run: `cargo bench -p sandtable-cotulenh --bench instructions`.
//!
//! Needs valgrind and the version of `gungraun-runner` that matches `gungraun` in the lock file.

#![expect(missing_docs, reason = "benchmarks have no public API")]

mod positions;

use std::hint::black_box;
use std::ops::ControlFlow;

use gungraun::{library_benchmark, library_benchmark_group, main};
use positions::{middlegame, start};
use sandtable_core::learn::Layout;
use sandtable_core::rules::{Context, perft};
use sandtable_core::search::{Evaluate as _, Tunable as _};
use sandtable_core::{Game, Observe};
use sandtable_cotulenh::{CoTuLenh, Step};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, Report};

#[library_benchmark]
#[bench::start(Box::new(start()), 13_460)]
#[bench::middlegame(Box::new(middlegame()), 15_174)]
fn perft_2(position: Box<CoTuLenh>, count: u64) -> Box<CoTuLenh> {
    assert_eq!(perft(black_box(&*position), 2), count);
    position
}

fn with_slice(position: &CoTuLenh) -> (Box<CoTuLenh>, Vec<f32>) {
    (Box::new(*position), vec![f32::NAN; CoTuLenh::SHAPE.len()])
}

#[library_benchmark]
#[bench::middlegame(with_slice(&middlegame()))]
fn observation((position, mut values): (Box<CoTuLenh>, Vec<f32>)) -> Vec<f32> {
    position
        .write_observation(Context::FIRST, Layout::Hwc, black_box(&mut values))
        .expect("the slice has the length of an observation");
    assert!(!values[values.len() - 1].is_nan());
    values
}

#[library_benchmark]
#[bench::middlegame(Box::new(middlegame()))]
fn evaluate(position: Box<CoTuLenh>) -> i32 {
    let value = black_box(&*position).evaluate_with(&CoTuLenh::WEIGHTS);
    assert!(value.abs() < CoTuLenh::EVALUATION_LIMIT);
    value
}

#[library_benchmark]
#[bench::middlegame(Game::from_position(middlegame()), AlphaBeta::new(1, AlphaBetaSettings::default()))]
fn search_2000_nodes(game: Game<CoTuLenh>, mut engine: AlphaBeta) -> Report<Step> {
    let report = engine.search(black_box(&game), &Limits::nodes(2000), |_| ControlFlow::Continue(()));
    assert_eq!(report.nodes, 2000);
    report
}

library_benchmark_group!(name = benches, benchmarks = [perft_2, observation, evaluate, search_2000_nodes]);
main!(library_benchmark_groups = benches);
