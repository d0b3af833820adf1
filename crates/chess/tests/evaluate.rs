//! The evaluation: fair to both sides, and true to what it says of moves.

use std::collections::HashSet;
use std::ops::ControlFlow;

use sandtable_chess::{DrawRules, Move, Position};
use sandtable_core::{Evaluate, Game, Notation as _, Position as _, Rng, Weighted, play_randomly};

/// Every position of some random games.
fn visited(mut f: impl FnMut(&Position)) {
    for seed in 0..30 {
        let mut game = Game::<Position>::default();
        let mut rng = Rng::new(seed);
        while play_randomly(&mut game, &mut rng, 1) == 1 && game.ply() < 200 {
            f(game.position());
        }
    }
}

fn noisy(position: &Position, threats: bool) -> HashSet<Move> {
    let mut moves = HashSet::new();
    let _ = position.for_each_noisy::<()>(threats, |m| {
        assert!(moves.insert(m), "{m:?} comes twice in {}", position.to_text());
        ControlFlow::Continue(())
    });
    moves
}

#[test]
fn a_position_and_its_mirror_look_the_same() {
    visited(|position| {
        assert_eq!(position.evaluate(), position.mirrored().evaluate(), "{}", position.to_text());
        assert!(position.evaluate().abs() <= Position::EVALUATION_LIMIT);
    });
}

#[test]
fn a_side_looks_better_with_a_piece_more() {
    let without =
        Position::from_text("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", DrawRules::default());
    assert!(without.unwrap().evaluate() > 700);
    assert!(Position::default().evaluate() < 50);
}

#[test]
fn loud_moves_are_those_with_a_gain_and_threats_are_checks() {
    visited(|position| {
        let gainful: HashSet<_> =
            position.legal_moves().into_iter().filter(|&m| position.tactic(m).gain > 0).collect();
        assert_eq!(noisy(position, false), gainful, "{}", position.to_text());
        let all = noisy(position, true);
        assert!(all.is_superset(&gainful));
        for &m in all.difference(&gainful) {
            let mut next = position.clone();
            next.play(m).unwrap();
            assert!(next.is_check(), "{m:?} in {}", position.to_text());
        }
    });
}

#[test]
fn passing_changes_the_turn_and_nothing_else() {
    let mut passes = 0;
    visited(|position| {
        if let Some(passed) = position.pass() {
            passes += 1;
            assert_eq!(passed.turn(), !position.turn());
            let board = |position: &Position| position.to_text().split(' ').next().map(str::to_owned);
            assert_eq!(board(&passed), board(position));
            assert!(!passed.is_check());
        }
    });
    assert!(passes > 1000);
    let only_pawns =
        Position::from_text("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", DrawRules::default()).unwrap();
    assert!(only_pawns.pass().is_none());
}

#[test]
fn signatures_tell_the_moves_of_a_position_apart() {
    visited(|position| {
        let moves = position.legal_moves();
        let signatures: HashSet<_> = moves.iter().map(|&m| Position::signature(m)).collect();
        assert_eq!(signatures.len(), moves.len());
    });
}

#[test]
fn every_weight_is_one_of_the_numbers() {
    let mut weights = Position::WEIGHTS;
    let count = Position::numbers(&mut weights).len();
    assert_eq!(count * size_of::<i32>(), size_of_val(&weights));
    assert_eq!(Position::default().evaluate_with(&weights), Position::default().evaluate());
    for number in Position::numbers(&mut weights) {
        *number = 0;
    }
    visited(|position| {
        assert!(position.evaluate_with(&weights).abs() <= 200, "only the drive to mate is left");
    });
}
