//! External UCI engines.

use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use sandtable::AnyGame;

use super::ExternalSpec;
use crate::budget::Budget;

/// A running engine process. Dropping it sends `quit` and waits for its end.
pub(crate) struct External {
    name: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    go: String,
}

impl External {
    /// Starts the engine, sets its options and waits for `readyok`.
    pub(super) fn start(spec: &ExternalSpec) -> Result<Self, String> {
        let name = spec.command.clone();
        let mut child = Command::new(&spec.command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("cannot start {name}: {e}"))?;
        let input = child.stdin.take().expect("standard input is piped");
        let output = BufReader::new(child.stdout.take().expect("standard output is piped"));
        let go = match spec.budget {
            Budget::Depth(depth) => format!("go depth {depth}"),
            Budget::Nodes(nodes) => format!("go nodes {nodes}"),
            Budget::Time(time) => format!("go movetime {}", time.as_millis().max(1)),
            Budget::Infinite => {
                return Err(format!("missing limit for {name}: expected depth=N, nodes=N or time=TIME"));
            }
        };
        let mut engine = Self { name, child, input, output, go };
        engine.send("uci")?;
        engine.wait_for("uciok")?;
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
        let line = self.wait_for("bestmove")?;
        Ok(line.split_whitespace().nth(1).unwrap_or_default().to_owned())
    }

    fn ready(&mut self) -> Result<(), String> {
        self.send("isready")?;
        self.wait_for("readyok").map(|_| ())
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.input, "{line}").map_err(|e| match e.kind() {
            // The write fails only if the engine exits first, so without this the message would depend on timing.
            ErrorKind::BrokenPipe => format!("{} exited before reading `{line}`", self.name),
            _ => format!("cannot write to {}: {e}", self.name),
        })
    }

    /// Reads lines until one starts with `word` and returns it.
    fn wait_for(&mut self, word: &str) -> Result<String, String> {
        loop {
            let mut line = String::new();
            let read = self
                .output
                .read_line(&mut line)
                .map_err(|e| format!("cannot read from {}: {e}", self.name))?;
            if read == 0 {
                return Err(format!("{} exited before sending {word}", self.name));
            }
            if line.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
        }
    }
}

impl Drop for External {
    fn drop(&mut self) {
        // If the pipe is broken, the process has ended or is unresponsive.
        if self.send("quit").is_err() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}
