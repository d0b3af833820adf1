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
//! in LAN, so the reader accepts those everywhere. Comments, glyphs and variations are those of PGN.

use std::fmt::Display;

use sandtable_core::record::{
    Annotations, MovetextWriter, Record, RecordFault, RecordScanner, RecordSyntax, Tags, without_places,
    write_tag,
};
use sandtable_core::{Describe, Game, Outcome, Player, Position, Rules as _};

use super::{MoveError, PositionError, deployment, fen, lan, turn};
use crate::{CoTuLenh, Reason, Rules, Step};

/// The tags that are written from the game, not from the caller's tags.
const OWN_TAGS: [&str; 4] = ["Rules", "FEN", "Result", "Termination"];

/// The reason why a text is not a game record, with its place.
pub type RecordError = sandtable_core::record::RecordError<RecordReason>;

/// An error in a game record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_record")]
#[non_exhaustive]
pub enum RecordReason {
    /// There is neither a tag nor a move.
    #[error("empty record: expected a tag or a move")]
    Empty,
    /// An error in the syntax that the records of all games share.
    #[error(transparent)]
    Syntax(#[from] RecordFault),
    /// The `Rules` tag does not name a preset.
    #[error("unknown rules `{0}`: expected standard or club")]
    Rules(#[param(name = "text")] String),
    /// The `FEN` tag is not a position.
    #[error("FEN tag: {0}")]
    Fen(#[param(message)] PositionError),
    /// A move is malformed or illegal.
    #[error(transparent)]
    Move(MoveError),
    /// A deployment turn is malformed or illegal.
    #[error("{turn}: {error}")]
    Turn {
        /// The text of the turn.
        turn: String,
        /// The error in it.
        #[param(message)]
        error: MoveError,
    },
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
pub(crate) fn write(game: &Game<CoTuLenh>, tags: &Tags, annotations: &Annotations<Step>) -> String {
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

    let moves: Vec<_> = game.moves_played().collect();
    let writer = MovetextWriter {
        syntax: &Syntax,
        start: game.first_position(),
        moves: &moves,
        annotations,
        states: &[],
        result: Some(result_text(outcome)),
    };
    writer.write(&mut text).expect("writing to a string cannot fail");
    text
}

/// The turns of a record: SAN, deployments and, within a deployment, steps in LAN.
struct Syntax;

impl RecordSyntax<CoTuLenh> for Syntax {
    type Fault = RecordReason;

    const RESULTS: &'static [&'static str] = &["1-0", "0-1", "1/2-1/2", "*"];

    /// Parses a turn, an unfinished deployment (`c3:T:N>c5...`) or a single step.
    fn parse_turn(&self, position: &CoTuLenh, _: usize, text: &str) -> Result<Vec<Step>, RecordReason> {
        if text.contains(':') {
            deployment::parse_recorded(position, text)
                .map_err(|error| RecordReason::Turn { turn: text.into(), error })
        } else {
            Ok(vec![lan::parse(position, text).map_err(RecordReason::Move)?])
        }
    }

    fn turn_text(&self, position: &CoTuLenh, line: &[Step]) -> (String, usize) {
        turn::write_first(position, line)
    }
}

/// Parses the first game of a record. `rules` apply if the record does not name any.
pub(crate) fn parse(text: &str, mut rules: Rules) -> Result<Record<CoTuLenh>, RecordError> {
    let mut scanner = RecordScanner::new(text);
    let tags = scanner.tags::<RecordReason>()?;
    let mut fen = None;
    let mut termination = None;
    for (place, name, value) in &tags {
        match name.as_str() {
            "Rules" => {
                let unknown = || RecordReason::Rules(value.clone());
                rules = Rules::named(value)
                    .ok_or_else(unknown)
                    .map_err(|reason| scanner.error(*place, reason))?;
            }
            "FEN" => fen = Some((*place, value)),
            "Termination" => {
                let reason = value.parse::<Reason>().map_err(|_| RecordReason::Termination(value.clone()));
                termination = Some(reason.map_err(|reason| scanner.error(*place, reason))?);
            }
            _ => {}
        }
    }
    let first = match fen {
        None => CoTuLenh::start(rules),
        Some((place, fen)) => {
            fen::parse(fen, rules).map_err(|error| scanner.error(place, RecordReason::Fen(error)))?
        }
    };
    let movetext = scanner.movetext(first, &Syntax)?;
    if tags.is_empty() && movetext.moves.is_empty() && movetext.result.is_none() {
        let end = scanner.place();
        return Err(scanner.error(end, RecordReason::Empty));
    }
    let mut game = Game::from_position(first);
    for step in movetext.moves {
        game.play_unchecked(step);
    }
    if let Some((result, place)) = movetext.result {
        end_game(&mut game, result, termination).map_err(|reason| scanner.error(place, reason))?;
    }
    Ok(Record { game, tags: without_places(tags), annotations: movetext.annotations })
}

/// Ends the game by the result of the record, unless it has ended on the board.
fn end_game(
    game: &mut Game<CoTuLenh>,
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
