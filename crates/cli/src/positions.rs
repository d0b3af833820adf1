//! The positions that a command is about: the start, one from the command line, or many from standard input.

use std::io::{self, BufRead};

use clap::Args;
use sandtable::{BoxedGame, GAMES, GameKind, find};

use crate::failure::Failure;
use crate::output::Output;

/// Which game, by which rules.
#[derive(Args, Debug)]
pub(crate) struct Kind {
    #[arg(help = games(), value_name = "GAME", value_parser = known_game)]
    pub(crate) game: &'static GameKind,
    /// The rules to play by; each game names its own, and its own default
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
}

fn games() -> String {
    let names: Vec<_> = GAMES.iter().map(|kind| kind.name).collect();
    format!("The game: {}", names.join(", "))
}

fn known_game(name: &str) -> Result<&'static GameKind, String> {
    find(name).map_err(|e| e.to_string())
}

impl Kind {
    /// The name of the rules, which the game knows.
    pub(crate) fn rules(&self) -> Result<&str, Failure> {
        let known = (self.game.rules)();
        match &self.rules {
            None => Ok(known[0]),
            Some(name) if known.contains(&name.as_str()) => Ok(name),
            Some(name) => Err(Failure::Usage(format!(
                "{} has no rules `{name}`; it has {}",
                self.game.name,
                known.join(", ")
            ))),
        }
    }
}

/// The position or positions at the end of a command line.
#[derive(Args, Debug)]
pub(crate) struct Positions {
    /// The position as text; none for the start, `-` for one a line from standard input
    #[arg(value_name = "POSITION")]
    words: Vec<String>,
}

impl Positions {
    /// Do they come from standard input?
    pub(crate) fn are_streamed(&self) -> bool {
        self.words == ["-"]
    }

    /// Calls `f` with a game for each position, as they come.
    ///
    /// A bad line of standard input gets its error, and the rest goes on; so does a line for which `f` says no.
    pub(crate) fn for_each(
        &self,
        kind: &Kind,
        out: &mut Output,
        mut f: impl FnMut(BoxedGame, &mut Output) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let rules = kind.rules()?;
        if self.words.is_empty() {
            let game = kind.game.start(rules).map_err(|e| Failure::No(e.to_string()))?;
            return f(game, out);
        }
        if !self.are_streamed() {
            let text = self.words.join(" ");
            let game =
                kind.game.parse(&text, rules).map_err(|e| Failure::No(format!("not a position: {e}")))?;
            return f(game, out);
        }
        let (mut number, mut refused) = (0, false);
        for line in io::stdin().lock().split(b'\n') {
            let line = line.map_err(|e| Failure::Usage(format!("cannot read standard input: {e}")))?;
            number += 1;
            let line = String::from_utf8_lossy(&line);
            if line.trim().is_empty() {
                continue;
            }
            let parsed = kind.game.parse(line.trim(), rules);
            match parsed
                .map_err(|e| Failure::No(format!("not a position: {e}")))
                .and_then(|game| f(game, out))
            {
                Ok(()) => {}
                Err(Failure::No(why)) => {
                    out.refuse(number, &why)?;
                    refused = true;
                }
                Err(other) => return Err(other),
            }
        }
        if refused { Err(Failure::Answered) } else { Ok(()) }
    }
}
