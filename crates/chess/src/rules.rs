//! Which draws end a game by themselves, and why games end.

use std::fmt;

use sandtable_core::{EndReason, Rules};

/// Which of the draws that a player may *claim* end the game without a claim.
///
/// The forced ones always do: stalemate, insufficient material, the fifth occurrence, 75 moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DrawRules {
    /// The third occurrence of a position ends the game.
    pub threefold_ends: bool,
    /// Fifty moves of each side without a capture or a pawn's move end the game.
    pub fifty_moves_end: bool,
}

impl Rules for DrawRules {
    const PRESETS: &'static [(&'static str, Self)] = &[
        ("standard", Self { threefold_ends: false, fifty_moves_end: false }),
        ("claims", Self { threefold_ends: true, fifty_moves_end: true }),
    ];
}

/// Why a game of chess ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The king is attacked and nothing helps.
    Checkmate,
    /// No legal move, and no check.
    Stalemate,
    /// No sequence of moves can mate either king.
    InsufficientMaterial,
    /// 75 moves of each side without a capture or a pawn's move.
    SeventyFiveMoves,
    /// The fifth occurrence of a position.
    FivefoldRepetition,
    /// 50 moves of each side without a capture or a pawn's move, claimed or by choice of rules.
    FiftyMoves,
    /// The third occurrence of a position, claimed or by choice of rules.
    ThreefoldRepetition,
    /// A player gave up.
    Resignation,
    /// The players agreed to a draw.
    Agreement,
    /// A player's time ran out.
    Time,
    /// A record says so, and does not say why.
    Recorded,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 11] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::InsufficientMaterial,
        Self::SeventyFiveMoves,
        Self::FivefoldRepetition,
        Self::FiftyMoves,
        Self::ThreefoldRepetition,
        Self::Resignation,
        Self::Agreement,
        Self::Time,
        Self::Recorded,
    ];

    /// The reason in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::SeventyFiveMoves => "75 moves without progress",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::FiftyMoves => "50 moves without progress",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::Time => "time forfeit",
            Self::Recorded => "as recorded",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl EndReason for Reason {
    const RESIGNATION: Self = Self::Resignation;
    const AGREEMENT: Self = Self::Agreement;
    const TIME: Self = Self::Time;
}
