//! Standard output, as text or JSON.

use std::fmt::Display;
use std::io::{self, Write as _};

use anstream::AutoStream;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::failure::Failure;

/// Standard output. Colours are stripped where they are not wanted; every answer is flushed.
pub(crate) struct Output {
    stream: AutoStream<io::Stdout>,
    /// Whether to print JSON, one object per line.
    pub(crate) json: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { stream: AutoStream::auto(io::stdout()), json }
    }

    /// Whether colours are shown.
    pub(crate) fn color(&self) -> bool {
        !matches!(self.stream.current_choice(), anstream::ColorChoice::Never)
    }

    /// Prints text as it is.
    pub(crate) fn text(&mut self, text: impl Display) -> Result<(), Failure> {
        write!(self.stream, "{text}")?;
        Ok(self.stream.flush()?)
    }

    /// Prints one JSON object on a line.
    pub(crate) fn object(&mut self, value: &Value) -> Result<(), Failure> {
        self.text(format_args!("{value}\n"))
    }

    /// Prints a message, in JSON as `{"text": …}`.
    pub(crate) fn message(&mut self, text: &str) -> Result<(), Failure> {
        if self.json { self.object(&json!({ "text": text })) } else { self.text(text) }
    }

    /// Prints an error that does not end the command, in JSON as `{"error": …}`.
    pub(crate) fn error(&mut self, message: &str) -> Result<(), Failure> {
        if self.json {
            self.object(&json!({ "error": message }))
        } else {
            self.text(format_args!("{message}\n"))
        }
    }

    /// Reports an invalid line of input: to standard error, or with `--json` among the answers.
    pub(crate) fn line_error(&mut self, line: usize, message: &str) -> Result<(), Failure> {
        if self.json {
            self.object(&json!({ "line": line, "error": message }))
        } else {
            anstream::eprintln!("line {line}: {message}");
            Ok(())
        }
    }
}

/// Creates a progress bar of `steps` steps on standard error; hidden if that is not a terminal.
pub(crate) fn progress(steps: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} {elapsed}, {eta} left");
    let bar = ProgressBar::new(steps).with_message(what);
    bar.set_style(style.expect("the template is valid"));
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}
