//! The interface of a search beyond the rules: static evaluation, moves in stages, exchanges.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use crate::{Features, SearchParameters};

/// The immediate material gain and risk of a move, in the units of [`Evaluate::evaluate`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tactic {
    /// The value of the captured piece and of the promotion; 0 for a quiet move.
    pub gain: i32,
    /// The value of the moving piece, which may be recaptured.
    pub risk: i32,
}

impl Tactic {
    /// A quiet move.
    pub const QUIET: Self = Self { gain: 0, risk: 0 };
}

/// A position with a static evaluation.
///
/// Nothing here assumes that players alternate: every score is from the perspective of the player to move *in that
/// position*, and a search negates a score only where [`turn`](crate::Position::turn) changes.
///
/// A search asks all its questions about a position through its [`Analysis`]; the methods here answer a single one.
pub trait Evaluate: Features {
    /// The largest absolute value that [`evaluate`](Self::evaluate) may return.
    const EVALUATION_LIMIT: i32 = 20_000;

    /// The scale of the curve that turns scores into expected scores, in centipawns: a score *s* of a search means an expected
    /// score of 1 / (1 + e^(−*s* / scale)). Fitted on self-play.
    const WIN_SCALE: f64 = 400.0;

    /// The margins and depths of the search in this game.
    const SEARCH: SearchParameters = SearchParameters::DEFAULT;

    /// The number of values of [`history_slot`](Self::history_slot).
    const HISTORY_SLOTS: usize = 1 << 10;

    /// What a search computes once per position. `&'a Self` for games that have nothing to share.
    type Analysis<'a>: Analysis<Self>
    where
        Self: 'a;

    /// The analysis of this position.
    #[must_use]
    fn analyse(&self) -> Self::Analysis<'_>;

    /// The static evaluation for the player to move, in hundredths of the game's smallest piece.
    ///
    /// Called at every leaf of a search: it is cheap and does not allocate. It need not recognise the end of the game; a
    /// search calls [`outcome`](crate::Position::outcome) first.
    #[must_use]
    fn evaluate(&self) -> i32;

    /// The gain and risk of a legal move.
    #[must_use]
    fn tactic(&self, m: Self::Move) -> Tactic;

    /// The static exchange evaluation of a legal move: its gain after the best exchange. Defaults to the gain itself.
    #[must_use]
    fn static_exchange(&self, m: Self::Move) -> i32 {
        self.tactic(m).gain
    }

    /// Calls `f` with the legal moves that have a [gain](Tactic::gain), until it breaks.
    fn for_each_noisy<B>(&self, mut f: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.for_each_legal(|m| if self.tactic(m).gain > 0 { f(m) } else { ControlFlow::Continue(()) })
    }

    /// Calls `f` with the legal moves without a [gain](Tactic::gain), until it breaks. The order is free.
    fn for_each_quiet<B>(&self, mut f: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.for_each_legal(|m| if self.tactic(m).gain > 0 { ControlFlow::Continue(()) } else { f(m) })
    }

    /// Calls `f` with the quiet moves at the entry of the quiescence search, until it breaks: those that the opponent must
    /// respond to, such as checks. Defaults to none.
    fn for_each_quiet_threat<B>(&self, _f: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        ControlFlow::Continue(())
    }

    /// A legal move that wins at once, in games that can find one faster than by listing all moves.
    #[must_use]
    fn winning_move(&self) -> Option<Self::Move> {
        None
    }

    /// The number of moves or turns without progress, and the number at which the game is a draw for lack of it. Defaults to a
    /// game without such a rule.
    #[must_use]
    fn turns_without_progress(&self) -> (u16, u16) {
        (0, 1)
    }

    /// An evaluation of this position that shrinks to a quarter as the game approaches a draw for lack of progress, so that the
    /// side that is ahead makes progress while it can. The first quarter of the way changes nothing.
    #[must_use]
    fn faded(&self, score: i32) -> i32 {
        let (turns, limit) = self.turns_without_progress();
        let (turns, limit) = (i32::from(turns.min(limit)), i32::from(limit));
        score - score * (turns - limit / 4).max(0) / limit
    }

    /// Whether the player to move must respond to a threat, so that the static evaluation is unreliable. Defaults to being
    /// in check.
    #[must_use]
    fn must_respond(&self) -> bool {
        self.in_check() == Some(true)
    }

    /// The position after a null move. `None` where a null move may be better than the best legal move (zugzwang), or where
    /// the resulting position is not valid.
    #[must_use]
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// A move as 32 bits, not all of them 0, for the transposition table. No two legal moves of a position should share
    /// them.
    #[must_use]
    fn move_bits(m: Self::Move) -> u32 {
        hash_move(m) as u32 | 1
    }

    /// The move with these [bits](Self::move_bits), legal or not; `None` if there is none.
    ///
    /// The bits may come from another position. Games override it if they can decode them; by default the legal moves are
    /// searched.
    #[must_use]
    fn move_from_bits(&self, bits: u32) -> Option<Self::Move> {
        let same =
            |m| if Self::move_bits(m) == bits { ControlFlow::Break(m) } else { ControlFlow::Continue(()) };
        self.for_each_legal(same).break_value()
    }

    /// A 16-bit hash of a move, for the history heuristic. Two moves of a position may share it; they then share their
    /// statistics.
    #[must_use]
    fn signature(m: Self::Move) -> u16 {
        (hash_move(m) >> 48) as u16
    }

    /// A hash of what changes slowly in a game, such as the pawns of chess: the search learns by it where the static
    /// evaluation is wrong. Defaults to no difference between positions.
    #[must_use]
    fn structure_key(&self) -> u64 {
        0
    }

    /// What moves where, from the mover's perspective and below [`HISTORY_SLOTS`](Self::HISTORY_SLOTS): the continuation
    /// history has an entry for each pair.
    #[must_use]
    fn history_slot(&self, m: Self::Move) -> usize {
        usize::from(Self::signature(m)) % Self::HISTORY_SLOTS
    }
}

/// A position under search: what several questions about it need is computed at most once.
///
/// Every method returns what the method of the same name returns for the position, which is also the default.
pub trait Analysis<P: Evaluate> {
    /// The position.
    #[must_use]
    fn position(&self) -> &P;

    /// Whether the player to move is in check; false in games without check.
    #[must_use]
    fn in_check(&self) -> bool {
        self.position().in_check() == Some(true)
    }

    /// See [`Evaluate::must_respond`].
    #[must_use]
    fn must_respond(&self) -> bool {
        self.position().must_respond()
    }

    /// See [`Evaluate::winning_move`].
    #[must_use]
    fn winning_move(&self) -> Option<P::Move> {
        self.position().winning_move()
    }

    /// See [`Position::is_legal`](crate::Position::is_legal).
    #[must_use]
    fn is_legal(&self, m: P::Move) -> bool {
        self.position().is_legal(m)
    }

    /// See [`Evaluate::for_each_noisy`].
    fn for_each_noisy<B>(&self, f: impl FnMut(P::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.position().for_each_noisy(f)
    }

    /// See [`Evaluate::for_each_quiet`].
    fn for_each_quiet<B>(&self, f: impl FnMut(P::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.position().for_each_quiet(f)
    }

    /// See [`Evaluate::for_each_quiet_threat`].
    fn for_each_quiet_threat<B>(&self, f: impl FnMut(P::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.position().for_each_quiet_threat(f)
    }

    /// Whether a legal quiet move threatens something that the opponent must respond to. An estimate, for move ordering
    /// and pruning. Defaults to false.
    #[must_use]
    fn threatens(&self, _m: P::Move) -> bool {
        false
    }

    /// See [`Evaluate::static_exchange`].
    #[must_use]
    fn static_exchange(&self, m: P::Move) -> i32 {
        self.position().static_exchange(m)
    }

    /// See [`Evaluate::null_move`].
    #[must_use]
    fn null_move(&self) -> Option<P> {
        self.position().null_move()
    }

    /// See [`Evaluate::evaluate`].
    #[must_use]
    fn evaluate(&self) -> i32 {
        self.position().evaluate()
    }
}

/// The analysis of a game that has nothing to share.
impl<P: Evaluate> Analysis<P> for &P {
    fn position(&self) -> &P {
        self
    }
}

/// An evaluation whose weights can be tuned.
pub trait Tunable: Evaluate {
    /// The weights of the evaluation.
    type Weights: Clone + Send + Sync;

    /// The weights that [`evaluate`](Evaluate::evaluate) uses.
    const WEIGHTS: Self::Weights;

    /// Every parameter of the weights, in a fixed order.
    fn parameters(weights: &mut Self::Weights) -> Vec<&mut i32>;

    /// [`evaluate`](Evaluate::evaluate) with other weights.
    #[must_use]
    fn evaluate_with(&self, weights: &Self::Weights) -> i32;
}

/// A 64-bit hash of a move, the same on every machine.
fn hash_move(m: impl Hash) -> u64 {
    let mut hasher = MoveHasher(0);
    m.hash(&mut hasher);
    hasher.finish()
}

/// A hasher for the few small numbers of a move, the same on every machine.
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

    // The discriminant of an enum.
    fn write_isize(&mut self, value: isize) {
        self.mix(value.cast_unsigned() as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches with a fixed number of nodes are reproducible only if move hashes never change.
    #[test]
    fn hashes_of_moves_never_change() {
        assert_eq!(hash_move(1_u8), 0x9E37_79B9_7F4A_7C15);
        assert_eq!(hash_move((1_u8, 2_u8)), 0x6A34_B9AB_3CFD_7485);
        assert_eq!(hash_move((2_u8, 1_u8)), 0x8658_230C_8DD5_56BE);
    }

    #[test]
    fn hashes_are_independent_of_the_width_of_a_number() {
        let expected = hash_move(7_u8);
        assert_eq!(
            [hash_move(7_u16), hash_move(7_u32), hash_move(7_u64), hash_move(7_usize), hash_move(7_isize)],
            [expected; 5]
        );
        assert_eq!(
            hash_move([1_u8, 2].as_slice()),
            hash_move((2_usize, 1_u8, 2_u8)),
            "a slice is its length and its bytes"
        );
    }
}
