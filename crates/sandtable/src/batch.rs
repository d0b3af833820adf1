//! Batches of positions of one game, encoded together.

use sandtable_core::learn::{Layout, WrongLength, encode_batch};
use sandtable_core::rules::{Context, Rng, play_random_moves};
use sandtable_core::{Game, Observe, Rules};

/// Positions of one game, each with its context.
pub trait Batch: Send + Sync {
    /// The number of positions.
    fn len(&self) -> usize;

    /// Whether the batch is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the observation of one position.
    ///
    /// # Panics
    ///
    /// If `index` is out of range.
    fn encode_one(&self, index: usize, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength>;

    /// Writes all observations, one after the other.
    fn encode(&self, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength>;
}

impl<P: Observe> Batch for Vec<(P, Context)> {
    fn len(&self) -> usize {
        self.len()
    }

    fn encode_one(&self, index: usize, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength> {
        let (position, context) = &self[index];
        position.write_observation(*context, layout, out)
    }

    fn encode(&self, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength> {
        encode_batch(self.iter().map(|(position, context)| (position, *context)), layout, out)
    }
}

/// Returns `count` positions of random games.
pub(crate) fn random_positions<P: Observe>(count: usize, seed: u64) -> Box<dyn Batch> {
    let mut rng = Rng::new(seed);
    let mut game = Game::<P>::new(P::Rules::PRESETS[0].1);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        positions.push((game.position().clone(), game.context()));
        if play_random_moves(&mut game, &mut rng, 1) == 0 || game.ply() >= P::PLY_LIMIT {
            game = Game::from_position(P::start(game.position().rules()));
        }
    }
    Box::new(positions)
}
