//! Seeded random play: the same seed, the same game, on every machine.

use crate::zobrist::splitmix64;
use crate::{Game, Position};

/// A small, fast generator of numbers that only look random (`SplitMix64`).
///
/// # Stability
///
/// The sequence of a seed never changes: tests, openings and training runs may be named by their seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The generator of that seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        let (state, output) = splitmix64(self.state);
        self.state = state;
        output
    }

    /// A number below `bound`, each equally likely but for a bias of less than `bound` in 2⁶⁴.
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0");
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }

    /// A number from 0 up to, but not including, 1: one of 2⁵³, each equally likely.
    pub const fn unit(&mut self) -> f64 {
        const BITS: u32 = f64::MANTISSA_DIGITS;
        #[expect(clippy::cast_precision_loss, reason = "53 bits are what the type holds exactly")]
        let unit = (self.next_u64() >> (64 - BITS)) as f64 / (1_u64 << BITS) as f64;
        unit
    }
}

/// One of the legal moves, each equally likely; `None` if there is none.
pub fn random_move<P: Position>(position: &P, rng: &mut Rng) -> Option<P::Move> {
    let moves = position.legal_moves();
    if moves.is_empty() { None } else { Some(moves[rng.below(moves.len())]) }
}

/// Plays random moves until the game is over or `limit` moves have been played. Says how many it played.
pub fn play_randomly<P: Position>(game: &mut Game<P>, rng: &mut Rng, limit: usize) -> usize {
    for played in 0..limit {
        if game.outcome().is_over() {
            return played;
        }
        let m = random_move(game.position(), rng).expect("a game that goes on has a move");
        game.play(m).expect("it was among the legal moves");
    }
    limit
}
