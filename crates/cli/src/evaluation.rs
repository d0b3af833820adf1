//! The choice of an evaluation on the command line: the default network, the hand-made evaluation, or a file.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use sandtable::GameKind;
use sandtable::engine::{Evaluation, read_network};

/// The evaluation of an engine as a user names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum EvaluationArg {
    /// The embedded network.
    #[default]
    Default,
    /// The hand-made evaluation.
    HandMade,
    /// The network in a file.
    File(PathBuf),
}

impl FromStr for EvaluationArg {
    type Err = Infallible;

    /// Parses `default` (`<default>` in UCI), `hand` or the name of a file.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "default" | "<default>" => Self::Default,
            "hand" => Self::HandMade,
            file => Self::File(file.into()),
        })
    }
}

impl EvaluationArg {
    /// Reads the file, if the user named a file.
    pub(crate) fn resolve(&self, kind: &GameKind) -> Result<Evaluation, String> {
        match self {
            Self::Default => Ok(Evaluation::Default),
            Self::HandMade => Ok(Evaluation::HandMade),
            Self::File(path) => {
                let fail = |e: &dyn std::fmt::Display| format!("cannot use {}: {e}", path.display());
                let bytes = std::fs::read(path).map_err(|e| fail(&e))?;
                Ok(Evaluation::Network(Arc::new(read_network(kind, &bytes).map_err(|e| fail(&e))?)))
            }
        }
    }
}
