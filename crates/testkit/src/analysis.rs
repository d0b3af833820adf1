//! What a search asks about a position.

use std::collections::HashSet;
use std::ops::ControlFlow;

use sandtable_core::{Analysis, Evaluate, Game, Rng};

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
    let analysis = position.analyse();
    let noisy = collect(|f| analysis.for_each_noisy(f));
    let quiet = collect(|f| analysis.for_each_quiet(f));
    assert!(noisy.iter().all(|&m| position.tactic(m).gain > 0), "{position:?}");
    assert!(quiet.iter().all(|&m| position.tactic(m).gain == 0), "{position:?}");
    let legal: HashSet<_> = position.legal_moves().into_iter().collect();
    assert_eq!(noisy.len() + quiet.len(), legal.len(), "{position:?}");
    assert_eq!(noisy.iter().chain(&quiet).copied().collect::<HashSet<_>>(), legal, "{position:?}");
    for m in collect(|f| analysis.for_each_quiet_threat(f)) {
        assert!(quiet.contains(&m) && position.after(m).must_respond(), "{m:?} in {position:?}");
    }
}

/// An analysis gives the same answers whatever was asked before, and those of the position.
pub fn analysis_answers_like_the_position<P: Conformant + Evaluate>(
    subject: &Subject<P>,
    game: &Game<P>,
    rng: &mut Rng,
) {
    let position = game.position();
    let analysis = position.analyse();
    let mut moves = position.legal_moves();
    let legal = moves.len();
    moves.extend((subject.near_misses)(position, rng));
    for (i, &m) in moves.iter().enumerate() {
        assert_eq!(analysis.is_legal(m), position.is_legal(m), "{m:?} in {position:?}");
        if i < legal && i % 8 == 0 {
            assert_eq!(analysis.static_exchange(m), position.static_exchange(m), "{m:?} in {position:?}");
        }
    }
    let noisy = collect(|f| analysis.for_each_noisy(f));
    assert_eq!(analysis.evaluate(), position.evaluate(), "{position:?}");
    assert_eq!(collect(|f| analysis.for_each_noisy(f)), noisy, "after the evaluation of {position:?}");
    assert_eq!(analysis.in_check(), position.in_check() == Some(true), "{position:?}");
    assert_eq!(analysis.must_respond(), position.must_respond(), "{position:?}");
    assert_eq!(analysis.null_move(), position.null_move(), "{position:?}");
    assert_eq!(analysis.winning_move(), position.winning_move(), "{position:?}");
    if let Some(m) = analysis.winning_move() {
        assert!(position.is_legal(m), "{m:?} in {position:?}");
        assert_eq!(position.after(m).outcome(1).winner(), Some(position.turn()), "{m:?} in {position:?}");
    }
}

/// The bits of legal moves are unique, not all 0, and decode to the move; other bits decode to nothing that panics.
pub fn move_bits_round_trip_and_are_unique<P: Conformant + Evaluate>(
    _: &Subject<P>,
    game: &Game<P>,
    rng: &mut Rng,
) {
    let position = game.position();
    let analysis = position.analyse();
    let mut seen = HashSet::new();
    for m in position.legal_moves() {
        let bits = P::move_bits(m);
        assert!(bits != 0 && seen.insert(bits), "{m:?} in {position:?}");
        assert_eq!(position.move_from_bits(bits), Some(m), "{position:?}");
        assert!(position.history_slot(m) < P::HISTORY_SLOTS, "{m:?} in {position:?}");
    }
    for _ in 0..8 {
        let bits = rng.next_u64() as u32;
        if let Some(m) = position.move_from_bits(bits) {
            assert_eq!(analysis.is_legal(m), position.is_legal(m), "{bits:#x} in {position:?}");
        }
    }
}
