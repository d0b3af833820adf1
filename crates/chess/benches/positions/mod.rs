//! What both kinds of benchmark work on.

use sandtable_chess::Position;
use sandtable_core::{Game, Rng, Rules as _, play_randomly};

/// Different positions, from the opening to the endgame, each with its number of occurrences.
pub(crate) fn positions(count: usize) -> Vec<(Position, u32)> {
    let mut rng = Rng::new(2026);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut game = Game::<Position>::new(sandtable_chess::DrawRules::PRESETS[0].1);
        while positions.len() < count && play_randomly(&mut game, &mut rng, 1) == 1 {
            positions.push((game.position().clone(), game.occurrences()));
        }
    }
    positions
}
