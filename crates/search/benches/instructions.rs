//! Instruction counts, the same on every run: `cargo bench -p sandtable-search --bench instructions`.
//!
//! Requires valgrind, and `gungraun-runner` in the version of `gungraun` in the lock file.

#![expect(missing_docs, reason = "a benchmark has no public API")]

mod positions;

use std::hint::black_box;
use std::ops::ControlFlow;

use gungraun::prelude::*;
use positions::{CHESS, game, middlegames};
use sandtable_chess::{Move, Position};
use sandtable_core::{Evaluate, Game, Notation, Position as _};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, Mcts, MctsSettings, Report, Score, Static};

fn searcher(name: &str) -> (Game<Position>, AlphaBeta) {
    let fen = CHESS.iter().find(|position| position.0 == name).expect("a known position").1;
    (game(fen), AlphaBeta::new(1, AlphaBetaSettings::default()))
}

fn run(game: &Game<Position>, search: &mut AlphaBeta, limits: &Limits) -> Report<Move> {
    search.search(black_box(game), limits, |_| ControlFlow::Continue(()))
}

#[library_benchmark]
#[bench::start(args = ("start"), setup = searcher)]
#[bench::middlegame(args = ("middlegame"), setup = searcher)]
#[bench::endgame(args = ("endgame"), setup = searcher)]
fn depth_7((game, mut search): (Game<Position>, AlphaBeta)) -> Report<Move> {
    let report = run(&game, &mut search, &Limits::depth(7));
    assert_eq!(report.depth, 7);
    assert!(report.best().is_some_and(|best| game.position().is_legal(best)));
    report
}

#[library_benchmark]
#[bench::start(args = ("start"), setup = searcher)]
#[bench::middlegame(args = ("middlegame"), setup = searcher)]
fn nodes_5000((game, mut search): (Game<Position>, AlphaBeta)) -> Report<Move> {
    let report = run(&game, &mut search, &Limits::nodes(5000));
    assert_eq!(report.nodes, 5000);
    report
}

/// A game from each text with its searcher.
fn searchers<P: Notation>(texts: [&str; 4]) -> [(Game<P>, AlphaBeta); 4] {
    texts.map(|text| (game(text), AlphaBeta::new(1, AlphaBetaSettings::default())))
}

/// Searches 5,000 nodes of each of four middlegames: divided by 20,000, the instructions per node.
fn search_20000<P: Evaluate>(searchers: [(Game<P>, AlphaBeta); 4]) -> u64 {
    let nodes = |(game, mut search): (Game<P>, AlphaBeta)| {
        search.search(black_box(&game), &Limits::nodes(5000), |_| ControlFlow::Continue(())).nodes
    };
    let total = searchers.into_iter().map(nodes).sum();
    assert_eq!(total, 20_000);
    total
}

#[library_benchmark]
#[bench::middlegames(args = (middlegames::CHESS), setup = searchers)]
fn chess_nodes(searchers: [(Game<Position>, AlphaBeta); 4]) -> u64 {
    search_20000(searchers)
}

#[library_benchmark]
#[bench::middlegames(args = (middlegames::COTULENH), setup = searchers)]
fn cotulenh_nodes(searchers: [(Game<sandtable_cotulenh::Position>, AlphaBeta); 4]) -> u64 {
    search_20000(searchers)
}

#[library_benchmark]
#[bench::middlegames(args = (middlegames::TRIBUN), setup = searchers)]
fn tribun_nodes(searchers: [(Game<sandtable_tribun::Position>, AlphaBeta); 4]) -> u64 {
    search_20000(searchers)
}

#[library_benchmark]
#[bench::two_rooks(args = ("mate"), setup = searcher)]
fn mate((game, mut search): (Game<Position>, AlphaBeta)) -> Report<Move> {
    let report = run(&game, &mut search, &Limits::depth(5));
    assert_eq!(report.score(), Some(Score::Win(3)));
    report
}

#[library_benchmark]
#[bench::middlegame(args = ("middlegame"), setup = searcher)]
fn mcts_200_visits((game, _): (Game<Position>, AlphaBeta)) -> Mcts<Position> {
    let mut tree = Mcts::new(game, MctsSettings::default(), 1);
    tree.search(&Static::default(), &Limits::nodes(200));
    assert_eq!(tree.visits(), 200);
    tree
}

#[library_benchmark]
#[bench::middlegame(args = ("middlegame"), setup = searcher)]
fn evaluate((game, _): (Game<Position>, AlphaBeta)) -> i32 {
    let value = black_box(game.position()).evaluate();
    assert!(value.abs() < 500);
    value
}

library_benchmark_group!(name = search, benchmarks = [depth_7, nodes_5000, mate, mcts_200_visits, evaluate]);
library_benchmark_group!(name = nodes, benchmarks = [chess_nodes, cotulenh_nodes, tribun_nodes]);
main!(library_benchmark_groups = [search, nodes]);
