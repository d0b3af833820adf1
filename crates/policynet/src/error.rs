//! Why a file is not a usable network.

use sandtable::UnknownName;
use sandtable::engine::PolicyError;

/// How to get a file with everything that is needed.
const EXPORT: &str = "write it with `python -m sandtable.train export`";

/// Why a file is not a usable network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OnnxError {
    /// The file is not an ONNX file, or only a part of one.
    #[error("not an ONNX file, or an incomplete one: {0}")]
    Format(String),
    /// The metadata lack an entry.
    #[error("the ONNX file has no metadata `{0}`: {EXPORT}")]
    NoMetadata(&'static str),
    /// The game is unknown.
    #[error(transparent)]
    UnknownGame(UnknownName),
    /// The policy has another encoding.
    #[error("the network has the policy head `{found}`, but that of {game} is `{expected}`: train a new one")]
    OtherHead {
        /// The game.
        game: &'static str,
        /// The head of the game.
        expected: &'static str,
        /// The head of the network.
        found: String,
    },
    /// The game has no such rules.
    #[error("the network is for unknown rules `{found}` of {game}: expected {known}")]
    UnknownRules {
        /// The game.
        game: &'static str,
        /// The rules of the network.
        found: String,
        /// The rules of the game.
        known: String,
    },
    /// The file lacks the input or an output.
    #[error("the network has no {0}: {EXPORT}")]
    Missing(&'static str),
    /// The input or an output has another shape.
    #[error("{name} has the shape {found}, not {expected}")]
    Shape {
        /// The name of the input or output.
        name: &'static str,
        /// The shape that the game needs.
        expected: String,
        /// The shape that it has.
        found: String,
    },
    /// The network has operators or shapes that cannot be evaluated.
    #[error("the network cannot be prepared: {0}")]
    Unsupported(String),
    /// The network cannot be evaluated.
    #[error(transparent)]
    Evaluate(#[from] PolicyError),
}
