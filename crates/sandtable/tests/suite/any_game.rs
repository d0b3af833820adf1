//! Games whose kind is known only at run time.

use sandtable::core::learn::PolicyIndex;
use sandtable::core::rules::{DrawAction, DrawOffer, MAX_PERFT_DEPTH, Rng};
use sandtable::core::{Outcome, Player};
use sandtable::games::{DeclaredEnd, PerftTooDeep};
use sandtable::{BoxedGame, GAMES, find};

#[test]
fn moves_by_index_equal_moves_by_text() {
    for kind in GAMES {
        let mut rng = Rng::new(11);
        let mut game = kind.start(kind.rules[0]).unwrap();
        let mut replayed = kind.start(kind.rules[0]).unwrap();
        while !game.is_over() && game.ply() < 60 {
            let mut indices: Vec<_> = game.legal_moves().iter().map(|m| m.index).collect();
            indices.sort();
            assert_eq!(game.legal_indices(), indices);
            let text = game.random_move(&mut rng).unwrap();
            let index = game.index_of(&text).unwrap();
            assert_eq!(game.move_text_at(index).unwrap(), text);
            game.play(&text).unwrap();
            replayed.play_index(index).unwrap();
            assert!(game.is_same_game(&*replayed));
        }
        let mut again = kind.parse(&game.first_position_text(), kind.rules[0]).unwrap();
        for index in game.indices_played() {
            again.play_index(index).unwrap();
        }
        assert!(again.is_same_game(&*game));
        again.undo();
        assert!(!again.is_same_game(&*game));
    }
    let [chess, cotulenh] = [0, 1].map(|kind| GAMES[kind].start("standard").unwrap());
    assert!(!chess.is_same_game(&*cotulenh));
}

#[test]
fn illegal_indices_are_rejected() {
    let mut game = GAMES[0].start("standard").unwrap();
    let error = |game: &mut BoxedGame, index| {
        let before = game.clone_box();
        let error = game.play_index(PolicyIndex(index)).unwrap_err().to_string();
        assert!(game.is_same_game(&*before));
        error
    };
    assert_eq!(error(&mut game, 0), "action 0 is not legal in this position");
    assert_eq!(error(&mut game, 4_672), "action 4672 is out of range: expected 0 to 4671");
    game.resign(Player::First);
    assert_eq!(error(&mut game, 0), "the game is over: Black wins (resignation)");
    assert!(game.index_of("e4").is_err() && game.move_text_at(PolicyIndex(0)).is_err());
}

#[test]
fn unknown_names_list_the_known_ones() {
    let mut error = find("go").unwrap_err();
    let names: Vec<_> = GAMES.iter().map(|kind| kind.name).collect();
    assert_eq!(error.known, names);
    error.known = vec!["chess", "cotulenh", "tribun"];
    assert_eq!(error.to_string(), "unknown game `go`: expected chess, cotulenh or tribun");
    let error = find("cotulenh").unwrap().start("house").unwrap_err();
    assert_eq!(error.to_string(), "unknown rules `house`: expected standard or club");
}

#[test]
fn declared_ends_are_reported_and_undone() {
    for kind in GAMES {
        let start = || kind.start(kind.rules[0]).unwrap();
        assert_eq!(start().declared_end(), None);
        for player in Player::ALL {
            let mut game = start();
            game.resign(player);
            assert_eq!(game.declared_end(), Some(DeclaredEnd::Resignation(player)));
        }
        let mut game = start();
        game.agree_draw();
        assert_eq!(game.declared_end(), Some(DeclaredEnd::Agreement));
        assert!(game.undo_declared_end() && game.declared_end().is_none());
    }
}

/// Nothing is legal in an ended game, in any form.
fn assert_nothing_is_legal(game: &BoxedGame) {
    assert!(game.is_over());
    assert_eq!(game.count_legal(), 0);
    assert!(game.legal_moves().is_empty() && game.move_details().is_empty() && game.turns().is_empty());
    assert!(game.legal_indices().is_empty());
    let mut mask = vec![true; game.policy_size()];
    game.write_mask(&mut mask).unwrap();
    assert!(mask.iter().all(|&legal| !legal));
    assert_eq!(game.random_move(&mut Rng::new(1)), None);
}

#[test]
fn draw_by_rule_leaves_nothing_legal() {
    // Knights go out and back until the position has occurred five times.
    let mut game = find("chess").unwrap().start("standard").unwrap();
    while !game.is_over() {
        for text in ["Nf3", "Nf6", "Ng1", "Ng8"] {
            game.play(text).unwrap();
        }
    }
    assert!(matches!(game.outcome(), Outcome::Draw { .. }));
    assert_nothing_is_legal(&game);
    assert!(game.play("e4").unwrap_err().to_string().starts_with("the game is over: draw ("));
    game.replay("e4").unwrap();
    assert_eq!(game.sans_played().last().unwrap(), "e4");
}

#[test]
fn declared_end_leaves_nothing_legal() {
    for kind in GAMES {
        let mut game = kind.start(kind.rules[0]).unwrap();
        game.flag_fall(Player::First);
        assert_nothing_is_legal(&game);
        assert!(game.draw_action(Player::First, DrawAction::Offer).is_err());
        assert_eq!(game.draw_offer(), DrawOffer::None);
    }
}

#[test]
fn complete_turns_are_played_from_their_record_text() {
    for kind in GAMES {
        for rules in kind.rules {
            let start = kind.start(rules).unwrap();
            for turn in start.turns().into_iter().step_by(7) {
                let mut game = start.clone_box();
                assert_eq!(game.play(&turn.text).unwrap(), turn.text, "{}", kind.name);
                assert_eq!(game.position_text(), turn.position);
            }
        }
    }
    // A deployment: the tank stays, the navy leaves and the air force captures, in one turn.
    let fen = "5c5/11/11/11/11/11/11/4e6/11/2(NFT)8/11/6C4 r - - 0 1";
    let mut game = find("cotulenh").unwrap().parse(fen, "standard").unwrap();
    assert_eq!(game.play("c3:T:N>c5,F>xe5").unwrap(), "c3:T:N>c5,F>xe5");
    assert_eq!(game.turn(), Player::Second);
    let error = game.play("c3:T:N>c5,F>xe5");
    assert!(error.is_err());
}

#[test]
fn perft_refuses_a_depth_that_could_overflow_the_stack() {
    for kind in GAMES {
        let game = kind.start(kind.rules[0]).unwrap();
        for depth in [MAX_PERFT_DEPTH + 1, u32::MAX] {
            let error = PerftTooDeep { depth };
            assert_eq!(game.perft(depth, 1), Err(error));
            assert_eq!(game.perft_until(depth, 1, &|| true), Err(error));
            assert_eq!(game.divide(depth, 1, &|| ()), Err(error));
        }
        assert_eq!(game.perft_until(MAX_PERFT_DEPTH, 1, &|| true), Ok(None));
        assert_eq!(game.perft(0, 1), Ok(1));
    }
}
