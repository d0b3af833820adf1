//! What a search must know of a game beyond its rules: how good a position looks, and which moves are loud.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use crate::Position;

/// What a move wins at once and what it puts at stake, in the units of [`Evaluate::evaluate`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tactic {
    /// The worth of what the move takes or makes; 0 for a quiet move.
    pub gain: i32,
    /// The worth of the piece that acts and may be taken in return.
    pub risk: i32,
}

impl Tactic {
    /// A move that takes and makes nothing.
    pub const QUIET: Self = Self { gain: 0, risk: 0 };
}

/// A position that can be judged without looking ahead.
///
/// Nothing here assumes that players alternate: every number is from the view of the player who is to move *in that
/// position*, and a score changes its sign only where [`turn`](Position::turn) does.
pub trait Evaluate: Position {
    /// The largest absolute value that [`evaluate`](Self::evaluate) may return.
    const EVALUATION_LIMIT: i32 = 20_000;

    /// How good the position looks for the player to move, in hundredths of the game's smallest piece.
    ///
    /// Called at every leaf of a search: it is cheap and allocates nothing. It need not know the end of the game; the
    /// search asks [`outcome`](Position::outcome) first.
    #[must_use]
    fn evaluate(&self) -> i32;

    /// What a legal move wins and risks.
    #[must_use]
    fn tactic(&self, m: Self::Move) -> Tactic;

    /// What remains of the gain after the best exchange that the move begins. Games that cannot tell say the gain.
    #[must_use]
    fn exchange(&self, m: Self::Move) -> i32 {
        self.tactic(m).gain
    }

    /// Calls `f` with the legal moves that a search follows beyond its depth, until it breaks: those with a gain,
    /// and with `threats` also those quiet ones that the game wants to see answered (checks).
    fn for_each_noisy<B>(
        &self,
        threats: bool,
        mut f: impl FnMut(Self::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let _ = threats;
        self.for_each_legal(|m| if self.tactic(m).gain > 0 { f(m) } else { ControlFlow::Continue(()) })
    }

    /// A legal move that wins the game at once, in games that can tell for less than the price of listing all moves.
    #[must_use]
    fn winning_move(&self) -> Option<Self::Move> {
        None
    }

    /// Must the player to move answer a threat now, so that how the position looks says little? Where the game has
    /// checks, those are what must be answered.
    #[must_use]
    fn is_pressed(&self) -> bool {
        self.check() == Some(true)
    }

    /// The position with the other player to move and nothing else changed, where doing nothing is almost surely
    /// worse than the best move. `None` where that is not so, or where the rules would not allow such a position.
    #[must_use]
    fn pass(&self) -> Option<Self> {
        None
    }

    /// A small number that tells moves apart. Two moves of one position may share it; they then share what a search
    /// has learnt about them.
    #[must_use]
    fn signature(m: Self::Move) -> u16 {
        let mut hasher = MoveHasher(0);
        m.hash(&mut hasher);
        (hasher.finish() >> 48) as u16
    }
}

/// An evaluation whose weights can be changed, for a tool that finds better ones.
pub trait Weighted: Evaluate {
    /// The weights, as plain numbers.
    type Weights: Clone + Send + Sync;

    /// The weights that [`evaluate`](Evaluate::evaluate) uses.
    const WEIGHTS: Self::Weights;

    /// Every number of the weights, in an order that does not change.
    fn numbers(weights: &mut Self::Weights) -> Vec<&mut i32>;

    /// [`evaluate`](Evaluate::evaluate) with other weights.
    #[must_use]
    fn evaluate_with(&self, weights: &Self::Weights) -> i32;
}

/// Mixes the few small numbers that a move consists of; the same on every machine.
struct MoveHasher(u64);

impl MoveHasher {
    const fn mix(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for MoveHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.mix(byte.into());
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.mix(value.into());
    }

    fn write_u16(&mut self, value: u16) {
        self.mix(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.mix(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }

    // Tells an enum's variants apart.
    fn write_isize(&mut self, value: isize) {
        self.mix(value.cast_unsigned() as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
