//! How strong an opponent is, from 0 to 9.

use std::str::FromStr;

/// A level of play: 0 plays at random, 9 thinks for all the time it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// What a level may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Any legal move.
    Random,
    /// A search of that many nodes, beyond one for each legal move: who has many to choose from looks at each of them.
    Nodes(u64),
    /// A search for all the time there is.
    Full,
}

impl Level {
    /// The strongest.
    pub const STRONGEST: Self = Self(9);

    /// All levels, weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=Self::STRONGEST.0).map(Self)
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// What it may do: from level to level, three and a half times the nodes.
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

/// A text that is no level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no level: levels are 0 (random) to 9 (full strength)")]
pub struct LevelError(String);

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
    fn there_are_ten_levels() {
        assert_eq!(Level::all().count(), 10);
        assert_eq!("0".parse().map(Level::strength), Ok(Strength::Random));
        assert_eq!("9".parse(), Ok(Level::STRONGEST));
        for text in ["", "10", "-1", "x", "09"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_level_searches_more_than_the_one_below() {
        let nodes: Vec<_> = Level::all()
            .filter_map(|level| match level.strength() {
                Strength::Nodes(nodes) => Some(nodes),
                Strength::Random | Strength::Full => None,
            })
            .collect();
        assert!(nodes.len() == 8 && nodes.is_sorted_by(|a, b| a * 3 < *b));
    }
}
