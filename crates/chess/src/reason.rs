//! The reasons why games end.

use sandtable_core::rules::EndRule;

/// The reason for which a game of chess ended.
pub type Reason = sandtable_core::rules::Reason<Ending>;

/// A rule that ends a game of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side has enough pieces to checkmate.
    InsufficientMaterial,
    /// 75 moves by each player without a capture or pawn move.
    SeventyFiveMoves,
    /// The fifth occurrence of a position.
    FivefoldRepetition,
    /// 50 moves by each player without a capture or pawn move, claimed or ended by the chosen rules.
    FiftyMoves,
    /// The third occurrence of a position, claimed or ended by the chosen rules.
    ThreefoldRepetition,
    /// No rule: a game record states the result without a reason.
    Recorded,
}

/// The texts are those of the `Termination` tag of a PGN.
impl EndRule for Ending {
    const TEXTS: &'static [(Self, &'static str)] = &[
        (Self::Checkmate, "checkmate"),
        (Self::Stalemate, "stalemate"),
        (Self::InsufficientMaterial, "insufficient material"),
        (Self::SeventyFiveMoves, "75 moves without progress"),
        (Self::FivefoldRepetition, "fivefold repetition"),
        (Self::FiftyMoves, "50 moves without progress"),
        (Self::ThreefoldRepetition, "threefold repetition"),
        (Self::Recorded, "as recorded"),
    ];
    const TIME: &'static str = "time forfeit";
}
