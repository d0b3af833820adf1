//! Players of a match or game: the engine, a network, random moves, or an external UCI engine.

mod external;

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sandtable::core::rules::Rng;
use sandtable::engine::{Level, LevelPlayer, PolicyEngine, engine_for};
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Limits};
use sandtable::{AnyGame, GameKind};

use self::external::External;
use crate::budget::{Budget, parse_time};
use crate::evaluation::EvaluationArg;
use crate::policy::read_network;

/// The transposition table of an engine, in MiB.
const HASH_MIB: usize = 32;
/// The default time per move at full strength.
pub(crate) const FULL_STRENGTH_TIME: Duration = Duration::from_secs(2);
/// The default number of visits per move of a network.
const DEFAULT_VISITS: u64 = 200;
/// The default time per move of an external engine.
const DEFAULT_EXTERNAL_TIME: Duration = Duration::from_millis(100);

/// The specification of an opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spec {
    /// Plays random legal moves.
    Random,
    /// The engine, limited by a budget.
    Engine(Budget, EvaluationArg),
    /// The engine at a level, with this time per move at full strength.
    Level(Level, Duration, EvaluationArg),
    /// A tree search with the network of a file, limited by a budget whose nodes are visits.
    Network(PathBuf, Budget),
    /// An external UCI engine.
    External(ExternalSpec),
}

/// The specification of an external UCI engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExternalSpec {
    /// The program.
    pub(crate) program: String,
    /// Its arguments.
    pub(crate) arguments: Vec<String>,
    /// The UCI options to set.
    pub(crate) options: Vec<(String, String)>,
    /// The limits of each move.
    pub(crate) budget: Budget,
    /// The longest time for each of its answers, instead of the default.
    pub(crate) timeout: Option<Duration>,
}

impl FromStr for Spec {
    type Err = String;

    /// Parses `random`, `level:5`, `level:9;time=100ms`, `depth:4`, `nodes:5000`, `time:100ms`, each but the first also with
    /// `;eval=FILE`, `net:FILE;visits=200`, `net:FILE;time=100ms`, or `uci:COMMAND;Option=value;time=100ms`; see
    /// [`parse_external`].
    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(rest) = text.strip_prefix("uci:") {
            return parse_external(rest).map(Self::External);
        }
        if let Some(rest) = text.strip_prefix("net:") {
            return parse_network(rest);
        }
        let (strength, evaluation) = text.split_once(";eval=").unwrap_or((text, "default"));
        let Ok(evaluation) = evaluation.parse();
        match strength.split_once(':') {
            None if text == "random" => Ok(Self::Random),
            Some(("level", level)) => {
                let (level, time) = match level.split_once(";time=") {
                    Some((level, time)) => (level, parse_time(time)?),
                    None => (level, FULL_STRENGTH_TIME),
                };
                let level = level.parse().map_err(|e: sandtable::engine::LevelError| e.to_string())?;
                Ok(Self::Level(level, time, evaluation))
            }
            _ => strength.parse().map(|budget| Self::Engine(budget, evaluation)).map_err(|_| {
                format!("unknown player `{text}`: expected random, level:N, depth:N, nodes:N, time:TIME, net:FILE;visits=N or uci:COMMAND;Option=value")
            }),
        }
    }
}

/// Parses `FILE`, `FILE;visits=200` or `FILE;time=100ms`. A file name may contain semicolons.
fn parse_network(text: &str) -> Result<Spec, String> {
    let (file, budget) = match text.rsplit_once(';').map(|(file, limit)| (file, limit.split_once('='))) {
        Some((file, Some(("visits", visits)))) => {
            let visits = visits.parse().ok().filter(|&visits| visits > 0);
            (
                file,
                Budget::nodes(
                    visits.ok_or_else(|| format!("invalid visits in `{text}`: expected visits=N"))?,
                ),
            )
        }
        Some((file, Some(("time", time)))) => (file, Budget::time(parse_time(time)?)),
        _ => (text, Budget::nodes(DEFAULT_VISITS)),
    };
    if file.is_empty() {
        return Err("missing file: expected net:FILE;visits=N".to_owned());
    }
    Ok(Spec::Network(file.into(), budget))
}

/// Parses `COMMAND;Option=value;…`, where the command is a program and its arguments, separated by spaces. Within double
/// quotes, spaces and semicolons are part of the text.
fn parse_external(text: &str) -> Result<ExternalSpec, String> {
    if !text.matches('"').count().is_multiple_of(2) {
        return Err(format!("missing closing quote in `{text}`"));
    }
    let mut parts = split_unquoted(text, |c| c == ';');
    let command = parts.next().unwrap_or_default();
    let mut words =
        split_unquoted(command, char::is_whitespace).filter(|word| !word.is_empty()).map(unquoted);
    let program =
        words.next().filter(|program| !program.is_empty()).ok_or("missing program: expected uci:COMMAND")?;
    let arguments = words.collect();
    let mut spec =
        ExternalSpec { program, arguments, options: Vec::new(), budget: Budget::default(), timeout: None };
    for part in parts {
        let (name, value) =
            part.split_once('=').ok_or_else(|| format!("invalid option `{part}`: expected Name=value"))?;
        match name {
            "depth" | "nodes" | "time" => {
                spec.budget = spec.budget.and(format!("{name}:{value}").parse()?);
            }
            "timeout" => spec.timeout = Some(parse_time(value)?),
            _ => spec.options.push((name.to_owned(), unquoted(value))),
        }
    }
    if spec.budget == Budget::default() {
        spec.budget = Budget::time(DEFAULT_EXTERNAL_TIME);
    }
    Ok(spec)
}

/// Splits a text at separators outside double quotes.
fn split_unquoted(text: &str, is_separator: fn(char) -> bool) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        !quoted && is_separator(c)
    })
}

fn unquoted(text: &str) -> String {
    text.replace('"', "")
}

/// A player that chooses moves.
pub(crate) enum Opponent {
    Random(Rng),
    Engine { engine: Box<AlphaBeta>, budget: Budget },
    Level { player: Box<LevelPlayer>, time: Duration },
    Network { engine: PolicyEngine, budget: Budget },
    External(External),
}

impl Opponent {
    /// Starts an opponent. The seed is for random moves and levels.
    pub(crate) fn new(kind: &GameKind, spec: &Spec, seed: u64) -> Result<Self, String> {
        let engine = |evaluation: &EvaluationArg| {
            let evaluation = evaluation.resolve(kind)?;
            let engine = engine_for(kind.name, HASH_MIB, AlphaBetaSettings::default(), &evaluation);
            engine.map_err(|e| e.to_string())
        };
        Ok(match spec {
            Spec::Random => Self::Random(Rng::new(seed)),
            Spec::Engine(budget, evaluation) => {
                Self::Engine { engine: Box::new(engine(evaluation)?), budget: *budget }
            }
            Spec::Level(level, time, evaluation) => {
                let mut player =
                    LevelPlayer::try_new(kind, *level, seed, HASH_MIB).map_err(|e| e.to_string())?;
                player.engine.network = evaluation.resolve(kind)?.network(kind.name);
                Self::Level { player: Box::new(player), time: *time }
            }
            Spec::Network(file, budget) => Self::Network { engine: read_network(file)?, budget: *budget },
            Spec::External(spec) => Self::External(External::start(spec)?),
        })
    }

    /// Prepares for a new game. An error if the opponent cannot play it.
    pub(crate) fn new_game(&mut self, game: &dyn AnyGame) -> Result<(), String> {
        match self {
            Self::Random(_) => Ok(()),
            Self::Engine { engine, .. } => {
                engine.clear();
                Ok(())
            }
            Self::Level { player, .. } => {
                player.engine.clear();
                Ok(())
            }
            Self::Network { engine, .. } => engine.check(game).map_err(|e| e.to_string()),
            Self::External(external) => external.new_game(game),
        }
    }

    /// Chooses a legal move. Setting `stop` makes the engine move immediately.
    pub(crate) fn choose(&mut self, game: &dyn AnyGame, stop: &AtomicBool) -> Result<String, String> {
        let chosen = match self {
            Self::Random(rng) => game.random_move(rng),
            Self::External(external) => return external.choose(game),
            Self::Engine { engine, budget } => {
                let found = budget.search(game, engine, stop, &mut |_| ());
                found.lines.into_iter().next().and_then(|line| line.moves.into_iter().next())
            }
            Self::Network { engine, budget } => {
                budget.search_tree(game, engine, stop, &mut |_| ())?.report.best()
            }
            Self::Level { player, time } => {
                // The other levels have their own limits.
                let deadline =
                    if player.level() == Level::STRONGEST { Instant::now().checked_add(*time) } else { None };
                let should_stop = || {
                    stop.load(Ordering::Relaxed)
                        || deadline.is_some_and(|deadline| Instant::now() >= deadline)
                };
                player.choose(game, &Limits::until(&should_stop))
            }
        };
        chosen.ok_or_else(game_over)
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
        let full = Spec::Level(Level::STRONGEST, FULL_STRENGTH_TIME, EvaluationArg::Default);
        assert_eq!("level:9".parse(), Ok(full));
        let fast = Duration::from_millis(100);
        let hand = Spec::Level(Level::STRONGEST, fast, EvaluationArg::HandMade);
        assert_eq!("level:9;time=100ms;eval=hand".parse(), Ok(hand));
        let nodes = |evaluation| Spec::Engine(Budget::nodes(7), evaluation);
        assert_eq!("nodes:7".parse(), Ok(nodes(EvaluationArg::Default)));
        assert_eq!("nodes:7;eval=default".parse(), Ok(nodes(EvaluationArg::Default)));
        assert_eq!("nodes:7;eval=hand".parse(), Ok(nodes(EvaluationArg::HandMade)));
        assert_eq!("nodes:7;eval=a.net".parse(), Ok(nodes(EvaluationArg::File("a.net".into()))));
        assert_eq!("net:a.onnx".parse(), Ok(Spec::Network("a.onnx".into(), Budget::nodes(DEFAULT_VISITS))));
        assert_eq!("net:a;b.onnx;visits=7".parse(), Ok(Spec::Network("a;b.onnx".into(), Budget::nodes(7))));
        let timed = Spec::Network("a.onnx".into(), Budget::time(fast));
        assert_eq!("net:a.onnx;time=100ms".parse(), Ok(timed));
        for bad in ["net:", "net:;visits=7", "net:a;visits=0", "net:a;visits=x", "net:a;time=0"] {
            assert!(bad.parse::<Spec>().is_err(), "{bad}");
        }
        for bad in ["", "level:10", "level:9;time=0", "level:9;x=1", "human", "nodes:0", "random;eval=hand"] {
            assert!(bad.parse::<Spec>().is_err(), "{bad}");
        }
    }

    #[test]
    fn parses_external_engines() {
        let external = ExternalSpec {
            program: "stockfish".into(),
            arguments: Vec::new(),
            options: vec![("UCI_Elo".into(), "1800".into())],
            budget: Budget::depth(3),
            timeout: None,
        };
        assert_eq!("uci:stockfish;UCI_Elo=1800;depth=3".parse(), Ok(Spec::External(external)));
        let external = ExternalSpec {
            program: "my engines/a;b".into(),
            arguments: ["--book", "", "x y.bin", "-v"].map(Into::into).into(),
            options: vec![("Path".into(), "c;d".into())],
            budget: Budget { depth: Some(3), nodes: None, time: Some(Duration::from_millis(50)) },
            timeout: Some(Duration::from_secs(3)),
        };
        let text =
            "uci:\"my engines/a;b\" --book  \"\" x\" \"y.bin -v;Path=\"c;d\";time=50ms;depth=3;timeout=3s";
        assert_eq!(text.parse(), Ok(Spec::External(external)));
        let Ok(Spec::External(external)) = "uci:x".parse() else { panic!("uci:x is an engine") };
        assert_eq!(external.budget, Budget::time(DEFAULT_EXTERNAL_TIME));
        for bad in ["uci:", "uci: ", "uci:\"\"", "uci:\"x", "uci:x;y", "uci:x;time=0", "uci:x;timeout=no"] {
            assert!(bad.parse::<Spec>().is_err(), "{bad}");
        }
    }
}
