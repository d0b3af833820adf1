//! The positions that all benchmarks use.

use sandtable_chess::Position;
use sandtable_core::{Context, Game, Rng, play_random_moves};

/// Positions of random games from the opening to the endgame, each with its context.
pub(crate) fn positions(count: usize) -> Vec<(Position, Context)> {
    let mut rng = Rng::new(2026);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut game = Game::<Position>::default();
        while positions.len() < count && play_random_moves(&mut game, &mut rng, 1) == 1 {
            positions.push((game.position().clone(), game.context()));
        }
    }
    positions
}
