//! PGN: game records with tags, comments and annotations.
//!
//! ```
//! use sandtable_chess::DrawRules;
//! use sandtable_chess::notation::pgn::{Pgn, PgnResult};
//!
//! let pgn = Pgn::read("[White \"Anna\"]\n\n1. f3 e5 2. g4?? {oops} Qh4# 0-1", DrawRules::default())?;
//! assert_eq!((pgn.tag("White"), pgn.result), (Some("Anna"), PgnResult::BlackWins));
//! assert_eq!(pgn.moves()[2].comment, "oops");
//! # Ok::<(), sandtable_chess::notation::pgn::PgnError>(())
//! ```
//!
//! The writer is strict: the seven standard tags first, moves in SAN, lines shorter than 80 characters. The parser also
//! accepts:
//!
//! - tags in any order;
//! - moves in UCI;
//! - a missing result at the end of a game;
//! - lines that begin with `%`, which it skips;
//! - `!`, `?`, `!!`, `??`, `!?` and `?!` as the numeric annotations 1 to 6;
//! - missing or wrong move numbers.
//!
//! It skips variations and keeps the main line.

use std::fmt::{self, Write as _};

use sandtable_core::{
    Describe, Game, LineWrapper, Notation as _, Outcome, Position as _, Rules as _, Tags, parse_tag,
    strip_move_number, write_tag,
};

use super::MoveError;
use super::fen::{FenError, START};
use super::san::San;
use crate::{BLACK, DrawRules, Move, Position, Reason, WHITE};

/// A game record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pgn {
    /// The tag pairs, in order.
    pub tags: Tags,
    /// The comment before the first move.
    pub preamble: String,
    start: Position,
    /// Private, because each move must be legal after the moves before it.
    moves: Vec<PgnMove>,
    /// The result.
    pub result: PgnResult,
}

/// A move with its annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnMove {
    /// The move.
    pub played: Move,
    /// Numeric annotations: 1 is `!`, 2 is `?`, …
    pub nags: Vec<u8>,
    /// The comments after the move, joined by spaces.
    pub comment: String,
}

/// The result of a game record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PgnResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game is in progress, or its result is unknown.
    Unknown,
}

impl PgnResult {
    const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unknown];

    /// The text of the result.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.text() == text)
    }

    const fn of(outcome: Outcome<Reason>) -> Self {
        match outcome {
            Outcome::Ongoing => Self::Unknown,
            Outcome::Draw { .. } => Self::Draw,
            Outcome::Win { winner: WHITE, .. } => Self::WhiteWins,
            Outcome::Win { winner: BLACK, .. } => Self::BlackWins,
        }
    }

    const fn with(self, reason: Reason) -> Outcome<Reason> {
        match self {
            Self::Unknown => Outcome::Ongoing,
            Self::Draw => Outcome::Draw { reason },
            Self::WhiteWins => Outcome::Win { winner: WHITE, reason },
            Self::BlackWins => Outcome::Win { winner: BLACK, reason },
        }
    }
}

/// An error in a PGN and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("chess_pgn")]
#[error("line {line}, column {column}: {fault}")]
pub struct PgnError {
    /// The line, starting at 1.
    pub line: usize,
    /// The column in characters, starting at 1.
    pub column: usize,
    /// The error.
    #[param(message)]
    pub fault: PgnFault,
}

/// The kinds of errors in a PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("chess_pgn")]
#[non_exhaustive]
pub enum PgnFault {
    /// The text contains no game.
    #[error("no game found")]
    NoGame,
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
    /// A move that is malformed or not legal.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The FEN tag does not hold a valid position.
    #[error("invalid FEN tag: {0}")]
    Fen(
        #[from]
        #[param(message)]
        FenError,
    ),
}

impl Pgn {
    /// Reads the first game of a text.
    pub fn read(text: &str, rules: DrawRules) -> Result<Self, PgnError> {
        let no_game = PgnError { line: 1, column: 1, fault: PgnFault::NoGame };
        Self::read_all(text, rules).next().unwrap_or(Err(no_game))
    }

    /// Reads all games of a text. After an error, it continues with the next set of tags.
    pub fn read_all(text: &str, rules: DrawRules) -> impl Iterator<Item = Result<Self, PgnError>> {
        let mut scanner = Scanner { text, at: 0 };
        std::iter::from_fn(move || {
            loop {
                scanner.skip_space();
                if scanner.rest().is_empty() {
                    return None;
                }
                match scanner.game(rules) {
                    Ok(None) => {}
                    Ok(Some(game)) => return Some(Ok(game)),
                    Err(error) => {
                        scanner.skip_to_next_game();
                        return Some(Err(error));
                    }
                }
            }
        })
    }

    /// The first position of the game.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The moves of the main line.
    #[must_use]
    pub fn moves(&self) -> &[PgnMove] {
        &self.moves
    }

    /// Replaces the annotations and the comment of the move at `ply`, starting at 0. Returns whether there is such a
    /// move.
    pub fn annotate(&mut self, ply: usize, nags: &[u8], comment: &str) -> bool {
        let Some(m) = self.moves.get_mut(ply) else { return false };
        (m.nags, m.comment) = (nags.to_vec(), comment.to_owned());
        true
    }

    /// Returns the record of a game. `Result`, `SetUp`, `FEN`, `Termination` and `Rules` come from the game; these
    /// names are ignored in `tags`.
    #[must_use]
    pub fn from_game(game: &Game<Position>, tags: &Tags) -> Self {
        let outcome = game.outcome();
        let result = PgnResult::of(outcome);
        let mut derived = vec![("Result", result.text().to_owned())];
        let start = game.first_position();
        if start.to_fen() != START {
            derived.extend([("SetUp", "1".to_owned()), ("FEN", start.to_fen())]);
        }
        derived.extend(outcome.reason().map(|reason| ("Termination", reason.to_string())));
        // Every reader assumes the default rules, so they need no tag.
        let rules = Some(start.rules()).filter(|rules| *rules != DrawRules::default());
        derived.extend(rules.and_then(|rules| rules.name()).map(|name| ("Rules", name.to_owned())));
        let given = tags.iter().filter(|(name, _)| {
            let name = name.as_str();
            !["Termination", "Rules"].contains(&name) && !FROM_GAME.contains(&name)
        });
        let given = given.cloned();
        let tags = given.chain(derived.into_iter().map(|(name, value)| (name.to_owned(), value))).collect();
        let moves =
            game.moves_played().map(|played| PgnMove { played, nags: Vec::new(), comment: String::new() });
        Self { tags, preamble: String::new(), start: start.clone(), moves: moves.collect(), result }
    }

    /// Returns the game. The recorded result ends the game, unless the game is already over in the last position.
    #[must_use]
    pub fn to_game(&self) -> Game<Position> {
        let mut game = Game::from_position(self.start.clone());
        for m in &self.moves {
            game.replay(m.played).expect("each move was legal when it was parsed");
        }
        if self.result != PgnResult::Unknown {
            game.declare(self.result.with(self.declared_reason().unwrap_or(Reason::Recorded)));
        }
        game
    }

    /// The reason in the `Termination` tag, if players can end a game for that reason with the recorded result. Other
    /// reasons, such as checkmate and stalemate, follow from the position and are ignored in the tag.
    fn declared_reason(&self) -> Option<Reason> {
        let reason: Reason = self.tag("Termination")?.parse().ok()?;
        let possible = match self.result {
            PgnResult::WhiteWins | PgnResult::BlackWins => {
                matches!(reason, Reason::Resignation | Reason::Time | Reason::Abandonment)
            }
            PgnResult::Draw => matches!(
                reason,
                Reason::Agreement
                    | Reason::ThreefoldRepetition
                    | Reason::FiftyMoves
                    | Reason::Time
                    | Reason::GameTime
            ),
            PgnResult::Unknown => false,
        };
        possible.then_some(reason)
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}

/// The tags that every PGN has before `Result`, with their values for "unknown".
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];

/// The tags that the writer derives from the game. Their values in [`Pgn::tags`] are ignored.
const FROM_GAME: [&str; 3] = ["Result", "SetUp", "FEN"];

impl fmt::Display for Pgn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let roster = ROSTER.iter().map(|(name, unknown)| (*name, self.tag(name).unwrap_or(unknown)));
        let mut tags: Vec<(&str, &str)> = roster.chain([("Result", self.result.text())]).collect();
        let fen = self.start.to_fen();
        if fen != START {
            tags.extend([("SetUp", "1"), ("FEN", &fen)]);
        }
        let others = self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        tags.extend(
            others.filter(|(name, _)| ROSTER.iter().all(|(tag, _)| tag != name) && !FROM_GAME.contains(name)),
        );
        for (name, value) in tags {
            write_tag(f, name, value)?;
        }
        writeln!(f)?;
        let mut words = LineWrapper::new(f);
        write_comment(&mut words, &self.preamble)?;
        let mut position = self.start.clone();
        let mut numbered = false;
        for PgnMove { played, nags, comment } in &self.moves {
            if position.turn() == WHITE {
                words.word(&format!("{}.", position.fullmoves()))?;
            } else if !numbered {
                words.word(&format!("{}...", position.fullmoves()))?;
            }
            words.word(&San::with_check(&position, *played))?;
            for nag in nags {
                words.word(&format!("${nag}"))?;
            }
            write_comment(&mut words, comment)?;
            numbered = comment.trim().is_empty();
            position.play_unchecked(*played);
        }
        words.word(self.result.text())?;
        f.write_char('\n')
    }
}

/// Writes a comment in braces. A comment that contains a closing brace is written as `;` comments instead, on as many
/// lines as needed; the parser joins them again.
fn write_comment(words: &mut LineWrapper<'_, fmt::Formatter<'_>>, comment: &str) -> fmt::Result {
    if comment.trim().is_empty() {
        return Ok(());
    }
    if !comment.contains('}') {
        return format!("{{{}}}", comment.trim()).split_whitespace().try_for_each(|word| words.word(word));
    }
    words.end_line()?;
    let mut line = String::from(";");
    for word in comment.split_whitespace() {
        if line.len() > 1 && line.chars().count() + 1 + word.chars().count() >= 80 {
            words.word(&std::mem::replace(&mut line, ";".to_owned()))?;
            words.end_line()?;
        }
        line.push(' ');
        line.push_str(word);
    }
    words.word(&line)?;
    words.end_line()
}

/// The parser: the text of a PGN and the current offset in it.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Returns an error at a place and moves back to it, so that the search for the next game starts there: an
    /// unclosed comment does not hide the games after it.
    fn fault(&mut self, at: usize, fault: impl Into<PgnFault>) -> PgnError {
        self.at = at;
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        PgnError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            fault: fault.into(),
        }
    }

    /// Consumes characters while `f` holds.
    fn take_while(&mut self, f: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|c| !f(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    /// Skips white space, byte-order marks and lines that begin with `%`.
    fn skip_space(&mut self) {
        loop {
            self.take_while(|c| c.is_whitespace() || c == '\u{feff}');
            let before = self.text[..self.at].trim_end_matches('\u{feff}');
            let line_start = before.is_empty() || before.ends_with('\n');
            if !(line_start && self.peek() == Some('%')) {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    /// Skips to the next tag line that follows an empty line.
    fn skip_to_next_game(&mut self) {
        let mut after_empty = false;
        for line in self.rest().split_inclusive('\n') {
            if after_empty && line.starts_with('[') {
                return;
            }
            after_empty = line.trim().is_empty();
            self.at += line.len();
        }
    }

    /// Parses one game. `None` if only comments precede the next game or the end of the text.
    fn game(&mut self, rules: DrawRules) -> Result<Option<Pgn>, PgnError> {
        let (tags, fen) = self.tags()?;
        let named =
            tags.iter().find(|(name, _)| name == "Rules").and_then(|(_, name)| DrawRules::named(name));
        let rules = named.unwrap_or(rules);
        let start = match fen {
            Some((at, fen)) => Position::from_fen(&fen, rules).map_err(|e| self.fault(at, e))?,
            None => Position::start(rules),
        };
        let mut position = start.clone();
        let mut pgn =
            Pgn { tags, preamble: String::new(), start, moves: Vec::new(), result: PgnResult::Unknown };
        loop {
            self.skip_space();
            let at = self.at;
            match self.peek() {
                None | Some('[') => break,
                Some(';' | '{') => pgn.add_comment(&self.comment()?),
                Some('(') => self.variation()?,
                Some('$') => pgn.add_nag(self.nag()?),
                Some(c @ (')' | '}')) => return Err(self.fault(at, PgnFault::Unmatched(c))),
                Some(_) => {
                    let token = self.take_while(|c| !c.is_whitespace() && !";{}()$[".contains(c));
                    if let Some(result) = PgnResult::from_text(token) {
                        pgn.result = result;
                        return Ok(Some(pgn));
                    }
                    let token = token.replace('…', "...");
                    let text = strip_move_number(&token).trim_start_matches('.');
                    // A move number may also lack its dots or be separated from them: `7 e5`, `1 . e4`.
                    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
                        let m = position.parse_move(text).map_err(|e| self.fault(at, e))?;
                        position.play_unchecked(m);
                        let nags = Vec::from_iter(annotation(text));
                        pgn.moves.push(PgnMove { played: m, nags, comment: String::new() });
                    }
                }
            }
        }
        // The movetext has no result: use the tag.
        pgn.result = pgn.tag("Result").and_then(PgnResult::from_text).unwrap_or(PgnResult::Unknown);
        let empty = pgn.tags.is_empty() && pgn.moves.is_empty();
        Ok((!empty).then_some(pgn))
    }

    /// Parses the tag pairs. Returns them and the first FEN tag with its place.
    fn tags(&mut self) -> Result<(Tags, Option<(usize, String)>), PgnError> {
        let (mut tags, mut fen) = (Tags::new(), None);
        loop {
            self.skip_space();
            if self.peek() != Some('[') {
                return Ok((tags, fen));
            }
            let at = self.at;
            let Some((name, value, rest)) = parse_tag(self.rest()) else {
                return Err(self.fault(at, PgnFault::Tag));
            };
            self.at = self.text.len() - rest.len();
            if name == "FEN" && fen.is_none() {
                fen = Some((at, value.clone()));
            }
            tags.push((name.to_owned(), value));
        }
    }

    /// Parses a comment: in braces, or from `;` to the end of the line.
    fn comment(&mut self) -> Result<String, PgnError> {
        let (at, line) = (self.at, self.peek() == Some(';'));
        self.at += 1;
        let text = self.take_while(|c| c != if line { '\n' } else { '}' });
        if !line {
            if self.rest().is_empty() {
                return Err(self.fault(at, PgnFault::UnclosedComment));
            }
            self.at += 1;
        }
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Skips a variation and everything in it.
    fn variation(&mut self) -> Result<(), PgnError> {
        let mut open = Vec::new();
        loop {
            self.take_while(|c| !"();{".contains(c));
            match self.peek() {
                None => {
                    let at = open.pop().expect("the text began with `(`");
                    return Err(self.fault(at, PgnFault::UnclosedVariation));
                }
                Some(';' | '{') => {
                    self.comment()?;
                }
                Some('(') => {
                    open.push(self.at);
                    self.at += 1;
                }
                Some(_) => {
                    self.at += 1;
                    open.pop();
                    if open.is_empty() {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn nag(&mut self) -> Result<u8, PgnError> {
        let at = self.at;
        self.at += 1;
        let digits = self.take_while(|c| c.is_ascii_digit());
        digits.parse().map_err(|_| self.fault(at, PgnFault::Annotation))
    }
}

impl Pgn {
    fn add_comment(&mut self, text: &str) {
        let comment = self.moves.last_mut().map_or(&mut self.preamble, |m| &mut m.comment);
        if !comment.is_empty() && !text.is_empty() {
            comment.push(' ');
        }
        comment.push_str(text);
    }

    /// Adds an annotation to the last move. Before the first move, it is ignored.
    fn add_nag(&mut self, nag: u8) {
        if let Some(m) = self.moves.last_mut() {
            m.nags.push(nag);
        }
    }
}

/// The numeric annotation of the suffix of a move, such as `!?`.
fn annotation(text: &str) -> Option<u8> {
    let suffix = text.trim_start_matches(|c| c != '!' && c != '?');
    ["!", "?", "!!", "??", "!?", "?!"].iter().position(|known| *known == suffix).map(|i| i as u8 + 1)
}
