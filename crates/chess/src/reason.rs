//! The reasons why games end.

use std::fmt;
use std::str::FromStr;

use sandtable_core::{EndReason, ReasonError};

/// The reason for which a game of chess ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
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
    /// A player resigned.
    Resignation,
    /// The players agreed to a draw.
    Agreement,
    /// A player ran out of time.
    Time,
    /// A player left the game.
    Abandonment,
    /// The time for the whole game ran out: a draw.
    GameTime,
    /// A game record states the result without a reason.
    Recorded,
}

impl Reason {
    /// The English name, as the `Termination` tag of a PGN spells it.
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
            Self::Abandonment => "abandonment",
            Self::GameTime => "game time",
            Self::Recorded => "as recorded",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Reason {
    type Err = ReasonError;

    /// Ignores ASCII case, because the tags of game records vary.
    fn from_str(text: &str) -> Result<Self, ReasonError> {
        Self::parse(&text.to_ascii_lowercase()).map_err(|_| ReasonError(text.to_owned()))
    }
}

impl EndReason for Reason {
    const ALL: &'static [Self] = &[
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
        Self::Abandonment,
        Self::GameTime,
        Self::Recorded,
    ];
    const RESIGNATION: Self = Self::Resignation;
    const AGREEMENT: Self = Self::Agreement;
    const TIME: Self = Self::Time;
    const ABANDONMENT: Self = Self::Abandonment;
    const GAME_TIME: Self = Self::GameTime;
}
