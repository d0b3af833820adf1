//! `uci`: the Universal Chess Interface, for chess GUIs.
//!
//! The option `UCI_Variant` selects the other games. Their positions follow `position fen` as text, and their moves are
//! written as `moves` lists them, or as action words in games that have them. Where a turn takes several moves,
//! `bestmove` is one move, after which the same side may be to move again.

mod clock;

use std::io::{self, BufRead as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;

use sandtable::search::{AlphaBeta, AlphaBetaSettings, Report, Score};
use sandtable::{BoxedGame, Evaluation, GAMES, GameKind, engine_for, find};

use self::clock::Go;
use crate::budget::Budget;
use crate::evaluation::EvaluationArg;
use crate::failure::Failure;
use crate::output::Output;

const DEFAULT_HASH: usize = 64;

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
            out.text(format_args!("info string {message}\n"))?;
        }
    }
    session.stop();
    Ok(())
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
    /// The evaluation of the game: the default if the file is for another one.
    evaluation: Evaluation,
}

/// A search in its own thread.
struct Running {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<AlphaBeta>,
}

type CommandResult = Result<Result<(), String>, Failure>;

impl Session {
    fn new() -> Result<Self, String> {
        let kind = &GAMES[0];
        let rules = (kind.rules)()[0].to_owned();
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
        })
    }

    /// Executes a command. The inner error is for the GUI, the outer one ends the program.
    fn execute(&mut self, command: &str, rest: &[&str], out: &mut Output) -> CommandResult {
        match command {
            "uci" => out.text(identification())?,
            "isready" => out.text("readyok\n")?,
            "stop" => self.stop(),
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
                out.text(format_args!(
                    "{board}\nFen: {}\nKey: {:016X}\n",
                    self.game.position_text(),
                    self.game.hash64()
                ))?;
            }
            "eval" => {
                out.text(format_args!("{}\n", Score::Centipawns(self.game.static_eval(&self.evaluation))))?;
            }
            "debug" | "register" | "ponderhit" => {}
            _ => return Ok(Err(format!("unknown command `{command}`"))),
        }
        Ok(Ok(()))
    }

    /// Stops the search, which prints `bestmove`, and takes the engine back.
    fn stop(&mut self) {
        if let Some(Running { stop, thread }) = self.running.take() {
            stop.store(true, Ordering::Relaxed);
            // A search that panicked has lost its engine: replace it.
            self.engine = Some(thread.join().unwrap_or_else(|_| {
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
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let hash = number(1, MAX_HASH)?;
                self.engine = Some(self.new_engine(hash)?);
                self.hash = hash;
            }
            "threads" => self.threads = number(1, MAX_THREADS)?,
            "multipv" => self.lines = number(1, MAX_LINES)?,
            "evalfile" => {
                let Ok(eval_file) = if value.is_empty() { "default" } else { &value }.parse();
                self.eval_file = eval_file;
                self.load_network()?;
            }
            "clear hash" => self.engine().clear(),
            "uci_variant" => {
                let kind = find(&value).map_err(|e| e.to_string())?;
                self.select_game(kind, (kind.rules)()[0])?;
            }
            "rules" => self.select_game(self.kind, &value)?,
            "ponder" | "uci_analysemode" => {}
            _ => return Err(format!("unknown option `{name}`")),
        }
        Ok(())
    }

    fn select_game(&mut self, kind: &'static GameKind, rules: &str) -> Result<(), String> {
        self.game = kind.start(rules).map_err(|e| e.to_string())?;
        (self.kind, self.rules) = (kind, rules.to_owned());
        self.load_network()
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
        self.stop();
        let go = match Go::parse(words) {
            Ok(go) => go,
            Err(message) => return Ok(Err(message)),
        };
        if let Some(depth) = go.perft {
            return self.perft(depth, out).map(Ok);
        }
        let budget = go.budget(self.game.turn());
        let mut engine = self.engine.take().expect("the engine is present while no search is running");
        (engine.settings.threads, engine.settings.lines) = (self.threads, self.lines);
        let stop = Arc::new(AtomicBool::new(false));
        let (stop_flag, game) = (Arc::clone(&stop), self.game.clone_box());
        let thread = std::thread::spawn(move || {
            search(&game, budget, &mut engine, &stop_flag);
            engine
        });
        self.running = Some(Running { stop, thread });
        Ok(Ok(()))
    }

    fn perft(&self, depth: u32, out: &mut Output) -> Result<(), Failure> {
        let shares = self.game.divide(depth, self.threads, &|| ());
        let mut nodes = u64::from(depth == 0);
        for share in &shares {
            nodes += share.nodes;
            out.text(format_args!("{}: {}\n", share.root, share.nodes))?;
        }
        out.text(format_args!("\nNodes searched: {nodes}\n"))
    }
}

const MAX_HASH: usize = 65_536;
const MAX_THREADS: usize = 256;
const MAX_LINES: usize = 256;

fn identification() -> String {
    let variants: Vec<_> = GAMES.iter().map(|kind| format!(" var {}", kind.name)).collect();
    format!(
        "id name Sandtable {}\nid author The Sandtable authors\n\
         option name Hash type spin default {DEFAULT_HASH} min 1 max {MAX_HASH}\n\
         option name Clear Hash type button\n\
         option name Threads type spin default 1 min 1 max {MAX_THREADS}\n\
         option name EvalFile type string default <default>\n\
         option name MultiPV type spin default 1 min 1 max {MAX_LINES}\n\
         option name UCI_Variant type combo default {}{}\n\
         option name Rules type string default standard\n\
         uciok\n",
        env!("CARGO_PKG_VERSION"),
        GAMES[0].name,
        variants.concat(),
    )
}

/// Searches and prints `info` lines and `bestmove`. If standard output is closed, the program ends with its next command.
fn search(game: &BoxedGame, budget: Budget, engine: &mut AlphaBeta, stop: &AtomicBool) {
    let mut out = Output::new(false);
    let start = Instant::now();
    let found = budget.search(&**game, engine, stop, &mut |found| {
        let _ = out.text(info(game, found, start));
    });
    // UCI forbids `bestmove` before `stop` in an infinite search, even if the search is complete.
    while budget == Budget::Infinite && !stop.load(Ordering::Relaxed) {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let best =
        found.lines.first().map_or_else(|| "0000".to_owned(), |line| uci_moves(game, &line.moves)[0].clone());
    let _ = out.text(format_args!("bestmove {best}\n"));
}

fn info(game: &BoxedGame, found: &Report<String>, start: Instant) -> String {
    let elapsed = start.elapsed();
    let milliseconds = elapsed.as_millis();
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a rate is rounded anyway, and not negative"
    )]
    let rate = (found.nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
    let line = |(number, line): (usize, &sandtable::search::Line<String>)| {
        let score = match (line.score, line.score.mate_in()) {
            (Score::Centipawns(value), _) => format!("cp {value}"),
            (_, mate) => format!("mate {}", mate.unwrap_or_default()),
        };
        format!(
            "info depth {} seldepth {} multipv {} score {score} nodes {} nps {rate} hashfull {} time {milliseconds} pv {}\n",
            found.depth,
            found.seldepth,
            number + 1,
            found.nodes,
            found.hashfull,
            uci_moves(game, &line.moves).join(" "),
        )
    };
    found.lines.iter().enumerate().map(line).collect::<Vec<_>>().concat()
}

/// The moves of a line as UCI sends them: action words in games that have them.
fn uci_moves(game: &BoxedGame, moves: &[String]) -> Vec<String> {
    let mut game = game.clone_box();
    moves
        .iter()
        .map_while(|text| {
            let word = game.action_word(text);
            game.play(text).ok()?;
            Some(word.map_or_else(|| text.clone(), |word| format!("0x{word:08X}")))
        })
        .collect()
}
