//! Tests of both searches, on chess and on a maze in which a player may move several times in a row.

mod alpha_beta;
mod maze;
mod mcts;
mod minimax;
mod saved_trees;
mod suites;
mod tactics;
mod trees;
mod tune;

use sandtable_chess::{Chess, DrawRules};
use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::{Game, Notation, Position, Rules};

/// A game of chess that starts from a FEN.
fn chess(fen: &str) -> Game<Chess> {
    let claims = DrawRules::named("claims").unwrap();
    Game::from_position(Chess::from_text(fen, claims).unwrap())
}

/// Unfinished games of at most `max_plies` random moves.
fn random_games<P: Position>(rules: P::Rules, count: u64, max_plies: usize) -> impl Iterator<Item = Game<P>> {
    (0..)
        .map(move |seed| {
            let mut rng = Rng::new(seed);
            let mut game = Game::new(rules);
            let length = rng.below(max_plies);
            play_random_moves(&mut game, &mut rng, length);
            game
        })
        .filter(|game| !game.outcome().is_over())
        .take(count as usize)
}

/// Both kings and a few random pieces on random squares; `None` if that is not a valid position.
fn random_endgame(rng: &mut Rng) -> Option<Chess> {
    let mut board = [' '; 64];
    for piece in "KkQRp".chars().chain(["n", "b", "P", "r"][rng.below(4)].chars()) {
        board[rng.below(64)] = piece;
    }
    let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect::<String>()).collect();
    let mut text = ranks.join("/");
    for n in (1..=8).rev() {
        text = text.replace(&" ".repeat(n), &n.to_string());
    }
    Chess::from_text(&format!("{text} w - - 0 1"), DrawRules::named("claims").unwrap()).ok()
}
