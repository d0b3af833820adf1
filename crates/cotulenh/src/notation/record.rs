//! Whole games as text, in the manner of PGN.
//!
//! ```text
//! [Red "An"]
//! [Blue "Binh"]
//! [Rules "standard"]
//! [FEN "6c4/… r - - 0 1"]
//! [Result "1-0"]
//! [Termination "resignation"]
//!
//! 1. F&c4 Ic7 2. c4:N:F>e6 1-0
//! ```
//!
//! `FEN` is the *starting* position. Each turn is one word: a whole move in SAN, or a deployment with its steps. A
//! deployment that the game leaves unfinished ends with `...`; single steps in LAN are read too, as they are needed in
//! a game that begins within a deployment. Comments in braces, and from `;` to the end of a line, are skipped.

use std::fmt::Display;

use sandtable_core::{Game, Outcome, Player, Position as _, Rules as _, Tags, Words, read_tag, write_tag};

use super::{FenError, LanError, TurnError, fen, lan};
use crate::{Position, Reason, Rules, Step};

/// The tags that say what the game says itself.
const OWN_TAGS: [&str; 4] = ["Rules", "FEN", "Result", "Termination"];

/// Why a text is not the record of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: RecordReason,
}

/// What can be wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordReason {
    /// There is neither a tag nor a move.
    #[error("the record is empty")]
    Empty,
    /// A tag is not of the form `[Name "value"]`.
    #[error("a tag is written [Name \"value\"]")]
    Tag,
    /// A comment does not end.
    #[error("the comment that begins here has no closing brace")]
    Comment,
    /// The `Rules` tag names no preset.
    #[error("{0:?} names no rules: these are standard and club")]
    Rules(String),
    /// The `FEN` tag is no position.
    #[error("FEN: {0}")]
    Fen(FenError),
    /// A move is no legal step.
    #[error("{word}: {error}")]
    Step {
        /// The word in the record.
        word: String,
        /// What is wrong with it.
        error: LanError,
    },
    /// A deployment is no legal turn.
    #[error("{word}: {error}")]
    Turn {
        /// The word in the record.
        word: String,
        /// What is wrong with it.
        error: TurnError,
    },
    /// A move follows the end of the game on the board.
    #[error("{0} comes after the end of the game")]
    AfterTheEnd(String),
    /// The result is not that of the game on the board.
    #[error("the result {0} is not how the game ended on the board")]
    Result(String),
    /// The `Termination` tag names no reason.
    #[error("{0:?} is no way for a game to end")]
    Termination(String),
    /// The `Termination` tag says something else than the result and the board.
    #[error(
        "the termination is {said}, but {result} after these moves {}",
        .found.map_or_else(|| "leaves the game open".into(), |found| format!("means {found}"))
    )]
    OtherTermination {
        /// What the tag says.
        said: Reason,
        /// The result of the record.
        result: String,
        /// How the game ended by this result and the board; `None` if it goes on.
        found: Option<Reason>,
    },
}

fn result_text(outcome: Outcome<Reason>) -> &'static str {
    match outcome {
        Outcome::Ongoing => "*",
        Outcome::Draw { .. } => "1/2-1/2",
        Outcome::Win { winner: Player::First, .. } => "1-0",
        Outcome::Win { winner: Player::Second, .. } => "0-1",
    }
}

/// Writes a game.
pub(crate) fn write(game: &Game<Position>, tags: &Tags) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &dyn Display| {
        write_tag(&mut text, name, &value.to_string()).expect("a string takes all");
    };
    for name in ["Red", "Blue"] {
        if tags.iter().all(|(given, _)| given != name) {
            tag(name, &"?");
        }
    }
    for (name, value) in tags {
        if !OWN_TAGS.contains(&name.as_str()) {
            tag(name, value);
        }
    }
    if let Some(rules) = game.position().rules().name() {
        tag("Rules", &rules);
    }
    let outcome = game.outcome();
    tag("FEN", &fen::write(game.first_position()));
    tag("Result", &result_text(outcome));
    if let Some(reason) = outcome.reason() {
        tag("Termination", &reason);
    }
    text.push('\n');

    let mut lines = Words::new(&mut text);
    for word in words(game).into_iter().chain([result_text(outcome).to_owned()]) {
        lines.word(&word).expect("a string takes all");
    }
    text.push('\n');
    text
}

/// The moves of a game with their numbers, one word a turn.
fn words(game: &Game<Position>) -> Vec<String> {
    let mut words = Vec::new();
    let mut past = game.past().peekable();
    while let Some((position, step)) = past.next() {
        let number = position.fullmoves();
        match position.turn() {
            Player::First => words.push(format!("{number}.")),
            Player::Second if words.is_empty() => words.push(format!("{number}...")),
            Player::Second => {}
        }
        if position.deployment().is_some() || !matches!(step, Step::Deploy { .. }) {
            let midway = position.deployment().is_some();
            words.push(if midway { lan::text(position, step) } else { lan::san(position, step) });
            continue;
        }
        let mut steps = vec![step];
        while let Some((_, step)) = past.next_if(|(next, _)| next.deployment().is_some()) {
            steps.push(step);
        }
        let unfinished = past.peek().is_none() && game.position().deployment().is_some();
        words.push(lan::turn_text(position, &steps) + if unfinished { "..." } else { "" });
    }
    words
}

/// A text with the number of the line it is in.
struct Scanner<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Scanner<'a> {
    fn error(&self, reason: RecordReason) -> RecordError {
        RecordError { line: self.line, reason }
    }

    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(len);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    /// Skips white space and comments.
    fn skip(&mut self) -> Result<(), RecordError> {
        loop {
            let trimmed = self.rest.trim_start().len();
            self.take(self.rest.len() - trimmed);
            if self.rest.starts_with('{') {
                let end = self.rest.find('}').ok_or_else(|| self.error(RecordReason::Comment))?;
                self.take(end + 1);
            } else if self.rest.starts_with(';') {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else {
                return Ok(());
            }
        }
    }

    /// The next tag, if one follows: `[Name "value"]`, with `\` before a quote or a `\` in the value.
    fn tag(&mut self) -> Result<Option<(String, String)>, RecordError> {
        self.skip()?;
        if !self.rest.starts_with('[') {
            return Ok(None);
        }
        let tag = read_tag(self.rest).ok_or_else(|| self.error(RecordReason::Tag))?;
        let (name, value, rest) = (tag.0.to_owned(), tag.1, tag.2.len());
        self.take(self.rest.len() - rest);
        Ok(Some((name, value)))
    }

    /// The next word of the moves, if one follows.
    fn word(&mut self) -> Result<Option<&'a str>, RecordError> {
        self.skip()?;
        let ends = |c: char| c.is_whitespace() || matches!(c, '{' | ';' | '[');
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        Ok(if end == 0 { None } else { Some(self.take(end)) })
    }
}

/// Reads the first game of a record. Rules that it does not name are those given.
pub(crate) fn read(text: &str, mut rules: Rules) -> Result<(Game<Position>, Tags), RecordError> {
    let mut scanner = Scanner { rest: text, line: 1 };
    let mut tags = Tags::new();
    let mut fen = None;
    let mut termination = None;
    while let Some((name, value)) = scanner.tag()? {
        match name.as_str() {
            "Rules" => {
                rules =
                    Rules::named(&value).ok_or_else(|| scanner.error(RecordReason::Rules(value.clone())))?;
            }
            "FEN" => fen = Some((scanner.line, value.clone())),
            "Termination" => {
                let reason = Reason::ALL.into_iter().find(|reason| reason.to_string() == value);
                let unknown = || scanner.error(RecordReason::Termination(value.clone()));
                termination = Some(reason.ok_or_else(unknown)?);
            }
            _ => {}
        }
        tags.push((name, value));
    }
    let first = match fen {
        None => Position::start(rules),
        Some((line, fen)) => {
            fen::read(&fen, rules).map_err(|e| RecordError { line, reason: RecordReason::Fen(e) })?
        }
    };
    let mut game = Game::from_position(first);
    let mut words = 0;
    while let Some(word) = scanner.word()? {
        words += 1;
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            end_game(&mut game, word, termination).map_err(|reason| scanner.error(reason))?;
            break;
        }
        if !is_move_number(word) {
            play_word(&mut game, word).map_err(|reason| scanner.error(reason))?;
        }
    }
    if tags.is_empty() && words == 0 {
        return Err(scanner.error(RecordReason::Empty));
    }
    Ok((game, tags))
}

/// `12.` or `12...`
fn is_move_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    !digits.is_empty() && digits.len() < word.len() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn play_word(game: &mut Game<Position>, word: &str) -> Result<(), RecordReason> {
    let position = game.position();
    let steps = if word.contains(':') {
        let turn_error = |error| RecordReason::Turn { word: word.into(), error };
        match word.strip_suffix("...") {
            Some(unfinished) => lan::parse_unfinished_turn(position, unfinished).map_err(turn_error)?,
            None => lan::parse_turn(position, word).map_err(turn_error)?,
        }
    } else {
        vec![lan::parse(position, word).map_err(|error| RecordReason::Step { word: word.into(), error })?]
    };
    for step in steps {
        game.replay(step).map_err(|_| RecordReason::AfterTheEnd(word.into()))?;
    }
    Ok(())
}

/// Ends the game as the record says, unless it has ended on the board. Beside the board only the players end a game.
fn end_game(
    game: &mut Game<Position>,
    result: &str,
    termination: Option<Reason>,
) -> Result<(), RecordReason> {
    let lose = if termination == Some(Reason::Time) { Game::flag } else { Game::resign };
    match result {
        "1-0" => lose(game, Player::Second),
        "0-1" => lose(game, Player::First),
        "1/2-1/2" => game.agree_draw(),
        _ => {}
    }
    let outcome = game.outcome();
    if result != result_text(outcome) {
        return Err(RecordReason::Result(result.into()));
    }
    match termination {
        Some(said) if outcome.reason() != Some(said) => {
            Err(RecordReason::OtherTermination { said, result: result.into(), found: outcome.reason() })
        }
        _ => Ok(()),
    }
}
