//! Standard output, for people or for scripts.

use std::fmt::Display;
use std::io::{self, Write as _};

use anstream::AutoStream;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::failure::Failure;

/// Where answers go. Colours are stripped where they are not wanted; every answer is flushed at once.
pub(crate) struct Output {
    stream: AutoStream<io::Stdout>,
    /// Answer with JSON, one object a line.
    pub(crate) json: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { stream: AutoStream::auto(io::stdout()), json }
    }

    /// Are colours seen by whoever reads this?
    pub(crate) fn colour(&self) -> bool {
        !matches!(self.stream.current_choice(), anstream::ColorChoice::Never)
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: impl Display) -> Result<(), Failure> {
        write!(self.stream, "{text}")?;
        Ok(self.stream.flush()?)
    }

    /// Writes one JSON object on a line of its own.
    pub(crate) fn object(&mut self, value: &Value) -> Result<(), Failure> {
        self.text(format_args!("{value}\n"))
    }

    /// Writes a text that answers a question.
    pub(crate) fn say(&mut self, text: &str) -> Result<(), Failure> {
        if self.json { self.object(&json!({ "text": text })) } else { self.text(text) }
    }

    /// Says why something is not done, where the next try comes at once.
    pub(crate) fn deny(&mut self, why: &str) -> Result<(), Failure> {
        if self.json { self.object(&json!({ "error": why })) } else { self.text(format_args!("{why}\n")) }
    }

    /// Says why a line of input has no answer. Scripts find it among the answers, people on standard error.
    pub(crate) fn refuse(&mut self, line: usize, why: &str) -> Result<(), Failure> {
        if self.json {
            self.object(&json!({ "line": line, "error": why }))
        } else {
            anstream::eprintln!("line {line}: {why}");
            Ok(())
        }
    }
}

/// A bar on standard error for `steps` steps; nothing where standard error is not a terminal.
pub(crate) fn progress(steps: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} {elapsed}, {eta} left");
    let bar = ProgressBar::new(steps).with_message(what);
    bar.set_style(style.expect("the template is well formed"));
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}
