//! Text forms of positions, steps, turns and games.

use std::collections::HashSet;

use sandtable_core::record::{Annotations, Record, SyntaxFault, Variation};
use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::{FromSetup, Game, Notation, Outcome, Player, Position};
use sandtable_cotulenh::{
    CoTuLenh, Ending, FenField, FenReason, Invalid, Kind, KindSet, MoveError, PositionError, Reason,
    RecordFault, Rules, SetupDeployment, Square, Step, StepKind,
};

const START: &str =
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";

fn read(text: &str) -> Result<CoTuLenh, PositionError> {
    CoTuLenh::from_text(text, Rules::STANDARD)
}

/// A FEN with this rank at the top, and the commanders further down.
fn with_top(rank: &str) -> String {
    format!("{rank}/11/11/11/11/4c6/11/11/11/11/11/6C4 r - - 0 1")
}

#[track_caller]
fn syntax(text: &str) -> (usize, FenReason) {
    match read(text) {
        Err(PositionError::Syntax { at, reason }) => (at, reason),
        other => panic!("{text}: {other:?}"),
    }
}

#[track_caller]
fn message(text: &str) -> String {
    read(text).map(|position| position.to_text()).unwrap_err().to_string()
}

#[test]
fn the_start_position_round_trips() {
    assert_eq!(read(START), Ok(CoTuLenh::start(Rules::STANDARD)));
    assert_eq!(CoTuLenh::start(Rules::CLUB).to_text(), START);
}

#[test]
fn rejects_a_wrong_number_of_ranks() {
    assert_eq!(syntax("11/11 r - - 0 1"), (0, FenReason::Ranks(2)));
    assert_eq!(syntax(&format!("11/{START}")), (0, FenReason::Ranks(13)));
}

#[test]
fn rejects_a_wrong_number_of_files() {
    assert_eq!(syntax(&with_top("10")), (2, FenReason::Files { rank: 12, found: 10 }));
    assert_eq!(syntax(&with_top("11T")), (2, FenReason::Files { rank: 12, found: 12 }));
    assert_eq!(syntax(&with_top("8T3")), (2, FenReason::Files { rank: 12, found: 12 }));
    assert_eq!(syntax(&with_top("")), (0, FenReason::Files { rank: 12, found: 0 }));
}

#[test]
fn rejects_counts_of_0_and_12() {
    assert_eq!(syntax(&with_top("0")), (0, FenReason::Count("0".into())));
    assert_eq!(syntax(&with_top("12")), (0, FenReason::Count("12".into())));
    assert_eq!(syntax(&with_top("T05T5")), (1, FenReason::Count("05".into())));
    assert_eq!(syntax(&with_top("99999999999999999999")), (0, FenReason::Count("9".repeat(20))));
}

#[test]
fn rejects_unknown_letters() {
    assert_eq!(syntax(&with_top("4X6")), (1, FenReason::Letter('X')));
    assert_eq!(syntax(&with_top("4(TX)6")), (3, FenReason::Letter('X')));
    assert_eq!(syntax(&with_top("4é6")), (1, FenReason::Letter('é')));
    assert_eq!(syntax(&with_top("4?6")), (1, FenReason::Letter('?')));
}

#[test]
fn rejects_malformed_parentheses() {
    assert_eq!(syntax(&with_top("4(T(I))6")), (3, FenReason::Nested));
    assert_eq!(syntax(&with_top("4(TI")), (1, FenReason::Unclosed));
    assert_eq!(syntax(&with_top("4()6")), (1, FenReason::EmptyStack));
    assert_eq!(syntax(&with_top("4T)5")), (2, FenReason::Unopened));
    assert_eq!(syntax(&with_top("4(T)6")), (1, FenReason::SinglePiece));
    assert_eq!(syntax(&with_top("4(T6")), (3, FenReason::Letter('6')));
}

#[test]
fn rejects_a_dangling_plus() {
    assert_eq!(syntax(&with_top("4+6")), (1, FenReason::DanglingPlus));
    assert_eq!(syntax(&with_top("10+")), (2, FenReason::DanglingPlus));
    assert_eq!(syntax(&with_top("4(T+)6")), (3, FenReason::DanglingPlus));
    assert_eq!(syntax(&with_top("4++T6")), (1, FenReason::DanglingPlus));
}

#[test]
fn rejects_mixed_colors_and_invalid_sets() {
    assert!(message(&with_top("4(Ti)6")).contains("mixed colours in a stack"));
    assert!(message(&with_top("4(TT)6")).contains("duplicate T in a stack"));
    assert!(message(&with_top("4(TA)6")).contains("invalid stack {TA}: these kinds cannot stand together"));
    assert!(message(&with_top("4(FTIM)6")).contains("invalid stack {FTIM}"));
}

#[test]
fn rejects_a_stack_that_is_not_written_carrier_first() {
    assert!(matches!(syntax(&with_top("4(IT)6")), (1, FenReason::StackOrder(_))));
    assert!(message(&with_top("4(IT)6")).contains("expected (TI), carrier first"));
}

#[test]
fn rejects_pieces_on_terrain_where_they_may_not_stand() {
    assert_eq!(
        message(&with_top("T10")),
        "T may not stand on a12: files a and b are water, open to the Navy only"
    );
    assert!(message(&with_top("5N5")).starts_with("N may not stand on f12: a Navy may stand only on"));
    assert!(read(&with_top("(NT)10")).is_ok());
    assert!(message(&with_top("1(FT)9")).starts_with("(FT) may not stand on b12"));
}

#[test]
fn rejects_two_commanders_of_a_color() {
    assert_eq!(message(&with_top("4c6")), "Blue has commanders on e12 and e7: expected at most one");
}

#[test]
fn rejects_malformed_turns_counters_and_fields() {
    let fields = |rest: &str| format!("11/11/11/11/11/4c6/11/11/11/11/11/6C4{rest}");
    assert_eq!(syntax(&fields(" w - - 0 1")), (38, FenReason::Turn("w".into())));
    assert_eq!(syntax(&fields(" r x - 0 1")), (40, FenReason::Unused("x".into())));
    assert_eq!(syntax(&fields(" r - KQ 0 1")), (42, FenReason::Unused("KQ".into())));
    let counter = |name, text: &str| FenReason::Counter { name, text: text.into() };
    assert_eq!(syntax(&fields(" r - - -1 1")), (44, counter(FenField::HalfMoves, "-1")));
    assert_eq!(syntax(&fields(" r - - +1 1")), (44, counter(FenField::HalfMoves, "+1")));
    assert_eq!(syntax(&fields(" r - - 0 70000")), (46, counter(FenField::FullMoves, "70000")));
    assert_eq!(syntax(&fields(" r - - 0")), (45, FenReason::Missing(FenField::FullMoves)));
    assert_eq!(syntax(&fields("")), (37, FenReason::Missing(FenField::Turn)));
    assert_eq!(syntax(""), (0, FenReason::Missing(FenField::Board)));
    assert_eq!(syntax(&fields(" r - - 0 1 g1:C:*C... x")), (59, FenReason::Trailing("x".into())));
    assert_eq!(message(&fields(" r - - 0 0")), "full-move number 0: expected at least 1");
}

#[test]
fn standard_rejects_a_heroic_passenger() {
    let text = with_top("4(T+I)6");
    assert_eq!(
        message(&text),
        "(T+I) on e12 has a heroic passenger: under these rules only the carrier may be heroic (carrier only)"
    );
    assert!(CoTuLenh::from_text(&text, Rules::CLUB).is_ok());
}

#[test]
fn club_rejects_a_navy_with_tank_and_soldier() {
    let text = with_top("(NTI)10");
    assert!(read(&text).is_ok());
    let error = CoTuLenh::from_text(&text, Rules::CLUB).unwrap_err();
    assert!(error.to_string().contains("a Navy may not carry a Tank and a soldier"), "{error}");
}

#[test]
fn all_reasons_are_reported() {
    let text = "T9N/11/11/11/11/4c6/11/4c6/11/11/11/6C4 r - - 0 0";
    let Err(PositionError::Setup(error)) = read(text) else { panic!("{text}") };
    assert!(matches!(
        error.reasons(),
        [
            Invalid::Terrain { square: Square::A12, .. },
            Invalid::Terrain { square: Square::K12, .. },
            Invalid::TwoCommanders { owner: Player::Second, .. },
            Invalid::FullMoves,
        ]
    ));
    // The deployment is checked together with the board.
    let text = "T10/11/11/11/11/4c6/11/11/11/11/11/6C4 r - - 0 0 e5:T:N>c5...";
    let Err(PositionError::Setup(error)) = read(text) else { panic!("{text}") };
    assert!(matches!(
        error.reasons(),
        [Invalid::Terrain { .. }, Invalid::FullMoves, Invalid::NoStackToDeploy { origin: Square::E5 }]
    ));
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
fn the_position_before_the_turn_restores_captures_and_heroism() {
    // The Tank captures the Infantry with check, which promotes the Tank and the Air Force.
    let before = "6c4/11/6i4/11/6(FTI)4/11/11/11/11/11/7h3/5C5 r - - 7 9";
    let mut position = read(before).unwrap();
    position.play(position.parse_move("Tg8>xg10").unwrap()).unwrap();
    assert_eq!(position.board().get("g10".parse().unwrap()).unwrap().to_string(), "+T");
    assert_eq!(position.to_text(), format!("{before} g8:(+FI):T>xg10..."));
    assert_eq!(read(&position.to_text()), Ok(position));
}

#[test]
fn rejects_malformed_deployments() {
    let before = "6c4/11/11/11/11/11/11/11/11/2(NT)8/11/5C5 r - - 0 1";
    let error = |deployment: &str| message(&format!("{before} {deployment}"));
    assert!(error("c3:T:N>c5").contains("expected `...` at the end"));
    assert!(error("c3:N>c5...").contains("invalid deployment `c3:N>c5`: expected origin:stay:step,step"));
    assert!(error("z3:T:N>c5...").contains("invalid origin square: unknown file `z`"));
    assert_eq!(error("d3:T:N>c5..."), "deployment on d3: the side to move has no stack there");
    assert_eq!(error("g12:C:C>g11..."), "deployment on g12: the side to move has no stack there");
    assert!(error("c3:N:N>c5...").contains("expected T to stay on c3, found N"));
    assert!(error("c3:T:+N>c5...").contains("expected `N>c5`, found `+N>c5`"));
    assert_eq!(error("c3:T:N>d3..."), "deployment on c3: step 1 is not legal");
    assert!(error("c3:T:N>c5,T>c4...").contains("step 2 completes the turn"));
    assert!(error("c3:T:N>c5,T>c4,T>c4...").contains("step 2 completes the turn"));
    assert!(error("c3:T:Nc3>c5...").contains("between pieces and target, found `c3>c5`"));
    assert!(error("c3:T:(TN)>c5...").contains("invalid move `(TN)>c5`"));
    assert!(error("c3:(NT):...").contains("step 1: expected a move, found nothing"));
    assert!(error("c3:(NT):*X...").contains("invalid pending pieces `X`"));
    assert!(error("c3:(NT):*...").contains("invalid pending pieces ``"));
    assert_eq!(
        error("c3:(NT):*I..."),
        "deployment on c3: expected pending pieces out of the stack there, found {I}"
    );
}

#[test]
fn a_deployment_without_a_legal_continuation_is_rejected() {
    // The Tank at sea cannot reach land, and may not stay.
    let text = "6c4/11/11/11/11/11/11/11/11/T10/11/5C5 r - - 0 1 a3:T:*T...";
    assert_eq!(message(text), "deployment on a3: no continuation completes the turn legally");
}

#[test]
fn a_setup_with_an_invalid_deployment_is_rejected() {
    let position = read("6c4/11/11/11/11/11/11/11/11/2(NT)8/11/5C5 r - - 0 1").unwrap();
    let reasons = |pending: Option<KindSet>, steps: Vec<Step>| {
        let mut setup = position.to_setup();
        setup.deployment = Some(SetupDeployment { origin: Square::C3, pending, steps });
        CoTuLenh::from_setup(&setup, Rules::STANDARD).unwrap_err().reasons().to_vec()
    };
    let origin = Square::C3;
    assert_eq!(reasons(None, vec![]), [Invalid::NoStep { origin }]);
    let pending = KindSet::EMPTY;
    assert_eq!(reasons(Some(pending), vec![]), [Invalid::InvalidPending { origin, pending }]);
    let end = Step::End { from: origin };
    assert_eq!(reasons(Some(Kind::Tank.only()), vec![end]), [Invalid::IllegalStep { origin, number: 1 }]);
    let whole = Step::Whole { from: origin, to: Square::C4, kind: StepKind::Move };
    assert_eq!(reasons(None, vec![whole]), [Invalid::IllegalStep { origin, number: 1 }]);
}

#[test]
fn a_deployment_with_unknown_beginning_lists_its_pending_pieces() {
    let text = "6c4/11/11/11/11/11/11/11/11/2(NT)8/11/5C5 r - - 0 1 c3:(NT):*T...";
    let position = read(text).unwrap();
    assert_eq!(position.to_text(), text);
    let steps: Vec<_> = position.legal_moves().into_iter().map(|step| position.move_text(step)).collect();
    assert!(steps.contains(&"end".to_owned()) && steps.contains(&"Tc3>c4".to_owned()));
    assert!(!steps.iter().any(|step| step.starts_with('N')));
}

#[test]
fn lan_of_every_kind_of_step() {
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
fn san_disambiguates() {
    let cases = [
        // One candidate; two on one rank; two on one file; on both.
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
fn rejects_malformed_steps() {
    let start = CoTuLenh::start(Rules::STANDARD);
    let error = |text: &str| start.parse_move(text).unwrap_err().to_string();
    assert_eq!(error(""), "expected a move, found nothing");
    assert!(error("xe5").contains("expected pieces first"));
    assert!(error("(TIe5").contains("expected pieces first"));
    assert!(error("T").contains("invalid target square"));
    assert!(error("Te13").contains("invalid target square: unknown rank 13"));
    assert!(error("Te5z5").contains("unknown file `z`"));
    assert!(error("Te5xxe6").contains("between pieces and target, found `e5xx`"));
    assert_eq!(error("Tg4"), "ambiguous move `Tg4`: could be Tf4g4 or Th4g4");
    assert!(error("é").contains("expected pieces first"));
    assert!(error("T+e5").contains("between pieces and target"));
}

#[test]
fn an_illegal_step_names_its_obstacle() {
    let start = CoTuLenh::start(Rules::STANDARD);
    let text = "6c4/11/11/11/11/11/11/4i6/11/(NFT)1I2H5/11/5C5 r - - 0 1 a3:(FT):N>a5...";
    let deployment = read(text).unwrap();
    let cases = [
        (&start, "Tf4f9", "This tank reaches up to 2 squares along ranks and files"),
        (&start, "Tf9", "This tank reaches up to 2 squares along ranks and files"),
        (&start, "Tf4f4", "This tank reaches up to 2 squares along ranks and files"),
        (&start, "Hf2f3", "A Headquarters moves only once it is heroic"),
        (&start, "Te6e7", "Nothing stands on e6"),
        (&start, "Tf9f8", "This belongs to Blue, and it is Red's turn"),
        (&start, "Ff4f5", "This piece has already acted or is not on f4"),
        (&start, "Teg4", "the side to move has no matching T"),
        (&start, "(FT)e6", "the side to move has no matching (FT)"),
        (&start, "end", "no deployment is in progress"),
        (&deployment, "end", "The pieces left on a3 could not stay there"),
        (&deployment, "Ic4", "First finish the deployment on a3: move its pieces or end the turn"),
        (&deployment, "Na3>a4", "This piece has already acted or is not on a3"),
        (&deployment, "Ta3>a4", "Only a navy goes to sea"),
    ];
    for (position, text, reason) in cases {
        let error = position.parse_move(text).unwrap_err();
        assert_eq!(error.to_string(), format!("illegal move `{text}`: {reason}"));
    }
}

#[test]
fn a_step_of_another_kind_names_the_legal_step() {
    let position = read("10c/11/11/11/11/11/4i6/11/4T6/2(NF)8/11/6C4 r - - 0 1").unwrap();
    let expected = [
        ("Te4e6", "Te4xe6"),
        ("Te4xe5", "Te4e5"),
        ("+Te4e5", "Te4e5"),
        ("Txd4", "Te4d4"),
        ("Fc3c5", "Fc3>c5"),
        ("(NF)c3>c5", "(NF)c3c5"),
    ];
    for (found, expected) in expected {
        let error = MoveError::Spelling { expected: expected.into(), found: found.into() };
        assert_eq!(position.parse_move(found), Err(error));
    }
}

#[test]
fn a_complete_turn_is_not_a_single_step() {
    let mut position = CoTuLenh::start(Rules::STANDARD);
    for text in ["F&c4", "Ic7"] {
        position.play(position.parse_move(text).unwrap()).unwrap();
    }
    assert_eq!(position.parse_turn("c4:N:F>e6").map(|steps| steps.len()), Ok(2));
    assert_eq!(
        position.parse_move("c4:N:F>e6").unwrap_err().to_string(),
        "`c4:N:F>e6` is a complete turn: expected a single step, as in Fc4>e6, or end"
    );
}

#[test]
fn turns_round_trip() {
    let position = read("10c/11/11/11/11/11/11/4i6/11/2(NFT)8/11/6C4 r - - 0 1").unwrap();
    for text in ["c3:T:N>c5,F>xe5", "c3:(NT):F>e3", "c3:-:N>c5,F>xe5,T>c4", "(NFT)c5", "c3:F:(NT)>c6"] {
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
fn rejects_malformed_turns() {
    let position = read("10c/11/11/11/11/11/11/4i6/11/2(NFT)8/11/6C4 r - - 0 1").unwrap();
    let error = |text: &str| position.parse_turn(text).unwrap_err().to_string();
    assert_eq!(error("c3:N:N>c5,F>xe5"), "expected T to stay on c3, found N");
    assert!(error("Nc3>c5").contains("`Nc3>c5` does not complete the turn"));
    assert!(error("c3:T").contains("expected origin:stay:step,step"));
    assert_eq!(
        error("c3:T:N>c5,F>xe6"),
        "step 2: illegal move `F>xe6`: This air force reaches up to 4 squares in any direction"
    );
    assert_eq!(error("c3:T:N>c5,F>e5"), "step 2: expected `F>xe5`, found `F>e5`");
    assert_eq!(error("c3:T:+N>c5,F>xe5"), "step 1: expected `N>c5`, found `+N>c5`");
    assert_eq!(error("(NFT)c5 Ce2"), "step 2 follows the end of the turn");
    assert_eq!(error("c3:-:N>c5,F>xe5,T>c4,T>c4"), "step 4 follows the end of the turn");
    let midway = read("10c/11/11/11/11/11/11/4i6/11/2(NFT)8/11/6C4 r - - 0 1 c3:(FT):N>c5...").unwrap();
    assert!(midway.parse_turn("c3:T:F>e3").unwrap_err().to_string().contains("a deployment is in progress"));
}

#[test]
fn the_rest_of_a_turn_is_its_steps() {
    let text = "10c/11/11/11/11/11/11/4i6/11/2(NFT)8/11/6C4 r - - 0 1 c3:(FT):N>c5...";
    let midway = read(text).unwrap();
    for text in ["end", "Fc3>xe5 end", "Fc3>xe5 Tc3>c4", "(FT)c3>e3"] {
        let steps = midway.parse_turn(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(midway.turn_text(&steps), text);
        let mut game = Game::from_position(midway);
        assert_eq!(game.play_turn(text), Ok(steps));
        assert_eq!((game.turn(), game.position().deployment()), (Player::Second, None), "{text}");
    }
    assert_eq!(midway.parse_turn("Fc3>xe5"), Err(MoveError::Incomplete("Fc3>xe5".into())));
}

#[test]
fn steps_round_trip_as_text_without_a_position() {
    for seed in 0..4 {
        let mut game = Game::<CoTuLenh>::new(Rules::STANDARD);
        let mut rng = Rng::new(seed);
        while game.ply() < 150 && play_random_moves(&mut game, &mut rng, 1) == 1 {
            let mut seen = HashSet::new();
            for step in game.legal_moves() {
                assert_eq!(step.to_string().parse(), Ok(step));
                assert!(seen.insert(step.to_string()), "{step}");
            }
        }
    }
    let deploy = Step::Deploy {
        from: Square::C3,
        to: Square::F3,
        group: KindSet::of(&[Kind::AirForce, Kind::Tank]),
        kind: StepKind::Combine,
    };
    let texts = [deploy, Step::End { from: Square::C3 }].map(|step| step.to_string());
    assert_eq!(texts, ["(FT)c3>&f3", "c3>end"]);
    for text in [
        "",
        "c3",
        "c3c",
        "Tc3c4",
        ">c4",
        "c3>c4",
        "()c3>c4",
        "(TF)c3>c4",
        "Tc3>",
        "c3>>c4",
        "é",
        "cé",
        "end",
        ">end",
    ] {
        assert!(text.parse::<Step>().is_err(), "{text}");
    }
}

#[test]
fn golden_record() {
    let mut game = Game::<CoTuLenh>::new(Rules::STANDARD);
    for text in ["Fe2&c4", "Ic7", "Fc4>e6", "end"] {
        game.play(game.position().parse_move(text).unwrap()).unwrap();
    }
    game.resign(Player::Second);
    let tags = vec![("Red".into(), "An".into()), ("Blue".into(), "Bình".into())];
    let record = CoTuLenh::write_record(&game, &tags, &Annotations::default());
    let expected = format!(
        "[Red \"An\"]\n[Blue \"Bình\"]\n[Rules \"standard\"]\n[FEN \"{START}\"]\n[Result \"1-0\"]\n\
         [Termination \"resignation\"]\n\n1. F&c4 Ic7 2. c4:N:F>e6 1-0\n"
    );
    assert_eq!(record, expected);
    let read = CoTuLenh::read_record(&record, Rules::CLUB).unwrap();
    assert_eq!(read.game, game, "the rules of the record take precedence");
    assert_eq!(read.tags[..2], tags[..]);
}

#[test]
fn records_may_have_comments_and_any_whitespace() {
    let text = "; a game\n[Red \"A\"] [Rules\t\"club\"]\n\n1.{first}Ic6\n\n  {second\nline} Ic7 ; and so on\n2. Ic6c7";
    let error = CoTuLenh::read_record(text, Rules::STANDARD).unwrap_err();
    assert_eq!(error.line, 8, "{error}");
    let text = text.replace("2. Ic6c7", "*");
    let Record { game, annotations, .. } = CoTuLenh::read_record(&text, Rules::STANDARD).unwrap();
    assert_eq!((game.ply(), game.position().rules()), (2, Rules::CLUB));
    let comments: Vec<_> = annotations.notes().map(|(ply, note)| (ply, note.comment.as_str())).collect();
    assert_eq!(comments, [(0, "first"), (1, "second line"), (2, "and so on")]);
}

#[test]
fn move_numbers_may_be_joined_or_missing() {
    let read = |text| CoTuLenh::read_record(text, Rules::STANDARD).map(|record| record.game);
    assert_eq!(read("1.Ic6 1...Ic7 2.Ik6 *"), read("1. Ic6 Ic7 2. Ik6 *"));
    assert_eq!(read("Ic6 Ic7 Ik6").map(|game| game.ply()), Ok(3));
}

#[test]
fn only_the_first_game_of_a_record_is_read() {
    let text = "[Red \"A\"]\n\n1. Ic6 *\n\n[Red \"B\"]\n\n1. Ik6 *\n";
    let Record { game, tags, .. } = CoTuLenh::read_record(text, Rules::STANDARD).unwrap();
    assert_eq!((game.ply(), tags), (1, vec![("Red".into(), "A".into())]));
}

#[test]
fn rejects_malformed_records() {
    let reason = |text: &str| {
        let error = CoTuLenh::read_record(text, Rules::STANDARD).unwrap_err();
        (error.line, error.fault)
    };
    assert_eq!(reason(""), (1, RecordFault::Empty));
    assert_eq!(reason("[Red An]"), (1, SyntaxFault::Tag.into()));
    assert_eq!(reason("[Red \"An\"]\n{ open"), (2, SyntaxFault::UnclosedComment.into()));
    assert_eq!(reason("[Rules \"house\"]"), (1, RecordFault::Rules("house".into())));
    assert!(matches!(reason("\n[FEN \"11 r - - 0 1\"]"), (2, RecordFault::Fen(_))));
    assert!(matches!(reason("1. Ic6\nIc6"), (2, RecordFault::Move(_))));
    assert!(matches!(reason("c4:N:F>e5"), (1, RecordFault::Turn { .. })));
    assert!(matches!(reason("[Termination \"boredom\"]"), (1, RecordFault::Termination(_))));
    let mated = "[FEN \"10c/11/11/9AA/11/11/11/11/11/11/11/4H3AC1 b - - 0 1\"]";
    assert!(CoTuLenh::read_record(&format!("{mated}\n1-0"), Rules::STANDARD).is_ok());
}

#[test]
fn rejects_a_result_that_contradicts_the_board() {
    let stalemate = "[FEN \"10c/7A2H/11/11/11/11/11/11/11/11/11/9C1 b - - 0 1\"]";
    let record = CoTuLenh::read_record(&format!("{stalemate} 1/2-1/2"), Rules::STANDARD).unwrap();
    assert_eq!(record.game.outcome(), Outcome::Draw { reason: Reason::Rule(Ending::Stalemate) });
    let error = CoTuLenh::read_record(&format!("{stalemate} 0-1"), Rules::STANDARD).unwrap_err();
    assert_eq!(error.fault, RecordFault::Result("0-1".into()));
}

#[test]
fn rejects_a_termination_that_contradicts_the_game() {
    let stalemate = "[FEN \"10c/7A2H/11/11/11/11/11/11/11/11/11/9C1 b - - 0 1\"]";
    let outcome = |termination: &str, moves: &str| {
        let text = format!("[Termination \"{termination}\"]\n{moves}");
        CoTuLenh::read_record(&text, Rules::STANDARD).map(|record| record.game.outcome())
    };
    for (result, allowed) in [
        ("1-0", &[Reason::Resignation, Reason::Time, Reason::Abandonment][..]),
        ("1/2-1/2", &[Reason::Agreement, Reason::GameTime]),
        ("*", &[]),
    ] {
        for reason in Reason::all() {
            let read = outcome(&reason.to_string(), &format!("1. Ic6 {result}"));
            assert_eq!(read.is_ok(), allowed.contains(&reason), "{reason} {result}");
            let read = outcome(&reason.to_string(), &format!("{stalemate} 1/2-1/2"));
            assert_eq!(read.is_ok(), reason == Reason::Rule(Ending::Stalemate), "{reason} after stalemate");
        }
    }
    assert_eq!(
        outcome("checkmate", "1. Ic6 1/2-1/2").unwrap_err().to_string(),
        "line 2, column 8: termination `checkmate` contradicts the game: 1/2-1/2 after these moves means agreement"
    );
    let open = outcome("checkmate", "1. Ic6 *").unwrap_err().to_string();
    assert!(open.ends_with("* after these moves leaves the game open"), "{open}");
}

#[test]
fn records_that_begin_or_end_within_a_deployment_round_trip() {
    let text = "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1 c3:(NT):F>c7...";
    for seed in 0..20 {
        let mut game = Game::from_position(read(text).unwrap());
        for _ in 0..12 {
            play_random_moves(&mut game, &mut Rng::new(seed), 1);
            let record = CoTuLenh::write_record(&game, &Vec::new(), &Annotations::default());
            let again =
                CoTuLenh::read_record(&record, Rules::STANDARD).unwrap_or_else(|e| panic!("{e}\n{record}"));
            assert_eq!(again.game, game, "{record}");
        }
    }
}

#[test]
fn groups_of_pieces_are_not_variations() {
    let fen = "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1";
    let text = format!("[FEN \"{fen}\"]\n\n1. (NFT)c5 ((NFT)c4 +Tf8 {{back}}) (1. c3:(FT):N>c5?!) +Tf8!? *");
    let Record { game, annotations, .. } = CoTuLenh::read_record(&text, Rules::STANDARD).unwrap();
    assert_eq!(game.ply(), 2);
    assert_eq!(annotations.note(2).unwrap().glyphs, [5]);
    let [whole, deployed] = annotations.variations(0) else { panic!("two variations of the first turn") };
    assert_eq!((whole.moves.len(), whole.annotations.note(2).unwrap().comment.as_str()), (2, "back"));
    assert_eq!((deployed.moves.len(), &deployed.annotations.note(2).unwrap().glyphs[..]), (2, &[6][..]));
    let record = CoTuLenh::write_record(&game, &Vec::new(), &annotations);
    let expected = "1. (NFT)c5 (1. (NFT)c4 +Tf8 {back}) (1. c3:(FT):N>c5 $6) 1... +Tf8 $5 *\n";
    assert!(record.ends_with(expected), "{record}");
}

#[test]
fn a_variation_that_begins_within_a_deployment_is_written_from_the_start_of_the_turn() {
    let fen = "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1";
    let mut game = Game::from_position(read(fen).unwrap());
    for text in ["Nc3>c5", "Fc3>e5", "end"] {
        game.play(game.position().parse_move(text).unwrap()).unwrap();
    }
    let mut after = *game.first_position();
    after.play_unchecked(game.moves_played().next().unwrap());
    let end = after.parse_move("end").unwrap();
    let mut annotations = Annotations::default();
    let mut variation = Variation::new(vec![end]);
    variation.annotations.add_comment(1, "enough");
    annotations.add_variation(1, variation);
    let record = CoTuLenh::write_record(&game, &Vec::new(), &annotations);
    assert!(record.ends_with("1. c3:T:N>c5,F>e5 (1. c3:(FT):N>c5 {enough}) *\n"), "{record}");
}
