//! The reasons why a game ends.

use std::fmt;
use std::str::FromStr;

use sandtable_core::EndReason;

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
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 8] = [
        Self::CommanderCaptured,
        Self::Checkmate,
        Self::Stalemate,
        Self::Threefold,
        Self::HundredTurns,
        Self::Resignation,
        Self::Agreement,
        Self::Time,
    ];
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
        })
    }
}

/// The error for a text that is not a [`Reason`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown reason `{0}` for the end of a game")]
pub struct UnknownReason(String);

impl FromStr for Reason {
    type Err = UnknownReason;

    fn from_str(text: &str) -> Result<Self, UnknownReason> {
        Self::ALL
            .into_iter()
            .find(|reason| reason.to_string() == text)
            .ok_or_else(|| UnknownReason(text.to_owned()))
    }
}

impl EndReason for Reason {
    const RESIGNATION: Self = Self::Resignation;
    const AGREEMENT: Self = Self::Agreement;
    const TIME: Self = Self::Time;
}
