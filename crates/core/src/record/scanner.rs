//! The tokens of game records: tags, comments, glyphs, parentheses and words.

use crate::Describe;
use crate::record::tags::parse_tag;
use crate::record::{RecordError, SyntaxFault};

/// The number of words of the first game's movetext that may be turns, those of variations included. It costs much less
/// than reading them.
#[must_use]
pub fn count_words(record: &str) -> usize {
    let mut scanner = Scanner::new(record);
    if scanner.tags().is_err() {
        return 0;
    }
    let (mut words, mut closed_at) = (0, None);
    loop {
        scanner.skip_space();
        let place = scanner.place();
        match scanner.token(|_| None) {
            // A word directly after `)` continues the word that began with the parentheses, as in `(NFT)c3`.
            Ok(Some(Token::Word(word))) => {
                let is_new = closed_at != Some(place) && word.contains(|c: char| c.is_ascii_alphabetic());
                words += usize::from(is_new);
            }
            Ok(Some(Token::Close)) => closed_at = Some(scanner.place()),
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => return words,
        }
    }
}

/// A place in the text of a record: an offset in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(usize);

/// A token of the movetext.
pub(super) enum Token<'a> {
    Comment { text: String, in_braces: bool },
    Glyph(u8),
    Open,
    Close,
    Word(&'a str),
}

/// A text and the current place in it.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

/// An error in the syntax, and its place.
type Placed = (Place, SyntaxFault);

impl<'a> Scanner<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The text that has not been read.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) const fn place(&self) -> Place {
        Place(self.at)
    }

    /// Returns an error at a place and moves back to it, so that the search for the next game starts there: an
    /// unclosed comment does not hide the games after it.
    pub(super) fn error<F: Describe>(&mut self, place: Place, fault: F) -> RecordError<F> {
        self.at = place.0;
        let before = &self.text[..place.0];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        RecordError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            fault,
        }
    }

    /// Skips white space, byte-order marks and lines that begin with `%`.
    pub(super) fn skip_space(&mut self) {
        loop {
            self.take_while(|c| c.is_whitespace() || c == '\u{feff}');
            let before = self.text[..self.at].trim_end_matches('\u{feff}');
            let line_start = before.is_empty() || before.ends_with('\n');
            if !(line_start && self.rest().starts_with('%')) {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    /// Skips to the next tag line that follows an empty line.
    pub(super) fn skip_to_next_game(&mut self) {
        let mut after_empty = false;
        for line in self.rest().split_inclusive('\n') {
            if after_empty && line.starts_with('[') {
                return;
            }
            after_empty = line.trim().is_empty();
            self.at += line.len();
        }
    }

    /// Parses the tag pairs, each with its place. Comments before a tag are skipped.
    pub(super) fn tags(&mut self) -> Result<Vec<(Place, String, String)>, Placed> {
        let mut tags = Vec::new();
        loop {
            self.skip_space();
            let before_comments = self.at;
            while self.rest().starts_with([';', '{']) && self.comment().is_ok() {
                self.skip_space();
            }
            if !self.rest().starts_with('[') {
                // The comments belong to the movetext.
                self.at = before_comments;
                return Ok(tags);
            }
            let place = self.place();
            let Some((name, value, rest)) = parse_tag(self.rest()) else {
                return Err((place, SyntaxFault::Tag));
            };
            self.at = self.text.len() - rest.len();
            tags.push((place, name.to_owned(), value));
        }
    }

    /// The token at the current place, which is not white space. `None` at the next tag and at the end of the text.
    ///
    /// `group_len` returns the length of parentheses that are a part of a word.
    pub(super) fn token(
        &mut self,
        group_len: impl Fn(&str) -> Option<usize>,
    ) -> Result<Option<Token<'a>>, Placed> {
        let place = self.place();
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        Ok(Some(match first {
            '[' => return Ok(None),
            ';' | '{' => Token::Comment { text: self.comment()?, in_braces: first == '{' },
            '$' => {
                self.at += 1;
                let digits = self.take_while(|c| c.is_ascii_digit());
                Token::Glyph(digits.parse().map_err(|_| (place, SyntaxFault::Annotation))?)
            }
            '}' => return Err((place, SyntaxFault::Unmatched('}'))),
            ')' => {
                self.at += 1;
                Token::Close
            }
            '(' if group_len(self.rest()).is_none() => {
                self.at += 1;
                Token::Open
            }
            _ => Token::Word(self.word(group_len)),
        }))
    }

    /// Parses a comment: in braces, or from `;` to the end of the line.
    fn comment(&mut self) -> Result<String, Placed> {
        let (place, is_line) = (self.place(), self.rest().starts_with(';'));
        self.at += 1;
        let text = self.take_while(|c| c != if is_line { '\n' } else { '}' });
        if !is_line {
            if self.rest().is_empty() {
                self.at = place.0;
                return Err((place, SyntaxFault::UnclosedComment));
            }
            self.at += 1;
        }
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn word(&mut self, group_len: impl Fn(&str) -> Option<usize>) -> &'a str {
        let rest = self.rest();
        let mut len = 0;
        while let Some(c) = rest[len..].chars().next() {
            if c == '('
                && let Some(group) = group_len(&rest[len..])
            {
                len += group;
            } else if c.is_whitespace() || ";{}()$[".contains(c) {
                break;
            } else {
                len += c.len_utf8();
            }
        }
        self.at += len;
        &rest[..len]
    }

    /// Consumes characters while `f` holds.
    fn take_while(&mut self, f: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|c| !f(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_first_game_are_counted_without_comments() {
        let pgn = "[Event \"a b\"]\n\n1. e4 {best by (test)\nand more} e5 (1... c5 2. Nf3 (2. c3) d6) 2. Nf3 $1\n\
                   ; a comment\n2... Nc6 3.Bb5 *\n\n[Event \"next\"]\n\n1. d4 *";
        assert_eq!(count_words(pgn), 9);
        assert_eq!(count_words("1. e4 {a comment\n[%eval 0.3] that is wrapped} e5 {never closed"), 2);
        assert_eq!(count_words("1. f6-g7 {offer:b} 2. (NFT)c3:T:N>c5,F>xe5"), 2);
        assert_eq!(count_words("[Event]"), 0);
    }

    #[test]
    fn comments_before_tags_are_skipped_and_others_are_left() {
        let mut scanner = Scanner::new("; one\n{two}\n[A \"b\"]\n{three} [C \"d\"]\n{four} 1.");
        let tags = scanner.tags().unwrap();
        let tags: Vec<_> = tags.iter().map(|(_, name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(tags, [("A", "b"), ("C", "d")]);
        assert_eq!(scanner.rest(), "{four} 1.");
        let mut open = Scanner::new("{never closed [A \"b\"]");
        assert_eq!((open.tags(), open.rest().len()), (Ok(Vec::new()), 21));
    }
}
