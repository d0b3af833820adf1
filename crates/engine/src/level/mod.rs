//! Engine levels from 0 to 9: their settings, their Elo and the player that uses them.

mod choice;
mod player;

use std::str::FromStr;

use sandtable_core::Describe;
use sandtable_core::search::Levels;
use sandtable_games::{GameVisitor, Playable, with_game};

pub use player::LevelPlayer;
pub use sandtable_core::search::Skill;

/// An engine level: 0 plays random moves, 9 uses all the time it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// The playing strength of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Plays random legal moves.
    Random,
    /// Searches little and errs.
    Limited(Skill),
    /// Searches for all the available time and plays the best move.
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

    /// The next stronger level, if there is one.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        (self < Self::STRONGEST).then_some(Self(self.0 + 1))
    }

    /// The playing strength in a game; an unknown game has the default levels.
    #[must_use]
    pub fn strength(self, game: &str) -> Strength {
        match self.0 {
            0 => Strength::Random,
            n @ 1..=8 => Strength::Limited(levels(game).skills[usize::from(n) - 1]),
            _ => Strength::Full,
        }
    }

    /// The estimated Elo in a game; `None` in a game without an estimate.
    ///
    /// In chess on about the scale of Stockfish's `UCI_Elo`; in the other games level 1 has 1000. Level 9 takes two seconds a move.
    ///
    /// ```
    /// use sandtable_engine::Level;
    ///
    /// let elo: Vec<_> = Level::all().map(|level| level.elo("chess")).collect();
    /// assert!(elo.is_sorted_by(|a, b| a < b));
    /// ```
    #[must_use]
    pub fn elo(self, game: &str) -> Option<i32> {
        levels(game).elo.map(|elo| elo[usize::from(self.0)])
    }
}

fn levels(game: &str) -> Levels {
    struct LevelsOf;
    impl GameVisitor for LevelsOf {
        type Out = Levels;

        fn visit<P: Playable>(self) -> Levels {
            P::LEVELS
        }
    }
    with_game(game, LevelsOf).unwrap_or(Levels::DEFAULT)
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
    use sandtable_games::{GAMES, complete_games};

    use super::*;

    #[test]
    fn levels_parse_from_0_to_9() {
        assert_eq!(Level::all().count(), 10);
        assert_eq!("0".parse(), Ok(Level(0)));
        assert_eq!("9".parse(), Ok(Level::STRONGEST));
        for text in ["", "10", "-1", "x", "09"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }

    #[test]
    fn each_level_searches_more_and_errs_less_than_the_one_below() {
        for kind in GAMES {
            let skills: Vec<Skill> = Level::all()
                .filter_map(|level| match level.strength(kind.name) {
                    Strength::Limited(skill) => Some(skill),
                    Strength::Random | Strength::Full => None,
                })
                .collect();
            assert_eq!(skills.len(), 8);
            for pair in skills.windows(2) {
                let [weaker, stronger] = pair else { unreachable!() };
                assert!(weaker.nodes < stronger.nodes, "{}", kind.name);
                assert!(weaker.depth.unwrap_or(u32::MAX) <= stronger.depth.unwrap_or(u32::MAX));
                assert!(weaker.noise > stronger.noise && weaker.max_loss > stronger.max_loss);
                assert!(weaker.overlook >= stronger.overlook && weaker.lines >= stronger.lines);
            }
        }
    }

    #[test]
    fn every_complete_game_has_rising_elo() {
        for kind in complete_games() {
            let elo: Option<Vec<i32>> = Level::all().map(|level| level.elo(kind.name)).collect();
            assert!(elo.is_some_and(|elo| elo.is_sorted_by(|a, b| a < b)), "{}", kind.name);
        }
        assert_eq!(Level(3).elo("go"), None);
    }
}
