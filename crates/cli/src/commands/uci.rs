//! `uci`: the Universal Chess Interface, for chess GUIs.
//!
//! The option `UCI_Variant` selects the other games. Their positions follow `position fen` as text, and their moves are
//! written as `moves` lists them, or as action words in games that have them. Where a turn takes several moves,
//! `bestmove` is one move, after which the same side may be to move again.

mod clock;
mod go;
mod search;
mod wdl;

use std::io::{self, BufRead as _};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sandtable::engine::{Evaluation, Level, PolicyEngine, engine_for};
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Score};
use sandtable::{BoxedGame, GAMES, GameKind, find};

use self::go::Go;
use self::search::{LimitedStrength, Running, Task, Timing};
use crate::evaluation::EvaluationArg;
use crate::failure::Failure;
use crate::output::Output;
use crate::policy::open_network;

const DEFAULT_HASH: usize = 64;
/// The default of `Move Overhead`, in milliseconds.
const DEFAULT_OVERHEAD: u64 = 10;

pub(crate) fn run(out: &mut Output) -> Result<(), Failure> {
    let mut session = Session::new().map_err(Failure::Invalid)?;
    for line in io::stdin().lock().split(b'\n') {
        let line = line.map_err(|e| Failure::Usage(format!("cannot read standard input: {e}")))?;
        let line = String::from_utf8_lossy(&line);
        let mut words = line.split_whitespace();
        let Some(command) = words.next() else { continue };
        if command == "quit" {
            break;
        }
        let rest: Vec<&str> = words.collect();
        // UCI has no error message: GUIs show `info string`.
        if let Err(message) = session.execute(command, &rest, out)? {
            out.text(info_string(&message))?;
        }
    }
    session.stop();
    Ok(())
}

/// A message for the GUI. The whole line is one text, so that the output of a running search cannot interrupt it.
fn info_string(message: &str) -> String {
    format!("info string {message}\n")
}

/// The state of the engine.
struct Session {
    kind: &'static GameKind,
    rules: String,
    game: BoxedGame,
    /// `None` while a search thread has it.
    engine: Option<AlphaBeta>,
    running: Option<Running>,
    hash: usize,
    threads: usize,
    lines: usize,
    /// The option `EvalFile`.
    eval_file: EvaluationArg,
    /// The evaluation of the game: the default if the file is for another game.
    evaluation: Evaluation,
    /// The option `NetFile`.
    net_file: Option<PathBuf>,
    /// The network that searches instead of alpha-beta: the network of the file, unless it is for another game.
    policy: Option<PolicyEngine>,
    /// The time that each move loses between the clock of the GUI and the engine.
    overhead: Duration,
    show_wdl: bool,
    limit_strength: bool,
    /// The strength to play at if it is limited.
    elo: i32,
    /// The seed of limited strength.
    seed: u64,
}

type CommandResult = Result<Result<(), String>, Failure>;

impl Session {
    fn new() -> Result<Self, String> {
        let kind = &GAMES[0];
        let rules = kind.rules[0].to_owned();
        let game = kind.start(&rules).map_err(|e| e.to_string())?;
        let evaluation = Evaluation::Default;
        let engine = engine_for(kind.name, DEFAULT_HASH, AlphaBetaSettings::default(), &evaluation);
        Ok(Self {
            kind,
            rules,
            game,
            engine: Some(engine.map_err(|e| e.to_string())?),
            running: None,
            hash: DEFAULT_HASH,
            threads: 1,
            lines: 1,
            eval_file: EvaluationArg::Default,
            evaluation,
            net_file: None,
            policy: None,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD),
            show_wdl: false,
            limit_strength: false,
            elo: elo_range().1,
            seed: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        })
    }

    /// Executes a command. The inner error is for the GUI, the outer one ends the program.
    fn execute(&mut self, command: &str, rest: &[&str], out: &mut Output) -> CommandResult {
        match command {
            "uci" => out.text(identification())?,
            "isready" => out.text("readyok\n")?,
            "stop" => self.stop(),
            "ponderhit" => {
                if let Some(running) = &self.running {
                    running.ponder_hit();
                }
            }
            "ucinewgame" => {
                self.stop();
                self.engine().clear();
            }
            "setoption" => return Ok(self.set_option(rest)),
            "position" => return Ok(self.position(rest)),
            "go" => return self.go(rest, out),
            "d" => {
                let board = sandtable::render::terminal(
                    &self.game.diagram(),
                    sandtable::render::TerminalOptions::default(),
                );
                out.text(format!(
                    "{board}\nFen: {}\nKey: {:016X}\n",
                    self.game.position_text(),
                    self.game.hash64()
                ))?;
            }
            "eval" => {
                out.text(format!("{}\n", Score::Centipawns(self.evaluation.static_eval(&*self.game))))?;
            }
            "debug" | "register" => {}
            _ => return Ok(Err(format!("unknown command `{command}`"))),
        }
        Ok(Ok(()))
    }

    /// Stops the search, which prints `bestmove`, and takes the engine back.
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            // A search that panicked has lost its engine: replace it.
            let engine = running.stop();
            self.engine = Some(engine.unwrap_or_else(|| {
                self.new_engine(self.hash).expect("there was memory for the table that is gone")
            }));
        }
    }

    fn new_engine(&self, hash: usize) -> Result<AlphaBeta, String> {
        engine_for(self.kind.name, hash, AlphaBetaSettings::default(), &self.evaluation)
            .map_err(|e| e.to_string())
    }

    /// Applies the option `EvalFile` to the current game.
    fn load_network(&mut self) -> Result<(), String> {
        let resolved = self.eval_file.resolve(self.kind);
        self.evaluation = resolved.as_ref().map_or(Evaluation::Default, Evaluation::clone);
        self.engine().network = self.evaluation.network(self.kind.name);
        self.engine().clear();
        resolved.map(|_| ())
    }

    /// Applies the option `NetFile` to the current game.
    fn load_policy(&mut self) -> Result<(), String> {
        self.policy = None;
        if let Some(file) = &self.net_file {
            let start = self.kind.start(&self.rules).map_err(|e| e.to_string())?;
            self.policy = Some(open_network(file, &*start)?);
        }
        Ok(())
    }

    fn engine(&mut self) -> &mut AlphaBeta {
        self.engine.as_mut().expect("the engine is present while no search is running")
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        self.stop();
        let value_at = words.iter().position(|word| *word == "value").unwrap_or(words.len());
        let name = words.get(1..value_at).unwrap_or_default().join(" ");
        let value = words.get(value_at + 1..).unwrap_or_default().join(" ");
        let number = |low: usize, high: usize| {
            let number = value.parse::<usize>().ok().filter(|n| (low..=high).contains(n));
            number.ok_or_else(|| {
                format!("invalid value `{value}` of {name}: expected a number from {low} to {high}")
            })
        };
        let switch = || {
            value
                .parse::<bool>()
                .map_err(|_| format!("invalid value `{value}` of {name}: expected true or false"))
        };
        match name.to_ascii_lowercase().as_str() {
            "hash" => self.set_hash(number(1, MAX_HASH)?)?,
            "threads" => self.threads = number(1, MAX_THREADS)?,
            "multipv" => self.lines = number(1, MAX_LINES)?,
            "evalfile" => {
                let Ok(eval_file) = if value.is_empty() { "default" } else { &value }.parse();
                self.eval_file = eval_file;
                self.load_network()?;
            }
            "netfile" => {
                let is_empty = value.is_empty() || value == "<empty>";
                self.net_file = (!is_empty).then(|| value.into());
                self.load_policy()?;
            }
            "clear hash" => self.engine().clear(),
            "move overhead" => self.overhead = Duration::from_millis(number(0, MAX_OVERHEAD)? as u64),
            "uci_showwdl" => self.show_wdl = switch()?,
            "uci_limitstrength" => self.limit_strength = switch()?,
            "uci_elo" => {
                let (low, high) = elo_range();
                let elo = value.parse().ok().filter(|elo| (low..=high).contains(elo));
                self.elo = elo.ok_or_else(|| {
                    format!("invalid value `{value}` of {name}: expected a number from {low} to {high}")
                })?;
            }
            "uci_variant" => {
                let kind = find(&value).map_err(|e| e.to_string())?;
                self.select_game(kind, kind.rules[0])?;
            }
            "rules" => self.select_game(self.kind, &value)?,
            "ponder" | "uci_analysemode" => {}
            _ => return Err(format!("unknown option `{name}`")),
        }
        Ok(())
    }

    /// Replaces the transposition table, unless it has this size already.
    fn set_hash(&mut self, hash: usize) -> Result<(), String> {
        if hash != self.hash {
            self.engine = Some(self.new_engine(hash)?);
            self.hash = hash;
        }
        Ok(())
    }

    fn select_game(&mut self, kind: &'static GameKind, rules: &str) -> Result<(), String> {
        self.game = kind.start(rules).map_err(|e| e.to_string())?;
        (self.kind, self.rules) = (kind, rules.to_owned());
        let policy = self.load_policy();
        self.load_network().and(policy)
    }

    /// `position startpos|fen TEXT [moves …]`. An invalid position leaves the current one.
    fn position(&mut self, words: &[&str]) -> Result<(), String> {
        self.stop();
        let moves_at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let (setup, moves) = words.split_at(moves_at);
        let mut game = match setup {
            ["startpos"] => self.kind.start(&self.rules),
            ["fen", text @ ..] => self.kind.parse(&text.join(" "), &self.rules),
            _ => {
                return Err(
                    "invalid position command: expected `startpos` or `fen` and a position".to_owned()
                );
            }
        }
        .map_err(|e| format!("invalid position: {e}"))?;
        for text in moves.iter().skip(1) {
            game.play(text).map_err(|e| e.to_string())?;
        }
        self.game = game;
        Ok(())
    }

    fn go(&mut self, words: &[&str], out: &mut Output) -> CommandResult {
        let received = Instant::now();
        self.stop();
        if let ["perft", depth @ ..] = words {
            return self.perft(depth, out);
        }
        let (go, mut ignored) = Go::parse(words);
        let root_moves = self.root_moves(&go.search_moves, &mut ignored);
        for message in ignored {
            out.text(info_string(&message))?;
        }
        let task = self.task(&go, root_moves);
        let mut engine = self.engine.take().expect("the engine is present while no search is running");
        (engine.settings.threads, engine.settings.lines) = (self.threads, self.lines);
        self.running = Some(Running::start(task, engine, received));
        Ok(Ok(()))
    }

    fn task(&self, go: &Go, root_moves: Vec<usize>) -> Task {
        let turn = self.game.turn();
        let mut budget = go.budget;
        budget.time = budget.time.map(|time| clock::within(time, self.overhead));
        let timing = match go.ponder {
            _ if go.is_infinite(turn) => Timing::Infinite,
            true => Timing::PonderHit,
            false => Timing::Go,
        };
        let mut soft_time = None;
        if let Some(clock) = go.clock(turn) {
            let allotment = clock.allot(self.overhead);
            // After pondering, iterations are so long that none is likely to end between the two limits.
            let most = if timing == Timing::PonderHit { allotment.soft } else { allotment.hard };
            budget.time = Some(budget.time.map_or(most, |time| time.min(most)));
            // An only move needs no thought.
            soft_time = Some(if self.game.count_legal() == 1 { Duration::ZERO } else { allotment.soft });
        }
        let (game, mate, show_wdl) = (self.game.clone_box(), go.mate, self.show_wdl);
        let limited = self.limit_strength.then_some(LimitedStrength { elo: self.elo, seed: self.seed });
        let network = self
            .policy
            .clone()
            .map(|policy| policy.with_lines(self.lines).with_threads(self.threads).with_memory(self.hash));
        Task { game, budget, soft_time, mate, root_moves, timing, show_wdl, limited, network }
    }

    /// The indices of the legal moves among `texts`. Adds the others to `ignored`.
    fn root_moves(&self, texts: &[String], ignored: &mut Vec<String>) -> Vec<usize> {
        if texts.is_empty() {
            return Vec::new();
        }
        let legal = self.game.legal_moves();
        let index_of = |text: &String| match self.game.index_of(text) {
            Ok(index) => legal.iter().position(|info| info.index == index),
            Err(error) => {
                ignored.push(format!("go: searchmoves: {error}"));
                None
            }
        };
        texts.iter().filter_map(index_of).collect()
    }

    fn perft(&self, words: &[&str], out: &mut Output) -> CommandResult {
        let Some(Ok(depth)) = words.first().map(|word| word.parse::<u32>()) else {
            return Ok(Err("go: perft needs a number".to_owned()));
        };
        let shares = match self.game.divide(depth, self.threads, &|| ()) {
            Ok(shares) => shares,
            Err(error) => return Ok(Err(format!("go: {error}"))),
        };
        let mut nodes = u64::from(depth == 0);
        for share in &shares {
            nodes += share.nodes;
            out.text(format!("{}: {}\n", share.root, share.nodes))?;
        }
        out.text(format!("\nNodes searched: {nodes}\n"))?;
        Ok(Ok(()))
    }
}

const MAX_HASH: usize = 65_536;
const MAX_THREADS: usize = 256;
const MAX_LINES: usize = 256;
const MAX_OVERHEAD: usize = 5_000;

/// The smallest and the greatest Elo of a level in any game. In each game, its own range applies.
fn elo_range() -> (i32, i32) {
    let elo = || GAMES.iter().flat_map(|kind| Level::all().filter_map(|level| level.elo(kind.name)));
    (elo().min().unwrap_or_default(), elo().max().unwrap_or_default())
}

fn identification() -> String {
    let (low, high) = elo_range();
    let variants: Vec<_> = GAMES.iter().map(|kind| format!(" var {}", kind.name)).collect();
    format!(
        "id name Sandtable {}\nid author The Sandtable authors\n\
         option name Hash type spin default {DEFAULT_HASH} min 1 max {MAX_HASH}\n\
         option name Clear Hash type button\n\
         option name Threads type spin default 1 min 1 max {MAX_THREADS}\n\
         option name EvalFile type string default <default>\n\
         option name NetFile type string default <empty>\n\
         option name MultiPV type spin default 1 min 1 max {MAX_LINES}\n\
         option name Ponder type check default false\n\
         option name Move Overhead type spin default {DEFAULT_OVERHEAD} min 0 max {MAX_OVERHEAD}\n\
         option name UCI_ShowWDL type check default false\n\
         option name UCI_LimitStrength type check default false\n\
         option name UCI_Elo type spin default {high} min {low} max {high}\n\
         option name UCI_Variant type combo default {}{}\n\
         option name Rules type string default standard\n\
         uciok\n",
        env!("CARGO_PKG_VERSION"),
        GAMES[0].name,
        variants.concat(),
    )
}
