//! Who chooses the moves of a side: the engine at some strength, chance, or another program that speaks UCI.

mod external;

use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sandtable::core::Rng;
use sandtable::search::{AlphaBeta, AlphaBetaSettings};
use sandtable::{AnyGame, Level, Strength};

use self::external::External;
use crate::budget::{Budget, parse_time};

/// The table of an engine that plays, in MiB.
const TABLE: usize = 32;
/// What full strength takes for a move if nothing else is said.
pub(crate) const FULL_TIME: Duration = Duration::from_secs(2);

/// A description of an opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spec {
    /// Any legal move.
    Random,
    /// Our engine within a budget.
    Engine(Budget),
    /// Our engine with so many nodes beyond one for each legal move.
    Limited(u64),
    /// Another program.
    External(ExternalSpec),
}

/// How to start another program, and what to tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExternalSpec {
    /// The program.
    pub(crate) command: String,
    /// The options to set.
    pub(crate) options: Vec<(String, String)>,
    /// What it may spend on a move.
    pub(crate) budget: Budget,
}

impl Spec {
    /// The opponent of a level; full strength takes `time` for a move.
    pub(crate) const fn of_level(level: Level, time: Duration) -> Self {
        match level.strength() {
            Strength::Random => Self::Random,
            Strength::Nodes(nodes) => Self::Limited(nodes),
            Strength::Full => Self::Engine(Budget::Time(time)),
        }
    }
}

impl FromStr for Spec {
    type Err = String;

    /// `random`, `level:5`, `depth:4`, `nodes:5000`, `time:100ms` or `uci:COMMAND;Option=value;time=100ms`
    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "random" => Ok(Self::Random),
            Some(("level", level)) => {
                level.parse().map(|level| Self::of_level(level, FULL_TIME)).map_err(|e: sandtable::LevelError| e.to_string())
            }
            Some(("uci", rest)) => parse_external(rest).map(Self::External),
            _ => text.parse().map(Self::Engine).map_err(|_| {
                format!("`{text}` is no player: write random, level:5, depth:4, nodes:5000, time:100ms or uci:COMMAND;Option=value")
            }),
        }
    }
}

fn parse_external(text: &str) -> Result<ExternalSpec, String> {
    let mut parts = text.split(';');
    let command =
        parts.next().filter(|command| !command.is_empty()).ok_or("uci: needs the name of a program")?;
    let mut spec = ExternalSpec {
        command: command.to_owned(),
        options: Vec::new(),
        budget: Budget::Time(Duration::from_millis(100)),
    };
    for part in parts {
        let (name, value) =
            part.split_once('=').ok_or_else(|| format!("`{part}` is no option: write Name=value"))?;
        match name {
            "time" => spec.budget = Budget::Time(parse_time(value)?),
            "depth" | "nodes" => spec.budget = format!("{name}:{value}").parse()?,
            _ => spec.options.push((name.to_owned(), value.to_owned())),
        }
    }
    Ok(spec)
}

/// Somebody who chooses moves.
pub(crate) enum Opponent {
    Random(Rng),
    Engine { engine: Box<AlphaBeta>, budget: Budget },
    Limited { engine: Box<AlphaBeta>, nodes: u64 },
    External(External),
}

impl Opponent {
    /// Makes an opponent ready to play; chance begins with the seed.
    pub(crate) fn new(spec: &Spec, seed: u64) -> Result<Self, String> {
        let engine = || Box::new(AlphaBeta::new(TABLE, AlphaBetaSettings::default()));
        Ok(match spec {
            Spec::Random => Self::Random(Rng::new(seed)),
            Spec::Engine(budget) => Self::Engine { engine: engine(), budget: *budget },
            Spec::Limited(nodes) => Self::Limited { engine: engine(), nodes: *nodes },
            Spec::External(spec) => Self::External(External::start(spec)?),
        })
    }

    /// Forgets the last game.
    pub(crate) fn new_game(&mut self, game: &dyn AnyGame) -> Result<(), String> {
        match self {
            Self::Random(_) => Ok(()),
            Self::Engine { engine, .. } | Self::Limited { engine, .. } => {
                engine.clear();
                Ok(())
            }
            Self::External(external) => external.new_game(game),
        }
    }

    /// A legal move of a game that goes on. When `stop` is set it comes at once.
    pub(crate) fn choose(&mut self, game: &dyn AnyGame, stop: &AtomicBool) -> Result<String, String> {
        let (engine, budget) = match self {
            Self::Random(rng) => return game.random_move(rng).ok_or_else(over),
            Self::External(external) => return external.choose(game),
            Self::Engine { engine, budget } => (engine, *budget),
            Self::Limited { engine, nodes } => (engine, Budget::Nodes(*nodes + game.count_moves())),
        };
        let found = budget.search(game, engine, stop, &mut |_| ());
        found.lines.first().and_then(|line| line.moves.first()).cloned().ok_or_else(over)
    }
}

fn over() -> String {
    "the game is over".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        assert_eq!("random".parse(), Ok(Spec::Random));
        assert_eq!("level:0".parse(), Ok(Spec::Random));
        assert_eq!("level:1".parse(), Ok(Spec::Limited(40)));
        assert_eq!("level:9".parse(), Ok(Spec::Engine(Budget::Time(FULL_TIME))));
        assert_eq!("nodes:7".parse(), Ok(Spec::Engine(Budget::Nodes(7))));
        let external = ExternalSpec {
            command: "stockfish".into(),
            options: vec![("UCI_Elo".into(), "1800".into())],
            budget: Budget::Depth(3),
        };
        assert_eq!("uci:stockfish;UCI_Elo=1800;depth=3".parse(), Ok(Spec::External(external)));
        for bad in ["", "level:10", "human", "uci:", "uci:x;y", "uci:x;time=0", "nodes:0"] {
            assert!(bad.parse::<Spec>().is_err(), "{bad}");
        }
    }
}
