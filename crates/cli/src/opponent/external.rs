//! Another program that speaks UCI.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use sandtable::AnyGame;

use super::ExternalSpec;
use crate::budget::Budget;

/// A running engine. It is told to quit, and waited for, when it is dropped.
pub(crate) struct External {
    name: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    go: String,
}

impl External {
    /// Starts the program, sets its options and waits until it is ready.
    pub(super) fn start(spec: &ExternalSpec) -> Result<Self, String> {
        let name = spec.command.clone();
        let mut child = Command::new(&spec.command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("cannot start {name}: {e}"))?;
        let input = child.stdin.take().expect("its input is piped");
        let output = BufReader::new(child.stdout.take().expect("its output is piped"));
        let go = match spec.budget {
            Budget::Depth(depth) => format!("go depth {depth}"),
            Budget::Nodes(nodes) => format!("go nodes {nodes}"),
            Budget::Time(time) => format!("go movetime {}", time.as_millis().max(1)),
            Budget::Endless => return Err(format!("{name} needs a limit")),
        };
        let mut engine = Self { name, child, input, output, go };
        engine.say("uci")?;
        engine.wait_for("uciok")?;
        for (option, value) in &spec.options {
            engine.say(&format!("setoption name {option} value {value}"))?;
        }
        engine.ready()?;
        Ok(engine)
    }

    pub(super) fn new_game(&mut self, game: &dyn AnyGame) -> Result<(), String> {
        if game.name() != "chess" {
            self.say(&format!("setoption name UCI_Variant value {}", game.name()))?;
        }
        self.say("ucinewgame")?;
        self.ready()
    }

    /// Tells the position with the moves that led to it, and hears the move.
    pub(super) fn choose(&mut self, game: &dyn AnyGame) -> Result<String, String> {
        let moves = game.moves_played();
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.say(&format!("position fen {}{moves}", game.first_position()))?;
        let go = self.go.clone();
        self.say(&go)?;
        let answer = self.wait_for("bestmove")?;
        let word = answer.split_whitespace().nth(1).unwrap_or_default();
        Ok(word.to_owned())
    }

    fn ready(&mut self) -> Result<(), String> {
        self.say("isready")?;
        self.wait_for("readyok").map(|_| ())
    }

    fn say(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.input, "{line}").map_err(|e| format!("{} does not listen: {e}", self.name))
    }

    /// Skips lines until one begins with that word.
    fn wait_for(&mut self, word: &str) -> Result<String, String> {
        loop {
            let mut line = String::new();
            let read = self
                .output
                .read_line(&mut line)
                .map_err(|e| format!("{} cannot be heard: {e}", self.name))?;
            if read == 0 {
                return Err(format!("{} ended without a {word}", self.name));
            }
            if line.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
        }
    }
}

impl Drop for External {
    fn drop(&mut self) {
        // A program that does not listen any more has ended, or is ended here.
        if self.say("quit").is_err() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}
