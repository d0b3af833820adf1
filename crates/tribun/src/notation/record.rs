//! Game records: tags, then the actions.
//!
//! ```text
//! [Event "An evening"]
//! [Rules "standard"]
//! [Position "black:… white:… b -"]
//! [Result "Black: resignation"]
//!
//! 1. f6-g7 g8xg7 {offer:b} 2. …
//! ```
//!
//! `Position` is omitted for the start position, `Rules` for rules that are not a preset. `Result` is `*` in an unfinished
//! game, otherwise a winner or `draw`, and the reason. Comments, glyphs and variations are those of PGN, with one
//! exception: braces that hold only a state of the draw offer set the draw offer from there on. A record does not list
//! draw actions, so any state can follow any other.

use sandtable_core::record::{RESULT_TAG, RULES_TAG, RecordFormat, ResultWord, SyntaxFault, Tags, find_tag};
use sandtable_core::rules::DrawOffer;
use sandtable_core::{Describe, Notation, Outcome, Player, Position};

use super::move_text::MoveError;
use super::position_text::{PositionError, parse_offer, write_offer};
use crate::action::Action;
use crate::game::TribunGame;
use crate::position::{Tribun, player_name};
use crate::reason::Reason;

/// An error in a record, with its place.
pub type RecordError = sandtable_core::record::RecordError<RecordFault>;

/// An error in a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_record")]
#[non_exhaustive]
pub enum RecordFault {
    /// An error in the syntax that the records of all games share.
    #[error(transparent)]
    Syntax(#[from] SyntaxFault),
    /// An unknown rule set.
    #[error("unknown rules `{0}`: expected standard or ninety")]
    Rules(#[param(name = "text")] String),
    /// An invalid position.
    #[error("invalid `Position` tag: {0}")]
    Position(#[param(message)] PositionError),
    /// An invalid result.
    #[error(
        "invalid result `{0}`: expected `*`, or Black, White or draw with a reason, such as `Black: resignation`"
    )]
    Result(#[param(name = "text")] String),
    /// A result that contradicts the actions.
    #[error("the `Result` tag is `{claimed}`, but the result of the actions is `{found}`")]
    ResultMismatch {
        /// The result in the tag.
        claimed: String,
        /// The result of the actions.
        found: String,
    },
    /// An invalid or illegal action.
    #[error("action {ply}: {error}")]
    Action {
        /// The number of the action, counted from 1.
        ply: usize,
        /// The error in the action.
        #[param(message)]
        error: MoveError,
    },
    /// An action after the end of the game.
    #[error("unexpected `{0}` after the end of the game")]
    AfterEnd(#[param(name = "text")] String),
}

const ONGOING: &str = "*";
const DRAW: &str = "draw";

/// The format of the records.
#[derive(Clone, Copy, Debug)]
pub struct Records;

impl RecordFormat<Tribun> for Records {
    type Fault = RecordFault;

    const OWN_TAGS: &'static [&'static str] = &[RULES_TAG, Self::POSITION_TAG, RESULT_TAG];
    const RESULT_WORDS: bool = false;

    fn unknown_rules(name: &str) -> Option<RecordFault> {
        Some(RecordFault::Rules(name.to_owned()))
    }

    fn invalid_position(error: PositionError) -> RecordFault {
        RecordFault::Position(error)
    }

    fn check_tag(name: &str, value: &str) -> Result<(), RecordFault> {
        if name == RESULT_TAG && parse_result(value).is_none() {
            return Err(RecordFault::Result(value.to_owned()));
        }
        Ok(())
    }

    fn parse_turn(position: &Tribun, ply: usize, text: &str) -> Result<Vec<Action>, RecordFault> {
        if position.outcome(1).is_over() {
            return Err(RecordFault::AfterEnd(text.to_owned()));
        }
        let action = position.parse_move(text);
        Ok(vec![action.map_err(|error| RecordFault::Action { ply: ply + 1, error })?])
    }

    fn turn_text(_: &Tribun, line: &[Action]) -> (String, usize) {
        (line[0].to_string(), 1)
    }

    fn parse_offer(braces: &str) -> Option<DrawOffer> {
        parse_offer(braces)
    }

    fn offer_text(offer: DrawOffer) -> Option<String> {
        Some(write_offer(offer))
    }

    fn result_text(outcome: Outcome<Reason>) -> String {
        write_result(outcome)
    }

    /// Declares the end of the game that the result tag claims, unless the position already ends the game.
    fn conclude(game: &mut TribunGame, tags: &Tags, _: Option<ResultWord>) -> Result<(), RecordFault> {
        let Some(claimed) = find_tag(tags, RESULT_TAG).and_then(parse_result) else { return Ok(()) };
        if !matches!(claimed.reason(), Some(Reason::Rule(_))) {
            game.declare(claimed);
        }
        let found = game.outcome();
        if found == claimed {
            return Ok(());
        }
        Err(RecordFault::ResultMismatch { claimed: write_result(claimed), found: write_result(found) })
    }
}

fn write_result(outcome: Outcome<Reason>) -> String {
    match outcome {
        Outcome::Ongoing => ONGOING.to_owned(),
        Outcome::Win { winner, reason } => format!("{}: {reason}", player_name(winner)),
        Outcome::Draw { reason } => format!("{DRAW}: {reason}"),
    }
}

fn parse_result(text: &str) -> Option<Outcome<Reason>> {
    if text == ONGOING {
        return Some(Outcome::Ongoing);
    }
    let (winner, reason) = text.split_once(": ")?;
    let reason: Reason = reason.parse().ok()?;
    let is_draw = matches!(reason, Reason::Agreement | Reason::GameTime);
    match Player::ALL.into_iter().find(|&player| player_name(player) == winner) {
        Some(winner) if !is_draw => Some(Outcome::Win { winner, reason }),
        None if is_draw && winner == DRAW => Some(Outcome::Draw { reason }),
        _ => None,
    }
}
