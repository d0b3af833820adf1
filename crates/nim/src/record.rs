//! Game records: tags, then turns.
//!
//! ```text
//! [Position "9 first -"]
//! [Result "Second: resignation"]
//!
//! 1. 3 1,1,2
//! ```
//!
//! `Result` is there only if the game ended by something other than its moves.

use std::fmt::{self, Write as _};

use sandtable_core::record::{
    Annotations, MovetextWriter, Record, RecordError, RecordScanner, RecordSyntax, Tags, write_tag,
};
use sandtable_core::rules::Reason;
use sandtable_core::{Game, Notation as _, Outcome, Player, Position as _};

use crate::notation::NimError;
use crate::position::{Ending, Nim, OneSet, Take};

const POSITION: &str = "Position";
const RESULT: &str = "Result";
const DRAW: &str = "draw";

pub(crate) fn read(text: &str, rules: OneSet) -> Result<Record<Nim>, RecordError<NimError>> {
    let mut scanner = RecordScanner::new(text);
    let mut tags = Tags::new();
    let (mut start, mut result) = (Nim::start(rules), None);
    for (place, name, value) in scanner.tags::<NimError>()? {
        match name.as_str() {
            POSITION => {
                let position = Nim::from_text(&value, rules);
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

pub(crate) fn write(
    game: &Game<Nim>,
    tags: &Tags,
    annotations: &Annotations<Take>,
) -> Result<String, fmt::Error> {
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
