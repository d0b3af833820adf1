//! Errors of commands and their exit codes.

use std::process::ExitCode;
use std::{fmt, io};

use crate::output::Output;

/// An error that ends a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is not a position, a legal move or an observation. Exit code 1.
    Invalid(String),
    /// Part of the input was invalid, and has been reported. Exit code 1.
    Reported,
    /// Wrong usage, or a file that cannot be read or written. Exit code 2.
    Usage(String),
    /// A second Ctrl-C ended the command at once. Exit code 130, as for a program that does not handle the signal.
    Interrupted,
    /// Standard output failed. A broken pipe is a success; anything else is exit code 2.
    Output(io::Error),
}

impl Failure {
    /// Reports the error and returns the exit code.
    ///
    /// Errors go to standard error. With `--json`, invalid input is an answer like any other and goes to standard output.
    pub(crate) fn report(self, out: &mut Output) -> ExitCode {
        match self {
            Self::Reported => ExitCode::from(1),
            Self::Interrupted => ExitCode::from(130),
            Self::Invalid(message) if out.json => match out.error(&message) {
                Ok(()) => ExitCode::from(1),
                Err(failure) => failure.report(out),
            },
            Self::Invalid(message) => {
                anstream::eprintln!("{message}");
                ExitCode::from(1)
            }
            Self::Usage(message) => {
                anstream::eprintln!("error: {message}");
                ExitCode::from(2)
            }
            Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            failure @ Self::Output(_) => {
                anstream::eprintln!("error: {failure}");
                ExitCode::from(2)
            }
        }
    }

    /// An invalid position.
    pub(crate) fn position(e: &sandtable::Error) -> Self {
        Self::Invalid(format!("invalid position: {e}"))
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(verb: &str, path: &std::path::Path, e: &io::Error) -> Self {
        Self::Usage(format!("cannot {verb} {}: {e}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(message) | Self::Usage(message) => f.write_str(message),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Reported => f.write_str("part of the input is invalid"),
            Self::Output(e) => write!(f, "cannot write to standard output: {e}"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self::Output(e)
    }
}
