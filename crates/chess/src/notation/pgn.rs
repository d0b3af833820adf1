//! PGN: game records with tags, comments, annotations and variations.
//!
//! ```
//! use sandtable_chess::{BLACK, Chess, DrawRules};
//! use sandtable_core::Notation as _;
//!
//! let text = "[White \"Anna\"]\n\n1. f3 e5 2. g4?? {oops} (2. Nc3) Qh4# 0-1";
//! let record = Chess::read_record(text, DrawRules::default())?;
//! assert_eq!((record.tag("White"), record.game.outcome().winner()), (Some("Anna"), Some(BLACK)));
//! assert_eq!(record.annotations.note(3).unwrap().comment, "oops");
//! assert_eq!(record.annotations.variations(2).len(), 1);
//! # Ok::<(), sandtable_chess::notation::RecordError>(())
//! ```
//!
//! [`sandtable_core::record::read_all`] reads a text of several games.
//!
//! The writer is strict: the seven standard tags first, moves in SAN, lines shorter than 80 characters. The parser also
//! accepts:
//!
//! - tags in any order;
//! - moves in UCI;
//! - a missing result at the end of a game: the tag has it;
//! - lines that begin with `%`, which it skips;
//! - `!`, `?`, `!!`, `??`, `!?` and `?!` as the numeric annotations 1 to 6;
//! - missing or wrong move numbers.

use sandtable_core::record::{
    RESULT_TAG, RULES_TAG, RecordFormat, ResultWord, SyntaxFault, TERMINATION_TAG, Tags, find_tag,
};
use sandtable_core::{Describe, Game, Notation as _, Position};

use super::san::San;
use super::{MoveError, PositionError};
use crate::{Chess, DrawRules, Ending, Move, Reason};

/// An error in a PGN and its place.
pub type RecordError = sandtable_core::record::RecordError<RecordFault>;

/// The kinds of errors in a PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("chess_pgn")]
#[non_exhaustive]
pub enum RecordFault {
    /// The text contains no game.
    #[error("no game found")]
    NoGame,
    /// An error in the syntax that the records of all games share.
    #[error(transparent)]
    Syntax(#[from] SyntaxFault),
    /// A move that is malformed or not legal.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The FEN tag does not hold a valid position.
    #[error("invalid FEN tag: {0}")]
    Fen(#[param(message)] PositionError),
}

/// The format of PGN.
#[derive(Clone, Copy, Debug)]
pub struct Pgn;

/// The tag that announces a FEN tag.
const SET_UP_TAG: &str = "SetUp";

impl RecordFormat<Chess> for Pgn {
    type Fault = RecordFault;

    const ROSTER: &'static [(&'static str, &'static str)] = &[
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
    ];
    const POSITION_TAG: &'static str = "FEN";
    const OWN_TAGS: &'static [&'static str] =
        &[RESULT_TAG, SET_UP_TAG, Self::POSITION_TAG, TERMINATION_TAG, RULES_TAG];
    const KEEPS_OWN_TAGS: bool = true;

    fn no_game() -> Option<RecordFault> {
        Some(RecordFault::NoGame)
    }

    fn invalid_position(error: PositionError) -> RecordFault {
        RecordFault::Fen(error)
    }

    fn parse_turn(position: &Chess, _: usize, text: &str) -> Result<Vec<Move>, RecordFault> {
        // A move number may lack its dots or be separated from them: `7 e5`, `1 . e4`.
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Vec::new());
        }
        Ok(vec![position.parse_move(text)?])
    }

    fn turn_text(position: &Chess, line: &[Move]) -> (String, usize) {
        (San::with_check(position, line[0]), 1)
    }

    /// The roster in its order, the result, the first position, then the other tags.
    fn tags(game: &Game<Chess>, given: Tags) -> Tags {
        let is_in_roster = |name: &str| Self::ROSTER.iter().any(|(tag, _)| *tag == name);
        let roster = Self::ROSTER
            .iter()
            .map(|&(name, unknown)| (name.to_owned(), find_tag(&given, name).unwrap_or(unknown).to_owned()));
        let own = |name: &str| Self::own_tag(game, name).map(|value| (name.to_owned(), value));
        let mut tags: Tags = roster.chain(own(RESULT_TAG)).collect();
        if let Some(fen) = own(Self::POSITION_TAG) {
            tags.extend([(SET_UP_TAG.to_owned(), "1".to_owned()), fen]);
        }
        tags.extend(given.into_iter().filter(|(name, _)| !is_in_roster(name)));
        tags.extend(own(TERMINATION_TAG));
        // Every reader assumes the default rules, so they need no tag.
        tags.extend(own(RULES_TAG).filter(|_| game.position().rules() != DrawRules::default()));
        tags
    }

    /// The recorded result ends the game, unless the game is already over in the last position.
    fn conclude(game: &mut Game<Chess>, tags: &Tags, word: Option<ResultWord>) -> Result<(), RecordFault> {
        let tagged = || find_tag(tags, RESULT_TAG).and_then(ResultWord::from_text);
        let result = word.or_else(tagged).unwrap_or(ResultWord::Unknown);
        let reason = declared_reason(tags, result).unwrap_or(Reason::Rule(Ending::Recorded));
        game.declare(result.outcome(reason));
        Ok(())
    }
}

/// The reason in the termination tag, if players can end a game for that reason with the recorded result. Other reasons, such as
/// checkmate and stalemate, follow from the position and are ignored in the tag.
fn declared_reason(tags: &Tags, result: ResultWord) -> Option<Reason> {
    let reason: Reason = find_tag(tags, TERMINATION_TAG)?.to_ascii_lowercase().parse().ok()?;
    let possible = match result {
        ResultWord::FirstWins | ResultWord::SecondWins => {
            matches!(reason, Reason::Resignation | Reason::Time | Reason::Abandonment)
        }
        ResultWord::Draw => matches!(
            reason,
            Reason::Agreement
                | Reason::Rule(Ending::ThreefoldRepetition | Ending::FiftyMoves)
                | Reason::Time
                | Reason::GameTime
        ),
        ResultWord::Unknown => false,
    };
    possible.then_some(reason)
}
