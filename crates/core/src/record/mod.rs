//! Texts: the notations of positions, moves and turns, and game records with their annotations.

mod annotations;
mod movetext;
mod notation;
mod tags;

pub use annotations::{Annotations, Note, Variation};
pub use movetext::{
    MAX_NESTED_VARIATIONS, Movetext, MovetextWriter, RecordError, RecordFault, RecordPlace, RecordScanner,
    RecordSyntax, without_places,
};
pub use notation::{Notation, Record, Tags};
pub use tags::{LineWrapper, parse_tag, strip_move_number, write_tag};
