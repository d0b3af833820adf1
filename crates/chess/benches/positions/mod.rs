//! The positions that all benchmarks use.

use sandtable_chess::Chess;
use sandtable_core::Game;
use sandtable_core::rules::{Context, Rng, play_random_moves};

/// Positions of random games from the opening to the endgame, each with its context.
pub(crate) fn positions(count: usize) -> Vec<(Chess, Context)> {
    let mut rng = Rng::new(2026);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut game = Game::<Chess>::default();
        while positions.len() < count && play_random_moves(&mut game, &mut rng, 1) == 1 {
            positions.push((game.position().clone(), game.context()));
        }
    }
    positions
}
