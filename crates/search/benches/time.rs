//! Wall-clock benchmarks: `cargo bench -p sandtable-search --bench time`. The throughput of a search is in nodes per
//! second.
//!
//! Each benchmark asserts its result. The depth reached is part of the benchmark's name.

mod positions;

use std::hint::black_box;
use std::ops::ControlFlow;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use positions::{CHESS, game};
use sandtable_chess::Chess;
use sandtable_core::Position;
use sandtable_core::search::{Evaluate as _, NodeView as _};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, Mcts, MctsSettings, Static};

const NODES: u64 = 50_000;
const VISITS: u64 = 1000;

fn alpha_beta(c: &mut Criterion) {
    let mut group = c.benchmark_group("alpha-beta");
    group.sample_size(10).throughput(Throughput::Elements(NODES));
    for (name, fen) in CHESS {
        let game = game::<Chess>(fen);
        let mut search = AlphaBeta::new(16, AlphaBetaSettings::default());
        let mut run = || {
            search.clear();
            search.search(black_box(&game), &Limits::nodes(NODES), |_| ControlFlow::Continue(()))
        };
        let depth = run().depth;
        group.bench_function(format!("{name}, 50,000 nodes, depth {depth}"), |b| {
            b.iter(|| {
                let report = run();
                assert_eq!((report.nodes, report.depth), (NODES, depth));
                report
            });
        });
    }
    group.finish();
}

fn mcts(c: &mut Criterion) {
    let mut group = c.benchmark_group("mcts");
    group.sample_size(10).throughput(Throughput::Elements(VISITS));
    for (name, fen) in CHESS {
        let game = game::<Chess>(fen);
        group.bench_function(format!("{name}, 1,000 visits"), |b| {
            b.iter(|| {
                let mut tree = Mcts::new(black_box(&game).clone(), MctsSettings::default(), 1);
                tree.search(&Static::default(), &Limits::nodes(VISITS));
                assert_eq!(u64::from(tree.visits()), VISITS);
                tree
            });
        });
    }
    group.finish();
}

fn evaluation(c: &mut Criterion) {
    let mut group = c.benchmark_group("evaluation");
    for (name, fen) in CHESS {
        let game = game::<Chess>(fen);
        let position = game.position();
        assert_eq!(position.view().evaluate(), position.mirrored().view().evaluate());
        group.bench_function(name, |b| b.iter(|| black_box(position).view().evaluate()));
    }
    group.finish();
}

criterion_group!(benches, alpha_beta, mcts, evaluation);
criterion_main!(benches);
