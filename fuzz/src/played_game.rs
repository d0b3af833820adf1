//! Games of self-play.

use sandtable_chess::Chess;
use sandtable_core::search::Evaluate;
use sandtable_core::{PolicyIndexed, Rules as _};
use sandtable_cotulenh::CoTuLenh;
use sandtable_search::self_play::PlayedGame;
use sandtable_tribun::Tribun;

/// Bytes are rejected, or are a game that round-trips and whose moves are rejected or replayed.
pub fn played_game(bytes: &[u8]) {
    let Ok(game) = PlayedGame::decode(bytes) else { return };
    let written = game.encode();
    assert!(written.len() <= bytes.len());
    assert_eq!(PlayedGame::decode(&written).as_ref(), Ok(&game));
    replay::<Chess>(&game);
    replay::<CoTuLenh>(&game);
    replay::<Tribun>(&game);
}

fn replay<P: Evaluate + PolicyIndexed>(game: &PlayedGame) {
    for (_, rules) in P::Rules::PRESETS {
        // An error only means that a move is not legal in this game.
        let _ = game.for_each_quiet::<P>(*rules, |_, _, _| {});
    }
}
