//! Alpha-beta: exact where it claims to be, the same every time, obedient to its limits.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use sandtable_chess::{DrawRules, Position as Chess};
use sandtable_core::{Evaluate, Game, Position, Rng};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, POLL, Report, Score, Selectivity};

use crate::maze::{Maze, Plan};
use crate::minimax::{minimax, root_scores};
use crate::{chess, random_endgame, random_games};

const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn run<P: Evaluate>(search: &mut AlphaBeta, game: &Game<P>, limits: &Limits) -> Report<P::Move> {
    search.search(game, limits, |_| ControlFlow::Continue(()))
}

fn searcher(selectivity: Selectivity) -> AlphaBeta {
    AlphaBeta::new(1, AlphaBetaSettings { selectivity, ..AlphaBetaSettings::default() })
}

/// Plays the line with the rules watching, and says where it ends.
fn follow<P: Evaluate>(game: &Game<P>, line: &[P::Move]) -> P {
    let mut position = game.position().clone();
    for &m in line {
        position.play(m).unwrap_or_else(|e| panic!("{m:?} in {position:?}: {e}"));
    }
    position
}

proptest! {
    #[test]
    fn equals_minimax_in_mazes(plan in 1_u64..1 << 20, depth in 1_u32..7, quiescence: bool, plies in 0_usize..30) {
        for game in random_games::<Maze>(Plan(plan), 3, plies + 1) {
            let mut search = searcher(Selectivity { quiescence, ..Selectivity::NONE });
            let report = run(&mut search, &game, &Limits::depth(depth));
            prop_assert_eq!(report.score(), Some(minimax(&game, depth, quiescence)));
            follow(&game, &report.lines[0].moves);
        }
    }

    #[test]
    fn every_line_equals_minimax_of_its_move(plan in 1_u64..1 << 20, depth in 1_u32..5) {
        let game = Game::<Maze>::new(Plan(plan));
        let mut search = searcher(Selectivity::NONE);
        search.settings.lines = 9;
        let report = run(&mut search, &game, &Limits::depth(depth));
        let mut expected = root_scores(&game, depth, false);
        prop_assert_eq!(report.lines.len(), expected.len());
        for line in &report.lines {
            prop_assert!(expected.contains(&(line.moves[0], line.score)), "{:?} of {:?}", line, expected);
        }
        expected.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        let scores: Vec<_> = report.lines.iter().map(|line| line.score).collect();
        prop_assert_eq!(scores, expected.into_iter().map(|(_, score)| score).collect::<Vec<_>>());
    }

    #[test]
    fn a_win_that_play_claims_is_one(plan in 1_u64..1 << 20, depth in 1_u32..9) {
        let game = Game::<Maze>::new(Plan(plan));
        let claimed = run(&mut searcher(Selectivity::FULL), &game, &Limits::depth(depth)).score();
        if let Some(Score::Win(plies)) = claimed.filter(|_| depth < 7) {
            prop_assert!(minimax(&game, plies, false) >= Score::Win(plies));
        }
    }
}

#[test]
fn equals_minimax_in_chess() {
    for game in random_games::<Chess>(DrawRules::default(), 12, 120) {
        for depth in 1..=3 {
            for transpositions in [false, true] {
                let mut search = searcher(Selectivity { transpositions, ..Selectivity::NONE });
                let report = run(&mut search, &game, &Limits::depth(depth));
                let score = report.score().unwrap();
                assert_eq!(score, minimax(&game, depth, false), "{:?} at {depth}", game.position());
                // The line is what the score is about.
                if let Score::Centipawns(score) = score {
                    let end = follow(&game, &report.lines[0].moves);
                    let looks = if end.turn() == game.turn() { end.evaluate() } else { -end.evaluate() };
                    assert!(looks == score || end.outcome(1).is_over());
                }
            }
        }
    }
}

/// With few pieces: without cuts, the captures of a full board are too many.
#[test]
fn equals_minimax_in_chess_with_loud_moves_beyond() {
    let mut rng = Rng::new(9);
    let games =
        std::iter::repeat_with(|| random_endgame(&mut rng)).flatten().take(60).map(Game::from_position);
    for game in games.filter(|game| !game.outcome().is_over()) {
        for depth in 1..=2 {
            let mut search = searcher(Selectivity { quiescence: true, ..Selectivity::NONE });
            let report = run(&mut search, &game, &Limits::depth(depth));
            assert_eq!(report.score(), Some(minimax(&game, depth, true)), "{:?}", game.position());
        }
    }
}

#[test]
fn the_same_limits_find_the_same() {
    for limits in [Limits::depth(7), Limits::nodes(20_000)] {
        let find = |search: &mut AlphaBeta| {
            let mut reports = Vec::new();
            let last = search.search(&chess(MIDDLEGAME), &limits, |report| {
                reports.push(report.clone());
                ControlFlow::Continue(())
            });
            reports.push(last);
            reports
        };
        let mut search = AlphaBeta::new(4, AlphaBetaSettings::default());
        let first = find(&mut search);
        assert!(first.len() > 4);
        assert!(first.is_sorted_by_key(|report| report.nodes));
        assert_ne!(find(&mut search), first, "a search that remembers looks at other nodes");
        search.clear();
        assert_eq!(find(&mut search), first);
        assert_eq!(find(&mut AlphaBeta::new(4, AlphaBetaSettings::default())), first);
    }
}

#[test]
fn limits_in_nodes_are_kept_to_the_node() {
    for nodes in [0, 1, 2, 77, 5000] {
        let report = run(
            &mut AlphaBeta::new(1, AlphaBetaSettings::default()),
            &chess(MIDDLEGAME),
            &Limits::nodes(nodes),
        );
        assert_eq!(report.nodes, nodes);
        assert!(chess(MIDDLEGAME).position().is_legal(report.best().unwrap()));
    }
}

#[test]
fn a_search_that_is_told_to_stop_looks_at_no_more_nodes() {
    for told_at in [1, 2, 40] {
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) + 1 == told_at;
        let report = run(
            &mut AlphaBeta::new(1, AlphaBetaSettings::default()),
            &chess(MIDDLEGAME),
            &Limits::until(&stop),
        );
        assert_eq!(asked.into_inner(), told_at);
        assert_eq!(report.nodes, told_at * POLL);
    }
}

#[test]
fn a_report_can_end_the_search() {
    let limits = Limits::default();
    let report =
        AlphaBeta::new(1, AlphaBetaSettings::default()).search(&chess(MIDDLEGAME), &limits, |report| {
            if report.depth == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    assert_eq!(report.depth, 3);
}

#[test]
fn a_game_that_is_over_has_no_best_move() {
    for fen in
        ["7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/8/6K1/8/8/8/8/8 w - - 0 1"]
    {
        let mut search = AlphaBeta::new(1, AlphaBetaSettings { threads: 2, ..AlphaBetaSettings::default() });
        let report = run(&mut search, &chess(fen), &Limits::depth(4));
        assert_eq!((report.best(), report.nodes), (None, 0));
    }
}

#[test]
fn several_lines_are_ordered_and_distinct() {
    for count in [2, 5, 100] {
        let mut search =
            AlphaBeta::new(4, AlphaBetaSettings { lines: count, ..AlphaBetaSettings::default() });
        let game = chess(MIDDLEGAME);
        let report = search.search(&game, &Limits::depth(5), |report| {
            let firsts: HashSet<_> = report.lines.iter().map(|line| line.moves[0]).collect();
            assert_eq!(firsts.len(), count.min(game.legal_moves().len()));
            assert_eq!(report.lines.len(), firsts.len());
            assert!(report.lines.is_sorted_by(|a, b| a.score >= b.score));
            for line in &report.lines {
                follow(&game, &line.moves);
            }
            ControlFlow::Continue(())
        });
        assert_eq!(report.depth, 5);
    }
}

#[test]
fn several_threads_find_a_legal_move_and_end() {
    let mut search = AlphaBeta::new(1, AlphaBetaSettings { threads: 3, ..AlphaBetaSettings::default() });
    let game = chess("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    for limits in [Limits::depth(6), Limits::nodes(30_000)] {
        let report = run(&mut search, &game, &limits);
        assert_eq!(report.score(), Some(Score::Win(1)));
    }
}

/// A table of four places, filled by another game and shared by whole games: every key collides all the time.
#[test]
fn a_crowded_table_brings_no_illegal_move() {
    let mut search = AlphaBeta::new(0, AlphaBetaSettings { lines: 3, ..AlphaBetaSettings::default() });
    for mut game in random_games::<Chess>(DrawRules::default(), 6, 80) {
        for _ in 0..12 {
            let report = run(&mut search, &game, &Limits::nodes(1500));
            for line in &report.lines {
                follow(&game, &line.moves);
            }
            let Some(best) = report.best() else { break };
            game.play(best).unwrap();
        }
        run(&mut search, &Game::<Maze>::new(Plan(7)), &Limits::nodes(500));
    }
}
