//! The turns of a game, and its earlier positions.

use std::ops::Range;

use sandtable_core::Player;
use sandtable_games::{AnyGame, BoxedGame, TurnInfo};

/// A complete turn of a game.
pub(super) struct PlayedTurn {
    /// The number of the turn as records count.
    pub(super) number: usize,
    pub(super) player: Player,
    pub(super) plies: Range<usize>,
    /// The turn as records write it.
    pub(super) text: String,
}

/// The complete turns of a game. A last turn that is still in progress is left out.
pub(super) fn turns_of(game: &dyn AnyGame) -> Vec<PlayedTurn> {
    let mut start = game.clone_box();
    rewind(&mut start, 0);
    let players: Vec<_> = game.played_since(0).iter().map(|played| played.player).collect();
    let (mut ply, mut number) = (0, start.move_number());
    let turns = start.line_turns(&game.moves_played()).expect("the moves were played");
    let turn = |turn: TurnInfo| {
        let plies = ply..ply + turn.moves.len();
        let player = players[plies.start];
        if ply > 0 && player == Player::First && players[ply - 1] == Player::Second {
            number += 1;
        }
        ply = plies.end;
        PlayedTurn { number, player, plies, text: turn.text }
    };
    turns.into_iter().map(turn).collect()
}

/// A copy of a game without its declared end, from which moves are taken back to get its earlier positions with their history.
///
/// Whether the players ended the game says nothing about the position.
pub(super) fn without_end(game: &dyn AnyGame) -> BoxedGame {
    let mut game = game.clone_box();
    game.undo_declared_end();
    game
}

/// Takes back moves until `ply` are left.
pub(super) fn rewind(game: &mut BoxedGame, ply: usize) {
    while game.ply() > ply {
        game.undo();
    }
}
