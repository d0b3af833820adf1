//! Moves by index, games compared and copied without knowing their kind.

use sandtable::core::{Player, PolicyIndex, Rng};
use sandtable::{Declared, GAMES};

#[test]
fn moves_by_index_are_the_moves_by_text() {
    for kind in GAMES {
        let mut rng = Rng::new(11);
        let mut game = kind.start((kind.rules)()[0]).unwrap();
        let mut replayed = kind.start((kind.rules)()[0]).unwrap();
        while !game.is_over() && game.ply() < 60 {
            let mut indices: Vec<_> = game.moves().iter().map(|m| m.index).collect();
            indices.sort();
            assert_eq!(game.indices(), indices);
            let text = game.random_move(&mut rng).unwrap();
            let index = game.index_of(&text).unwrap();
            assert_eq!(game.text_at(index).unwrap(), text);
            game.play(&text).unwrap();
            replayed.play_index(index).unwrap();
            assert!(game.is_same_game(&*replayed));
        }
        let mut again = kind.parse(&game.first_position(), (kind.rules)()[0]).unwrap();
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
fn an_index_that_is_no_move_says_why() {
    let mut game = GAMES[0].start("standard").unwrap();
    let refused = |game: &mut sandtable::BoxedGame, index| {
        let before = game.clone_box();
        let why = game.play_index(PolicyIndex(index)).unwrap_err().to_string();
        assert!(game.is_same_game(&*before));
        why
    };
    assert_eq!(refused(&mut game, 0), "action 0 is not legal in this position");
    assert_eq!(refused(&mut game, 4_672), "there is no action 4672: actions are 0 to 4671");
    game.resign(Player::First);
    assert_eq!(refused(&mut game, 0), "the game is over: Black has won by resignation");
    assert!(
        game.indices().is_empty() && game.index_of("e4").is_err() && game.text_at(PolicyIndex(0)).is_err()
    );
}

#[test]
fn who_ended_a_game_is_remembered() {
    for kind in GAMES {
        let start = || kind.start((kind.rules)()[0]).unwrap();
        assert_eq!(start().declared(), None);
        for player in Player::ALL {
            let mut game = start();
            game.resign(player);
            assert_eq!(game.declared(), Some(Declared::Resigned(player)));
        }
        let mut game = start();
        game.agree_draw();
        assert_eq!(game.declared(), Some(Declared::Agreed));
        assert!(game.retract() && game.declared().is_none());
    }
}
