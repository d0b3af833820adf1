//! Players of a match or game: the engine, random moves, or an external UCI engine.

mod external;

use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sandtable::core::Rng;
use sandtable::search::{AlphaBeta, AlphaBetaSettings};
use sandtable::{AnyGame, GameKind, Level, Strength, engine_for};

use self::external::External;
use crate::budget::{Budget, parse_time};
use crate::evaluation::EvaluationArg;

/// The transposition table of an engine, in MiB.
const HASH_MIB: usize = 32;
/// The default time per move at full strength.
pub(crate) const FULL_STRENGTH_TIME: Duration = Duration::from_secs(2);

/// The specification of an opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spec {
    /// Plays random legal moves.
    Random,
    /// The engine, limited by a budget.
    Engine(Budget, EvaluationArg),
    /// The engine with this many nodes, plus one for each legal move.
    Limited(u64, EvaluationArg),
    /// An external UCI engine.
    External(ExternalSpec),
}

/// The specification of an external UCI engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExternalSpec {
    /// The program.
    pub(crate) command: String,
    /// The UCI options to set.
    pub(crate) options: Vec<(String, String)>,
    /// The limit of each move.
    pub(crate) budget: Budget,
}

impl Spec {
    /// Returns the opponent of a level; `time` is the time per move at full strength.
    pub(crate) fn of_level(level: Level, time: Duration, evaluation: EvaluationArg) -> Self {
        match level.strength() {
            Strength::Random => Self::Random,
            Strength::Nodes(nodes) => Self::Limited(nodes, evaluation),
            Strength::Full => Self::Engine(Budget::Time(time), evaluation),
        }
    }
}

impl FromStr for Spec {
    type Err = String;

    /// Parses `random`, `level:5`, `depth:4`, `nodes:5000`, `time:100ms`, each but the first also with `;eval=FILE`, or
    /// `uci:COMMAND;Option=value;time=100ms`.
    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(rest) = text.strip_prefix("uci:") {
            return parse_external(rest).map(Self::External);
        }
        let (strength, evaluation) = text.split_once(";eval=").unwrap_or((text, "default"));
        let Ok(evaluation) = evaluation.parse();
        match strength.split_once(':') {
            None if text == "random" => Ok(Self::Random),
            Some(("level", level)) => level
                .parse()
                .map(|level| Self::of_level(level, FULL_STRENGTH_TIME, evaluation))
                .map_err(|e: sandtable::LevelError| e.to_string()),
            _ => strength.parse().map(|budget| Self::Engine(budget, evaluation)).map_err(|_| {
                format!("unknown player `{text}`: expected random, level:N, depth:N, nodes:N, time:TIME or uci:COMMAND;Option=value")
            }),
        }
    }
}

fn parse_external(text: &str) -> Result<ExternalSpec, String> {
    let mut parts = text.split(';');
    let command =
        parts.next().filter(|command| !command.is_empty()).ok_or("missing program: expected uci:COMMAND")?;
    let mut spec = ExternalSpec {
        command: command.to_owned(),
        options: Vec::new(),
        budget: Budget::Time(Duration::from_millis(100)),
    };
    for part in parts {
        let (name, value) =
            part.split_once('=').ok_or_else(|| format!("invalid option `{part}`: expected Name=value"))?;
        match name {
            "time" => spec.budget = Budget::Time(parse_time(value)?),
            "depth" | "nodes" => spec.budget = format!("{name}:{value}").parse()?,
            _ => spec.options.push((name.to_owned(), value.to_owned())),
        }
    }
    Ok(spec)
}

/// A player that chooses moves.
pub(crate) enum Opponent {
    Random(Rng),
    Engine { engine: Box<AlphaBeta>, budget: Budget },
    Limited { engine: Box<AlphaBeta>, nodes: u64 },
    External(External),
}

impl Opponent {
    /// Starts an opponent. The seed is for random moves.
    pub(crate) fn new(kind: &GameKind, spec: &Spec, seed: u64) -> Result<Self, String> {
        let engine = |evaluation: &EvaluationArg| {
            let evaluation = evaluation.resolve(kind)?;
            let engine = engine_for(kind.name, HASH_MIB, AlphaBetaSettings::default(), &evaluation);
            engine.map(Box::new).map_err(|e| e.to_string())
        };
        Ok(match spec {
            Spec::Random => Self::Random(Rng::new(seed)),
            Spec::Engine(budget, evaluation) => Self::Engine { engine: engine(evaluation)?, budget: *budget },
            Spec::Limited(nodes, evaluation) => Self::Limited { engine: engine(evaluation)?, nodes: *nodes },
            Spec::External(spec) => Self::External(External::start(spec)?),
        })
    }

    /// Prepares for a new game.
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

    /// Chooses a legal move. Setting `stop` makes the engine move immediately.
    pub(crate) fn choose(&mut self, game: &dyn AnyGame, stop: &AtomicBool) -> Result<String, String> {
        let (engine, budget) = match self {
            Self::Random(rng) => return game.random_move(rng).ok_or_else(game_over),
            Self::External(external) => return external.choose(game),
            Self::Engine { engine, budget } => (engine, *budget),
            Self::Limited { engine, nodes } => (engine, Budget::Nodes(*nodes + game.count_legal())),
        };
        let found = budget.search(game, engine, stop, &mut |_| ());
        found.lines.first().and_then(|line| line.moves.first()).cloned().ok_or_else(game_over)
    }
}

fn game_over() -> String {
    "the game is over".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_players() {
        assert_eq!("random".parse(), Ok(Spec::Random));
        assert_eq!("level:0".parse(), Ok(Spec::Random));
        assert_eq!("level:1".parse(), Ok(Spec::Limited(40, EvaluationArg::Default)));
        assert_eq!("level:1;eval=hand".parse(), Ok(Spec::Limited(40, EvaluationArg::HandMade)));
        let full = Spec::Engine(Budget::Time(FULL_STRENGTH_TIME), EvaluationArg::Default);
        assert_eq!("level:9".parse(), Ok(full));
        let nodes = |evaluation| Spec::Engine(Budget::Nodes(7), evaluation);
        assert_eq!("nodes:7".parse(), Ok(nodes(EvaluationArg::Default)));
        assert_eq!("nodes:7;eval=default".parse(), Ok(nodes(EvaluationArg::Default)));
        assert_eq!("nodes:7;eval=hand".parse(), Ok(nodes(EvaluationArg::HandMade)));
        assert_eq!("nodes:7;eval=a.net".parse(), Ok(nodes(EvaluationArg::File("a.net".into()))));
        let external = ExternalSpec {
            command: "stockfish".into(),
            options: vec![("UCI_Elo".into(), "1800".into())],
            budget: Budget::Depth(3),
        };
        assert_eq!("uci:stockfish;UCI_Elo=1800;depth=3".parse(), Ok(Spec::External(external)));
        for bad in ["", "level:10", "human", "uci:", "uci:x;y", "uci:x;time=0", "nodes:0", "random;eval=hand"]
        {
            assert!(bad.parse::<Spec>().is_err(), "{bad}");
        }
    }
}
