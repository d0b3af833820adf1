//! Static evaluation, noisy moves, null moves and signatures.

use std::collections::HashSet;
use std::ops::ControlFlow;

use sandtable_chess::{Chess, DrawRules, Move};
use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::search::{Evaluate, NodeView as _, Tunable};
use sandtable_core::{Game, Notation as _, Position};

/// Calls `f` with every position of some random games.
fn for_each_visited(mut f: impl FnMut(&Chess)) {
    for seed in 0..30 {
        let mut game = Game::<Chess>::default();
        let mut rng = Rng::new(seed);
        while play_random_moves(&mut game, &mut rng, 1) == 1 && game.ply() < 200 {
            f(game.position());
        }
    }
}

fn quiet_threats(position: &Chess) -> HashSet<Move> {
    let mut moves = HashSet::new();
    let _ = position.view().for_each_quiet_threat::<()>(|m| {
        assert!(moves.insert(m), "{m:?} appears twice in {}", position.to_text());
        ControlFlow::Continue(())
    });
    moves
}

#[test]
fn mirrored_positions_have_the_same_evaluation() {
    for_each_visited(|position| {
        assert_eq!(
            position.view().evaluate(),
            position.mirrored().view().evaluate(),
            "{}",
            position.to_text()
        );
        assert!(position.view().evaluate().abs() <= Chess::EVALUATION_LIMIT);
    });
}

#[test]
fn material_dominates_the_evaluation() {
    let without =
        Chess::from_text("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", DrawRules::default());
    assert!(without.unwrap().view().evaluate() > 700);
    assert!(Chess::default().view().evaluate() < 50);
}

#[test]
fn quiet_threats_are_the_direct_checks() {
    let mut checks = 0;
    for_each_visited(|position| {
        let gives_direct_check = |m: Move| {
            let after = position.after(m);
            m.promotion().is_none()
                && !matches!(m, Move::Castle { .. })
                && after.is_check()
                && after.attackers(after.king(after.turn())).contains(m.to())
        };
        let expected: HashSet<_> = position
            .legal_moves()
            .into_iter()
            .filter(|&m| position.view().tactic(m).gain == 0 && gives_direct_check(m))
            .collect();
        assert_eq!(quiet_threats(position), expected, "{}", position.to_text());
        checks += expected.len();
        for m in expected {
            assert!(position.view().threatens(m), "{m:?} in {}", position.to_text());
        }
    });
    assert!(checks > 100, "{checks} checks");
}

#[test]
fn a_null_move_changes_only_the_side_to_move() {
    let mut null_moves = 0;
    for_each_visited(|position| {
        if let Some(next) = position.view().null_move() {
            null_moves += 1;
            assert_eq!(next.turn(), !position.turn());
            let board = |position: &Chess| position.to_text().split(' ').next().map(str::to_owned);
            assert_eq!(board(&next), board(position));
            assert!(!next.is_check());
        }
    });
    assert!(null_moves > 1000);
    let only_pawns = Chess::from_text("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", DrawRules::default()).unwrap();
    assert!(only_pawns.view().null_move().is_none());
}

#[test]
fn signatures_of_legal_moves_are_unique() {
    for_each_visited(|position| {
        let moves = position.legal_moves();
        let signatures: HashSet<_> = moves.iter().map(|&m| position.view().signature(m)).collect();
        assert_eq!(signatures.len(), moves.len());
    });
}

#[test]
fn parameters_cover_all_weights() {
    let mut weights = Chess::WEIGHTS;
    let count = Chess::parameters(&mut weights).len();
    assert_eq!(count * size_of::<i32>(), size_of_val(&weights));
    assert_eq!(Chess::default().evaluate_with(&weights), Chess::default().view().evaluate());
    for parameter in Chess::parameters(&mut weights) {
        *parameter = 0;
    }
    for_each_visited(|position| {
        assert!(position.evaluate_with(&weights).abs() <= 200, "only the mop-up score is left");
    });
}
