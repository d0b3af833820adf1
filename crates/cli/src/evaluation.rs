//! The choice of an evaluation: the hand-made one, or a network from a file.

use std::path::PathBuf;
use std::sync::Arc;

use sandtable::GameKind;
use sandtable::nnue::Network;

/// The evaluation of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Evaluation {
    /// The hand-made evaluation.
    #[default]
    HandMade,
    /// The network in a file.
    File(PathBuf),
}

impl From<&str> for Evaluation {
    fn from(text: &str) -> Self {
        if text == "hand" { Self::HandMade } else { Self::File(text.into()) }
    }
}

impl Evaluation {
    /// The network to use; `None` for the hand-made evaluation.
    pub(crate) fn network(&self, kind: &GameKind) -> Result<Option<Arc<Network>>, String> {
        match self {
            Self::HandMade => Ok(None),
            Self::File(path) => {
                let fail = |e: &dyn std::fmt::Display| format!("cannot use {}: {e}", path.display());
                let bytes = std::fs::read(path).map_err(|e| fail(&e))?;
                Ok(Some(Arc::new(kind.net.read(&bytes).map_err(|e| fail(&e))?)))
            }
        }
    }
}
