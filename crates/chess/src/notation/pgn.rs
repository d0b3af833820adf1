//! PGN: games with their tags, comments and annotations.
//!
//! The writer is strict: the seven standard tags first, SAN, lines under 80 characters. The reader also takes, and
//! says so here: tags in any order; moves in UCI; a missing result at the end of a game; `%` lines, which it skips;
//! `!`, `?` and their kin as the numeric annotations they stand for; move numbers of any kind, or none. Variations
//! are skipped, the main line is not.

use std::fmt::{self, Write as _};

use sandtable_core::{
    Game, Notation as _, Outcome, Position as _, Rules as _, Tags, Words, read_tag, write_tag,
};

use super::MoveError;
use super::fen::{FenError, START};
use super::san::San;
use crate::{BLACK, DrawRules, Move, Position, Reason, WHITE};

/// A game as a PGN tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pgn {
    /// The tag pairs, in order.
    pub tags: Tags,
    /// The comment before the first move.
    pub preamble: String,
    start: Position,
    /// Each legal after those before it, which is why nobody else may change them.
    moves: Vec<PgnMove>,
    /// The result.
    pub result: PgnResult,
}

/// A move with what is written about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnMove {
    /// The move.
    pub played: Move,
    /// Numeric annotations: 1 is `!`, 2 is `?`, …
    pub nags: Vec<u8>,
    /// The comments after it, joined by spaces.
    pub comment: String,
}

/// The result that a PGN states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PgnResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unknown, or not over.
    Open,
}

impl PgnResult {
    const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Open];

    /// As it is written.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        }
    }

    fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.text() == text)
    }

    const fn of(outcome: Outcome<Reason>) -> Self {
        match outcome {
            Outcome::Ongoing => Self::Open,
            Outcome::Draw { .. } => Self::Draw,
            Outcome::Win { winner: WHITE, .. } => Self::WhiteWins,
            Outcome::Win { winner: BLACK, .. } => Self::BlackWins,
        }
    }

    const fn with(self, reason: Reason) -> Outcome<Reason> {
        match self {
            Self::Open => Outcome::Ongoing,
            Self::Draw => Outcome::Draw { reason },
            Self::WhiteWins => Outcome::Win { winner: WHITE, reason },
            Self::BlackWins => Outcome::Win { winner: BLACK, reason },
        }
    }
}

/// What is wrong with a PGN, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct PgnError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1 in characters.
    pub column: usize,
    /// What is wrong.
    pub fault: PgnFault,
}

/// What can be wrong with a PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnFault {
    /// There is nothing in it.
    #[error("there is no game here")]
    NoGame,
    /// A tag pair is not written well.
    #[error("a tag is written [Name \"value\"]")]
    Tag,
    /// A `{` without its `}`.
    #[error("this comment is never closed")]
    OpenComment,
    /// A `(` without its `)`.
    #[error("this variation is never closed")]
    OpenVariation,
    /// A `)` or `}` that closes nothing.
    #[error("`{0}` closes nothing")]
    ClosesNothing(char),
    /// A `$` without a number from 0 to 255.
    #[error("an annotation is $ and a number from 0 to 255")]
    Annotation,
    /// A move that cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The FEN tag is no position.
    #[error("the FEN tag: {0}")]
    Fen(#[from] FenError),
}

impl Pgn {
    /// Reads the first game of a text.
    pub fn read(text: &str, rules: DrawRules) -> Result<Self, PgnError> {
        let no_game = PgnError { line: 1, column: 1, fault: PgnFault::NoGame };
        Self::read_all(text, rules).next().unwrap_or(Err(no_game))
    }

    /// Reads game after game. After a game with an error it goes on with the next set of tags.
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

    /// The position that the game begins with.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The moves of the main line.
    #[must_use]
    pub fn moves(&self) -> &[PgnMove] {
        &self.moves
    }

    /// Puts a comment and annotations to a move, counted from 0, in place of what it has. `false` if there is no
    /// such move.
    pub fn annotate(&mut self, ply: usize, nags: &[u8], comment: &str) -> bool {
        let Some(m) = self.moves.get_mut(ply) else { return false };
        (m.nags, m.comment) = (nags.to_vec(), comment.to_owned());
        true
    }

    /// The record of a game. Tags that follow from the game (`Result`, `FEN`, …) are made from it.
    #[must_use]
    pub fn from_game(game: &Game<Position>, tags: &Tags) -> Self {
        let outcome = game.outcome();
        let result = PgnResult::of(outcome);
        let mut own = vec![("Result", result.text().to_owned())];
        let start = game.first_position();
        if start.to_fen() != START {
            own.extend([("SetUp", "1".to_owned()), ("FEN", start.to_fen())]);
        }
        own.extend(outcome.reason().map(|reason| ("Termination", reason.to_string())));
        // Rules that every reader supposes need no tag.
        let rules = Some(start.rules()).filter(|rules| *rules != DrawRules::default());
        own.extend(rules.and_then(|rules| rules.name()).map(|name| ("Rules", name.to_owned())));
        let given = tags.iter().filter(|(name, _)| {
            let name = name.as_str();
            !["Termination", "Rules"].contains(&name) && !FROM_GAME.contains(&name)
        });
        let given = given.cloned();
        let tags = given.chain(own.into_iter().map(|(name, value)| (name.to_owned(), value))).collect();
        let moves = game.moves().map(|played| PgnMove { played, nags: Vec::new(), comment: String::new() });
        Self { tags, preamble: String::new(), start: start.clone(), moves: moves.collect(), result }
    }

    /// The game, ended as the record says where the board does not say it itself.
    #[must_use]
    pub fn to_game(&self) -> Game<Position> {
        let mut game = Game::from_position(self.start.clone());
        for m in &self.moves {
            game.replay(m.played).expect("each move was legal when it was read");
        }
        if self.result != PgnResult::Open {
            game.declare(self.result.with(self.declared_reason().unwrap_or(Reason::Recorded)));
        }
        game
    }

    /// The reason that the tags give, if it is one by which players can end a game that way. What only the board
    /// can say (mate, stalemate) is not to be believed where the board does not say it.
    fn declared_reason(&self) -> Option<Reason> {
        let termination = self.tag("Termination")?;
        let reason =
            Reason::ALL.into_iter().find(|reason| reason.name().eq_ignore_ascii_case(termination))?;
        let possible = match self.result {
            PgnResult::WhiteWins | PgnResult::BlackWins => {
                matches!(reason, Reason::Resignation | Reason::Time)
            }
            PgnResult::Draw => matches!(
                reason,
                Reason::Agreement | Reason::ThreefoldRepetition | Reason::FiftyMoves | Reason::Time
            ),
            PgnResult::Open => false,
        };
        possible.then_some(reason)
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}

/// The tags that every PGN has before `Result`, with what stands for "unknown".
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];

/// The tags that follow from the game itself, and are written from it whatever the tags say.
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
        let mut words = Words::new(f);
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

/// A comment in braces; one that holds the brace which would close it goes to the end of its line instead, on as many
/// lines as it takes, which read as one comment.
fn write_comment(words: &mut Words<'_, fmt::Formatter<'_>>, comment: &str) -> fmt::Result {
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

/// A place in the text of a PGN.
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

    /// Goes back to where the fault is, so that the search for the next game begins there: what an open comment has
    /// swallowed is not lost.
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

    /// Takes characters as long as `f` says so.
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

    /// Skips to the next line that begins with a tag after an empty line.
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

    /// One game, or `None` where only a comment stands before the next game or the end of the text.
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
            Pgn { tags, preamble: String::new(), start, moves: Vec::new(), result: PgnResult::Open };
        loop {
            self.skip_space();
            let at = self.at;
            match self.peek() {
                None | Some('[') => break,
                Some(';' | '{') => pgn.add_comment(&self.comment()?),
                Some('(') => self.variation()?,
                Some('$') => pgn.add_nag(self.nag()?),
                Some(c @ (')' | '}')) => return Err(self.fault(at, PgnFault::ClosesNothing(c))),
                Some(_) => {
                    let word = self.take_while(|c| !c.is_whitespace() && !";{}()$[".contains(c));
                    if let Some(result) = PgnResult::from_text(word) {
                        pgn.result = result;
                        return Ok(Some(pgn));
                    }
                    let text = without_number(word);
                    if !text.is_empty() {
                        let m = position.parse_move(text).map_err(|e| self.fault(at, e))?;
                        position.play_unchecked(m);
                        let nags = Vec::from_iter(annotation(text));
                        pgn.moves.push(PgnMove { played: m, nags, comment: String::new() });
                    }
                }
            }
        }
        // No result at the end: the tag may know it.
        pgn.result = pgn.tag("Result").and_then(PgnResult::from_text).unwrap_or(PgnResult::Open);
        let nothing = pgn.tags.is_empty() && pgn.moves.is_empty();
        Ok((!nothing).then_some(pgn))
    }

    /// The tag pairs, and the FEN among them with its place.
    fn tags(&mut self) -> Result<(Tags, Option<(usize, String)>), PgnError> {
        let (mut tags, mut fen) = (Tags::new(), None);
        loop {
            self.skip_space();
            if self.peek() != Some('[') {
                return Ok((tags, fen));
            }
            let at = self.at;
            let Some((name, value, rest)) = read_tag(self.rest()) else {
                return Err(self.fault(at, PgnFault::Tag));
            };
            self.at = self.text.len() - rest.len();
            if name == "FEN" && fen.is_none() {
                fen = Some((at, value.clone()));
            }
            tags.push((name.to_owned(), value));
        }
    }

    /// A comment to the end of the line, or in braces.
    fn comment(&mut self) -> Result<String, PgnError> {
        let (at, line) = (self.at, self.peek() == Some(';'));
        self.at += 1;
        let text = self.take_while(|c| c != if line { '\n' } else { '}' });
        if !line {
            if self.rest().is_empty() {
                return Err(self.fault(at, PgnFault::OpenComment));
            }
            self.at += 1;
        }
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Skips a variation with all that is in it.
    fn variation(&mut self) -> Result<(), PgnError> {
        let mut open = Vec::new();
        loop {
            self.take_while(|c| !"();{".contains(c));
            match self.peek() {
                None => {
                    let at = open.pop().expect("it is called at a `(`");
                    return Err(self.fault(at, PgnFault::OpenVariation));
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

    /// An annotation before the first move annotates nothing.
    fn add_nag(&mut self, nag: u8) {
        if let Some(m) = self.moves.last_mut() {
            m.nags.push(nag);
        }
    }
}

/// A word without the move number that it begins with: `1.e4`, `1...e5`, `12.`, `12`.
fn without_number(word: &str) -> &str {
    let after_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = after_digits.trim_start_matches(['.', '…']);
    // Castling with zeros begins with a digit too, and is no number.
    if text.len() == after_digits.len() && !text.is_empty() { word } else { text }
}

/// The annotation that the signs behind a move stand for.
fn annotation(text: &str) -> Option<u8> {
    let signs = text.trim_start_matches(|c| c != '!' && c != '?');
    ["!", "?", "!!", "??", "!?", "?!"].iter().position(|known| *known == signs).map(|i| i as u8 + 1)
}
