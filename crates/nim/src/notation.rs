//! Text of positions, moves and records.
//!
//! A position is its counters, the side to move and the winner: `9 first -`. A move is the number of counters taken, a turn
//! its moves joined by commas: `1,1,2`. A record is tags, then turns:
//!
//! ```text
//! [Position "9 first -"]
//! [Result "Second: resignation"]
//!
//! 1. 3 1,1,2
//! ```
//!
//! `Result` is there only if the game ended by something other than its moves.

use std::fmt::Write as _;

use sandtable_core::record::{
    Annotations, MovetextWriter, Record, RecordError, RecordFault, RecordScanner, RecordSyntax, Tags,
    write_tag,
};
use sandtable_core::rules::{Reason, SetupError};
use sandtable_core::{Describe, FromSetup as _, Game, Notation, Outcome, Player, Position};

use crate::position::{Ending, Nim, OneSet, PILE, Take};

/// An error in a position, a move or a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("nim")]
pub enum NimError {
    /// More counters than at the start.
    #[error("expected at most {PILE} counters, found {found}")]
    TooMany {
        /// The number of counters.
        found: u8,
    },
    /// A winner with counters left, or no winner without counters.
    #[error("a game has a winner if and only if the pile is empty")]
    Winner,
    /// A malformed position.
    #[error("invalid position `{0}`: expected counters, side to move and winner, such as `9 first -`")]
    Text(#[param(name = "text")] String),
    /// A malformed or illegal move.
    #[error("invalid move `{0}`: expected the number of counters to take, at most 3 and at most those left")]
    Move(#[param(name = "text")] String),
    /// A malformed result.
    #[error(
        "invalid result `{0}`: expected the winner or `draw` and the reason, such as `First: resignation`"
    )]
    Result(#[param(name = "text")] String),
    /// An invalid position in a record.
    #[error("invalid `Position` tag: {0}")]
    Position(#[param(message)] Box<SetupError<Self>>),
    /// An error in the syntax that the records of all games share.
    #[error(transparent)]
    Syntax(#[from] RecordFault),
}

const POSITION: &str = "Position";
const RESULT: &str = "Result";
const DRAW: &str = "draw";

impl Notation for Nim {
    type PositionError = SetupError<NimError>;
    type MoveError = NimError;
    type RecordError = RecordError<NimError>;

    const RECORD_EXTENSION: &'static str = "nim";

    fn to_text(&self) -> String {
        let winner = self.winner.map_or("-", player_text);
        format!("{} {} {winner}", self.left, player_text(self.turn))
    }

    fn from_text(text: &str, rules: OneSet) -> Result<Self, SetupError<NimError>> {
        let Some(setup) = parse_setup(text) else {
            SetupError::check(vec![NimError::Text(text.to_owned())])?;
            unreachable!("one reason is an error");
        };
        Self::from_setup(&setup, rules)
    }

    fn move_text(&self, take: Take) -> String {
        take.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Take, NimError> {
        let legal = text.parse().ok().filter(|&take| self.is_legal(take));
        legal.ok_or_else(|| NimError::Move(text.to_owned()))
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Take>, NimError> {
        let mut position = self.clone();
        let mut moves = Vec::new();
        for take in text.split(',') {
            if position.turn != self.turn {
                return Err(NimError::Move(take.to_owned()));
            }
            moves.push(position.parse_move(take)?);
            position.play_unchecked(moves[moves.len() - 1]);
        }
        Ok(moves)
    }

    fn turn_text(&self, moves: &[Take]) -> String {
        moves.iter().map(Take::to_string).collect::<Vec<_>>().join(",")
    }

    fn write_record(game: &Game<Self>, tags: &Tags, annotations: &Annotations<Take>) -> String {
        write(game, tags, annotations).expect("writing to a string cannot fail")
    }

    fn read_record(text: &str, rules: OneSet) -> Result<Record<Self>, RecordError<NimError>> {
        let mut scanner = RecordScanner::new(text);
        let mut tags = Tags::new();
        let (mut start, mut result) = (Self::start(rules), None);
        for (place, name, value) in scanner.tags::<NimError>()? {
            match name.as_str() {
                POSITION => {
                    let position = Self::from_text(&value, rules);
                    let position = position.map_err(|error| NimError::Position(Box::new(error)));
                    start = position.map_err(|error| scanner.error(place, error))?;
                }
                RESULT => {
                    let outcome = parse_result(&value).ok_or(NimError::Result(value));
                    result = Some(outcome.map_err(|error| scanner.error(place, error))?);
                }
                _ => tags.push((name, value)),
            }
        }
        let movetext = scanner.movetext(start.clone(), &Syntax)?;
        let mut game = Game::from_position(start);
        for take in movetext.moves {
            game.play_unchecked(take);
        }
        if let Some(outcome) = result {
            game.declare(outcome);
        }
        Ok(Record { game, tags, annotations: movetext.annotations })
    }
}

/// The turns of a record: moves joined by commas.
struct Syntax;

impl RecordSyntax<Nim> for Syntax {
    type Fault = NimError;

    const RESULTS: &'static [&'static str] = &[];

    fn parse_turn(&self, position: &Nim, _: usize, text: &str) -> Result<Vec<Take>, NimError> {
        position.parse_turn(text)
    }

    fn turn_text(&self, position: &Nim, line: &[Take]) -> (String, usize) {
        let len = line.iter().position(|take| *take != 1).map_or(line.len(), |last| last + 1);
        (position.turn_text(&line[..len]), len)
    }
}

fn write(game: &Game<Nim>, tags: &Tags, annotations: &Annotations<Take>) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for (name, value) in tags.iter().filter(|(name, _)| ![POSITION, RESULT].contains(&name.as_str())) {
        write_tag(&mut text, name, value)?;
    }
    let start = game.first_position();
    write_tag(&mut text, POSITION, &start.to_text())?;
    if let Some(outcome) = game.declared_outcome() {
        let winner = outcome.winner().map_or(DRAW, |winner| Nim::PLAYERS[winner]);
        let reason = outcome.reason().map_or("", |reason| reason.text());
        write_tag(&mut text, RESULT, &format!("{winner}: {reason}"))?;
    }
    writeln!(text)?;
    let moves: Vec<_> = game.moves_played().collect();
    let writer =
        MovetextWriter { syntax: &Syntax, start, moves: &moves, annotations, states: &[], result: None };
    writer.write(&mut text)?;
    Ok(text)
}

fn player_text(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

fn parse_setup(text: &str) -> Option<Nim> {
    let player = |text: &str| Player::ALL.into_iter().find(|&player| player_text(player) == text);
    let mut fields = text.split(' ');
    let (left, turn, winner) = (fields.next()?, fields.next()?, fields.next()?);
    let winner = if winner == "-" { None } else { Some(player(winner)?) };
    let setup = Nim { left: left.parse().ok()?, turn: player(turn)?, winner };
    fields.next().is_none().then_some(setup)
}

/// An end that the moves do not show.
fn parse_result(text: &str) -> Option<Outcome<Reason<Ending>>> {
    let (winner, reason) = text.split_once(": ")?;
    let reason = reason.parse().ok().filter(|reason| !matches!(reason, Reason::Rule(_)))?;
    if winner == DRAW {
        return Some(Outcome::Draw { reason });
    }
    let winner = Player::ALL.into_iter().find(|&player| Nim::PLAYERS[player] == winner)?;
    Some(Outcome::Win { winner, reason })
}
