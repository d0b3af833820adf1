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

use sandtable_core::record::{RecordFormat, ResultWord, SyntaxFault, TERMINATION_TAG, Tags, find_tag};
use sandtable_core::{Describe, Game};

use super::{MoveError, PositionError, deployment, lan, turn};
use crate::{CoTuLenh, Reason, Step};

/// The reason why a text is not a game record, with its place.
pub type RecordError = sandtable_core::record::RecordError<RecordFault>;

/// An error in a game record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_record")]
#[non_exhaustive]
pub enum RecordFault {
    /// There is neither a tag nor a move.
    #[error("empty record: expected a tag or a move")]
    Empty,
    /// An error in the syntax that the records of all games share.
    #[error(transparent)]
    Syntax(#[from] SyntaxFault),
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

/// The format of the records.
#[derive(Clone, Copy, Debug)]
pub struct Records;

impl RecordFormat<CoTuLenh> for Records {
    type Fault = RecordFault;

    const ROSTER: &'static [(&'static str, &'static str)] = &[("Red", "?"), ("Blue", "?")];
    const POSITION_TAG: &'static str = "FEN";
    const WRITES_START: bool = true;
    const KEEPS_OWN_TAGS: bool = true;

    fn no_game() -> Option<RecordFault> {
        Some(RecordFault::Empty)
    }

    fn unknown_rules(name: &str) -> Option<RecordFault> {
        Some(RecordFault::Rules(name.into()))
    }

    fn invalid_position(error: PositionError) -> RecordFault {
        RecordFault::Fen(error)
    }

    fn check_tag(name: &str, value: &str) -> Result<(), RecordFault> {
        if name == TERMINATION_TAG && value.parse::<Reason>().is_err() {
            return Err(RecordFault::Termination(value.into()));
        }
        Ok(())
    }

    /// Parses a turn, an unfinished deployment (`c3:T:N>c5...`) or a single step.
    fn parse_turn(position: &CoTuLenh, _: usize, text: &str) -> Result<Vec<Step>, RecordFault> {
        if text.contains(':') {
            deployment::parse_recorded(position, text)
                .map_err(|error| RecordFault::Turn { turn: text.into(), error })
        } else {
            Ok(vec![lan::parse(position, text).map_err(RecordFault::Move)?])
        }
    }

    fn turn_text(position: &CoTuLenh, line: &[Step]) -> (String, usize) {
        turn::write_first(position, line)
    }

    /// A group of pieces, such as `(NFT)` or `(+TI)`. A variation is no group: its turns have digits.
    fn group_len(text: &str) -> Option<usize> {
        let inner = text.strip_prefix('(')?;
        let end = inner.find(|c: char| !c.is_ascii_uppercase() && c != '+')?;
        (end > 0 && inner[end..].starts_with(')')).then_some(end + 2)
    }

    /// Ends the game by the result of the record, unless it has ended on the board.
    fn conclude(game: &mut Game<CoTuLenh>, tags: &Tags, word: Option<ResultWord>) -> Result<(), RecordFault> {
        let Some(word) = word else { return Ok(()) };
        let termination = find_tag(tags, TERMINATION_TAG).and_then(|reason| reason.parse().ok());
        game.declare(word.declared(termination));
        let outcome = game.outcome();
        if word != ResultWord::of(outcome) {
            return Err(RecordFault::Result(word.text().into()));
        }
        match termination {
            Some(termination) if outcome.reason() != Some(termination) => {
                Err(RecordFault::OtherTermination {
                    termination,
                    result: word.text().into(),
                    found: outcome.reason(),
                })
            }
            _ => Ok(()),
        }
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
            assert_eq!(Records::group_len(text), len, "{text}");
        }
    }
}
