//! Long random play keeps the invariants.

use sandtable_core::rules::{Rng, random_move};
use sandtable_core::{Game, Position, Rules as _};
use sandtable_cotulenh::{CoTuLenh, Rules};

/// Plays random games until `turns` turns have been made, and checks every step.
fn play_turns(turns: usize) {
    let mut made = 0;
    for seed in 0.. {
        let (_, rules) = Rules::PRESETS[seed as usize % 2];
        let mut rng = Rng::new(seed);
        let mut game = Game::<CoTuLenh>::new(rules);
        while !game.outcome().is_over() && game.ply() < CoTuLenh::PLY_LIMIT {
            let before = *game.position();
            let step = random_move(&before, &mut rng).expect("an ongoing game has a legal step");
            game.play(step).unwrap();
            check_step(&before, game.position());
            if game.position().deployment().is_none() {
                made += 1;
            }
        }
        if made >= turns {
            return;
        }
    }
}

/// Checks the invariants of a step.
fn check_step(before: &CoTuLenh, after: &CoTuLenh) {
    use sandtable_core::{FromSetup, Player};
    let again = CoTuLenh::from_setup(&after.to_setup(), after.rules());
    assert_eq!(again.as_ref(), Ok(after));
    assert_eq!(again.map(|again| again.hash64()), Ok(after.hash64()));
    for owner in Player::ALL {
        assert!(after.board().piece_count(owner) <= before.board().piece_count(owner));
        let counted: usize = after.board().pieces(owner).map(|(_, stack)| stack.size()).sum();
        assert_eq!(after.board().piece_count(owner), counted);
    }
    if after.deployment().is_some() {
        assert_eq!(after.turn(), before.turn());
        assert!(after.has_legal_move(), "stuck inside a deployment: {after:?}");
    } else {
        assert_ne!(after.turn(), before.turn());
        assert!(after.board().commander(before.turn()).is_some());
        let mirror = after.mirrored();
        assert_eq!(mirror.count_legal(), after.count_legal());
    }
}

#[test]
fn five_thousand_turns() {
    play_turns(5_000);
}

#[test]
#[ignore = "long random play: part of the deep run"]
fn a_hundred_thousand_turns() {
    play_turns(100_000);
}
