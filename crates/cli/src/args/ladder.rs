//! The arguments of `ladder`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Parser;
use sandtable::engine::Level;

use super::{NamedSpec, Series};
use crate::budget::parse_time;
use crate::positions::Kind;

#[derive(Parser, Debug)]
#[command(after_help = "\
Each level plays the next one and the one after. An anchor, a player of known Elo, plays the three levels nearest to it.
The Elo of all players is that of maximum likelihood (Bradley-Terry, a draw as half a win). Anchors keep their Elo;
without one, the weakest level above 0 keeps its current Elo.

Results are appended to --out game by game. Run the same command again to continue after an interruption, or with more
--games, other --levels or an --anchor to add some: no game is played twice. Other settings need another file.

Examples:
  sandtable ladder tribun --games 40 --jobs 2 --out tribun.jsonl
  sandtable ladder cotulenh --levels 0..6 --games 20
  sandtable ladder chess --out chess.jsonl --anchor \"uci:stockfish;UCI_LimitStrength=true;UCI_Elo=1800;time=100ms=1800\"")]
pub(crate) struct Ladder {
    #[command(flatten)]
    pub(crate) kind: Kind,
    /// The first and the last level
    #[arg(long, value_name = "FIRST..LAST", default_value = "0..9")]
    pub(crate) levels: LevelRange,
    /// The number of games of each pairing
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) games: u32,
    /// A player of `match` and its Elo; repeatable
    #[arg(long, value_name = "PLAYER=ELO")]
    pub(crate) anchor: Vec<Anchor>,
    /// The time per move of level 9
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = parse_time)]
    pub(crate) time: Duration,
    #[command(flatten)]
    pub(crate) series: Series,
    /// Append the results to this file, and continue with those that it has
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Some levels in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LevelRange {
    first: Level,
    last: Level,
}

impl LevelRange {
    /// The levels, weakest first.
    pub(crate) fn levels(self) -> Vec<Level> {
        Level::all().filter(|level| (self.first..=self.last).contains(level)).collect()
    }
}

impl FromStr for LevelRange {
    type Err = String;

    /// Parses `0..9`.
    fn from_str(text: &str) -> Result<Self, String> {
        let bounds = text.split_once("..").map(|(first, last)| (first.parse(), last.parse()));
        match bounds {
            Some((Ok(first), Ok(last))) if first < last => Ok(Self { first, last }),
            _ => Err(format!("invalid levels `{text}`: expected two levels, the weaker first, such as 0..9")),
        }
    }
}

/// A player of known Elo.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    pub(crate) player: NamedSpec,
    pub(crate) elo: i32,
}

impl FromStr for Anchor {
    type Err = String;

    /// Parses a player of `match`, an equals sign and its Elo.
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.rsplit_once('=').and_then(|(player, elo)| Some((player, elo.parse().ok()?)));
        let (player, elo) = parts.ok_or_else(|| {
            format!("invalid anchor `{text}`: expected a player and its Elo, such as nodes:5000=1500")
        })?;
        Ok(Self { player: player.parse()?, elo })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_levels() {
        let levels = |text: &str| text.parse::<LevelRange>().map(|range| range.levels().len());
        assert_eq!(levels("0..9"), Ok(10));
        assert_eq!(levels("3..4"), Ok(2));
        for bad in ["", "3", "4..3", "3..3", "0..10", "a..b"] {
            assert!(levels(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn parses_anchors() {
        let anchor: Anchor = "uci:x;UCI_Elo=1800;time=100ms=1800".parse().expect("an anchor");
        assert_eq!((anchor.player.text.as_str(), anchor.elo), ("uci:x;UCI_Elo=1800;time=100ms", 1800));
        for bad in ["", "nodes:5", "nodes:5=x", "human=1500"] {
            assert!(bad.parse::<Anchor>().is_err(), "{bad}");
        }
    }
}
