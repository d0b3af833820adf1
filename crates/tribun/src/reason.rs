//! The reasons why a game ends.

use std::fmt;

use sandtable_core::EndReason;

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
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 6] = [
        Self::TribunAttacked,
        Self::NoAction,
        Self::Resignation,
        Self::Agreement,
        Self::PlayerTime,
        Self::GameTime,
    ];

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
        })
    }
}

impl EndReason for Reason {
    const RESIGNATION: Self = Self::Resignation;
    const AGREEMENT: Self = Self::Agreement;
    const TIME: Self = Self::PlayerTime;
}
