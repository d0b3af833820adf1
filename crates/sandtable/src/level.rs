//! Engine levels from 0 to 9.

use std::str::FromStr;

use sandtable_core::Describe;

/// An engine level: 0 plays random moves, 9 uses all the time it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// The playing strength of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Plays random legal moves.
    Random,
    /// Searches this many nodes, plus one for each legal move, so that every root move is examined.
    Nodes(u64),
    /// Searches for all the available time.
    Full,
}

impl Level {
    /// The strongest level.
    pub const STRONGEST: Self = Self(9);

    /// All levels, weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=Self::STRONGEST.0).map(Self)
    }

    /// The number of the level.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The playing strength. Each level searches three and a half times as many nodes as the one below.
    #[must_use]
    pub const fn strength(self) -> Strength {
        const NODES: [u64; 8] = [40, 140, 490, 1_700, 6_000, 21_000, 73_000, 256_000];
        match self.0 {
            0 => Strength::Random,
            n @ 1..=8 => Strength::Nodes(NODES[n as usize - 1]),
            _ => Strength::Full,
        }
    }
}

/// The error for a text that is not a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("unknown_level")]
#[error("unknown level `{0}`: expected 0 (random) to 9 (full strength)")]
pub struct LevelError(#[param(name = "text")] String);

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        Self::all().find(|level| level.0.to_string() == text).ok_or_else(|| LevelError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_parse_from_0_to_9() {
        assert_eq!(Level::all().count(), 10);
        assert_eq!("0".parse().map(Level::strength), Ok(Strength::Random));
        assert_eq!("9".parse(), Ok(Level::STRONGEST));
        for text in ["", "10", "-1", "x", "09"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }

    #[test]
    fn each_level_searches_more_than_the_one_below() {
        let nodes: Vec<_> = Level::all()
            .filter_map(|level| match level.strength() {
                Strength::Nodes(nodes) => Some(nodes),
                Strength::Random | Strength::Full => None,
            })
            .collect();
        assert!(nodes.len() == 8 && nodes.is_sorted_by(|a, b| a * 3 < *b));
    }
}
