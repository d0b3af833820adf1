//! The word that ends the movetext of a record.

use crate::rules::Reason;
use crate::{Outcome, Player};

/// The result of a game in one word, as PGN writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultWord {
    /// `1-0`: the first player has won.
    FirstWins,
    /// `0-1`: the second player has won.
    SecondWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game is in progress, or its result is unknown.
    Unknown,
}

impl ResultWord {
    /// All words.
    pub const ALL: [Self; 4] = [Self::FirstWins, Self::SecondWins, Self::Draw, Self::Unknown];

    /// The text of the word.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::FirstWins => "1-0",
            Self::SecondWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// The word with this text.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|word| word.text() == text)
    }

    /// The word for an outcome.
    #[must_use]
    pub const fn of<R: Copy>(outcome: Outcome<R>) -> Self {
        match outcome {
            Outcome::Ongoing => Self::Unknown,
            Outcome::Draw { .. } => Self::Draw,
            Outcome::Win { winner: Player::First, .. } => Self::FirstWins,
            Outcome::Win { winner: Player::Second, .. } => Self::SecondWins,
        }
    }

    /// The outcome with this result, given its reason.
    #[must_use]
    pub const fn outcome<R: Copy>(self, reason: R) -> Outcome<R> {
        match self {
            Self::Unknown => Outcome::Ongoing,
            Self::Draw => Outcome::Draw { reason },
            Self::FirstWins => Outcome::Win { winner: Player::First, reason },
            Self::SecondWins => Outcome::Win { winner: Player::Second, reason },
        }
    }

    /// The outcome if the players ended the game with this result: for the reason in the record if players can end a game with
    /// this result for that reason, otherwise by resignation or agreement.
    #[must_use]
    pub fn declared<R: Copy>(self, reason: Option<Reason<R>>) -> Outcome<Reason<R>> {
        let reason = match (self, reason) {
            (Self::Draw, Some(reason @ Reason::GameTime)) => reason,
            (Self::Draw, _) => Reason::Agreement,
            (_, Some(reason @ (Reason::Time | Reason::Abandonment))) => reason,
            _ => Reason::Resignation,
        };
        self.outcome(reason)
    }
}
