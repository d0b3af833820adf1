//! Static evaluation, tactics and static exchange.

use std::collections::HashSet;
use std::ops::ControlFlow;

use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::search::{Evaluate, NodeView as _, Tactic, Tunable};
use sandtable_core::{FromSetup, Game, Notation, Player, Position, Rules as _};
use sandtable_cotulenh::{CoTuLenh, Kind, Rules, Stack, Step, StepKind};

use crate::agreement::scattered;

/// Calls `f` with the positions of random games under both presets, from the start and from random boards.
fn visited(mut f: impl FnMut(&CoTuLenh)) {
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
    let weights = CoTuLenh::WEIGHTS;
    let piece = |kind: Kind, heroic: bool| {
        weights.material[kind.index()] + if heroic { weights.hero[kind.index()] } else { 0 }
    };
    stack.flatten().map(|p| piece(p.kind, p.heroic)).sum()
}

fn evaluate(fen: &str) -> i32 {
    CoTuLenh::from_text(fen, Rules::STANDARD).unwrap().view().evaluate()
}

#[test]
fn mirrored_positions_have_the_same_evaluation() {
    let mut deploying = 0;
    visited(|position| {
        deploying += u32::from(position.deployment().is_some());
        assert_eq!(
            position.view().evaluate(),
            position.mirrored().view().evaluate(),
            "{}",
            position.to_text()
        );
        assert!(position.view().evaluate().abs() <= CoTuLenh::EVALUATION_LIMIT);
    });
    assert!(deploying > 30, "deployments are common: {deploying}");
}

#[test]
fn the_start_position_is_worth_the_tempo() {
    assert_eq!(CoTuLenh::start(Rules::STANDARD).view().evaluate(), CoTuLenh::WEIGHTS.tempo);
}

#[test]
fn more_material_is_better() {
    let with = |rank: &str| evaluate(&format!("6c4/3t7/11/11/11/11/11/{rank}/11/11/5T5/5C5 r - - 0 1"));
    let better = ["4i6", "11", "4I6", "4T6", "4A6", "4F6", "4(FT)6", "4(FTI)6"].map(with);
    assert!(better.is_sorted_by(|a, b| a < b), "{better:?}");
    assert!(with("4+F6") > with("4F6"));
}

#[test]
fn air_defence_is_worth_more_against_an_air_force() {
    let gain = |enemy: &str| {
        let with =
            |own: &str| evaluate(&format!("6c4/3{enemy}7/11/11/11/11/11/11/4{own}1I4/5I5/5T5/5C5 r - - 0 1"));
        with("G") - with("I")
    };
    assert!(gain("f") > gain("t"));
}

#[test]
fn within_a_deployment_the_tempo_belongs_to_the_opponent() {
    let fen = "6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1";
    let position = CoTuLenh::from_text(fen, Rules::STANDARD).unwrap();
    let during = position.after(position.parse_move("Tc3>c4").unwrap());
    assert_eq!(during.turn(), Player::First);
    let ended = during.after(during.parse_move("end").unwrap());
    assert_eq!(ended.view().evaluate(), -during.view().evaluate());
}

#[test]
fn gain_is_the_captured_material_and_risk_the_moving_one() {
    let mut seen = [0; 5];
    visited(|position| {
        let enemy = !position.turn();
        for step in position.legal_moves() {
            let Tactic { gain, risk } = position.view().tactic(step);
            let next = position.after(step);
            let lost = |owner: Player| -> i32 {
                let gone =
                    |square| next.board().get(square).is_none_or(|stack: Stack| stack.owner() != owner);
                position.board().pieces(owner).filter(|&(square, _)| gone(square)).map(|p| worth(p.1)).sum()
            };
            let text = || format!("{} in {}", position.move_text(step), position.to_text());
            assert_eq!(gain, lost(enemy), "{}", text());
            let (Step::Whole { from, kind, .. } | Step::Deploy { from, kind, .. }) = step else {
                assert_eq!(position.view().tactic(step), Tactic::QUIET);
                continue;
            };
            seen[kind as usize] += 1;
            let stack = position.board().get(from).unwrap();
            let group = if let Step::Deploy { group, .. } = step { group } else { stack.kinds() };
            let acting = Stack::new(position.turn(), group, stack.heroes().intersection(group)).unwrap();
            match kind {
                StepKind::Move | StepKind::Combine | StepKind::StayCapture => {
                    assert_eq!(risk, 0, "{}", text());
                }
                StepKind::Capture => assert_eq!(risk, worth(acting), "{}", text()),
                StepKind::SuicideCapture => {
                    assert_eq!(risk, worth(acting), "{}", text());
                    assert_eq!(position.view().static_exchange(step), gain - risk);
                }
            }
        }
    });
    assert!(seen.into_iter().all(|n| n > 20), "every kind of step occurs: {seen:?}");
}

#[test]
fn noisy_steps_are_the_captures() {
    visited(|position| {
        let mut noisy = HashSet::new();
        let _ = position.view().for_each_noisy::<()>(|step| {
            assert!(
                noisy.insert(step),
                "{} is listed twice in {}",
                position.move_text(step),
                position.to_text()
            );
            ControlFlow::Continue(())
        });
        let captures: HashSet<_> = position
            .legal_moves()
            .into_iter()
            .filter(|&step| position.view().tactic(step).gain > 0)
            .collect();
        assert_eq!(noisy, captures, "{}", position.to_text());
    });
}

#[test]
fn static_exchange_counts_recaptures() {
    let exchange = |rank: &str| {
        let fen = format!("6c4/3t3t3/11/11/11/11/{rank}/5T5/11/11/11/4C5I r - - 0 1");
        let position = CoTuLenh::from_text(&fen, Rules::STANDARD).unwrap();
        position.view().static_exchange(position.parse_move("Tf5xf6").unwrap())
    };
    let [tank, infantry] = [Kind::Tank, Kind::Infantry].map(|kind| CoTuLenh::WEIGHTS.material[kind.index()]);
    assert_eq!(exchange("5i5"), infantry);
    assert_eq!(exchange("5im4"), infantry - tank);
    // Red's Militia recaptures in turn.
    assert_eq!(exchange("4Mim4"), infantry - tank + CoTuLenh::WEIGHTS.material[Kind::Militia.index()]);
}

#[test]
fn a_null_move_changes_only_the_side_to_move() {
    let mut count = 0;
    visited(|position| {
        let Some(passed) = position.view().null_move() else { return };
        count += 1;
        assert!(position.deployment().is_none());
        assert_eq!(position.in_check(), Some(false));
        let mut setup = position.to_setup();
        setup.turn = !setup.turn;
        let again = CoTuLenh::from_setup(&setup, position.rules()).unwrap();
        assert_eq!(passed, again);
        assert_eq!(passed.hash64(), again.hash64());
        assert_ne!(passed.hash64(), position.hash64());
        // As after every legal turn, the opponent cannot capture the commander at once.
        let captured = |&step: &Step| passed.after(step).board().commander(position.turn()).is_none();
        assert!(!passed.legal_moves().iter().any(captured), "{}", position.to_text());
    });
    assert!(count > 200, "null moves are common: {count}");
    let few = CoTuLenh::from_text("6c4/11/11/11/11/11/11/4T6/11/11/11/5C5 r - - 0 1", Rules::STANDARD);
    assert_eq!(few.unwrap().view().null_move(), None);
}

#[test]
fn parameters_are_all_the_weights() {
    let mut weights = CoTuLenh::WEIGHTS;
    assert_eq!(CoTuLenh::parameters(&mut weights).len() * size_of::<i32>(), size_of_val(&weights));
    for parameter in CoTuLenh::parameters(&mut weights) {
        *parameter = 0;
    }
    visited(|position| assert_eq!(position.evaluate_with(&weights), 0));
}
