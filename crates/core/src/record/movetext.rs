//! The movetext of game records: turns with comments, numeric annotation glyphs and variations.
//!
//! The syntax is that of PGN, in every game: `{comment}`, `; comment` to the end of the line, `$1`, the suffixes `!`, `?`,
//! `!!`, `??`, `!?` and `?!`, variations in parentheses after the turn that they replace, and lines that begin with `%`, which
//! are skipped. What a turn looks like is up to the game ([`RecordSyntax`]).

use std::fmt::{self, Write};

use crate::record::{Annotations, LineWrapper, Note, Tags, Variation, parse_tag, strip_move_number};
use crate::{Describe, Notation, Player, Position};

/// The largest number of variations within each other. It bounds the recursion over a record.
pub const MAX_NESTED_VARIATIONS: usize = 32;

/// The suffixes of a turn that stand for the glyphs 1 to 6.
const SUFFIXES: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// How the records of a game write and read a turn.
pub trait RecordSyntax<P: Position> {
    /// An error in a record of the game.
    type Fault: From<RecordFault>;

    /// The words that end the movetext.
    const RESULTS: &'static [&'static str];

    /// Parses a turn, without move number and suffix. The result must be legal; it is empty if the text is no more than a
    /// move number. `ply` is the number of moves before it.
    fn parse_turn(&self, position: &P, ply: usize, text: &str) -> Result<Vec<P::Move>, Self::Fault>;

    /// The text of the turn at the start of a line, and the number of moves that it stands for, at least one.
    fn turn_text(&self, position: &P, line: &[P::Move]) -> (String, usize);

    /// Whether braces around this text are not a comment but a part of the game.
    fn is_state(&self, _braces: &str) -> bool {
        false
    }
}

/// An error in the syntax that the records of all games share.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("record_syntax")]
#[non_exhaustive]
pub enum RecordFault {
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

/// A place in the text of a record: an offset in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordPlace(usize);

/// Movetext that was read: the main line with its annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movetext<P: Position> {
    /// The moves of the main line.
    pub moves: Vec<P::Move>,
    /// Their annotations.
    pub annotations: Annotations<P::Move>,
    /// The [states](RecordSyntax::is_state) in the main line, with the number of moves before them.
    pub states: Vec<(usize, String)>,
    /// The result at the end, if there is one, with its place.
    pub result: Option<(&'static str, RecordPlace)>,
}

/// The parser of records: a text and the current place in it.
#[derive(Clone, Debug)]
pub struct RecordScanner<'a> {
    text: &'a str,
    at: usize,
}

/// A token of the movetext.
enum Token<'a> {
    Comment { text: String, in_braces: bool },
    Glyph(u8),
    Open,
    Close,
    Word(&'a str),
}

/// A line that is being read: the main line or a variation.
struct OpenLine<P: Position> {
    opened_at: usize,
    line: Variation<P::Move>,
    position: P,
    /// The place in the line where its last turn begins, and the position before it.
    last_turn: Option<(usize, P)>,
}

impl<P: Position> OpenLine<P> {
    fn new(opened_at: usize, position: P) -> Self {
        Self { opened_at, line: Variation::new(Vec::new()), position, last_turn: None }
    }

    fn ply(&self) -> usize {
        self.line.moves.len()
    }
}

impl<'a> RecordScanner<'a> {
    /// A parser at the start of a text.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The text that has not been read.
    #[must_use]
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The current place.
    #[must_use]
    pub const fn place(&self) -> RecordPlace {
        RecordPlace(self.at)
    }

    /// Returns an error at a place and moves back to it, so that the search for the next game starts there: an
    /// unclosed comment does not hide the games after it.
    pub fn error<F: Describe>(&mut self, place: RecordPlace, fault: impl Into<F>) -> RecordError<F> {
        self.at = place.0;
        let before = &self.text[..place.0];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        RecordError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            fault: fault.into(),
        }
    }

    /// Skips white space, byte-order marks and lines that begin with `%`.
    pub fn skip_space(&mut self) {
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
    pub fn skip_to_next_game(&mut self) {
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
    pub fn tags<F: Describe + From<RecordFault>>(
        &mut self,
    ) -> Result<Vec<(RecordPlace, String, String)>, RecordError<F>> {
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
                return Err(self.error(place, RecordFault::Tag));
            };
            self.at = self.text.len() - rest.len();
            tags.push((place, name.to_owned(), value));
        }
    }

    /// Parses the movetext of a game that begins in `start`, up to its result, the next tag or the end of the text.
    pub fn movetext<P: Position, S: RecordSyntax<P>>(
        &mut self,
        start: P,
        syntax: &S,
    ) -> Result<Movetext<P>, RecordError<S::Fault>>
    where
        S::Fault: Describe,
    {
        let mut line = OpenLine::new(self.at, start);
        let mut outer: Vec<OpenLine<P>> = Vec::new();
        let mut states = Vec::new();
        let mut result = None;
        loop {
            self.skip_space();
            let place = self.place();
            let Some(token) = self.token().map_err(|(at, fault)| self.error(at, fault))? else { break };
            match token {
                Token::Comment { text, in_braces: true } if outer.is_empty() && syntax.is_state(&text) => {
                    states.push((line.ply(), text));
                }
                Token::Comment { text, .. } => line.line.annotations.add_comment(line.ply(), &text),
                Token::Glyph(glyph) => line.line.annotations.add_glyph(line.ply(), glyph),
                Token::Open => {
                    let Some((_, position)) = &line.last_turn else {
                        return Err(self.error(place, RecordFault::VariationFirst));
                    };
                    if outer.len() == MAX_NESTED_VARIATIONS {
                        return Err(self.error(place, RecordFault::Nesting(MAX_NESTED_VARIATIONS)));
                    }
                    let inner = OpenLine::new(place.0, position.clone());
                    outer.push(std::mem::replace(&mut line, inner));
                }
                Token::Close => {
                    let Some(parent) = outer.pop() else {
                        return Err(self.error(place, RecordFault::Unmatched(')')));
                    };
                    let OpenLine { line: closed, .. } = std::mem::replace(&mut line, parent);
                    let (from, _) = line.last_turn.as_ref().expect("a variation follows a turn");
                    if closed.moves.is_empty() {
                        // A variation without moves becomes a comment on the turn that it follows.
                        let comment = closed.annotations.note(0).map_or("", |note| &note.comment);
                        line.line.annotations.add_comment(line.ply(), comment);
                    }
                    line.line.annotations.add_variation(*from, closed);
                }
                Token::Word(word) => {
                    if let Some(found) = S::RESULTS.iter().find(|result| **result == word) {
                        // A result within a variation is a remark on the line, not the end of the game.
                        if outer.is_empty() {
                            result = Some((*found, place));
                            break;
                        }
                        continue;
                    }
                    self.turn(&mut line, syntax, place, word)?;
                }
            }
        }
        if !outer.is_empty() {
            return Err(self.error(RecordPlace(line.opened_at), RecordFault::UnclosedVariation));
        }
        let Variation { moves, annotations } = line.line;
        Ok(Movetext { moves, annotations, states, result })
    }

    /// Parses a turn with its move number and its suffix, and plays it in the line.
    fn turn<P: Position, S: RecordSyntax<P>>(
        &mut self,
        line: &mut OpenLine<P>,
        syntax: &S,
        place: RecordPlace,
        word: &str,
    ) -> Result<(), RecordError<S::Fault>>
    where
        S::Fault: Describe,
    {
        let word = word.replace('…', "...");
        let text = strip_move_number(&word).trim_start_matches('.');
        let (text, glyph) = split_suffix(text);
        if !text.is_empty() {
            let moves =
                syntax.parse_turn(&line.position, line.ply(), text).map_err(|e| self.error(place, e))?;
            if moves.is_empty() {
                return Ok(());
            }
            line.last_turn = Some((line.ply(), line.position.clone()));
            for m in moves {
                line.position.play_unchecked(m);
                line.line.moves.push(m);
            }
        }
        if let Some(glyph) = glyph {
            line.line.annotations.add_glyph(line.ply(), glyph);
        }
        Ok(())
    }

    /// The number of words of the first game's movetext that may be turns, those of variations included. It costs much less
    /// than reading them.
    #[must_use]
    pub fn count_words(&self) -> usize {
        let mut scanner = self.clone();
        if scanner.tags::<RecordFault>().is_err() {
            return 0;
        }
        let mut words = 0;
        loop {
            scanner.skip_space();
            match scanner.token() {
                Ok(Some(Token::Word(word))) => {
                    words += usize::from(word.contains(|c: char| c.is_ascii_alphabetic()));
                }
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return words,
            }
        }
    }

    /// The token at the current place, which is not white space. `None` at the next tag and at the end of the text.
    fn token(&mut self) -> Result<Option<Token<'a>>, (RecordPlace, RecordFault)> {
        let place = self.place();
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        Ok(Some(match first {
            '[' => return Ok(None),
            ';' | '{' => Token::Comment { text: self.comment()?, in_braces: first == '{' },
            '$' => {
                self.at += 1;
                let digits = self.take_while(|c| c.is_ascii_digit());
                Token::Glyph(digits.parse().map_err(|_| (place, RecordFault::Annotation))?)
            }
            '}' => return Err((place, RecordFault::Unmatched('}'))),
            ')' => {
                self.at += 1;
                Token::Close
            }
            '(' if group_len(self.rest()).is_none() => {
                self.at += 1;
                Token::Open
            }
            _ => Token::Word(self.word()),
        }))
    }

    /// Parses a comment: in braces, or from `;` to the end of the line.
    fn comment(&mut self) -> Result<String, (RecordPlace, RecordFault)> {
        let (place, is_line) = (self.place(), self.rest().starts_with(';'));
        self.at += 1;
        let text = self.take_while(|c| c != if is_line { '\n' } else { '}' });
        if !is_line {
            if self.rest().is_empty() {
                self.at = place.0;
                return Err((place, RecordFault::UnclosedComment));
            }
            self.at += 1;
        }
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Consumes a word. A group of pieces in parentheses is a part of it.
    fn word(&mut self) -> &'a str {
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

/// The length of a group of pieces at the start of a text, such as `(NFT)` or `(+TI)`. A variation is no group: its turns have
/// digits.
fn group_len(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('(')?;
    let end = inner.find(|c: char| !c.is_ascii_uppercase() && c != '+')?;
    (end > 0 && inner[end..].starts_with(')')).then_some(end + 2)
}

/// Splits a suffix such as `!?` off the text of a turn. Returns its glyph.
fn split_suffix(text: &str) -> (&str, Option<u8>) {
    let turn = text.trim_end_matches(['!', '?']);
    match SUFFIXES.iter().zip(1..).find(|(suffix, _)| **suffix == &text[turn.len()..]) {
        Some((_, glyph)) => (turn, Some(glyph)),
        None => (text, None),
    }
}

/// The tags of a record without their places.
#[must_use]
pub fn without_places(tags: Vec<(RecordPlace, String, String)>) -> Tags {
    tags.into_iter().map(|(_, name, value)| (name, value)).collect()
}

/// Movetext to write.
#[derive(Clone, Copy, Debug)]
pub struct MovetextWriter<'a, P: Position, S> {
    /// How the game writes turns.
    pub syntax: &'a S,
    /// The first position.
    pub start: &'a P,
    /// The moves of the main line.
    pub moves: &'a [P::Move],
    /// Their annotations.
    pub annotations: &'a Annotations<P::Move>,
    /// The [states](RecordSyntax::is_state) in the main line, with the number of moves before them, in order.
    pub states: &'a [(usize, String)],
    /// The result, if the movetext ends with one.
    pub result: Option<&'a str>,
}

/// A part of movetext that is being written.
enum Part {
    Word(String),
    /// A comment to the end of the line.
    LineComment(String),
}

impl<P: Notation, S: RecordSyntax<P>> MovetextWriter<'_, P, S> {
    /// Writes the movetext in lines of at most 79 characters.
    ///
    /// # Panics
    ///
    /// May panic if a move of a variation is not legal.
    pub fn write(&self, out: &mut impl Write) -> fmt::Result {
        let mut parts = Vec::new();
        let Self { start, moves, annotations, states, .. } = *self;
        self.line(&mut parts, (*start).clone(), start.move_number(), moves, annotations, states);
        parts.extend(self.result.map(|result| Part::Word(result.to_owned())));
        let mut words = LineWrapper::new(out);
        for part in parts {
            match part {
                Part::Word(word) => words.word(&word)?,
                Part::LineComment(comment) => {
                    words.end_line()?;
                    words.word(&comment)?;
                    words.end_line()?;
                }
            }
        }
        words.end_line()
    }

    fn line(
        &self,
        parts: &mut Vec<Part>,
        mut position: P,
        mut number: usize,
        moves: &[P::Move],
        annotations: &Annotations<P::Move>,
        states: &[(usize, String)],
    ) {
        self.note(parts, annotations.note(0));
        let mut states = states.iter().peekable();
        let (mut ply, mut is_numbered) = (0, false);
        while ply < moves.len() {
            let player = position.turn();
            if player == Player::First || !is_numbered {
                let dots = if player == Player::First { "." } else { "..." };
                parts.push(Part::Word(format!("{number}{dots}")));
            }
            let (text, len) = self.syntax.turn_text(&position, &moves[ply..]);
            let end = ply + len;
            parts.push(Part::Word(text));
            while let Some((_, state)) = states.next_if(|(at, _)| *at <= end) {
                parts.push(Part::Word(format!("{{{state}}}")));
            }
            let after_states = parts.len();
            for ply in ply + 1..=end {
                self.note(parts, annotations.note(ply));
            }
            for from in ply..end {
                for variation in annotations.variations(from) {
                    let variation = with_prefix(&moves[ply..from], variation);
                    let first = parts.len();
                    self.line(parts, position.clone(), number, &variation.moves, &variation.annotations, &[]);
                    enclose(parts, first);
                }
            }
            // A state is a part of the game; what interrupts it is a comment or a variation. Glyphs do not.
            is_numbered = !parts[after_states..].iter().any(is_interruption);
            for &m in &moves[ply..end] {
                position.play_unchecked(m);
            }
            if player == Player::Second && position.turn() == Player::First {
                number += 1;
            }
            ply = end;
        }
    }

    fn note(&self, parts: &mut Vec<Part>, note: Option<&Note>) {
        let Some(Note { glyphs, comment }) = note else { return };
        parts.extend(glyphs.iter().map(|glyph| Part::Word(format!("${glyph}"))));
        if comment.is_empty() {
            return;
        }
        if !comment.contains('}') && !self.syntax.is_state(comment) {
            parts.extend(format!("{{{comment}}}").split(' ').map(|word| Part::Word(word.to_owned())));
            return;
        }
        // The parser joins comments, so a long one may continue on the next line.
        let mut line = String::from(";");
        for word in comment.split(' ') {
            if line.len() > 1 && line.chars().count() + 1 + word.chars().count() >= 80 {
                parts.push(Part::LineComment(std::mem::replace(&mut line, ";".to_owned())));
            }
            line.push(' ');
            line.push_str(word);
        }
        parts.push(Part::LineComment(line));
    }
}

fn is_interruption(part: &Part) -> bool {
    match part {
        Part::Word(word) => !word.starts_with('$'),
        Part::LineComment(_) => true,
    }
}

/// A variation that begins at the start of a turn instead of within it.
fn with_prefix<M: Copy>(prefix: &[M], variation: &Variation<M>) -> Variation<M> {
    let mut moves = prefix.to_vec();
    moves.extend(&variation.moves);
    Variation { moves, annotations: variation.annotations.shifted(prefix.len()) }
}

/// Puts the parts from `first` on in parentheses.
fn enclose(parts: &mut Vec<Part>, first: usize) {
    match parts.get_mut(first) {
        Some(Part::Word(word)) => word.insert(0, '('),
        _ => parts.insert(first, Part::Word("(".to_owned())),
    }
    match parts.last_mut() {
        Some(Part::Word(word)) => word.push(')'),
        _ => parts.push(Part::Word(")".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_parentheses_around_letters() {
        for (text, len) in [
            ("(NFT)c3", Some(5)),
            ("(+TI)d3", Some(5)),
            ("()", None),
            ("(1. e4)", None),
            ("(Nf3)", None),
            ("(O-O)", None),
            ("((NF)c3)", None),
            ("(NF", None),
        ] {
            assert_eq!(group_len(text), len, "{text}");
        }
    }

    #[test]
    fn suffixes_are_glyphs() {
        for (text, split) in [
            ("e4", ("e4", None)),
            ("e4!", ("e4", Some(1))),
            ("e4??", ("e4", Some(4))),
            ("e4?!", ("e4", Some(6))),
            ("f6!g7", ("f6!g7", None)),
            ("f6!g7!?", ("f6!g7", Some(5))),
            ("e4!!!", ("e4!!!", None)),
            ("!", ("", Some(1))),
        ] {
            assert_eq!(split_suffix(text), split, "{text}");
        }
    }

    #[test]
    fn words_of_the_first_game_are_counted_without_comments() {
        let pgn = "[Event \"a b\"]\n\n1. e4 {best by (test)\nand more} e5 (1... c5 2. Nf3 (2. c3) d6) 2. Nf3 $1\n\
                   ; a comment\n2... Nc6 3.Bb5 *\n\n[Event \"next\"]\n\n1. d4 *";
        assert_eq!(RecordScanner::new(pgn).count_words(), 9);
        let wrapped = "1. e4 {a comment\n[%eval 0.3] that is wrapped} e5 {never closed";
        assert_eq!(RecordScanner::new(wrapped).count_words(), 2);
        assert_eq!(RecordScanner::new("1. f6-g7 {offer:b} 2. (NFT)c3:T:N>c5,F>xe5").count_words(), 2);
        assert_eq!(RecordScanner::new("[Event]").count_words(), 0);
    }

    #[test]
    fn comments_before_tags_are_skipped_and_others_are_left() {
        let mut scanner = RecordScanner::new("; one\n{two}\n[A \"b\"]\n{three} [C \"d\"]\n{four} 1.");
        let tags = without_places(scanner.tags::<RecordFault>().unwrap());
        assert_eq!(tags, [("A".into(), "b".into()), ("C".into(), "d".into())]);
        assert_eq!(scanner.rest(), "{four} 1.");
        let mut open = RecordScanner::new("{never closed [A \"b\"]");
        assert_eq!((open.tags::<RecordFault>(), open.rest().len()), (Ok(Vec::new()), 21));
    }
}
