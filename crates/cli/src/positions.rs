//! The positions of a command: the start position, one from the command line, or many from standard input.

use std::io::{self, BufRead};

use clap::Args;
use sandtable::{BoxedGame, GAMES, GameKind, find};

use crate::failure::Failure;
use crate::output::Output;

/// The game and its rules.
#[derive(Args, Clone, Debug)]
pub(crate) struct Kind {
    #[arg(help = game_help(), value_name = "GAME", value_parser = parse_game)]
    pub(crate) game: &'static GameKind,
    #[arg(help = rules_help(), long, value_name = "NAME")]
    rules: Option<String>,
}

pub(crate) fn game_help() -> String {
    let names: Vec<_> = GAMES.iter().map(|kind| kind.name).collect();
    format!("The game: {}", names.join(", "))
}

fn rules_help() -> String {
    let presets = |kind: &GameKind| format!("{}: {}", kind.name, kind.rules.join(", "));
    let games: Vec<_> = GAMES.iter().map(presets).collect();
    format!("The rules; the default comes first ({})", games.join("; "))
}

/// Reads the name of a game.
pub(crate) fn parse_game(name: &str) -> Result<&'static GameKind, String> {
    find(name).map_err(|e| e.to_string())
}

impl Kind {
    /// Returns the name of the chosen rules, or of the game's default rules.
    pub(crate) fn rules(&self) -> Result<&str, Failure> {
        let Some(name) = &self.rules else { return Ok(self.game.rules[0]) };
        self.game.start(name).map_err(|e| Failure::Usage(e.to_string()))?;
        Ok(name)
    }
}

/// The position arguments of a command.
#[derive(Args, Debug)]
pub(crate) struct Positions {
    /// The position as text; the start position if omitted, `-` to read one per line from standard input
    #[arg(value_name = "POSITION")]
    words: Vec<String>,
}

impl Positions {
    /// Whether positions come from standard input.
    pub(crate) fn are_streamed(&self) -> bool {
        self.words == ["-"]
    }

    /// Calls `f` with a game for each position.
    ///
    /// An invalid line of standard input, or one for which `f` fails as invalid, is reported and skipped.
    pub(crate) fn for_each(
        &self,
        kind: &Kind,
        out: &mut Output,
        mut f: impl FnMut(BoxedGame, &mut Output) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let rules = kind.rules()?;
        let parse = |text: &str| kind.game.parse(text, rules).map_err(|e| Failure::position(&e));
        if self.words.is_empty() {
            let game = kind.game.start(rules).map_err(|e| Failure::Invalid(e.to_string()))?;
            return f(game, out);
        }
        if !self.are_streamed() {
            return f(parse(&self.words.join(" "))?, out);
        }
        let mut any_invalid = false;
        for (index, line) in io::stdin().lock().split(b'\n').enumerate() {
            let line = line.map_err(|e| Failure::Usage(format!("cannot read standard input: {e}")))?;
            let line = String::from_utf8_lossy(&line);
            if line.trim().is_empty() {
                continue;
            }
            match parse(line.trim()).and_then(|game| f(game, out)) {
                Ok(()) => {}
                Err(Failure::Invalid(message)) => {
                    out.line_error(index + 1, &message)?;
                    any_invalid = true;
                }
                Err(other) => return Err(other),
            }
        }
        if any_invalid { Err(Failure::Reported) } else { Ok(()) }
    }
}
