//! Instruction counts of the hot paths. Every benchmark asserts its result.

#![expect(missing_docs, reason = "the macros generate public items")]
#![expect(clippy::large_types_passed_by_value, reason = "a benchmark takes its arguments by value")]

use std::hint::black_box;
use std::ops::ControlFlow;

use gungraun::{library_benchmark, library_benchmark_group, main};
use sandtable_core::learn::Layout;
use sandtable_core::rules::{Context, perft};
use sandtable_core::search::{Evaluate, NodeView as _};
use sandtable_core::{Game, Observe, Position};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, Report};
use sandtable_tribun::{Action, Rules, Tribun};

fn start() -> Tribun {
    Tribun::start(Rules::STANDARD)
}

#[library_benchmark]
#[bench::start(start())]
fn perft_two(position: Tribun) -> u64 {
    let nodes = perft(black_box(&position), 2);
    assert_eq!(nodes, 70_223);
    nodes
}

#[library_benchmark]
#[bench::start(start())]
fn count(position: Tribun) -> u64 {
    let actions = black_box(&position).count_legal();
    assert_eq!(actions, 265);
    actions
}

#[library_benchmark]
#[bench::start(start())]
fn list(position: Tribun) -> u32 {
    let mut words = 0;
    let _ = black_box(&position).for_each_legal::<()>(|action| {
        words ^= action.word();
        ControlFlow::Continue(())
    });
    assert_ne!(words, 0);
    words
}

#[library_benchmark]
#[bench::start(start())]
fn evaluate(position: Tribun) -> i32 {
    let value = black_box(&position).view().evaluate();
    assert!(value.abs() < 100);
    value
}

#[library_benchmark]
#[bench::start(Game::new(Rules::STANDARD), AlphaBeta::new(1, AlphaBetaSettings::default()))]
fn search_2000_nodes(game: Game<Tribun>, mut engine: AlphaBeta) -> Report<Action> {
    let report = engine.search(black_box(&game), &Limits::nodes(2000), |_| ControlFlow::Continue(()));
    assert_eq!(report.nodes, 2000);
    report
}

#[library_benchmark]
#[bench::start((start(), vec![0.0; Tribun::SHAPE.len()]))]
fn observe((position, mut observation): (Tribun, Vec<f32>)) -> Vec<f32> {
    black_box(&position).write_observation(Context::FIRST, Layout::Hwc, &mut observation).unwrap();
    assert!(observation[0] > 0.0);
    observation
}

library_benchmark_group!(
    name = hot_paths,
    benchmarks = [perft_two, count, list, evaluate, search_2000_nodes, observe]
);

main!(library_benchmark_groups = hot_paths);
