//! Why a command did not do what was asked, and the exit code that says so.

use std::fmt;
use std::io;
use std::process::ExitCode;

use crate::output::Output;

/// Everything that can end a command early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The answer is no: what was given is not a position, a move, an observation. Exit code 1.
    No(String),
    /// The answer was no at least once, and has been given already. Exit code 1.
    Answered,
    /// The command was used in a wrong way, or its files cannot be read or written. Exit code 2.
    Usage(String),
    /// Output failed. A reader that went away is no error; anything else is exit code 2.
    Output(io::Error),
}

impl Failure {
    /// Says what is wrong, on standard error, and how to exit.
    ///
    /// Scripts find a "no" among the answers.
    pub(crate) fn report(self, out: &mut Output) -> ExitCode {
        match self {
            Self::Answered => ExitCode::from(1),
            Self::No(why) if out.json => match out.deny(&why) {
                Ok(()) => ExitCode::from(1),
                Err(failure) => failure.report(out),
            },
            Self::No(why) => {
                anstream::eprintln!("{why}");
                ExitCode::from(1)
            }
            Self::Usage(why) => {
                anstream::eprintln!("error: {why}");
                ExitCode::from(2)
            }
            Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Output(e) => {
                anstream::eprintln!("error: cannot write the answer: {e}");
                ExitCode::from(2)
            }
        }
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(verb: &str, path: &std::path::Path, e: &io::Error) -> Self {
        Self::Usage(format!("cannot {verb} {}: {e}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::No(why) | Self::Usage(why) => f.write_str(why),
            Self::Answered => f.write_str("the answer was no"),
            Self::Output(e) => write!(f, "cannot write the answer: {e}"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self::Output(e)
    }
}
