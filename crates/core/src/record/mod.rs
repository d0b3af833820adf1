//! Texts: the notations of positions, moves and turns, and game records with their annotations.

mod annotations;
mod error;
mod format;
mod line_wrapper;
mod notation;
mod read;
mod result_word;
mod scanner;
mod tags;
mod write;

pub use annotations::{Annotations, Note, Variation};
pub use error::{RecordError, RecordErrorOf, SyntaxFault};
pub use format::{PlainFault, PlainRecords, RESULT_TAG, RULES_TAG, RecordFormat, TERMINATION_TAG};
pub use notation::{Notation, Record, Tags};
pub use read::{read, read_all};
pub use result_word::ResultWord;
pub use scanner::count_words;
pub use tags::find_tag;
pub use write::write;

/// The largest number of variations within each other. It bounds the recursion over a record.
pub const MAX_NESTED_VARIATIONS: usize = 32;
