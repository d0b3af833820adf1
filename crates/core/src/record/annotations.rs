//! Annotations of a game record: comments, numeric annotation glyphs and variations.

use std::collections::BTreeMap;
use std::iter;

/// The annotations of a line of moves, beside the moves themselves.
///
/// Places are numbers of moves: the note at 0 stands before the first move of the line, the note at 3 after its third move, and
/// a variation from 3 replaces the moves from the fourth on. Moves are those of a position, or text.
///
/// ```
/// use sandtable_core::record::{Annotations, Variation};
///
/// let mut annotations = Annotations::default();
/// annotations.add_glyph(1, 2);
/// annotations.add_comment(1, "too slow");
/// annotations.add_variation(0, Variation::new(vec!["e2e4", "e7e5"]));
/// assert_eq!(annotations.note(1).unwrap().comment, "too slow");
/// assert_eq!(annotations.variations(0)[0].moves, ["e2e4", "e7e5"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotations<M> {
    notes: BTreeMap<usize, Note>,
    variations: BTreeMap<usize, Vec<Variation<M>>>,
}

/// What a record says about the last move of a line, or before the first one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// Numeric annotation glyphs: 1 is `!`, 2 is `?`, 3 is `!!`, 4 is `??`, 5 is `!?`, 6 is `?!`.
    pub glyphs: Vec<u8>,
    /// The comment, its words separated by single spaces.
    pub comment: String,
}

/// A variation: moves that replace those of another line, with their own annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation<M> {
    /// The moves.
    pub moves: Vec<M>,
    /// Their annotations.
    pub annotations: Annotations<M>,
}

impl<M> Variation<M> {
    /// A variation without annotations.
    #[must_use]
    pub fn new(moves: Vec<M>) -> Self {
        Self { moves, annotations: Annotations::default() }
    }
}

impl<M> Default for Annotations<M> {
    fn default() -> Self {
        Self { notes: BTreeMap::new(), variations: BTreeMap::new() }
    }
}

impl<M> Annotations<M> {
    /// Whether there are no annotations.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.variations.is_empty()
    }

    /// The note after `ply` moves of the line.
    #[must_use]
    pub fn note(&self, ply: usize) -> Option<&Note> {
        self.notes.get(&ply)
    }

    /// All notes with their places, in order.
    pub fn notes(&self) -> impl Iterator<Item = (usize, &Note)> {
        self.notes.iter().map(|(&ply, note)| (ply, note))
    }

    /// The variations that replace the moves after the first `ply` ones.
    #[must_use]
    pub fn variations(&self, ply: usize) -> &[Variation<M>] {
        self.variations.get(&ply).map_or(&[], Vec::as_slice)
    }

    /// All variations with their places, in order.
    pub fn all_variations(&self) -> impl Iterator<Item = (usize, &Variation<M>)> {
        self.variations.iter().flat_map(|(&ply, variations)| iter::repeat(ply).zip(variations))
    }

    /// Adds a numeric annotation glyph after `ply` moves.
    pub fn add_glyph(&mut self, ply: usize, glyph: u8) {
        self.notes.entry(ply).or_default().glyphs.push(glyph);
    }

    /// Adds a comment after `ply` moves. It follows the comment that is already there.
    pub fn add_comment(&mut self, ply: usize, comment: &str) {
        let mut words = comment.split_whitespace().peekable();
        if words.peek().is_none() {
            return;
        }
        let comment = &mut self.notes.entry(ply).or_default().comment;
        for word in words {
            if !comment.is_empty() {
                comment.push(' ');
            }
            comment.push_str(word);
        }
    }

    /// Adds a variation that replaces the moves after the first `ply` ones. One without moves has no effect.
    pub fn add_variation(&mut self, ply: usize, variation: Variation<M>) {
        if !variation.moves.is_empty() {
            self.variations.entry(ply).or_default().push(variation);
        }
    }

    /// Keeps the variations that replace the moves after the first `ply` ones if `keep` returns true.
    pub fn retain_variations(&mut self, ply: usize, keep: impl FnMut(&Variation<M>) -> bool) {
        if let Some(variations) = self.variations.get_mut(&ply) {
            variations.retain(keep);
            if variations.is_empty() {
                self.variations.remove(&ply);
            }
        }
    }

    /// Removes the note after `ply` moves and returns it.
    pub fn remove_note(&mut self, ply: usize) -> Option<Note> {
        self.notes.remove(&ply)
    }

    /// The same notes with other variations: `f` converts each, given its place.
    pub fn try_map<N, E>(
        &self,
        mut f: impl FnMut(usize, &Variation<M>) -> Result<Variation<N>, E>,
    ) -> Result<Annotations<N>, E> {
        let mut mapped = Annotations { notes: self.notes.clone(), variations: BTreeMap::new() };
        for (ply, variation) in self.all_variations() {
            mapped.add_variation(ply, f(ply, variation)?);
        }
        Ok(mapped)
    }

    /// The same annotations for a line with `by` more moves before its first one.
    pub(crate) fn shifted(&self, by: usize) -> Self
    where
        M: Clone,
    {
        Self {
            notes: self.notes.iter().map(|(ply, note)| (ply + by, note.clone())).collect(),
            variations: self.variations.iter().map(|(ply, lines)| (ply + by, lines.clone())).collect(),
        }
    }

    /// Removes the annotations beyond the first `ply` moves, for example when moves are taken back.
    pub fn truncate(&mut self, ply: usize) {
        self.notes.split_off(&(ply + 1));
        self.variations.split_off(&ply);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_joined_and_their_white_space_is_normalised() {
        let mut annotations = Annotations::<u8>::default();
        annotations.add_comment(2, " \n ");
        assert!(annotations.is_empty(), "an empty comment is no note");
        annotations.add_comment(2, "a\n b");
        annotations.add_comment(2, "c ");
        assert_eq!(annotations.note(2).unwrap().comment, "a b c");
    }

    #[test]
    fn taking_moves_back_removes_their_annotations() {
        let mut annotations = Annotations::default();
        for ply in 0..4 {
            annotations.add_glyph(ply, 1);
            annotations.add_variation(ply, Variation::new(vec!["x"]));
        }
        annotations.add_variation(0, Variation::new(Vec::new()));
        annotations.truncate(2);
        assert_eq!(annotations.notes().map(|(ply, _)| ply).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(annotations.all_variations().map(|(ply, _)| ply).collect::<Vec<_>>(), [0, 1]);
    }
}
