//! The reasons why a game ends.

use std::fmt;
use std::str::FromStr;

use sandtable_core::{EndReason, ReasonError};

/// The reason why a game of Tribun ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A tribun was attacked: a win for the attacker.
    TribunAttacked,
    /// The player to move has no legal action: a loss.
    NoAction,
    /// A player resigned.
    Resignation,
    /// The players agreed to a draw.
    Agreement,
    /// A player ran out of time: a loss.
    PlayerTime,
    /// The time for the whole game ran out: a draw.
    GameTime,
    /// A player left the game: a loss.
    Abandonment,
}

impl Reason {
    /// Returns whether the reason ends the game in a draw.
    #[must_use]
    pub const fn is_draw(self) -> bool {
        matches!(self, Self::Agreement | Self::GameTime)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TribunAttacked => "tribun attacked",
            Self::NoAction => "no action",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::PlayerTime => "time",
            Self::GameTime => "game time",
            Self::Abandonment => "abandonment",
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
        Self::TribunAttacked,
        Self::NoAction,
        Self::Resignation,
        Self::Agreement,
        Self::PlayerTime,
        Self::GameTime,
        Self::Abandonment,
    ];
    const RESIGNATION: Self = Self::Resignation;
    const AGREEMENT: Self = Self::Agreement;
    const TIME: Self = Self::PlayerTime;
    const ABANDONMENT: Self = Self::Abandonment;
    const GAME_TIME: Self = Self::GameTime;
}
