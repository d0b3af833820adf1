//! The reasons why games end.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use crate::Describe;

/// The rules of a game that end it: an enum of each game.
pub trait EndRule: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// Every rule with its text.
    const TEXTS: &'static [(Self, &'static str)];

    /// The text of [`Reason::Time`].
    const TIME: &'static str = "time";
}

/// The reason why a game ended: a rule of the game, or one of the reasons that exist in every game.
///
/// Its text is the same in records, messages and JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason<R> {
    /// A rule of the game.
    Rule(R),
    /// A player resigned.
    Resignation,
    /// The players agreed to a draw.
    Agreement,
    /// A player ran out of time.
    Time,
    /// The time for the whole game ran out: a draw.
    GameTime,
    /// A player left the game, and the opponent claimed the win.
    Abandonment,
}

impl<R: EndRule> Reason<R> {
    /// The reasons that exist in every game.
    const SHARED: [Self; 5] =
        [Self::Resignation, Self::Agreement, Self::Time, Self::GameTime, Self::Abandonment];

    /// All reasons: the rules of the game first.
    pub fn all() -> impl Iterator<Item = Self> {
        R::TEXTS.iter().map(|&(rule, _)| Self::Rule(rule)).chain(Self::SHARED)
    }

    /// The English text.
    ///
    /// # Panics
    ///
    /// Panics if a rule is missing in [`EndRule::TEXTS`].
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Rule(rule) => {
                R::TEXTS.iter().find(|(listed, _)| *listed == rule).expect("every rule has a text").1
            }
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::Time => R::TIME,
            Self::GameTime => "game time",
            Self::Abandonment => "abandonment",
        }
    }
}

impl<R: EndRule> Display for Reason<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl<R: EndRule> FromStr for Reason<R> {
    type Err = ReasonError;

    fn from_str(text: &str) -> Result<Self, ReasonError> {
        Self::all().find(|reason| reason.text() == text).ok_or_else(|| ReasonError(text.to_owned()))
    }
}

/// The error for a text that is not the reason of an end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("unknown_reason")]
#[error("unknown reason `{0}`: expected one such as resignation or agreement")]
pub struct ReasonError(#[param(name = "text")] pub String);
