//! The conformance suite on Greedy Nim, and tests of core on a game whose turns take several moves.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use sandtable_core::learn::{FactoredPolicy as _, Layout, PlaneCursor, PolicyIndex, Shape, SliceCanvas};
use sandtable_core::rules::{
    DrawAction, DrawError, DrawOffer, PlayTextError, Reason, Rng, divide, for_each_turn, perft,
    perft_threaded, perft_until,
};
use sandtable_core::search::{Evaluate as _, NodeView, ProgressClock, Tactic};
use sandtable_core::view::{Arrange as _, Arrangement, Attempt, Refusal, Unexplained, compose, refusal};
use sandtable_core::{
    FromSetup as _, Game, Notation as _, Observe as _, Outcome, Player, PolicyIndexed as _, Position as _,
};
use sandtable_nim::{Ending, Nim, NimError, OneSet, PILE, Take};
use sandtable_testkit::{Subject, conformance};

conformance!(
    Nim,
    Subject { openings: &["3 second -", "1 first -"], games: 20, near_misses: |_, _| (0..6).collect() }
);

#[test]
fn perft_counts_repeated_moves_of_one_player() {
    // Two counters: pass, take one (then pass or take one and win), take two and win.
    let two = Nim { left: 2, ..Nim::start(OneSet) };
    assert_eq!((1..=2).map(|depth| perft(&two, depth)).collect::<Vec<_>>(), [3, 3 + 2]);
}

#[test]
fn perft_is_independent_of_the_number_of_threads() {
    let start = Nim::start(OneSet);
    assert_eq!(perft(&start, 0), 1);
    for depth in 0..8 {
        for threads in 0..4 {
            assert_eq!(perft_threaded(&start, depth, threads), perft(&start, depth));
            assert_eq!(perft_until(&start, depth, threads, &|| false), Some(perft(&start, depth)));
        }
    }
    let shares = divide(&start, 6, 3, |_| ());
    assert_eq!(shares.iter().map(|share| share.root).collect::<Vec<_>>(), start.legal_moves());
    assert_eq!(shares.iter().map(|share| share.nodes).sum::<u64>(), perft(&start, 6));
}

#[test]
fn perft_stops_when_asked() {
    let start = Nim::start(OneSet);
    for threads in 1..4 {
        assert_eq!(perft_until(&start, 0, threads, &|| true), Some(1), "nothing to stop");
        for depth in 1..6 {
            assert_eq!(perft_until(&start, depth, threads, &|| true), None);
        }
        let asked = AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 20;
        assert_eq!(perft_until(&start, 30, threads, &stop), None, "it would take ages");
    }
}

#[test]
fn a_turn_lasts_until_the_opponent_is_to_move() {
    let mut turns = Vec::new();
    for_each_turn(&Nim { left: 2, ..Nim::start(OneSet) }, &mut |turn| {
        turns.push((turn.moves.clone(), turn.position.to_text()));
    });
    // Taking one twice and taking two both empty the pile, but leave the turn with different players.
    let expected = [
        (vec![0], "2 second -"),
        (vec![1, 0], "1 second -"),
        (vec![1, 1], "0 first first"),
        (vec![2], "0 second first"),
    ];
    assert_eq!(turns, expected.map(|(moves, text)| (moves, text.to_owned())));
}

#[test]
fn random_numbers_of_a_seed_never_change() {
    let mut rng = Rng::new(2026);
    let numbers: Vec<_> = (0..6).map(|_| rng.below(100)).collect();
    assert_eq!(numbers, [85, 47, 66, 38, 79, 72]);
}

#[test]
fn undo_at_the_start_returns_none() {
    let mut game = Game::<Nim>::new(OneSet);
    assert_eq!(game.undo(), None);
    assert_eq!(game, Game::new(OneSet));
}

#[test]
fn restart_clears_history_end_and_draw_offer() {
    let mut game = Game::<Nim>::new(OneSet);
    game.play_unchecked(1);
    game.draw_action(Player::First, DrawAction::Offer).unwrap();
    game.agree_draw();
    let agreed = Outcome::Draw { reason: Reason::Agreement };
    assert_eq!((game.ply(), game.declared_outcome()), (1, Some(agreed)));
    game.restart(Nim::start(OneSet));
    assert_eq!(game, Game::new(OneSet));
    assert_eq!(game.draw_offer(), DrawOffer::None);
}

#[test]
fn declared_end_can_be_undone() {
    let mut game = Game::<Nim>::new(OneSet);
    game.play(1).unwrap();
    game.resign(Player::First);
    game.agree_draw();
    assert_eq!(game.outcome(), Outcome::Win { winner: Player::Second, reason: Reason::Resignation });
    assert!(game.legal_moves().is_empty());
    assert!(game.undo_declared_end() && !game.undo_declared_end());
    assert_eq!((game.outcome(), game.ply()), (Outcome::Ongoing, 1));
    game.agree_draw();
    assert_eq!(game.undo(), Some(1));
    assert_eq!(game.outcome(), Outcome::Ongoing);
}

#[test]
fn draw_offer_lapses_when_the_opponent_moves() {
    let mut game = Game::<Nim>::new(OneSet);
    assert_eq!(game.draw_action(Player::Second, DrawAction::Accept), Err(DrawError::NoOffer));
    game.draw_action(Player::First, DrawAction::Offer).unwrap();
    game.play(2).unwrap();
    assert_eq!(
        game.draw_offer(),
        DrawOffer::Open(Player::First),
        "the offering player's own move keeps the offer open"
    );
    assert_eq!(game.draw_offers().collect::<Vec<_>>(), [DrawOffer::Open(Player::First); 2]);
    game.play(2).unwrap();
    assert_eq!(game.draw_offer(), DrawOffer::None);
    game.draw_action(Player::Second, DrawAction::Offer).unwrap();
    game.undo();
    assert_eq!(game.draw_offer(), DrawOffer::None);
    game.draw_action(Player::Second, DrawAction::Offer).unwrap();
    game.draw_action(Player::First, DrawAction::Accept).unwrap();
    assert_eq!(game.outcome(), Outcome::Draw { reason: Reason::Agreement });
}

#[test]
fn flag_fall_loses() {
    let mut game = Game::<Nim>::new(OneSet);
    game.flag_fall(Player::First);
    assert_eq!(game.outcome(), Outcome::Win { winner: Player::Second, reason: Reason::Time });
}

#[test]
fn draw_offer_after_the_end_is_rejected() {
    let mut game = Game::<Nim>::from_text("1 first -", OneSet).unwrap();
    game.play(1).unwrap();
    assert_eq!(game.draw_action(Player::First, DrawAction::Offer), Err(DrawError::GameOver));
    assert_eq!(game.draw_offer(), DrawOffer::None);
}

#[test]
fn saved_draw_offer_is_restored() {
    let declined = DrawOffer::Declined(Player::Second);
    let mut game = Game::<Nim>::default().with_draw_offer(declined);
    assert_eq!(game.draw_offer(), declined);
    assert_eq!(game.draw_action(Player::Second, DrawAction::Offer), Err(DrawError::Declined));
    game.set_draw_offer(DrawOffer::None);
    assert_eq!(game.draw_offers().collect::<Vec<_>>(), [DrawOffer::None]);
}

#[test]
fn texts_are_played_as_moves_and_turns() {
    let mut game = Game::<Nim>::default();
    assert_eq!(game.play_text("3"), Ok(3));
    assert_eq!(game.play_turn("1,1,2"), Ok(vec![1, 1, 2]));
    assert_eq!(game.moves_played().collect::<Vec<_>>(), [3, 1, 1, 2]);
    let before = game.clone();
    assert!(matches!(game.play_text("x"), Err(PlayTextError::Text(_))));
    assert!(matches!(game.play_turn("1,x"), Err(PlayTextError::Text(_))));
    assert_eq!(game, before);
    game.resign(Player::First);
    assert!(matches!(game.play_turn("1"), Err(PlayTextError::Over(_))));
}

#[test]
fn after_leaves_the_position_unchanged() {
    let start = Nim::start(OneSet);
    assert_eq!(start.after(2).left, PILE - 2);
    assert_eq!(start, Nim::start(OneSet));
}

#[test]
fn occurrences_are_counted_and_undone() {
    let mut game = Game::<Nim>::new(OneSet);
    for expected in [1, 1, 2, 2, 3] {
        assert_eq!(game.occurrences(), expected);
        game.replay(0).unwrap();
    }
    game.undo();
    assert_eq!(game.outcome(), Outcome::Draw { reason: Reason::Rule(Ending::Threefold) });
    game.replay(1).unwrap();
    assert_eq!(game.occurrences(), 1);
}

#[test]
fn malformed_texts_are_errors() {
    for text in ["", "9", "9 first", "9 third -", "x first -", "9 first - 1", "300 first -"] {
        assert_eq!(Nim::from_text(text, OneSet).unwrap_err().reasons(), [NimError::Text(text.to_owned())]);
    }
    for text in ["", "x", "4", "-1"] {
        assert_eq!(Nim::start(OneSet).parse_move(text), Err(NimError::Move(text.to_owned())));
    }
    // Taking two ends the turn.
    assert_eq!(Nim::start(OneSet).parse_turn("2,1"), Err(NimError::Move("1".to_owned())));
    for (record, expected) in [
        (
            "[Position \"10 first -\"]",
            "line 1, column 1: invalid position: expected at most 9 counters, found 10",
        ),
        ("1. 3 3 3 1", "line 1, column 10: invalid move `1`"),
    ] {
        let error = Nim::read_record(record, OneSet).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn every_declared_end_survives_a_record() {
    type End = fn(&mut Game<Nim>);
    let ends: [End; 5] = [
        |game| game.resign(Player::First),
        Game::agree_draw,
        |game| game.flag_fall(Player::Second),
        Game::end_game_time,
        |game| game.abandon(Player::First),
    ];
    for end in ends {
        let mut game = Game::<Nim>::default();
        game.play(1).unwrap();
        end(&mut game);
        let record = game.record(&Vec::new());
        assert_eq!(Game::from_record(&record, OneSet), Ok((game, Vec::new())), "{record}");
    }
}

#[test]
fn setup_error_lists_all_reasons() {
    let error = Nim::from_setup(&Nim { left: 12, turn: Player::First, winner: Some(Player::First) }, OneSet)
        .unwrap_err();
    assert_eq!(error.reasons().len(), 2);
    assert_eq!(
        error.to_string(),
        "expected at most 9 counters, found 12; a game has a winner if and only if the pile is empty"
    );
}

#[test]
fn first_position_text_is_that_of_the_start() {
    let mut game = Game::<Nim>::from_text("5 second -", OneSet).unwrap();
    assert_eq!(game.first_position_text(), "5 second -");
    game.play(2).unwrap();
    assert_eq!((game.first_position_text(), game.position_text()), ("5 second -".into(), "3 first -".into()));
}

#[test]
fn only_legal_indices_of_an_ongoing_game_have_moves() {
    let mut game = Game::<Nim>::from_text("2 first -", OneSet).unwrap();
    let moves = |game: &Game<Nim>| (0..5).map(|index| game.move_at(PolicyIndex(index))).collect::<Vec<_>>();
    assert_eq!(moves(&game), [Some(0), Some(1), Some(2), None, None]);
    game.resign(Player::First);
    assert_eq!(moves(&game), [None; 5]);
}

/// A view in which every counter is a gain.
struct GreedyView<'a>(&'a Nim);

impl NodeView<Nim> for GreedyView<'_> {
    fn position(&self) -> &Nim {
        self.0
    }

    fn tactic(&self, take: Take) -> Tactic {
        Tactic { gain: take.into(), risk: 0 }
    }
}

#[test]
fn noisy_moves_are_those_with_a_gain() {
    let start = Nim::start(OneSet);
    let view = GreedyView(&start);
    let mut noisy = Vec::new();
    let end = view.for_each_noisy(|take| {
        noisy.push(take);
        if take == 2 { ControlFlow::Break("two") } else { ControlFlow::Continue(()) }
    });
    assert_eq!((end, noisy), (ControlFlow::Break("two"), vec![1, 2]));
    assert_eq!((0..=3).map(|take| view.static_exchange(take)).collect::<Vec<_>>(), [0, 1, 2, 3]);
}

#[test]
fn a_game_without_check_never_forces_a_response() {
    for left in 1..=PILE {
        assert!(!Nim { left, ..Nim::start(OneSet) }.view().must_respond());
    }
}

#[test]
fn moves_are_identified_by_their_policy_indices_by_default() {
    let start = Nim::start(OneSet);
    let view = start.view();
    for take in start.legal_moves() {
        let index = start.policy_index(take).0;
        assert_eq!((view.move_bits(take), u32::from(view.signature(take))), (index + 1, index));
        assert_eq!(view.history_slot(take), index as usize);
        assert_eq!(view.move_from_bits(index + 1), Some(take));
    }
    assert_eq!(view.move_from_bits(0), None);
    assert_eq!((view.evaluate(), view.progress_clock()), (0, ProgressClock::NONE));
}

#[test]
fn bytes_and_action_words_are_optional() {
    let start = Nim::start(OneSet);
    assert_eq!((start.to_bytes(), start.move_word(1)), (None, None));
}

#[test]
fn reasons_are_parsed_from_their_text() {
    for reason in Reason::<Ending>::all() {
        assert_eq!(reason.to_string().parse(), Ok(reason));
    }
    let error = "rain".parse::<Reason<Ending>>().unwrap_err();
    assert_eq!(error.to_string(), "unknown reason `rain`: expected one such as resignation or agreement");
}

#[test]
fn faults_of_an_arrangement_reject_a_valid_position() {
    let mut arrangement = Nim::start(OneSet).arrangement(DrawOffer::None);
    arrangement.fields.insert("colour".to_owned(), "red".to_owned());
    let faults = compose::<Nim>(&arrangement, OneSet).unwrap_err();
    let faults: Vec<_> = faults.iter().map(|fault| (fault.place.as_deref(), fault.text.as_str())).collect();
    assert_eq!(faults, [(Some("colour"), "unknown field `colour`: expected position")]);
}

#[test]
fn an_arrangement_is_the_text_of_the_position_by_default() {
    let arrangement = Nim { left: 4, ..Nim::start(OneSet) }.arrangement(DrawOffer::None);
    assert_eq!(arrangement.fields, [("position".to_owned(), "4 first -".to_owned())].into());
    let other_player = Arrangement { turn: Player::Second, ..arrangement.clone() };
    let unreadable =
        Arrangement { fields: [("position".to_owned(), "99 first -".to_owned())].into(), ..arrangement };
    for (arrangement, text) in [(other_player, "4 first -"), (unreadable, "99 first -")] {
        let faults = compose::<Nim>(&arrangement, OneSet).unwrap_err();
        let faults: Vec<_> =
            faults.iter().map(|fault| (fault.place.as_deref(), fault.text.clone())).collect();
        let expected =
            format!("invalid position `{text}`: expected the text of a position with this player to move");
        assert_eq!(faults, [(Some("position"), expected)]);
    }
}

#[test]
fn every_policy_index_is_one_value_of_the_head_by_default() {
    assert_eq!((Nim::HEAD, Nim::HEAD_ID), (Shape { rows: 1, cols: 9, planes: 1 }, Nim::POLICY));
    let mut factors = [-1];
    Nim::write_factors(PolicyIndex(3), &mut factors).unwrap();
    assert_eq!(factors, [3]);
}

#[test]
fn a_refusal_names_no_rule_by_default() {
    let start = Nim::start(OneSet);
    let refused = |from, to| refusal(&start, Attempt { from, to, group: &[] });
    assert_eq!(refused("8", None), None);
    assert_eq!(refused("8", Some("3")), Some(Refusal::Rule(Unexplained::NotLegal)));
    assert_eq!(refused("0", None), Some(Refusal::Rule(Unexplained::NoMove)));
    assert_eq!(refused("9", None), Some(Refusal::Empty { cell: "9".to_owned() }));
}

#[test]
#[should_panic(expected = "every plane must be visited exactly once")]
fn skipped_plane_panics() {
    let mut out = [0.0; 18];
    let canvas = SliceCanvas::new(&mut out, Nim::SHAPE, Layout::Hwc).unwrap();
    let mut planes = PlaneCursor::new(canvas, &[0.0; 2]);
    planes.constant();
    planes.finish();
}
