//! The error for the name of a game or of rules that does not exist.

use std::fmt;

use sandtable_core::Describe;

/// The error for an unknown name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("unknown_name")]
#[error("unknown {what} `{name}`: expected {}", any_of(known))]
#[non_exhaustive]
pub struct UnknownName {
    /// The kind of thing: a game, a rule set.
    #[param(message)]
    pub what: Named,
    /// The unknown name.
    pub name: String,
    /// The known names.
    #[param(list)]
    pub known: Vec<&'static str>,
}

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Describe)]
#[code("named")]
#[non_exhaustive]
pub enum Named {
    /// A game.
    Game,
    /// A rule set.
    Rules,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Game => "game",
            Self::Rules => "rules",
        })
    }
}

/// Lists alternatives: "chess, cotulenh or tribun".
fn any_of(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}
