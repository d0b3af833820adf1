//! Game records, similar to PGN.
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
//! `FEN` is the *starting* position. Each turn is one token: the SAN of a whole move, or a deployment with its steps. A
//! deployment that the game leaves unfinished ends with `...`. A game that begins within a deployment needs single steps
//! in LAN, so the reader accepts those everywhere. It skips comments in braces, and from `;` to the end of a line.

use std::fmt::Display;

use sandtable_core::{
    Describe, Game, LineWrapper, Outcome, Player, Position as _, Rules as _, Tags, parse_tag,
    strip_move_number, write_tag,
};

use super::{FenError, LanError, fen, lan, turn};
use crate::{Position, Reason, Rules};

/// The tags that are written from the game, not from the caller's tags.
const OWN_TAGS: [&str; 4] = ["Rules", "FEN", "Result", "Termination"];

/// The reason why a text is not a game record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_record")]
#[error("line {line}: {reason}")]
#[non_exhaustive]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The error.
    #[param(message)]
    pub reason: RecordReason,
}

/// An error in a game record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_record")]
#[non_exhaustive]
pub enum RecordReason {
    /// There is neither a tag nor a move.
    #[error("empty record: expected a tag or a move")]
    Empty,
    /// A tag is malformed.
    #[error("malformed tag: expected [Name \"value\"]")]
    Tag,
    /// A comment is not closed.
    #[error("unclosed comment: expected `}}`")]
    Comment,
    /// The `Rules` tag does not name a preset.
    #[error("unknown rules `{0}`: expected standard or club")]
    Rules(#[param(name = "text")] String),
    /// The `FEN` tag is not a position.
    #[error("FEN tag: {0}")]
    Fen(#[param(message)] FenError),
    /// A move is malformed or illegal.
    #[error(transparent)]
    Move(LanError),
    /// A deployment turn is malformed or illegal.
    #[error("{turn}: {error}")]
    Turn {
        /// The text of the turn.
        turn: String,
        /// The error in it.
        #[param(message)]
        error: LanError,
    },
    /// A move follows the end of the game on the board.
    #[error("move {0} follows the end of the game")]
    AfterTheEnd(#[param(name = "text")] String),
    /// The result contradicts the game on the board.
    #[error("result {0} contradicts the outcome on the board")]
    Result(#[param(name = "text")] String),
    /// The `Termination` tag names no known reason.
    #[error("unknown termination `{0}`")]
    Termination(#[param(name = "text")] String),
    /// The `Termination` tag contradicts the result and the board.
    #[error(
        "termination `{termination}` contradicts the game: {result} after these moves {}",
        Meaning::of(*.found)
    )]
    OtherTermination {
        /// The value of the tag.
        termination: Reason,
        /// The result of the record.
        result: String,
        /// The reason for the end by this result and the board; `None` if the game is ongoing.
        #[param(message = Meaning, value = Meaning::of(*found))]
        found: Option<Reason>,
    },
}

/// What a result means after the moves of a record.
#[derive(Debug, thiserror::Error, Describe)]
#[code("cotulenh_result")]
enum Meaning {
    #[error("leaves the game open")]
    Open,
    #[error("means {0}")]
    Over(#[param(name = "reason", term)] Reason),
}

impl Meaning {
    fn of(found: Option<Reason>) -> Self {
        found.map_or(Self::Open, Self::Over)
    }
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
        write_tag(&mut text, name, &value.to_string()).expect("writing to a string cannot fail");
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

    let mut lines = LineWrapper::new(&mut text);
    for token in tokens(game).into_iter().chain([result_text(outcome).to_owned()]) {
        lines.word(&token).expect("writing to a string cannot fail");
    }
    text.push('\n');
    text
}

/// The move numbers and turns of a game, one token each.
fn tokens(game: &Game<Position>) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut history = game.history().peekable();
    while let Some((position, step)) = history.next() {
        let number = position.fullmoves();
        match position.turn() {
            Player::First => tokens.push(format!("{number}.")),
            Player::Second if tokens.is_empty() => tokens.push(format!("{number}...")),
            Player::Second => {}
        }
        let mut steps = vec![step];
        // In a game that begins within a deployment, the rest of that turn is written step by step.
        if position.deployment().is_none() {
            while let Some((_, step)) = history.next_if(|(next, _)| next.deployment().is_some()) {
                steps.push(step);
            }
        }
        let mut token = turn::turn_text(position, &steps);
        if position.deployment().is_none()
            && history.peek().is_none()
            && game.position().deployment().is_some()
        {
            token += "...";
        }
        tokens.push(token);
    }
    tokens
}

/// The unread text, and the number of its first line.
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

    /// Skips whitespace and comments.
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

    /// Parses a tag, if one follows.
    fn tag(&mut self) -> Result<Option<(String, String)>, RecordError> {
        self.skip()?;
        if !self.rest.starts_with('[') {
            return Ok(None);
        }
        let tag = parse_tag(self.rest).ok_or_else(|| self.error(RecordReason::Tag))?;
        let (name, value, rest) = (tag.0.to_owned(), tag.1, tag.2.len());
        self.take(self.rest.len() - rest);
        Ok(Some((name, value)))
    }

    /// The next token of the move list, if one follows.
    fn token(&mut self) -> Result<Option<&'a str>, RecordError> {
        self.skip()?;
        let ends = |c: char| c.is_whitespace() || matches!(c, '{' | ';' | '[');
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        Ok(if end == 0 { None } else { Some(self.take(end)) })
    }
}

/// Parses the first game of a record. `rules` apply if the record does not name any.
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
                let unknown = |_| scanner.error(RecordReason::Termination(value.clone()));
                termination = Some(value.parse::<Reason>().map_err(unknown)?);
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
    let mut is_empty = tags.is_empty();
    while let Some(token) = scanner.token()? {
        is_empty = false;
        if matches!(token, "1-0" | "0-1" | "1/2-1/2" | "*") {
            end_game(&mut game, token, termination).map_err(|reason| scanner.error(reason))?;
            break;
        }
        let token = strip_move_number(token);
        if !token.is_empty() {
            play_token(&mut game, token).map_err(|reason| scanner.error(reason))?;
        }
    }
    if is_empty {
        return Err(scanner.error(RecordReason::Empty));
    }
    Ok((game, tags))
}

/// Plays a turn, an unfinished deployment (`c3:T:N>c5...`) or a single step.
fn play_token(game: &mut Game<Position>, token: &str) -> Result<(), RecordReason> {
    let position = game.position();
    let steps = if token.contains(':') {
        let steps = match token.strip_suffix("...") {
            Some(unfinished) => turn::parse_deployment(position, unfinished, false),
            None => turn::parse_turn(position, token),
        };
        steps.map_err(|error| RecordReason::Turn { turn: token.into(), error })?
    } else {
        vec![lan::parse(position, token).map_err(RecordReason::Move)?]
    };
    for step in steps {
        game.replay(step).map_err(|_| RecordReason::AfterTheEnd(token.into()))?;
    }
    Ok(())
}

/// Ends the game by the result of the record, unless it has ended on the board.
fn end_game(
    game: &mut Game<Position>,
    result: &str,
    termination: Option<Reason>,
) -> Result<(), RecordReason> {
    let lose = match termination {
        Some(Reason::Time) => Game::flag_fall,
        Some(Reason::Abandonment) => Game::abandon,
        _ => Game::resign,
    };
    match result {
        "1-0" => lose(game, Player::Second),
        "0-1" => lose(game, Player::First),
        "1/2-1/2" if termination == Some(Reason::GameTime) => game.end_game_time(),
        "1/2-1/2" => game.agree_draw(),
        _ => {}
    }
    let outcome = game.outcome();
    if result != result_text(outcome) {
        return Err(RecordReason::Result(result.into()));
    }
    match termination {
        Some(termination) if outcome.reason() != Some(termination) => Err(RecordReason::OtherTermination {
            termination,
            result: result.into(),
            found: outcome.reason(),
        }),
        _ => Ok(()),
    }
}
