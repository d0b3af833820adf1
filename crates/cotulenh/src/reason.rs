//! The reasons why a game ends.

use std::fmt;
use std::str::FromStr;

use sandtable_core::{EndReason, ReasonError};

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A commander was captured.
    CommanderCaptured,
    /// The side to move has no legal turn and its commander is attacked.
    Checkmate,
    /// The side to move has no legal turn and its commander is not attacked.
    Stalemate,
    /// The position occurred for the third time.
    Threefold,
    /// A hundred turns passed without a capture.
    HundredTurns,
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
}

/// The text in the `Termination` tag of a record.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CommanderCaptured => "commander captured",
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Threefold => "threefold repetition",
            Self::HundredTurns => "a hundred turns without a capture",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::Time => "time",
            Self::Abandonment => "abandonment",
            Self::GameTime => "game time",
        })
    }
}

impl FromStr for Reason {
    type Err = ReasonError;

    fn from_str(text: &str) -> Result<Self, ReasonError> {
        Self::parse(text)
    }
}

impl EndReason for Reason {
    const ALL: &'static [Self] = &[
        Self::CommanderCaptured,
        Self::Checkmate,
        Self::Stalemate,
        Self::Threefold,
        Self::HundredTurns,
        Self::Resignation,
        Self::Agreement,
        Self::Time,
        Self::Abandonment,
        Self::GameTime,
    ];
    const RESIGNATION: Self = Self::Resignation;
    const AGREEMENT: Self = Self::Agreement;
    const TIME: Self = Self::Time;
    const ABANDONMENT: Self = Self::Abandonment;
    const GAME_TIME: Self = Self::GameTime;
}
