//! The evaluation: fair to both sides, and true to what it says of steps.

use std::collections::HashSet;
use std::ops::ControlFlow;

use sandtable_core::{
    Evaluate, FromSetup, Game, Notation, Player, Position as _, Rng, Rules as _, Tactic, Tunable,
    play_random_moves,
};
use sandtable_cotulenh::{StepKind, Kind, Position, Rules, Stack, Step};

use crate::agreement::scattered;

/// Every position of some random play, from the start and from scattered boards, by both presets.
fn visited(mut f: impl FnMut(&Position)) {
    for (_, rules) in Rules::PRESETS {
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let (mut game, plies) = if seed < 2 {
                (Game::new(*rules), 200)
            } else {
                (Game::from_position(scattered(*rules, 24, &mut rng)), 12)
            };
            f(game.position());
            while game.ply() < plies && play_random_moves(&mut game, &mut rng, 1) == 1 {
                f(game.position());
            }
        }
    }
}

fn worth(stack: Stack) -> i32 {
    let weights = Position::WEIGHTS;
    let piece = |kind: Kind, heroic: bool| {
        weights.material[kind.index()] + if heroic { weights.hero[kind.index()] } else { 0 }
    };
    stack.flatten().map(|p| piece(p.kind, p.heroic)).sum()
}

fn after(position: &Position, step: Step) -> Position {
    let mut next = *position;
    next.play(step).unwrap();
    next
}

fn evaluate(fen: &str) -> i32 {
    Position::from_text(fen, Rules::STANDARD).unwrap().evaluate()
}

#[test]
fn a_position_and_its_mirror_look_the_same() {
    let mut deploying = 0;
    visited(|position| {
        deploying += u32::from(position.deployment().is_some());
        assert_eq!(position.evaluate(), position.mirrored().evaluate(), "{}", position.to_text());
        assert!(position.evaluate().abs() <= Position::EVALUATION_LIMIT);
    });
    assert!(deploying > 30, "deployments are common: {deploying}");
}

#[test]
fn the_start_is_worth_no_more_than_the_move() {
    assert_eq!(Position::start(Rules::STANDARD).evaluate(), Position::WEIGHTS.tempo);
}

#[test]
fn a_side_looks_better_with_more() {
    let with = |rank: &str| evaluate(&format!("6c4/3t7/11/11/11/11/11/{rank}/11/11/5T5/5C5 r - - 0 1"));
    let better = ["4i6", "11", "4I6", "4T6", "4A6", "4F6", "4(FT)6", "4(FTI)6"].map(with);
    assert!(better.is_sorted_by(|a, b| a < b), "{better:?}");
    assert!(with("4+F6") > with("4F6"));
}

#[test]
fn air_defence_is_worth_more_where_there_is_something_to_defend_from() {
    let gain = |enemy: &str| {
        let with =
            |own: &str| evaluate(&format!("6c4/3{enemy}7/11/11/11/11/11/11/4{own}1I4/5I5/5T5/5C5 r - - 0 1"));
        with("G") - with("I")
    };
    assert!(gain("f") > gain("t"));
}

#[test]
fn inside_a_deployment_the_turn_is_spent() {
    let fen = "6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1";
    let position = Position::from_text(fen, Rules::STANDARD).unwrap();
    let during = after(&position, position.parse_move("Tc3>c4").unwrap());
    assert_eq!(during.turn(), Player::First);
    let ended = after(&during, during.parse_move("end").unwrap());
    assert_eq!(ended.evaluate(), -during.evaluate());
}

#[test]
fn a_gain_is_what_disappears_of_the_enemy_and_a_risk_what_may() {
    let mut seen = [0; 5];
    visited(|position| {
        let enemy = !position.turn();
        for step in position.legal_moves() {
            let Tactic { gain, risk } = position.tactic(step);
            let next = after(position, step);
            let lost = |owner: Player| -> i32 {
                let gone =
                    |square| next.board().get(square).is_none_or(|stack: Stack| stack.owner() != owner);
                position.board().pieces(owner).filter(|&(square, _)| gone(square)).map(|p| worth(p.1)).sum()
            };
            let text = || format!("{} in {}", position.move_text(step), position.to_text());
            assert_eq!(gain, lost(enemy), "{}", text());
            let (Step::Whole { from, action, .. } | Step::Deploy { from, action, .. }) = step else {
                assert_eq!(position.tactic(step), Tactic::QUIET);
                continue;
            };
            seen[action as usize] += 1;
            let stack = position.board().get(from).unwrap();
            let group = if let Step::Deploy { group, .. } = step { group } else { stack.kinds() };
            let acting = Stack::new(position.turn(), group, stack.heroes().common(group)).unwrap();
            match action {
                StepKind::Move | StepKind::Combine | StepKind::StayCapture => assert_eq!(risk, 0, "{}", text()),
                StepKind::Capture => assert_eq!(risk, worth(acting), "{}", text()),
                StepKind::SuicideCapture => {
                    assert_eq!(risk, worth(acting), "{}", text());
                    assert_eq!(position.static_exchange(step), gain - risk);
                }
            }
        }
    });
    assert!(seen.into_iter().all(|n| n > 20), "every action occurs: {seen:?}");
}

#[test]
fn loud_steps_are_the_captures() {
    visited(|position| {
        let mut loud = HashSet::new();
        let _ = position.for_each_noisy::<()>(false, |step| {
            assert!(loud.insert(step), "{} comes twice in {}", position.move_text(step), position.to_text());
            ControlFlow::Continue(())
        });
        let gainful: HashSet<_> =
            position.legal_moves().into_iter().filter(|&step| position.tactic(step).gain > 0).collect();
        assert_eq!(loud, gainful, "{}", position.to_text());
    });
}

#[test]
fn an_exchange_knows_whether_the_enemy_can_take_back() {
    let exchange = |rank: &str| {
        let fen = format!("6c4/3t3t3/11/11/11/11/{rank}/5T5/11/11/11/4C5I r - - 0 1");
        let position = Position::from_text(&fen, Rules::STANDARD).unwrap();
        position.static_exchange(position.parse_move("Tf5xf6").unwrap())
    };
    let [tank, infantry] = [Kind::Tank, Kind::Infantry].map(|kind| Position::WEIGHTS.material[kind.index()]);
    assert_eq!(exchange("5i5"), infantry);
    assert_eq!(exchange("5im4"), infantry - tank);
    // A guard of one's own takes back in turn.
    assert_eq!(exchange("4Mim4"), infantry - tank + Position::WEIGHTS.material[Kind::Militia.index()]);
}

#[test]
fn passing_changes_the_turn_and_nothing_else() {
    let mut count = 0;
    visited(|position| {
        let Some(passed) = position.null_move() else { return };
        count += 1;
        assert!(position.deployment().is_none());
        assert_eq!(position.in_check(), Some(false));
        let mut setup = position.to_setup();
        setup.turn = !setup.turn;
        let again = Position::from_setup(&setup, position.rules()).unwrap();
        assert_eq!(passed, again);
        assert_eq!(passed.hash64(), again.hash64());
        assert_ne!(passed.hash64(), position.hash64());
        // As after every legal turn, the player who passed cannot lose the commander at once.
        let captured = |&step: &Step| after(&passed, step).board().commander(position.turn()).is_none();
        assert!(!passed.legal_moves().iter().any(captured), "{}", position.to_text());
    });
    assert!(count > 200, "passing is nearly always possible: {count}");
    let few = Position::from_text("6c4/11/11/11/11/11/11/4T6/11/11/11/5C5 r - - 0 1", Rules::STANDARD);
    assert_eq!(few.unwrap().null_move(), None);
}

#[test]
fn every_weight_is_one_of_the_numbers() {
    let mut weights = Position::WEIGHTS;
    assert_eq!(Position::parameters(&mut weights).len() * size_of::<i32>(), size_of_val(&weights));
    for number in Position::parameters(&mut weights) {
        *number = 0;
    }
    visited(|position| assert_eq!(position.evaluate_with(&weights), 0));
}
