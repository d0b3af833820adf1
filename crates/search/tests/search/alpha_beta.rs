//! Alpha-beta: equal to minimax without selectivity, reproducible, stopped exactly at its limits.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use sandtable_chess::{Chess, DrawRules};
use sandtable_core::rules::Rng;
use sandtable_core::search::{Evaluate, NodeView as _};
use sandtable_core::{Game, Position};
use sandtable_nnue::Network;
use sandtable_nnue::train::{Settings, Trainer};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, POLL_INTERVAL, Report, Score, Selectivity};

use crate::maze::{Maze, Plan};
use crate::minimax::{minimax, minimax_with, root_scores};
use crate::{chess, random_endgame, random_games};

const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn run<P: Evaluate>(search: &mut AlphaBeta, game: &Game<P>, limits: &Limits) -> Report<P::Move> {
    search.search(game, limits, |_| ControlFlow::Continue(()))
}

fn searcher(selectivity: Selectivity) -> AlphaBeta {
    AlphaBeta::new(1, AlphaBetaSettings::default().with_selectivity(selectivity))
}

/// A network with random weights; with an even seed, the network corrects the hand-made evaluation.
fn random_network<P: Evaluate>(seed: u64) -> Arc<Network> {
    let corrects_hand_made = seed.is_multiple_of(2);
    let settings = Settings { hidden: 16, corrects_hand_made, seed, ..Settings::default() };
    let trainer = Trainer::new::<P>(settings);
    Arc::new(trainer.network::<P>(2000))
}

/// Plays a line, checking that every move is legal, and returns the final position.
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
            let mut search = searcher(Selectivity::NONE.with_quiescence(quiescence));
            let report = run(&mut search, &game, &Limits::depth(depth));
            prop_assert_eq!(report.score(), Some(minimax(&game, depth, quiescence)));
            follow(&game, &report.lines[0].moves);
        }
    }

    /// The accumulators follow every path of the search: also where a player moves twice, and back from a move.
    #[test]
    fn equals_minimax_with_a_network(plan in 1_u64..1 << 20, depth in 1_u32..6, quiescence: bool) {
        let network = random_network::<Maze>(plan);
        let mut search = searcher(Selectivity::NONE.with_quiescence(quiescence));
        search.network = Some(Arc::clone(&network));
        for game in random_games::<Maze>(Plan(plan), 3, 10) {
            search.clear();
            let report = run(&mut search, &game, &Limits::depth(depth));
            prop_assert_eq!(report.score(), Some(minimax_with(&game, depth, quiescence, &network)));
        }
    }

    #[test]
    fn every_line_equals_the_minimax_score_of_its_move(plan in 1_u64..1 << 20, depth in 1_u32..5) {
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
}

/// Selective search may miss a win, but a win it reports is forced and takes no more turns than reported.
#[test]
fn reported_wins_are_forced() {
    const MAX_PROOF_PLIES: u32 = 11;
    let (mut immediate, mut longer) = (0, 0);
    for plan in 1..800 {
        let game = Game::<Maze>::new(Plan(plan));
        let report = run(&mut searcher(Selectivity::FULL), &game, &Limits::depth(5));
        let Some(Score::Win(turns)) = report.score() else { continue };
        *(if turns == 1 { &mut immediate } else { &mut longer }) += 1;
        let proved = (1..=MAX_PROOF_PLIES).any(|plies| minimax(&game, plies, false) >= Score::Win(turns));
        assert!(proved, "maze {plan}: no win within {turns} turns");
    }
    assert!(immediate >= 100 && longer >= 30, "{immediate} wins in one turn, {longer} longer ones");
}

#[test]
fn equals_minimax_with_a_network_in_chess() {
    let mut search = searcher(Selectivity::NONE);
    for (seed, game) in (0..).zip(random_games::<Chess>(DrawRules::default(), 12, 120)) {
        let network = random_network::<Chess>(seed);
        search.clear();
        search.network = Some(Arc::clone(&network));
        for depth in 1..=3 {
            let report = run(&mut search, &game, &Limits::depth(depth));
            assert_eq!(
                report.score(),
                Some(minimax_with(&game, depth, false, &network)),
                "{:?}",
                game.position()
            );
        }
    }
}

#[test]
fn equals_minimax_in_chess() {
    for game in random_games::<Chess>(DrawRules::default(), 12, 120) {
        for depth in 1..=3 {
            for transpositions in [false, true] {
                let mut search = searcher(Selectivity::NONE.with_transpositions(transpositions));
                let report = run(&mut search, &game, &Limits::depth(depth));
                let score = report.score().unwrap();
                assert_eq!(score, minimax(&game, depth, false), "{:?} at {depth}", game.position());
                // The principal variation leads to the position with that static evaluation.
                if let Score::Centipawns(score) = score {
                    let end = follow(&game, &report.lines[0].moves);
                    let static_eval = end.view().progress_clock().fade(end.view().evaluate());
                    let static_eval = if end.turn() == game.turn() { static_eval } else { -static_eval };
                    assert!(static_eval == score || end.outcome(1).is_over());
                }
            }
        }
    }
}

/// Endgames only: minimax without pruning cannot resolve all captures of a full board.
#[test]
fn equals_minimax_with_quiescence_in_chess_endgames() {
    let mut rng = Rng::new(9);
    let games =
        std::iter::repeat_with(|| random_endgame(&mut rng)).flatten().take(60).map(Game::from_position);
    for game in games.filter(|game| !game.outcome().is_over()) {
        for depth in 1..=2 {
            let mut search = searcher(Selectivity::NONE.with_quiescence(true));
            let report = run(&mut search, &game, &Limits::depth(depth));
            assert_eq!(report.score(), Some(minimax(&game, depth, true)), "{:?}", game.position());
        }
    }
}

#[test]
fn the_same_limits_give_the_same_reports() {
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
        assert_ne!(find(&mut search), first, "the table of the first search changes the second");
        search.clear();
        assert_eq!(find(&mut search), first);
        assert_eq!(find(&mut AlphaBeta::new(4, AlphaBetaSettings::default())), first);
    }
}

#[test]
fn stops_exactly_at_the_node_limit() {
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
fn stops_at_the_poll_that_returns_true() {
    for stop_at in [1, 2, 40] {
        let polls = AtomicU64::new(0);
        let stop = || polls.fetch_add(1, Ordering::Relaxed) + 1 == stop_at;
        let report = run(
            &mut AlphaBeta::new(1, AlphaBetaSettings::default()),
            &chess(MIDDLEGAME),
            &Limits::until(&stop),
        );
        assert_eq!(polls.into_inner(), stop_at);
        assert_eq!(report.nodes, stop_at * POLL_INTERVAL);
    }
}

#[test]
fn stops_when_the_report_breaks() {
    let limits = Limits::default();
    let report =
        AlphaBeta::new(1, AlphaBetaSettings::default()).search(&chess(MIDDLEGAME), &limits, |report| {
            if report.depth == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    assert_eq!(report.depth, 3);
}

#[test]
fn a_finished_game_has_no_best_move() {
    for fen in
        ["7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/8/6K1/8/8/8/8/8 w - - 0 1"]
    {
        let mut search = AlphaBeta::new(1, AlphaBetaSettings::default().with_threads(2));
        let report = run(&mut search, &chess(fen), &Limits::depth(4));
        assert_eq!((report.best(), report.nodes), (None, 0));
    }
}

#[test]
fn several_lines_are_ordered_and_distinct() {
    for count in [2, 5, 100] {
        let mut search = AlphaBeta::new(4, AlphaBetaSettings::default().with_lines(count));
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

/// Helpers only fill the shared table. Without selectivity its entries order moves and nothing else, so the score at a
/// fixed depth cannot depend on the number of threads.
#[test]
fn several_threads_agree_with_one_at_a_fixed_depth() {
    let games = random_games::<Chess>(DrawRules::default(), 4, 60).chain([chess(MIDDLEGAME)]);
    for game in games {
        let score = |threads| {
            let settings = AlphaBetaSettings::default().with_threads(threads);
            let mut search = AlphaBeta::new(1, settings.with_selectivity(Selectivity::NONE));
            let report = run(&mut search, &game, &Limits::depth(4));
            assert_eq!(report.depth, 4);
            follow(&game, &report.lines[0].moves);
            report.score()
        };
        assert_eq!(score(3), score(1), "{:?}", game.position());
    }
}

#[test]
fn several_threads_find_a_mate_in_three() {
    // 1. Ra6+ f6 2. Bxf6+ Rg7 3. Rxa8#
    let game = chess("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    for threads in [1, 3] {
        let mut search = AlphaBeta::new(4, AlphaBetaSettings::default().with_threads(threads));
        for _ in 0..2 {
            let report = run(&mut search, &game, &Limits::depth(9));
            assert_eq!(report.score(), Some(Score::Win(5)), "{threads} threads");
            assert!(follow(&game, &report.lines[0].moves).outcome(1).is_over());
        }
    }
}

/// Only the main thread polls, every [`POLL_INTERVAL`] of its own nodes: all other nodes are those of the helpers.
#[test]
fn helper_threads_search_and_stop() {
    const POLLS: u64 = 400;
    let polls = AtomicU64::new(0);
    let stop = || polls.fetch_add(1, Ordering::Relaxed) + 1 == POLLS;
    let mut search = AlphaBeta::new(4, AlphaBetaSettings::default().with_threads(3));
    let report = run(&mut search, &chess(MIDDLEGAME), &Limits::until(&stop));
    assert!(report.nodes > POLLS * POLL_INTERVAL, "{} nodes", report.nodes);
}

/// With a table of four slots that another game fills too, most lookups collide.
#[test]
fn hash_collisions_produce_no_illegal_move() {
    let mut search = AlphaBeta::new(0, AlphaBetaSettings::default().with_lines(3));
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

#[test]
fn considers_only_the_chosen_root_moves() {
    let game = chess(MIDDLEGAME);
    let scores = root_scores(&game, 2, false);
    let mut search = searcher(Selectivity::NONE);
    search.settings.lines = 100;
    // An index out of range is no move.
    for chosen in [&[3][..], &[7, 0, 7, 21], &[5, 1000]] {
        let report = run(&mut search, &game, &Limits::depth(2).with_root_moves(chosen));
        let found: HashMap<_, _> = report.lines.iter().map(|line| (line.moves[0], line.score)).collect();
        let expected: HashMap<_, _> = chosen.iter().filter_map(|&i| scores.get(i).copied()).collect();
        assert_eq!(found, expected);
        assert_eq!(report.lines.len(), found.len());
    }
    let all = run(&mut search, &game, &Limits::depth(2).with_root_moves(&[]));
    assert_eq!(all.lines.len(), scores.len());
}

#[test]
fn stops_at_a_mate_within_the_limit() {
    let game = chess("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    let depth = |limits| run(&mut AlphaBeta::new(1, AlphaBetaSettings::default()), &game, &limits).depth;
    let found = depth(Limits::depth(12).with_mate(3));
    assert!((1..12).contains(&found), "mate in three at depth {found}");
    assert_eq!(depth(Limits::depth(12).with_mate(5)), found);
    // There is no mate in two.
    assert_eq!(depth(Limits::depth(found + 2).with_mate(2)), found + 2);
    // A loss is not the mate that was searched for.
    let lost = chess("k7/8/1K6/8/8/8/8/7R b - - 0 1");
    let report =
        run(&mut AlphaBeta::new(1, AlphaBetaSettings::default()), &lost, &Limits::depth(6).with_mate(9));
    assert_eq!((report.score(), report.depth), (Some(Score::Loss(2)), 6));
}
