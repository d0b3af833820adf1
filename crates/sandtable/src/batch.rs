//! Many positions of one kind, to be encoded together.

use sandtable_core::{Game, Layout, Observe, Rng, Rules, WrongLength, encode_batch, play_randomly};

/// Positions of one game, each with its number of occurrences.
pub trait Batch: Send + Sync {
    /// How many positions there are.
    fn len(&self) -> usize;

    /// Is there none?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the observation of one position.
    ///
    /// # Panics
    ///
    /// If there are not that many positions.
    fn encode_one(&self, number: usize, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength>;

    /// Writes all observations, one after the other.
    fn encode(&self, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength>;
}

impl<P: Observe> Batch for Vec<(P, u32)> {
    fn len(&self) -> usize {
        self.len()
    }

    fn encode_one(&self, number: usize, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength> {
        let (position, occurrences) = &self[number];
        position.write_observation(*occurrences, layout, out)
    }

    fn encode(&self, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength> {
        encode_batch(self.iter().map(|(position, occurrences)| (position, *occurrences)), layout, out)
    }
}

/// `count` positions of random games.
pub(crate) fn random_positions<P: Observe>(count: usize, seed: u64) -> Box<dyn Batch> {
    let mut rng = Rng::new(seed);
    let mut game = Game::<P>::new(P::Rules::PRESETS[0].1);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        positions.push((game.position().clone(), game.occurrences()));
        if play_randomly(&mut game, &mut rng, 1) == 0 || game.ply() >= P::PLY_LIMIT {
            game = Game::from_position(P::start(game.position().rules()));
        }
    }
    Box::new(positions)
}
