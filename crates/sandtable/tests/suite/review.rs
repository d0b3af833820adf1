//! Reviews: planted errors are found, good play is not criticised, and a record keeps the review.

use std::ops::ControlFlow;

use sandtable::core::Player;
use sandtable::core::record::{Annotations, Tags};
use sandtable::core::rules::Rng;
use sandtable::engine::review::{
    Interrupted, Judgement, MISTAKE, Review, ReviewScore, ReviewSettings, compare_turns, read_review, review,
};
use sandtable::engine::{Evaluation, engine_for};
use sandtable::games::complete_games;
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Limits, Score};
use sandtable::{AnyGame, BoxedGame, GameKind, find};

fn reviewed(game: &dyn AnyGame, nodes: u64) -> Review {
    let settings = ReviewSettings::default().with_nodes(nodes);
    review(game, &Evaluation::Default, &settings, &|| false, &mut |_| ()).unwrap()
}

/// Plays `turns` turns of the engine with this many nodes a move.
fn play_engine(kind: &GameKind, game: &mut BoxedGame, nodes: u64, turns: usize) {
    let mut engine = engine(kind, 8);
    for _ in 0..turns {
        let player = game.turn();
        while game.turn() == player && !game.is_over() {
            let report = game.search(&mut engine, &Limits::nodes(nodes), &mut |_| ControlFlow::Continue(()));
            game.play(&report.best().unwrap()).unwrap();
        }
    }
}

/// An engine with the default evaluation.
fn engine(kind: &GameKind, mebibytes: usize) -> AlphaBeta {
    engine_for(kind.name, mebibytes, AlphaBetaSettings::default(), &Evaluation::Default).unwrap()
}

/// The score of the side to move after a search.
fn score(kind: &GameKind, game: &dyn AnyGame, nodes: u64) -> Score {
    let report = game.search(&mut engine(kind, 1), &Limits::nodes(nodes), &mut |_| ControlFlow::Continue(()));
    report.score().unwrap_or(Score::Loss(0))
}

fn new_game(kind: &GameKind) -> BoxedGame {
    kind.start(kind.rules[0]).unwrap()
}

#[test]
fn a_planted_blunder_is_found() {
    for kind in complete_games() {
        let mut game = new_game(kind);
        play_engine(kind, &mut game, 2_000, 9);
        let planted = game.ply();
        // The turn that is best for the opponent.
        let worst = game.turns().into_iter().max_by_key(|turn| {
            let mut after = game.clone_box();
            turn.moves.iter().for_each(|text| drop(after.play(text).unwrap()));
            if after.is_over() { Score::Loss(0) } else { score(kind, &*after, 300) }
        });
        let worst = worst.unwrap();
        worst.moves.iter().for_each(|text| drop(game.play(text).unwrap()));
        play_engine(kind, &mut game, 2_000, 2);

        let review = reviewed(&*game, 3_000);
        let turn = review.turns.iter().find(|turn| turn.plies.start == planted).unwrap();
        assert!(turn.judgement >= Some(Judgement::Mistake), "{} {turn:?}", kind.name);
        assert_eq!(turn.text, worst.text);
        let better = turn.better.as_ref().expect("a better turn");
        assert_ne!(better.turns[0], worst.text);
        assert!(better.after.expected_for(turn.player) > turn.after.expected_for(turn.player) + MISTAKE);
        let errors = review.turns.iter().filter(|turn| turn.loss >= MISTAKE).count();
        assert_eq!(errors, 1, "{} {review:#?}", kind.name);
    }
}

/// The turns of engine games that the review calls mistakes or worse, and all turns.
fn false_alarms(
    kind: &GameKind,
    games: u64,
    player_nodes: u64,
    review_nodes: u64,
    turns: usize,
) -> (usize, usize) {
    let (mut alarms, mut all) = (0, 0);
    for seed in 0..games {
        let mut game = new_game(kind);
        let mut rng = Rng::new(seed);
        for _ in 0..4 {
            let text = game.random_move(&mut rng).unwrap();
            game.play(&text).unwrap();
        }
        let opening = game.ply();
        play_engine(kind, &mut game, player_nodes, turns);
        let review = reviewed(&*game, review_nodes);
        for turn in review.turns.iter().filter(|turn| turn.plies.start >= opening) {
            all += 1;
            if turn.judgement >= Some(Judgement::Mistake) {
                alarms += 1;
                eprintln!("{} game {seed}: {}{} {turn:?}", kind.name, turn.number, turn.text);
            }
        }
    }
    (alarms, all)
}

#[test]
fn turns_of_a_stronger_engine_are_not_called_mistakes() {
    for kind in complete_games() {
        let (alarms, all) = false_alarms(kind, 1, 12_000, 1_500, 24);
        assert!(alarms * 100 < 3 * all, "{}: {alarms} of {all}", kind.name);
    }
}

#[test]
#[ignore = "plays 100 games: an hour"]
fn false_alarms_are_rare_in_a_hundred_engine_games() {
    let (mut alarms, mut all) = (0, 0);
    for (kind, games) in complete_games().zip([34, 33, 33]) {
        let found =
            false_alarms(kind, games, 4 * ReviewSettings::DEFAULT_NODES, ReviewSettings::DEFAULT_NODES, 120);
        println!("{}: {} of {} turns", kind.name, found.0, found.1);
        assert!(found.0 * 100 < 3 * found.1, "{}: {} of {}", kind.name, found.0, found.1);
        (alarms, all) = (alarms + found.0, all + found.1);
    }
    assert!(alarms * 100 < 3 * all, "{alarms} of {all}");
}

#[test]
fn the_engines_own_turns_lose_nothing() {
    for kind in complete_games() {
        let mut game = new_game(kind);
        let mut engine = engine(kind, 4);
        for _ in 0..6 {
            // As the review searches: an empty table and the same number of nodes.
            engine.clear();
            let player = game.turn();
            let report = game.search(&mut engine, &Limits::nodes(2_000), &mut |_| ControlFlow::Continue(()));
            for text in &report.lines[0].moves {
                if game.turn() == player {
                    game.play(text).unwrap();
                }
            }
            if game.turn() == player {
                break; // The line ends within a turn.
            }
        }
        let review = reviewed(&*game, 2_000);
        assert!(review.turns.iter().all(|turn| turn.loss == 0.0), "{} {review:#?}", kind.name);
        assert!(review.turns.len() > 2);
        assert_eq!(review.accuracy(Player::First), Some(100.0));
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_result() {
    let record = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 Bc5 5. Nxf7 Bxf2+ 6. Ke2 Qe7 *";
    let game = find("chess").unwrap().load_record(record, "standard").unwrap().game;
    let mut progress = Vec::new();
    let mut run = |threads| {
        let settings = ReviewSettings::default().with_nodes(1_000).with_threads(threads);
        review(&*game, &Evaluation::Default, &settings, &|| false, &mut |at| progress.push((threads, at)))
            .unwrap()
    };
    assert_eq!(run(1), run(3));
    for threads in [1, 3] {
        let done: Vec<_> = progress.iter().filter(|(of, _)| *of == threads).map(|(_, at)| at).collect();
        assert!(done.is_sorted_by_key(|at| at.done) && done.iter().all(|at| at.total == done[0].total));
        assert_eq!((done[0].done, done.last().unwrap().done), (0, done[0].total));
    }
}

#[test]
fn a_review_can_be_stopped() {
    for threads in [1, 2] {
        let record = find("chess").unwrap().load_record("1. e4 e5 2. Nf3 Nc6 *", "standard").unwrap();
        let settings = ReviewSettings::default().with_nodes(u64::MAX).with_threads(threads);
        let stopped = review(&*record.game, &Evaluation::Default, &settings, &|| true, &mut |_| ());
        assert_eq!(stopped, Err(Interrupted));
    }
}

#[test]
fn a_turn_is_compared_with_a_better_one() {
    let kind = find("chess").unwrap();
    let before = kind.load_record("1. f3 e5 *", "standard").unwrap().game;
    let after = |text: &str| {
        let mut game = before.clone_box();
        game.play(text).unwrap();
        game
    };
    let settings = ReviewSettings::default().with_nodes(2_000);
    let compare = |turn: &str, better: &str| {
        let (turn, better) = (after(turn), after(better));
        compare_turns(Player::First, &turn, &better, &Evaluation::Default, &settings, &|| false).unwrap()
    };
    let blunder = compare("g4", "e4");
    assert_eq!((blunder.judgement, blunder.after.score), (Some(Judgement::Blunder), ReviewScore::Mate(-1)));
    assert!(blunder.better_after.expected > 0.3 && blunder.loss > 0.3, "{blunder:?}");
    for (turn, better) in [("e4", "e4"), ("e4", "d4"), ("e4", "g4")] {
        let good = compare(turn, better);
        assert_eq!(good.judgement, None, "{turn} {better} {good:?}");
    }
    let stopped = compare_turns(
        Player::First,
        &after("g4"),
        &after("e4"),
        &Evaluation::Default,
        &ReviewSettings::default(),
        &|| true,
    );
    assert_eq!(stopped, Err(Interrupted));
}

#[test]
fn a_deployment_is_one_turn() {
    let fen = "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 7";
    let record = format!("[FEN \"{fen}\"]\n\n7. c3:T:N>c5,F>e5 +Tf8 *");
    let game = find("cotulenh").unwrap().load_record(&record, "standard").unwrap().game;
    let review = reviewed(&*game, 500);
    let turns: Vec<_> =
        review.turns.iter().map(|turn| (turn.number, turn.plies.clone(), &*turn.text)).collect();
    assert_eq!(turns, [(7, 0..3, "c3:T:N>c5,F>e5"), (7, 3..4, "+Tf8")]);
}

#[test]
fn a_turn_in_progress_is_not_judged() {
    let fen = "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1";
    let record = format!("[FEN \"{fen}\"]\n\n1. c3:(FT):N>c5... *");
    let game = find("cotulenh").unwrap().load_record(&record, "standard").unwrap().game;
    assert_eq!(reviewed(&*game, 500).turns, []);
}

#[test]
fn a_game_without_moves_has_an_empty_review() {
    for kind in complete_games() {
        let review = reviewed(&*new_game(kind), 200);
        assert_eq!((review.turns.len(), review.accuracy(Player::First)), (0, None));
    }
}

#[test]
fn the_end_of_the_game_has_its_value() {
    let kind = find("chess").unwrap();
    let mate = kind.load_record("1. f3 e5 2. g4 Qh4# 0-1", "standard").unwrap();
    let review = reviewed(&*mate.game, 2_000);
    let last = review.turns.last().unwrap();
    assert_eq!((last.after.score, last.after.expected), (ReviewScore::Mate(0), 0.0));
    assert_eq!(review.turns[2].judgement, Some(Judgement::Blunder));
    let stalemate = "[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n\n1. Qf7 1/2-1/2";
    let review = reviewed(&*kind.load_record(stalemate, "standard").unwrap().game, 2_000);
    assert_eq!(review.turns[0].after.score, ReviewScore::Centipawns(0));
    assert_eq!(review.turns[0].judgement, Some(Judgement::Blunder));
}

#[test]
fn a_resigned_game_is_judged_by_its_position() {
    let kind = find("chess").unwrap();
    let resigned = kind.load_record("[Termination \"resignation\"]\n\n1. e4 0-1", "standard").unwrap();
    let review = reviewed(&*resigned.game, 2_000);
    assert!((review.turns[0].after.expected - 0.5).abs() < 0.1, "{review:?}");
}

#[test]
fn a_record_keeps_the_review() {
    for (game, record) in [
        ("chess", "1. f3! {mine} (1. e4) e5 $2 2. g4 {oops} Qh4# 0-1"),
        ("chess", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 Bc5 5. Nxf7 Bxf2+ 6. Ke2 Qe7 *"),
        ("cotulenh", "1. F&c4 Ic7 2. c4:N:F>e6 *"),
        ("tribun", "1. b3-e5 {offer:b} {a start} j9-g7 2. c6-d7"),
    ] {
        let kind = find(game).unwrap();
        let rules = kind.rules[0];
        let loaded = kind.load_record(record, rules).unwrap();
        let review = reviewed(&*loaded.game, 1_000);
        let mut annotations = loaded.annotations.clone();
        review.annotate(&mut annotations);
        let text = loaded.game.annotated_record(&loaded.tags, &annotations).unwrap();
        let again = kind.load_record(&text, rules).unwrap();
        assert_eq!(again.annotations, annotations, "{text}");
        let mut read = read_review(&*again.game, &again.annotations).expect(&text);
        for (read, turn) in read.turns.iter_mut().zip(&review.turns) {
            assert!((0.0..1.01e-4).contains(&(turn.loss - read.loss)), "a record rounds losses down");
            read.loss = turn.loss;
        }
        assert_eq!(read, review, "{text}");

        let mut twice = annotations.clone();
        review.annotate(&mut twice);
        assert_eq!(twice, annotations, "a second review replaces the first one");
    }
}

#[test]
fn annotations_of_others_are_kept() {
    let kind = find("chess").unwrap();
    let loaded = kind.load_record("1. f3! {mine} (1. e4) e5 $2 2. g4 {oops} Qh4# 0-1", "standard").unwrap();
    let mut annotations = loaded.annotations;
    reviewed(&*loaded.game, 1_000).annotate(&mut annotations);
    let text = loaded.game.annotated_record(&Tags::new(), &annotations).unwrap().replace('\n', " ");
    assert!(text.contains(" mine} (1. e4)") && text.contains("2. g4 $4 {[%eval #-1] [%loss "), "{text}");
    assert!(text.contains(" oops} (2. "), "{text}");
    assert!(annotations.note(1).unwrap().glyphs.contains(&1) && annotations.note(2).unwrap().glyphs == [2]);
}

#[test]
fn a_review_removes_no_variation_and_repeats_no_glyph_of_others() {
    let kind = find("chess").unwrap();
    let record = "1. f3 $6 {[%eval -0.8]} (1. e4 {[%eval 0.3]} e5 {[%eval 0.2]}) e5 {[%eval -0.8]} 2. g4 $4 $1 \
                  {[%eval #-1] Blunder. d4 was best.} (2. d4 {[%eval -0.6]} exd4) 2... Qh4# 0-1";
    let loaded = kind.load_record(record, "standard").unwrap();
    let review = reviewed(&*loaded.game, 1_000);
    assert_eq!(review.turns[2].judgement, Some(Judgement::Blunder));
    let mut annotations = loaded.annotations.clone();
    for _ in 0..2 {
        review.annotate(&mut annotations);
        assert_eq!(annotations.variations(0)[0], loaded.annotations.variations(0)[0]);
        assert_eq!(annotations.variations(2)[0], loaded.annotations.variations(2)[0]);
        assert_eq!(annotations.variations(2).len(), 2);
        let note = annotations.note(3).unwrap();
        assert_eq!(note.glyphs, [4, 1]);
        assert!(note.comment.ends_with("] Blunder. d4 was best."), "{}", note.comment);
    }
}

#[test]
fn a_long_game_is_reviewed_with_its_repetitions() {
    let kind = find("chess").unwrap();
    let mut game = new_game(kind);
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    shuffle.iter().cycle().take(5_000).for_each(|text| drop(game.replay(text).unwrap()));
    let review = reviewed(&*game, 1);
    let scores: Vec<_> = review.turns.iter().map(|turn| turn.after.score).collect();
    // The position after four moves is the second occurrence of the first one, that after eight moves the third.
    assert!(scores[15..].iter().all(|score| *score == ReviewScore::Centipawns(0)), "fivefold repetition");
    let mut annotations = Annotations::default();
    assert_eq!(read_review(&*game, &annotations), None);
    review.annotate(&mut annotations);
    assert_eq!(read_review(&*game, &annotations).map(|read| read.turns.len()), Some(5_000));
}

#[test]
fn reviews_of_other_programs_are_read() {
    let kind = find("chess").unwrap();
    let record = "1. e4 { [%eval 0.17] [%clk 0:00:30] } 1... f6?! { [%eval 0.9,22] } 2. d4 { [%eval #3] } g5?? \
                  { [%eval #1] } 3. Qh5# 1-0";
    let loaded = kind.load_record(record, "standard").unwrap();
    let review = read_review(&*loaded.game, &loaded.annotations).unwrap();
    let judged: Vec<_> = review.turns.iter().map(|turn| turn.judgement).collect();
    assert_eq!(judged, [None, Some(Judgement::Inaccuracy), None, Some(Judgement::Blunder), None]);
    assert_eq!(review.turns[1].after.score, ReviewScore::Centipawns(90));
    assert!(review.turns[1].loss > 0.04 && review.turns[3].loss == 0.0);
    assert!(review.turns[4].after.expected > 0.99);
    let without = kind.load_record("1. e4 { [%eval 0.17] } e5 *", "standard").unwrap();
    assert_eq!(read_review(&*without.game, &without.annotations), None);
    assert_eq!(read_review(&*new_game(kind), &Annotations::default()), None);
}
