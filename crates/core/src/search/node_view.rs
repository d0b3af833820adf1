//! What a search asks about a position.

use std::ops::ControlFlow;

use crate::learn::PolicyIndex;
use crate::search::Evaluate;

/// The immediate material gain and risk of a move, in the units of [`NodeView::evaluate`].
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

/// How near a position is to a draw for lack of progress, such as the fifty-move rule of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgressClock {
    /// The number of moves or turns since the last progress.
    pub elapsed: u16,
    /// The number at which the game is a draw; at least 1.
    pub limit: u16,
}

impl ProgressClock {
    /// The clock of a game without such a rule.
    pub const NONE: Self = Self { elapsed: 0, limit: 1 };

    /// Shrinks an evaluation as the draw approaches, down to a quarter, so that the side that is ahead makes progress while
    /// it can. Nothing changes during the first quarter of the limit.
    #[inline]
    #[must_use]
    pub fn fade(self, score: i32) -> i32 {
        let (elapsed, limit) = (i32::from(self.elapsed.min(self.limit)), i32::from(self.limit));
        score - score * (elapsed - limit / 4).max(0) / limit
    }
}

/// A position under search: the answers to everything that a search asks about it.
///
/// A view caches data that several answers need, so that the data is computed at most once per node. An answer does not
/// depend on earlier questions. Only [`position`](Self::position) is required.
///
/// Nothing here assumes that players alternate: every score is from the perspective of the player to move *in that
/// position*, and a search negates a score only where [`turn`](crate::Position::turn) changes.
pub trait NodeView<P: Evaluate> {
    /// The position.
    #[must_use]
    fn position(&self) -> &P;

    /// The static evaluation for the player to move, in hundredths of the game's smallest piece. Defaults to 0.
    ///
    /// Called at every leaf of a search: it is cheap and does not allocate. It need not recognise the end of the game; a
    /// search calls [`outcome`](crate::Position::outcome) first.
    #[must_use]
    fn evaluate(&self) -> i32 {
        0
    }

    /// The clock of the draw for lack of progress. Defaults to a game without such a rule.
    #[must_use]
    fn progress_clock(&self) -> ProgressClock {
        ProgressClock::NONE
    }

    /// Whether the player to move is in check; false in games without check.
    #[must_use]
    fn in_check(&self) -> bool {
        self.position().in_check() == Some(true)
    }

    /// Whether the player to move must respond to a threat, so that the static evaluation is unreliable. Defaults to being
    /// in check.
    #[must_use]
    fn must_respond(&self) -> bool {
        self.in_check()
    }

    /// A legal move that wins at once, in games that can find one faster than by listing all moves.
    #[must_use]
    fn winning_move(&self) -> Option<P::Move> {
        None
    }

    /// Whether a move is legal, as in [`Position::is_legal`](crate::Position::is_legal).
    #[must_use]
    fn is_legal(&self, m: P::Move) -> bool {
        self.position().is_legal(m)
    }

    /// The gain and risk of a legal move. Defaults to a quiet move.
    #[must_use]
    fn tactic(&self, _m: P::Move) -> Tactic {
        Tactic::QUIET
    }

    /// The static exchange evaluation of a legal move: its gain after the best exchange. Defaults to the gain itself.
    #[must_use]
    fn static_exchange(&self, m: P::Move) -> i32 {
        self.tactic(m).gain
    }

    /// Calls `f` with the legal moves that have a [gain](Tactic::gain), until it breaks.
    fn for_each_noisy<B>(&self, mut f: impl FnMut(P::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.position().for_each_legal(
            |m| {
                if self.tactic(m).gain > 0 { f(m) } else { ControlFlow::Continue(()) }
            },
        )
    }

    /// Calls `f` with the legal moves without a [gain](Tactic::gain), until it breaks. The order is free.
    fn for_each_quiet<B>(&self, mut f: impl FnMut(P::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.position().for_each_legal(
            |m| {
                if self.tactic(m).gain > 0 { ControlFlow::Continue(()) } else { f(m) }
            },
        )
    }

    /// Calls `f` with the quiet moves that the opponent must respond to, such as checks, until it breaks. The quiescence
    /// search tries them at its entry. Defaults to none.
    fn for_each_quiet_threat<B>(&self, _f: impl FnMut(P::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        ControlFlow::Continue(())
    }

    /// Whether a legal quiet move threatens something that the opponent must respond to. An estimate, for move ordering
    /// and pruning. Defaults to false.
    #[must_use]
    fn threatens(&self, _m: P::Move) -> bool {
        false
    }

    /// The position after a null move. `None` where a null move may be better than the best legal move (zugzwang), or where
    /// the resulting position is not valid. Defaults to `None`.
    #[must_use]
    fn null_move(&self) -> Option<P> {
        None
    }

    /// A legal move as 32 bits, for the transposition table; never 0. Different legal moves of a position have
    /// different bits. Defaults to the policy index plus 1.
    #[must_use]
    fn move_bits(&self, m: P::Move) -> u32 {
        self.position().policy_index(m).0 + 1
    }

    /// The move with these [bits](Self::move_bits), legal or not; `None` if no move has them. The bits may come from
    /// another position.
    #[must_use]
    fn move_from_bits(&self, bits: u32) -> Option<P::Move> {
        self.position().move_at(PolicyIndex(bits.checked_sub(1)?))
    }

    /// A 16-bit hash of a legal move, for the history heuristic. Moves with the same signature share their statistics.
    /// Defaults to the low bits of the policy index.
    #[must_use]
    fn signature(&self, m: P::Move) -> u16 {
        self.position().policy_index(m).0 as u16
    }

    /// The slot of a legal move in the continuation history, below [`HISTORY_SLOTS`](Evaluate::HISTORY_SLOTS): usually the
    /// moving piece and its target, from the mover's perspective. Defaults to the policy index, folded into the slots.
    #[must_use]
    fn history_slot(&self, m: P::Move) -> usize {
        self.position().policy_index(m).index() % P::HISTORY_SLOTS
    }

    /// A hash of what changes slowly in a game, such as the pawns of chess. The search learns the error of the static
    /// evaluation for each value. Defaults to one value for all positions.
    #[must_use]
    fn structure_key(&self) -> u64 {
        0
    }
}

/// The view of a game that caches nothing: all answers are the defaults.
impl<P: Evaluate> NodeView<P> for &P {
    fn position(&self) -> &P {
        self
    }
}
