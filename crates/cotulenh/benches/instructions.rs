//! Instruction counts, which do not depend on what else the machine does.

#![expect(missing_docs, reason = "a benchmark has no users")]
#![expect(clippy::large_types_passed_by_value, reason = "the harness hands over what it made")]

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use sandtable_core::{Evaluate, Layout, Notation, Observe, Position as _, perft};
use sandtable_cotulenh::{Position, Rules};

const MIDDLEGAME: &str = "2a3c4/2n2h1h3/6s2a1/4g1(ft)1g1i/2(ni)e2mt1e1/11/3(NI)3T3/3E1(TM)4f/4G1A1G(ES)1/9A1/N4H1H1F1/6C4 \
                          b - - 15 17";

fn start() -> Position {
    Position::start(Rules::STANDARD)
}

fn middlegame() -> Position {
    Position::from_text(MIDDLEGAME, Rules::STANDARD).expect("the middlegame is a position")
}

#[library_benchmark]
#[bench::start(start(), 13_460)]
#[bench::middlegame(middlegame(), 15_174)]
fn perft_2(position: Position, count: u64) {
    assert_eq!(perft(black_box(&position), 2), count);
}

fn observed(position: &Position) -> (Position, Vec<f32>) {
    (*position, vec![0.0; Position::SHAPE.len()])
}

#[library_benchmark]
#[bench::middlegame(observed(&middlegame()))]
fn observation((position, mut values): (Position, Vec<f32>)) -> Vec<f32> {
    assert_eq!(position.write_observation(1, Layout::Hwc, black_box(&mut values)), Ok(()));
    values
}

#[library_benchmark]
#[bench::start(start())]
#[bench::middlegame(middlegame())]
fn evaluate(position: Position) -> i32 {
    black_box(&position).evaluate()
}

library_benchmark_group!(name = benches, benchmarks = [perft_2, observation, evaluate]);
main!(library_benchmark_groups = benches);
