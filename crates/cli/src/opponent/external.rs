//! External UCI engines.

use std::io::{BufRead as _, BufReader, ErrorKind, Read, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use sandtable::AnyGame;

use super::ExternalSpec;
use crate::budget::Budget;

/// How long an engine may take for `uciok` and `readyok`.
const READY_TIMEOUT: Duration = Duration::from_secs(10);
/// How much longer than its time for a move an engine may take for `bestmove`.
const MOVE_MARGIN: Duration = Duration::from_secs(5);
/// How long an engine may take for `bestmove` if its limit is not a time.
const MOVE_TIMEOUT: Duration = Duration::from_mins(1);
/// How long an engine may take to exit after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);
/// The number of lines that may wait to be read; an engine that prints more has to wait.
const WAITING_LINES: usize = 256;

/// A running engine process. Dropping it sends `quit`, and ends it if it does not exit.
pub(crate) struct External {
    name: String,
    child: Child,
    input: ChildStdin,
    /// The lines that the engine prints; closed when it exits.
    output: Receiver<String>,
    /// The command that starts a search.
    go: String,
    ready_timeout: Duration,
    move_timeout: Duration,
}

impl External {
    /// Starts the engine, sets its options and waits for `readyok`.
    pub(super) fn start(spec: &ExternalSpec) -> Result<Self, String> {
        let name = spec.program.clone();
        let mut child = Command::new(&spec.program)
            .args(&spec.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("cannot start {name}: {e}"))?;
        let input = child.stdin.take().expect("standard input is piped");
        let output = lines(child.stdout.take().expect("standard output is piped"));
        let Budget { depth, nodes, time } = spec.budget;
        let arguments = [
            depth.map(|depth| format!(" depth {depth}")),
            nodes.map(|nodes| format!(" nodes {nodes}")),
            time.map(|time| format!(" movetime {}", time.as_millis().max(1))),
        ];
        let mut engine = Self {
            name,
            child,
            input,
            output,
            go: format!("go{}", arguments.into_iter().flatten().collect::<String>()),
            ready_timeout: spec.timeout.unwrap_or(READY_TIMEOUT),
            move_timeout: spec.timeout.unwrap_or(time.map_or(MOVE_TIMEOUT, |time| time + MOVE_MARGIN)),
        };
        engine.send("uci")?;
        engine.wait_for("uciok", engine.ready_timeout)?;
        for (option, value) in &spec.options {
            engine.send(&format!("setoption name {option} value {value}"))?;
        }
        engine.ready()?;
        Ok(engine)
    }

    pub(super) fn new_game(&mut self, game: &dyn AnyGame) -> Result<(), String> {
        if game.name() != "chess" {
            self.send(&format!("setoption name UCI_Variant value {}", game.name()))?;
        }
        self.send("ucinewgame")?;
        self.ready()
    }

    /// Sends the position with the moves played so far and returns the engine's move.
    pub(super) fn choose(&mut self, game: &dyn AnyGame) -> Result<String, String> {
        let moves = game.moves_played();
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.send(&format!("position fen {}{moves}", game.first_position_text()))?;
        let go = self.go.clone();
        self.send(&go)?;
        let line = self.wait_for("bestmove", self.move_timeout)?;
        Ok(line.split_whitespace().nth(1).unwrap_or_default().to_owned())
    }

    fn ready(&mut self) -> Result<(), String> {
        self.send("isready")?;
        self.wait_for("readyok", self.ready_timeout).map(drop)
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        self.input.write_all(format!("{line}\n").as_bytes()).map_err(|e| match e.kind() {
            // The write fails only if the engine exits first, so without this the message would depend on timing.
            ErrorKind::BrokenPipe => format!("{} exited before reading `{line}`", self.name),
            _ => format!("cannot write to {}: {e}", self.name),
        })
    }

    /// Reads lines until one starts with `word` and returns it. Ends the engine if that takes too long.
    fn wait_for(&mut self, word: &str, timeout: Duration) -> Result<String, String> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.line_before(deadline) {
                Ok(line) if line.split_whitespace().next() == Some(word) => return Ok(line),
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("{} exited before sending {word}", self.name));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let _ = self.child.kill();
                    return Err(format!(
                        "{} did not send {word} within {timeout:?} and was ended: set a longer time with timeout=TIME",
                        self.name
                    ));
                }
            }
        }
    }

    /// The next line, unless the deadline has passed, however many lines are waiting.
    fn line_before(&self, deadline: Instant) -> Result<String, RecvTimeoutError> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(RecvTimeoutError::Timeout) } else { self.output.recv_timeout(left) }
    }
}

/// Reads lines in a thread of their own, so that waiting for one can end.
fn lines(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = sync_channel(WAITING_LINES);
    std::thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    receiver
}

impl Drop for External {
    fn drop(&mut self) {
        let deadline = Instant::now() + QUIT_TIMEOUT;
        if self.send("quit").is_ok() {
            // The output ends with the process.
            while self.line_before(deadline).is_ok() {}
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
