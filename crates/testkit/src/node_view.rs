//! What a search asks about a position.

use std::collections::HashSet;
use std::ops::ControlFlow;

use sandtable_core::Game;
use sandtable_core::rules::Rng;
use sandtable_core::search::{Evaluate, NodeView as _};

use crate::{Conformant, Subject};

fn collect<M>(each: impl FnOnce(&mut dyn FnMut(M) -> ControlFlow<()>) -> ControlFlow<()>) -> Vec<M> {
    let mut found = Vec::new();
    let _ = each(&mut |m| {
        found.push(m);
        ControlFlow::Continue(())
    });
    found
}

/// Noisy and quiet moves are the legal moves, divided by their gain; quiet threats are quiet moves.
pub fn noisy_and_quiet_moves_are_the_legal_moves<P: Conformant + Evaluate>(
    _: &Subject<P>,
    game: &Game<P>,
    _: &mut Rng,
) {
    let position = game.position();
    let view = position.view();
    let noisy = collect(|f| view.for_each_noisy(f));
    let quiet = collect(|f| view.for_each_quiet(f));
    assert!(noisy.iter().all(|&m| view.tactic(m).gain > 0), "{position:?}");
    assert!(quiet.iter().all(|&m| view.tactic(m).gain == 0), "{position:?}");
    let legal: HashSet<_> = position.legal_moves().into_iter().collect();
    assert_eq!(noisy.len() + quiet.len(), legal.len(), "{position:?}");
    assert_eq!(noisy.iter().chain(&quiet).copied().collect::<HashSet<_>>(), legal, "{position:?}");
    for m in collect(|f| view.for_each_quiet_threat(f)) {
        assert!(quiet.contains(&m) && position.after(m).view().must_respond(), "{m:?} in {position:?}");
    }
}

/// A view agrees with the rules about legal moves, check and wins, and gives the same answers whatever was asked before.
pub fn node_views_agree_with_the_rules<P: Conformant + Evaluate>(
    subject: &Subject<P>,
    game: &Game<P>,
    rng: &mut Rng,
) {
    let position = game.position();
    let view = position.view();
    let mut moves = position.legal_moves();
    let legal = moves.len();
    moves.extend((subject.near_misses)(position, rng));
    for (i, &m) in moves.iter().enumerate() {
        assert_eq!(view.is_legal(m), position.is_legal(m), "{m:?} in {position:?}");
        if i < legal && i % 8 == 0 {
            assert_eq!(view.static_exchange(m), position.view().static_exchange(m), "{m:?} in {position:?}");
        }
    }
    let noisy = collect(|f| view.for_each_noisy(f));
    assert_eq!(view.evaluate(), position.view().evaluate(), "{position:?}");
    assert_eq!(collect(|f| view.for_each_noisy(f)), noisy, "after the evaluation of {position:?}");
    assert_eq!(view.in_check(), position.in_check() == Some(true), "{position:?}");
    assert_eq!(view.must_respond(), position.view().must_respond(), "{position:?}");
    assert_eq!(view.null_move(), position.view().null_move(), "{position:?}");
    assert_eq!(view.winning_move(), position.view().winning_move(), "{position:?}");
    if let Some(m) = view.winning_move() {
        assert!(position.is_legal(m), "{m:?} in {position:?}");
        assert_eq!(position.after(m).outcome(1).winner(), Some(position.turn()), "{m:?} in {position:?}");
    }
}

/// The bits of legal moves are unique, not 0, and decode to the move. Other bits may decode to a move, whose legality
/// view and position agree on.
pub fn move_bits_round_trip_and_are_unique<P: Conformant + Evaluate>(
    _: &Subject<P>,
    game: &Game<P>,
    rng: &mut Rng,
) {
    let position = game.position();
    let view = position.view();
    let mut seen = HashSet::new();
    for m in position.legal_moves() {
        let bits = view.move_bits(m);
        assert!(bits != 0 && seen.insert(bits), "{m:?} in {position:?}");
        assert_eq!(view.move_from_bits(bits), Some(m), "{position:?}");
        assert!(view.history_slot(m) < P::HISTORY_SLOTS, "{m:?} in {position:?}");
    }
    for _ in 0..8 {
        let bits = rng.next_u64() as u32;
        if let Some(m) = view.move_from_bits(bits) {
            assert_eq!(view.is_legal(m), position.is_legal(m), "{bits:#x} in {position:?}");
        }
    }
}
