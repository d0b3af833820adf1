//! Standard input of the interactive commands.

use std::io::{self, BufRead as _, IsTerminal as _};

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::failure::Failure;

/// Lines of input: typed with line editing, or read from a pipe.
pub(crate) enum Input {
    Typed(DefaultEditor),
    Piped(io::StdinLock<'static>),
}

impl Input {
    /// Opens standard input; with `--json` without line editing.
    pub(crate) fn open(json: bool) -> Result<Self, Failure> {
        if json || !io::stdin().is_terminal() {
            return Ok(Self::Piped(io::stdin().lock()));
        }
        let editor = DefaultEditor::new()
            .map_err(|e| Failure::Usage(format!("cannot read from the terminal: {e}")))?;
        Ok(Self::Typed(editor))
    }

    /// Reads the next line; `None` at the end of the input or on Ctrl-C.
    pub(crate) fn line(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        let unreadable =
            |e: &dyn std::fmt::Display| Failure::Usage(format!("cannot read standard input: {e}"));
        match self {
            Self::Typed(editor) => match editor.readline(prompt) {
                Ok(line) => {
                    // A failure only affects the line history.
                    let _ = editor.add_history_entry(&line);
                    Ok(Some(line))
                }
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(e) => Err(unreadable(&e)),
            },
            Self::Piped(stdin) => {
                let mut bytes = Vec::new();
                let read = stdin.read_until(b'\n', &mut bytes).map_err(|e| unreadable(&e))?;
                Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
            }
        }
    }
}
