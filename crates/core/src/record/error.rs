//! Errors in game records.

use crate::Describe;
use crate::record::{Notation, RecordFormat};

/// An error in the syntax that the records of all games share.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("record_syntax")]
#[non_exhaustive]
pub enum SyntaxFault {
    /// A tag pair is malformed.
    #[error("malformed tag: expected [Name \"value\"]")]
    Tag,
    /// A `{` without its `}`.
    #[error("unclosed comment: expected }}")]
    UnclosedComment,
    /// A `(` without its `)`.
    #[error("unclosed variation: expected )")]
    UnclosedVariation,
    /// A `)` or `}` without its counterpart.
    #[error("unmatched `{0}`")]
    Unmatched(#[param(name = "found")] char),
    /// A `$` without a number from 0 to 255.
    #[error("invalid annotation: expected $ and a number from 0 to 255")]
    Annotation,
    /// A variation before the first turn of a line.
    #[error("unexpected variation: expected a turn before it, which it replaces")]
    VariationFirst,
    /// Too many variations within variations.
    #[error("variations nested too deeply: expected at most {0} levels")]
    Nesting(#[param(name = "limit")] usize),
}

/// An error in a record and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("record")]
#[error("line {line}, column {column}: {fault}")]
pub struct RecordError<F: Describe> {
    /// The line, starting at 1.
    pub line: usize,
    /// The column in characters, starting at 1.
    pub column: usize,
    /// The error.
    #[param(message)]
    pub fault: F,
}

/// The error of the records of a game.
pub type RecordErrorOf<P> = RecordError<<<P as Notation>::Records as RecordFormat<P>>::Fault>;
