//! `uci`: the protocol by which graphical programs speak with engines.
//!
//! Chess is spoken as everywhere. The other games are chosen by the option `UCI_Variant`; their positions follow
//! `position fen` as their own text, and their moves are written as `moves` lists them, or as action words. Where a
//! turn takes several moves, `bestmove` names one of them, and the same side is to move again after it.

mod clock;

use std::io::{self, BufRead as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;

use sandtable::search::{AlphaBeta, AlphaBetaSettings, Report, Score};
use sandtable::{BoxedGame, GAMES, GameKind, find};

use self::clock::Go;
use crate::budget::Budget;
use crate::failure::Failure;
use crate::output::Output;

const DEFAULT_TABLE: usize = 64;

pub(crate) fn run(out: &mut Output) -> Result<(), Failure> {
    let mut session = Session::new().map_err(Failure::No)?;
    for line in io::stdin().lock().split(b'\n') {
        let line = line.map_err(|e| Failure::Usage(format!("cannot read standard input: {e}")))?;
        let line = String::from_utf8_lossy(&line);
        let mut words = line.split_whitespace();
        let Some(command) = words.next() else { continue };
        if command == "quit" {
            break;
        }
        let rest: Vec<&str> = words.collect();
        // The protocol has no word for an error: GUIs show what follows `info string`.
        if let Err(why) = session.obey(command, &rest, out)? {
            out.text(format_args!("info string {why}\n"))?;
        }
    }
    session.stop();
    Ok(())
}

/// What the other side has told so far.
struct Session {
    kind: &'static GameKind,
    rules: String,
    game: BoxedGame,
    /// Lent to the search while one is running.
    engine: Option<AlphaBeta>,
    running: Option<Running>,
    table: usize,
    threads: usize,
    lines: usize,
}

/// A search in a thread of its own.
struct Running {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<AlphaBeta>,
}

type Answer = Result<Result<(), String>, Failure>;

impl Session {
    fn new() -> Result<Self, String> {
        let kind = &GAMES[0];
        let rules = (kind.rules)()[0].to_owned();
        let game = kind.start(&rules).map_err(|e| e.to_string())?;
        let engine = Some(AlphaBeta::new(DEFAULT_TABLE, AlphaBetaSettings::default()));
        Ok(Self { kind, rules, game, engine, running: None, table: DEFAULT_TABLE, threads: 1, lines: 1 })
    }

    fn obey(&mut self, command: &str, rest: &[&str], out: &mut Output) -> Answer {
        match command {
            "uci" => out.text(greeting())?,
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
                    self.game.position(),
                    self.game.hash64()
                ))?;
            }
            "eval" => out.text(format_args!("{}\n", Score::Centipawns(self.game.evaluate())))?,
            "debug" | "register" | "ponderhit" => {}
            _ => return Ok(Err(format!("unknown command: {command}"))),
        }
        Ok(Ok(()))
    }

    /// Ends the search, which answers with its best move, and takes the engine back.
    fn stop(&mut self) {
        if let Some(Running { stop, thread }) = self.running.take() {
            stop.store(true, Ordering::Relaxed);
            // A search that panicked has lost its engine: a new one takes its place.
            self.engine = Some(
                thread.join().unwrap_or_else(|_| AlphaBeta::new(self.table, AlphaBetaSettings::default())),
            );
        }
    }

    fn engine(&mut self) -> &mut AlphaBeta {
        self.engine.as_mut().expect("the engine is here while no search is running")
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        self.stop();
        let value_at = words.iter().position(|word| *word == "value").unwrap_or(words.len());
        let name = words.get(1..value_at).unwrap_or_default().join(" ");
        let value = words.get(value_at + 1..).unwrap_or_default().join(" ");
        let number = |low: usize, high: usize| {
            let number = value.parse::<usize>().ok().filter(|n| (low..=high).contains(n));
            number.ok_or_else(|| format!("{name} takes a number from {low} to {high}"))
        };
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let table = number(1, MAX_TABLE)?;
                let engine = AlphaBeta::try_new(table, AlphaBetaSettings::default());
                self.engine = Some(engine.map_err(|e| e.to_string())?);
                self.table = table;
            }
            "threads" => self.threads = number(1, MAX_THREADS)?,
            "multipv" => self.lines = number(1, MAX_LINES)?,
            "clear hash" => self.engine().clear(),
            "uci_variant" => {
                let kind = find(&value).map_err(|e| e.to_string())?;
                self.choose(kind, (kind.rules)()[0])?;
            }
            "rules" => self.choose(self.kind, &value)?,
            "ponder" | "uci_analysemode" => {}
            _ => return Err(format!("there is no option `{name}`")),
        }
        Ok(())
    }

    fn choose(&mut self, kind: &'static GameKind, rules: &str) -> Result<(), String> {
        self.game = kind.start(rules).map_err(|e| e.to_string())?;
        (self.kind, self.rules) = (kind, rules.to_owned());
        self.engine().clear();
        Ok(())
    }

    /// `position startpos|fen TEXT [moves …]`. A position that is wrong leaves the old one.
    fn position(&mut self, words: &[&str]) -> Result<(), String> {
        self.stop();
        let moves_at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let (setup, moves) = words.split_at(moves_at);
        let mut game = match setup {
            ["startpos"] => self.kind.start(&self.rules),
            ["fen", text @ ..] => self.kind.parse(&text.join(" "), &self.rules),
            _ => return Err("a position is `startpos` or `fen` and its text".to_owned()),
        }
        .map_err(|e| format!("not a position: {e}"))?;
        for text in moves.iter().skip(1) {
            game.play(text).map_err(|e| format!("not a legal move: {e}"))?;
        }
        self.game = game;
        Ok(())
    }

    fn go(&mut self, words: &[&str], out: &mut Output) -> Answer {
        self.stop();
        let go = match Go::parse(words) {
            Ok(go) => go,
            Err(why) => return Ok(Err(why)),
        };
        if let Some(depth) = go.perft {
            return self.perft(depth, out).map(Ok);
        }
        let budget = go.budget(self.game.turn());
        let mut engine = self.engine.take().expect("the engine is here while no search is running");
        (engine.settings.threads, engine.settings.lines) = (self.threads, self.lines);
        let stop = Arc::new(AtomicBool::new(false));
        let (told, game) = (Arc::clone(&stop), self.game.clone_box());
        let thread = std::thread::spawn(move || {
            search(&game, budget, &mut engine, &told);
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

const MAX_TABLE: usize = 65_536;
const MAX_THREADS: usize = 256;
const MAX_LINES: usize = 256;

fn greeting() -> String {
    let variants: Vec<_> = GAMES.iter().map(|kind| format!(" var {}", kind.name)).collect();
    format!(
        "id name Sandtable {}\nid author The Sandtable authors\n\
         option name Hash type spin default {DEFAULT_TABLE} min 1 max {MAX_TABLE}\n\
         option name Clear Hash type button\n\
         option name Threads type spin default 1 min 1 max {MAX_THREADS}\n\
         option name MultiPV type spin default 1 min 1 max {MAX_LINES}\n\
         option name UCI_Variant type combo default {}{}\n\
         option name Rules type string default standard\n\
         uciok\n",
        env!("CARGO_PKG_VERSION"),
        GAMES[0].name,
        variants.concat(),
    )
}

/// Searches and answers. A reader that went away ends the program at its next line of input.
fn search(game: &BoxedGame, budget: Budget, engine: &mut AlphaBeta, stop: &AtomicBool) {
    // The thread writes by itself: whole lines, each flushed at once.
    let mut out = Output::new(false);
    let start = Instant::now();
    let found = budget.search(&**game, engine, stop, &mut |found| {
        let _ = out.text(info(game, found, start));
    });
    // An endless search may not answer before it is told to stop, even if it has seen everything.
    while budget == Budget::Endless && !stop.load(Ordering::Relaxed) {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let best = found
        .lines
        .first()
        .map_or_else(|| "0000".to_owned(), |line| on_the_wire(game, &line.moves)[0].clone());
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
            found.longest,
            number + 1,
            found.nodes,
            found.per_mille_full,
            on_the_wire(game, &line.moves).join(" "),
        )
    };
    found.lines.iter().enumerate().map(line).collect::<Vec<_>>().concat()
}

/// The moves of a line as the protocol carries them: action words in a game that has them, else as they are.
fn on_the_wire(game: &BoxedGame, moves: &[String]) -> Vec<String> {
    let mut game = game.clone_box();
    moves
        .iter()
        .map_while(|text| {
            let word = game.word(text);
            game.play(text).ok()?;
            Some(word.map_or_else(|| text.clone(), |word| format!("0x{word:08X}")))
        })
        .collect()
}
