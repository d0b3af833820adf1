//! Annotations of a game as JSON: comments, glyphs and variations.

use sandtable::core::record::{Annotations, Variation};
use serde::{Deserialize, Serialize};

/// The annotations of a line of moves, as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Annotations"))]
#[serde(deny_unknown_fields)]
pub struct AnnotationsJson {
    /// The comments and glyphs, by place.
    #[serde(default)]
    notes: Vec<NoteJson>,
    /// The variations, by place.
    #[serde(default)]
    variations: Vec<VariationJson>,
}

/// A comment with glyphs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Note"))]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteJson {
    /// The number of moves before the note.
    ply: usize,
    #[serde(default)]
    glyphs: Vec<u8>,
    #[serde(default)]
    comment: String,
}

/// A variation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Variation"))]
#[serde(deny_unknown_fields)]
pub(crate) struct VariationJson {
    /// The number of moves of its line before the first one that it replaces.
    ply: usize,
    /// Its moves, in the form that programs exchange.
    moves: Vec<String>,
    #[serde(default)]
    annotations: AnnotationsJson,
}

impl AnnotationsJson {
    pub(crate) fn of(annotations: &Annotations<String>) -> Self {
        let notes = annotations.notes().map(|(ply, note)| NoteJson {
            ply,
            glyphs: note.glyphs.clone(),
            comment: note.comment.clone(),
        });
        let variations = annotations.all_variations().map(|(ply, variation)| VariationJson {
            ply,
            moves: variation.moves.clone(),
            annotations: Self::of(&variation.annotations),
        });
        Self { notes: notes.collect(), variations: variations.collect() }
    }

    pub(crate) fn read(self) -> Annotations<String> {
        let mut annotations = Annotations::default();
        for NoteJson { ply, glyphs, comment } in self.notes {
            for glyph in glyphs {
                annotations.add_glyph(ply, glyph);
            }
            annotations.add_comment(ply, &comment);
        }
        for VariationJson { ply, moves, annotations: nested } in self.variations {
            annotations.add_variation(ply, Variation { moves, annotations: nested.read() });
        }
        annotations
    }
}
