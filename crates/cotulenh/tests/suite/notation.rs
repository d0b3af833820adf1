//! Positions, steps, turns and games as text.

use std::collections::HashSet;

use sandtable_core::{Game, Notation, Outcome, Player, Position as _, Rng, play_random_moves};
use sandtable_cotulenh::{FenError, FenReason, Invalid, Position, Reason, RecordReason, Rules};

const START: &str =
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";

fn read(text: &str) -> Result<Position, FenError> {
    Position::from_text(text, Rules::STANDARD)
}

/// A FEN with these ranks at the top, and the commanders further down.
fn with_top(rank: &str) -> String {
    format!("{rank}/11/11/11/11/4c6/11/11/11/11/11/6C4 r - - 0 1")
}

#[track_caller]
fn syntax(text: &str) -> (usize, FenReason) {
    match read(text) {
        Err(FenError::Syntax { at, reason }) => (at, reason),
        other => panic!("{text}: {other:?}"),
    }
}

#[track_caller]
fn complaint(text: &str) -> String {
    read(text).map(|position| position.to_text()).unwrap_err().to_string()
}

#[test]
fn the_start_position_reads_and_writes() {
    assert_eq!(read(START), Ok(Position::start(Rules::STANDARD)));
    assert_eq!(Position::start(Rules::CLUB).to_text(), START);
}

#[test]
fn a_wrong_number_of_ranks_is_rejected() {
    assert_eq!(syntax("11/11 r - - 0 1"), (0, FenReason::Ranks(2)));
    assert_eq!(syntax(&format!("11/{START}")), (0, FenReason::Ranks(13)));
}

#[test]
fn a_wrong_number_of_files_is_rejected() {
    assert_eq!(syntax(&with_top("10")), (2, FenReason::Files { rank: 12, found: 10 }));
    assert_eq!(syntax(&with_top("11T")), (2, FenReason::Files { rank: 12, found: 12 }));
    assert_eq!(syntax(&with_top("8T3")), (2, FenReason::Files { rank: 12, found: 12 }));
    assert_eq!(syntax(&with_top("")), (0, FenReason::Files { rank: 12, found: 0 }));
}

#[test]
fn counts_of_0_and_12_are_rejected() {
    assert_eq!(syntax(&with_top("0")), (0, FenReason::Count("0".into())));
    assert_eq!(syntax(&with_top("12")), (0, FenReason::Count("12".into())));
    assert_eq!(syntax(&with_top("T05T5")), (1, FenReason::Count("05".into())));
    assert_eq!(syntax(&with_top("99999999999999999999")), (0, FenReason::Count("9".repeat(20))));
}

#[test]
fn unknown_letters_are_rejected() {
    assert_eq!(syntax(&with_top("4X6")), (1, FenReason::Letter('X')));
    assert_eq!(syntax(&with_top("4(TX)6")), (3, FenReason::Letter('X')));
    assert_eq!(syntax(&with_top("4é6")), (1, FenReason::Letter('é')));
    assert_eq!(syntax(&with_top("4?6")), (1, FenReason::Letter('?')));
}

#[test]
fn bad_parentheses_are_rejected() {
    assert_eq!(syntax(&with_top("4(T(I))6")), (3, FenReason::Nested));
    assert_eq!(syntax(&with_top("4(TI")), (1, FenReason::Unclosed));
    assert_eq!(syntax(&with_top("4()6")), (1, FenReason::EmptyStack));
    assert_eq!(syntax(&with_top("4T)5")), (2, FenReason::Unopened));
    assert_eq!(syntax(&with_top("4(T)6")), (1, FenReason::NoStack));
    assert_eq!(syntax(&with_top("4(T6")), (3, FenReason::Letter('6')));
}

#[test]
fn a_dangling_plus_is_rejected() {
    assert_eq!(syntax(&with_top("4+6")), (1, FenReason::DanglingPlus));
    assert_eq!(syntax(&with_top("10+")), (2, FenReason::DanglingPlus));
    assert_eq!(syntax(&with_top("4(T+)6")), (3, FenReason::DanglingPlus));
    assert_eq!(syntax(&with_top("4++T6")), (1, FenReason::DanglingPlus));
}

#[test]
fn mixed_colours_and_invalid_sets_are_rejected() {
    assert!(complaint(&with_top("4(Ti)6")).contains("a stack belongs to one player"));
    assert!(complaint(&with_top("4(TT)6")).contains("no two pieces of one kind"));
    assert!(complaint(&with_top("4(TA)6")).contains("{TA} do not make a stack"));
    assert!(complaint(&with_top("4(FTIM)6")).contains("do not make a stack"));
}

#[test]
fn a_stack_is_written_carrier_first() {
    assert!(matches!(syntax(&with_top("4(IT)6")), (1, FenReason::StackOrder(_))));
    assert!(complaint(&with_top("4(IT)6")).contains("(TI)"));
}

#[test]
fn a_piece_on_ground_where_it_may_not_stand_is_rejected() {
    assert_eq!(
        complaint(&with_top("T10")),
        "T may not stand on a12: files a and b are water, where only a Navy stands"
    );
    assert!(complaint(&with_top("5N5")).starts_with("N may not stand on f12: a Navy stands on"));
    assert!(read(&with_top("(NT)10")).is_ok());
    assert!(complaint(&with_top("1(FT)9")).starts_with("(FT) may not stand on b12"));
}

#[test]
fn two_commanders_of_a_colour_are_rejected() {
    assert_eq!(complaint(&with_top("4c6")), "Blue has commanders on e12 and e7: one is allowed");
}

#[test]
fn bad_turns_counters_and_fields_are_rejected() {
    let fields = |rest: &str| format!("11/11/11/11/11/4c6/11/11/11/11/11/6C4{rest}");
    assert_eq!(syntax(&fields(" w - - 0 1")), (38, FenReason::Turn("w".into())));
    assert_eq!(syntax(&fields(" r x - 0 1")), (40, FenReason::Unused("x".into())));
    assert_eq!(syntax(&fields(" r - KQ 0 1")), (42, FenReason::Unused("KQ".into())));
    let counter = |name, text: &str| FenReason::Counter { name, text: text.into() };
    assert_eq!(syntax(&fields(" r - - -1 1")), (44, counter("half-move clock", "-1")));
    assert_eq!(syntax(&fields(" r - - +1 1")), (44, counter("half-move clock", "+1")));
    assert_eq!(syntax(&fields(" r - - 0 70000")), (46, counter("full-move number", "70000")));
    assert_eq!(syntax(&fields(" r - - 0")), (45, FenReason::Missing("full-move number")));
    assert_eq!(syntax(&fields("")), (37, FenReason::Missing("turn")));
    assert_eq!(syntax(""), (0, FenReason::Missing("board")));
    assert_eq!(syntax(&fields(" r - - 0 1 g1:C:*C... x")), (59, FenReason::Surplus("x".into())));
    assert_eq!(complaint(&fields(" r - - 0 0")), "the full-move number is 0: moves are counted from 1");
}

#[test]
fn standard_rejects_a_heroic_passenger_naming_the_rule() {
    let text = with_top("4(T+I)6");
    assert_eq!(
        complaint(&text),
        "(T+I) on e12 has a heroic passenger: by these rules only a carrier is heroic (carrier only)"
    );
    assert!(Position::from_text(&text, Rules::CLUB).is_ok());
}

#[test]
fn club_rejects_a_navy_with_tank_and_soldier() {
    let text = with_top("(NTI)10");
    assert!(read(&text).is_ok());
    let error = Position::from_text(&text, Rules::CLUB).unwrap_err();
    assert!(error.to_string().contains("no Navy carry a Tank and a soldier"), "{error}");
}

#[test]
fn all_reasons_are_listed() {
    let text = "T9N/11/11/11/11/4c6/11/4c6/11/11/11/6C4 r - - 0 0";
    let Err(FenError::Setup(error)) = read(text) else { panic!("{text}") };
    let kinds: Vec<_> = error.reasons().iter().map(std::mem::discriminant).collect();
    assert_eq!(kinds.len(), 4);
    assert!(matches!(error.reasons()[3], Invalid::FullMoves));
}

#[test]
fn a_deployment_in_progress_is_written_after_the_position_before_the_turn() {
    let before = "6c4/11/11/11/11/11/11/11/11/2(NT)8/11/5C5 r - - 0 1";
    let mut position = read(before).unwrap();
    position.play(position.parse_move("Nc3>c5").unwrap()).unwrap();
    let text = format!("{before} c3:T:N>c5...");
    assert_eq!(position.to_text(), text);
    assert_eq!(read(&text), Ok(position));
}

#[test]
fn the_position_before_the_turn_keeps_what_was_captured_and_who_was_no_hero() {
    // The Tank takes the Infantry with check, and both Red pieces beside the commander rise.
    let before = "6c4/11/6i4/11/6(FTI)4/11/11/11/11/11/7h3/5C5 r - - 7 9";
    let mut position = read(before).unwrap();
    position.play(position.parse_move("Tg8>xg10").unwrap()).unwrap();
    assert_eq!(position.board().get("g10".parse().unwrap()).unwrap().to_string(), "+T");
    assert_eq!(position.to_text(), format!("{before} g8:(+FI):T>xg10..."));
    assert_eq!(read(&position.to_text()), Ok(position));
}

#[test]
fn bad_deployments_say_why() {
    let before = "6c4/11/11/11/11/11/11/11/11/2(NT)8/11/5C5 r - - 0 1";
    let why = |deployment: &str| complaint(&format!("{before} {deployment}"));
    assert!(why("c3:T:N>c5").contains("three dots"));
    assert!(why("c3:N>c5...").contains("three parts"));
    assert!(why("z3:T:N>c5...").contains("'z' is no file"));
    assert!(why("d3:T:N>c5...").contains("no such pieces on d3"));
    assert!(why("c3:N:N>c5...").contains("what stays is T, not N"));
    assert!(why("c3:T:N>d3...").contains("not a legal step"));
    assert!(why("c3:T:N>c5,T>c4...").contains("step 2 ends the turn"));
    assert!(why("c3:T:N>c5,T>c4,T>c4...").contains("comes after the end of the turn"));
    assert!(why("c3:(NT):...").contains("begins with its pieces"));
    assert!(why("c3:(NT):*X...").contains("names no pieces"));
    assert!(why("c3:(NT):*...").contains("no piece is named after *"));
    assert!(why("c3:(NT):*I...").contains("no such pieces"));
}

#[test]
fn a_deployment_whose_beginning_is_unknown_names_what_is_pending() {
    let text = "6c4/11/11/11/11/11/11/11/11/2(NT)8/11/5C5 r - - 0 1 c3:(NT):*T...";
    let position = read(text).unwrap();
    assert_eq!(position.to_text(), text);
    let steps: Vec<_> = position.legal_moves().into_iter().map(|step| position.move_text(step)).collect();
    assert!(steps.contains(&"end".to_owned()) && steps.contains(&"Tc3>c4".to_owned()));
    assert!(!steps.iter().any(|step| step.starts_with('N')));
}

#[test]
fn lan_of_the_rules_page() {
    let examples = [
        ("10c/11/11/11/11/11/11/2E8/11/11/11/6C4 r - - 0 1", "Ec5d5"),
        ("10c/11/11/11/11/11/11/3i7/11/3(TI)7/11/6C4 r - - 0 1", "(TI)d3xd5"),
        ("10c/11/11/11/11/11/1n1+F7/11/11/11/11/6C4 r - - 0 1", "+Fd6_b6"),
        ("10c/11/11/11/11/11/11/11/11/2(TI)8/11/6C4 r - - 0 1", "Tc3>c4"),
        ("10c/11/11/11/11/11/11/11/11/2(NFT)2I5/11/6C4 r - - 0 1", "(FT)c3>&f3"),
        ("10c/11/11/11/11/11/11/6g4/11/11/6F4/7C3 r - - 0 1", "Fg2@g5"),
    ];
    for (fen, lan) in examples {
        let position = read(fen).unwrap();
        let step = position.parse_move(lan).unwrap_or_else(|e| panic!("{fen}: {e}"));
        assert_eq!(position.move_text(step), lan);
    }
}

#[test]
fn san_names_the_from_square_as_far_as_needed() {
    let cases = [
        // Alone; two on one rank; two on one file; on both.
        ("10c/11/11/11/11/11/11/11/4T6/11/11/6C4 r - - 0 1", "Te4e6", "Te6"),
        ("10c/11/11/11/11/11/11/11/4T1T4/11/11/7C3 r - - 0 1", "Te4f4", "Tef4"),
        ("10c/11/11/11/4T6/11/4T6/11/11/11/11/7C3 r - - 0 1", "Te8e7", "T8e7"),
        ("10c/11/11/11/4T1T4/11/4T6/11/11/11/11/7C3 r - - 0 1", "Te8e7", "T8e7"),
        ("10c/11/4F1F4/11/11/11/4F6/11/11/11/11/7C3 r - - 0 1", "Fe10g8", "Fe10g8"),
    ];
    for (fen, lan, san) in cases {
        let position = read(fen).unwrap();
        let step = position.parse_move(lan).unwrap();
        assert_eq!(position.move_san(step), san, "{fen}");
        assert_eq!(position.parse_move(san), Ok(step), "{fen}");
    }
}

#[test]
fn san_is_unambiguous_on_ranks_10_to_12() {
    let position = read("6c4/4T6/4T6/4T6/11/11/11/11/11/11/11/7C3 r - - 0 1").unwrap();
    let mut seen = HashSet::new();
    for step in position.legal_moves() {
        let san = position.move_san(step);
        assert_eq!(position.parse_move(&san), Ok(step), "{san}");
        assert!(seen.insert(san));
    }
    assert!(seen.contains("Tf10"));
    assert!(seen.contains("Te12"));
}

#[test]
fn bad_steps_say_why() {
    let start = Position::start(Rules::STANDARD);
    let why = |text: &str| start.parse_move(text).unwrap_err().to_string();
    assert!(why("").contains("missing"));
    assert!(why("xe5").contains("begins with its pieces"));
    assert!(why("(TIe5").contains("begins with its pieces"));
    assert!(why("T").contains("ends with its target square"));
    assert!(why("Te13").contains("there is no rank 13"));
    assert!(why("Te5z5").contains("'z' is no file"));
    assert!(why("Te5xxe6").contains("between the pieces and the target"));
    assert!(why("Tf4f9").contains("not a legal step here"));
    assert!(why("end").contains("not a legal step here"));
    assert!(why("Tg4").contains("may be Tf4g4 or Th4g4"));
    assert!(why("é").contains("begins with its pieces"));
    assert!(why("T+e5").contains("between the pieces"));
}

#[test]
fn a_deployment_typed_as_one_step_is_told_to_go_step_by_step() {
    let mut position = Position::start(Rules::STANDARD);
    for text in ["F&c4", "Ic7"] {
        position.play(position.parse_move(text).unwrap()).unwrap();
    }
    assert_eq!(position.parse_turn("c4:N:F>e6").map(|steps| steps.len()), Ok(2));
    assert_eq!(
        position.parse_move("c4:N:F>e6").unwrap_err().to_string(),
        "\"c4:N:F>e6\" is a deployment in one word: type its steps one by one, as in Fc4>e6, then end"
    );
}

#[test]
fn turns_read_and_write() {
    let position = read("10c/11/11/11/11/11/11/4i6/11/2(NFT)8/11/6C4 r - - 0 1").unwrap();
    for text in ["c3:T:N>c5,F>xe5", "c3:(NT):F>e3", "c3:-:N>c5,F>xe5,T>c4", "(NFT)c3c5", "c3:F:(NT)>c6"] {
        let steps = position.parse_turn(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(position.turn_text(&steps), text);
        let mut after = position;
        for step in steps {
            after.play(step).unwrap();
        }
        assert_eq!((after.turn(), after.deployment()), (Player::Second, None), "{text}");
    }
}

#[test]
fn bad_turns_say_why() {
    let position = read("10c/11/11/11/11/11/11/4i6/11/2(NFT)8/11/6C4 r - - 0 1").unwrap();
    let why = |text: &str| position.parse_turn(text).unwrap_err().to_string();
    assert!(why("c3:N:N>c5,F>xe5").contains("what stays on c3 is T, not N"));
    assert!(why("Nc3>c5").contains("begin with c3:"));
    assert!(why("c3:T").contains("three parts"));
    assert!(why("c3:T:N>c5,F>xe6").contains("step 2"));
    assert!(why("c3:-:N>c5,F>xe5,T>c4,T>c4").contains("after the end of the turn"));
    let midway = read("10c/11/11/11/11/11/11/4i6/11/2(NFT)8/11/6C4 r - - 0 1 c3:(FT):N>c5...").unwrap();
    assert!(midway.parse_turn("c3:T:F>e3").unwrap_err().to_string().contains("in progress"));
}

#[test]
fn a_record_a_person_can_read() {
    let mut game = Game::<Position>::new(Rules::STANDARD);
    for text in ["Fe2&c4", "Ic7", "Fc4>e6", "end"] {
        game.play(game.position().parse_move(text).unwrap()).unwrap();
    }
    game.resign(Player::Second);
    let tags = vec![("Red".into(), "An".into()), ("Blue".into(), "Bình".into())];
    let record = Position::write_record(&game, &tags);
    let expected = format!(
        "[Red \"An\"]\n[Blue \"Bình\"]\n[Rules \"standard\"]\n[FEN \"{START}\"]\n[Result \"1-0\"]\n\
         [Termination \"resignation\"]\n\n1. F&c4 Ic7 2. c4:N:F>e6 1-0\n"
    );
    assert_eq!(record, expected);
    let (again, read) = Position::read_record(&record, Rules::CLUB).unwrap();
    assert_eq!(again, game, "the record names its rules");
    assert_eq!(read[..2], tags[..]);
}

#[test]
fn a_record_may_have_comments_and_any_white_space() {
    let text = "; a game\n[Red \"A\"] [Rules\t\"club\"]\n\n1.{first}Ic6\n\n  {second\nline} Ic7 ; and so on\n2. Ic6c7?";
    let error = Position::read_record(text, Rules::STANDARD).unwrap_err();
    assert_eq!(error.line, 8, "{error}");
    let text = text.replace("2. Ic6c7?", "*");
    let (game, _) = Position::read_record(&text, Rules::STANDARD).unwrap();
    assert_eq!((game.ply(), game.position().rules()), (2, Rules::CLUB));
}

#[test]
fn only_the_first_game_of_a_record_is_read() {
    let text = "[Red \"A\"]\n\n1. Ic6 *\n\n[Red \"B\"]\n\n1. Ik6 *\n";
    let (game, tags) = Position::read_record(text, Rules::STANDARD).unwrap();
    assert_eq!((game.ply(), tags), (1, vec![("Red".into(), "A".into())]));
}

#[test]
fn bad_records_say_where_and_why() {
    let why = |text: &str| {
        let error = Position::read_record(text, Rules::STANDARD).unwrap_err();
        (error.line, error.reason)
    };
    assert_eq!(why(""), (1, RecordReason::Empty));
    assert_eq!(why("[Red An]"), (1, RecordReason::Tag));
    assert_eq!(why("[Red \"An\"]\n{ open"), (2, RecordReason::Comment));
    assert_eq!(why("[Rules \"house\"]"), (1, RecordReason::Rules("house".into())));
    assert!(matches!(why("\n[FEN \"11 r - - 0 1\"]"), (2, RecordReason::Fen(_))));
    assert!(matches!(why("1. Ic6\nIc6"), (2, RecordReason::Step { .. })));
    assert!(matches!(why("c4:N:F>e5"), (1, RecordReason::Turn { .. })));
    assert!(matches!(why("[Termination \"boredom\"]"), (1, RecordReason::Termination(_))));
    let mated = "[FEN \"10c/11/11/9AA/11/11/11/11/11/11/11/4H3AC1 b - - 0 1\"]";
    assert!(Position::read_record(&format!("{mated}\n1-0"), Rules::STANDARD).is_ok());
}

#[test]
fn a_result_that_contradicts_the_board_is_rejected() {
    let stalemate = "[FEN \"10c/7A2H/11/11/11/11/11/11/11/11/11/9C1 b - - 0 1\"]";
    let (game, _) = Position::read_record(&format!("{stalemate} 1/2-1/2"), Rules::STANDARD).unwrap();
    assert_eq!(game.outcome(), Outcome::Draw { reason: Reason::Stalemate });
    let error = Position::read_record(&format!("{stalemate} 0-1"), Rules::STANDARD).unwrap_err();
    assert_eq!(error.reason, RecordReason::Result("0-1".into()));
}

#[test]
fn a_termination_that_neither_board_nor_players_can_bring_about_is_rejected() {
    let stalemate = "[FEN \"10c/7A2H/11/11/11/11/11/11/11/11/11/9C1 b - - 0 1\"]";
    let outcome = |termination: &str, moves: &str| {
        let text = format!("[Termination \"{termination}\"]\n{moves}");
        Position::read_record(&text, Rules::STANDARD).map(|(game, _)| game.outcome())
    };
    for (result, able) in
        [("1-0", &[Reason::Resignation, Reason::Time][..]), ("1/2-1/2", &[Reason::Agreement]), ("*", &[])]
    {
        for reason in Reason::ALL {
            let read = outcome(&reason.to_string(), &format!("1. Ic6 {result}"));
            assert_eq!(read.is_ok(), able.contains(&reason), "{reason} {result}");
            let read = outcome(&reason.to_string(), &format!("{stalemate} 1/2-1/2"));
            assert_eq!(read.is_ok(), reason == Reason::Stalemate, "{reason} after stalemate");
        }
    }
    assert_eq!(
        outcome("checkmate", "1. Ic6 1/2-1/2").unwrap_err().to_string(),
        "line 2: the termination is checkmate, but 1/2-1/2 after these moves means agreement"
    );
    let open = outcome("checkmate", "1. Ic6 *").unwrap_err().to_string();
    assert!(open.ends_with("but * after these moves leaves the game open"), "{open}");
}

#[test]
fn games_that_begin_or_end_within_a_deployment_load_back() {
    let text = "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1 c3:(NT):F>c7...";
    for seed in 0..20 {
        let mut game = Game::from_position(read(text).unwrap());
        for _ in 0..12 {
            play_random_moves(&mut game, &mut Rng::new(seed), 1);
            let record = Position::write_record(&game, &Vec::new());
            let (again, _) =
                Position::read_record(&record, Rules::STANDARD).unwrap_or_else(|e| panic!("{e}\n{record}"));
            assert_eq!(again, game, "{record}");
        }
    }
}
