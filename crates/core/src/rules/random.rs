//! Seeded random play: the same seed gives the same game on every machine.

use std::ops::ControlFlow;

use crate::rules::zobrist::splitmix64;
use crate::{Game, Position};

/// A small, fast pseudo-random number generator (`SplitMix64`).
///
/// # Stability
///
/// The sequence of a seed never changes, so that a seed identifies a test, an opening or a training run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A generator with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The state: a generator with this seed continues the sequence.
    #[must_use]
    pub const fn state(&self) -> u64 {
        self.state
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        let (state, output) = splitmix64(self.state);
        self.state = state;
        output
    }

    /// A uniform number below `bound`, with a bias of less than `bound` in 2⁶⁴.
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "`bound` must be positive");
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }

    /// A uniform number in [0, 1), a multiple of 2⁻⁵³.
    pub const fn unit(&mut self) -> f64 {
        const BITS: u32 = f64::MANTISSA_DIGITS;
        #[expect(clippy::cast_precision_loss, reason = "an `f64` holds 53 bits exactly")]
        let unit = (self.next_u64() >> (64 - BITS)) as f64 / (1_u64 << BITS) as f64;
        unit
    }
}

/// Returns a legal move chosen uniformly; `None` if there is none. Does not allocate.
pub fn random_move<P: Position>(position: &P, rng: &mut Rng) -> Option<P::Move> {
    let count = position.count_legal() as usize;
    if count == 0 {
        return None;
    }
    let mut skipped = rng.below(count);
    let found = position.for_each_legal(|m| {
        if skipped == 0 {
            return ControlFlow::Break(m);
        }
        skipped -= 1;
        ControlFlow::Continue(())
    });
    found.break_value()
}

/// Plays up to `plies` random moves, fewer if they would end the game.
pub fn play_opening<P: Position>(game: &mut Game<P>, rng: &mut Rng, plies: usize) {
    for _ in 0..plies {
        let Some(m) = random_move(game.position(), rng) else { return };
        game.play_unchecked(m);
        if game.outcome().is_over() {
            game.undo();
            return;
        }
    }
}

/// Plays random moves until the game is over or `limit` moves have been played. Returns the number of moves played.
pub fn play_random_moves<P: Position>(game: &mut Game<P>, rng: &mut Rng, limit: usize) -> usize {
    for played in 0..limit {
        if game.outcome().is_over() {
            return played;
        }
        let m = random_move(game.position(), rng).expect("an ongoing game has a legal move");
        game.play(m).expect("the move was chosen from the legal moves");
    }
    limit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_numbers_are_the_highest_53_bits() {
        // The highest 53 bits of the published outputs of SplitMix64 from seed 1234567.
        let mut rng = Rng::new(1_234_567);
        for bits in [3_153_236_189_995_295.0_f64, 1_564_046_978_124_417.0, 4_793_697_232_518_735.0] {
            let unit = rng.unit();
            assert!((0.0..1.0).contains(&unit));
            assert_eq!((unit * 2_f64.powi(53)).to_bits(), bits.to_bits());
        }
    }
}
