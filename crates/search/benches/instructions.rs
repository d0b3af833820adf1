//! Instruction counts, the same on every run: `cargo bench -p sandtable-search --bench instructions`.
//!
//! Requires valgrind, and `gungraun-runner` in the version of `gungraun` in the lock file.

#![expect(missing_docs, reason = "a benchmark has no public API")]

mod positions;

use std::hint::black_box;
use std::ops::ControlFlow;

use gungraun::prelude::*;
use positions::{CHESS, game};
use sandtable_chess::{Chess, Move};
use sandtable_core::search::{Evaluate as _, NodeView as _};
use sandtable_core::{Game, Position};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, Mcts, MctsSettings, Report, Score, Static};

fn searcher(name: &str) -> (Game<Chess>, AlphaBeta) {
    let fen = CHESS.iter().find(|position| position.0 == name).expect("a known position").1;
    (game(fen), AlphaBeta::new(1, AlphaBetaSettings::default()))
}

fn run(game: &Game<Chess>, search: &mut AlphaBeta, limits: &Limits) -> Report<Move> {
    search.search(black_box(game), limits, |_| ControlFlow::Continue(()))
}

#[library_benchmark]
#[bench::start(args = ("start"), setup = searcher)]
#[bench::middlegame(args = ("middlegame"), setup = searcher)]
#[bench::endgame(args = ("endgame"), setup = searcher)]
fn depth_7((game, mut search): (Game<Chess>, AlphaBeta)) -> Report<Move> {
    let report = run(&game, &mut search, &Limits::depth(7));
    assert_eq!(report.depth, 7);
    assert!(report.best().is_some_and(|best| game.position().is_legal(best)));
    report
}

#[library_benchmark]
#[bench::start(args = ("start"), setup = searcher)]
#[bench::middlegame(args = ("middlegame"), setup = searcher)]
fn nodes_5000((game, mut search): (Game<Chess>, AlphaBeta)) -> Report<Move> {
    let report = run(&game, &mut search, &Limits::nodes(5000));
    assert_eq!(report.nodes, 5000);
    report
}

#[library_benchmark]
#[bench::two_rooks(args = ("mate"), setup = searcher)]
fn mate((game, mut search): (Game<Chess>, AlphaBeta)) -> Report<Move> {
    let report = run(&game, &mut search, &Limits::depth(5));
    assert_eq!(report.score(), Some(Score::Win(3)));
    report
}

#[library_benchmark]
#[bench::middlegame(args = ("middlegame"), setup = searcher)]
fn mcts_200_visits((game, _): (Game<Chess>, AlphaBeta)) -> Mcts<Chess> {
    let mut tree = Mcts::new(game, MctsSettings::default(), 1);
    tree.search(&Static::default(), &Limits::nodes(200));
    assert_eq!(tree.visits(), 200);
    tree
}

#[library_benchmark]
#[bench::middlegame(args = ("middlegame"), setup = searcher)]
fn evaluate((game, _): (Game<Chess>, AlphaBeta)) -> i32 {
    let value = black_box(game.position()).view().evaluate();
    assert!(value.abs() < 500);
    value
}

library_benchmark_group!(name = search, benchmarks = [depth_7, nodes_5000, mate, mcts_200_visits, evaluate]);
main!(library_benchmark_groups = search);
