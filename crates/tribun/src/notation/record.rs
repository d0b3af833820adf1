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
//! game, otherwise a winner or `draw`, and the reason. Braces give the state of the draw offer from then on. They do not
//! give the draw actions that led to it, so any state can follow any other.

use sandtable_core::{
    Describe, DrawOffer, LineWrapper, Notation, Outcome, Player, Position as _, Rules as _, Tags, parse_tag,
    strip_move_number, write_tag,
};

use super::move_text::MoveTextError;
use super::position_text::{PositionTextError, offer_text, parse_offer};
use crate::game::TribunGame;
use crate::position::{Position, player_name};
use crate::reason::Reason;
use crate::rules::Rules;

/// An error in a record, with its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_record")]
#[error("line {line}: {fault}")]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// The error.
    #[param(message)]
    pub fault: RecordFault,
}

/// An error in a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_record")]
#[non_exhaustive]
pub enum RecordFault {
    /// An invalid tag.
    #[error("invalid tag `{0}`: expected a name and a quoted value, such as `[Event \"An evening\"]`")]
    Tag(#[param(name = "text")] String),
    /// An unknown rule set.
    #[error("unknown rules `{0}`: expected standard or ninety")]
    Rules(#[param(name = "text")] String),
    /// An invalid position.
    #[error("invalid `Position` tag: {0}")]
    Position(#[param(message)] PositionTextError),
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
        error: MoveTextError,
    },
    /// An invalid draw offer.
    #[error(
        "invalid draw offer `{0}`: expected {{-}}, {{offer:b}}, {{offer:w}}, {{declined:b}} or {{declined:w}}"
    )]
    DrawOffer(#[param(name = "text")] String),
    /// An action after the end of the game.
    #[error("unexpected `{0}` after the end of the game")]
    AfterEnd(#[param(name = "text")] String),
}

const RULES: &str = "Rules";
const POSITION: &str = "Position";
const RESULT: &str = "Result";
const ONGOING: &str = "*";
const DRAW: &str = "draw";

pub(super) fn write(game: &TribunGame, tags: &Tags) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        write_tag(&mut text, name, value).expect("writing to a string cannot fail");
    };
    for (name, value) in tags.iter().filter(|(name, _)| ![RULES, POSITION, RESULT].contains(&name.as_str())) {
        tag(name, value);
    }
    let offers: Vec<_> = game.draw_offers().collect();
    let first = game.first_position();
    if let Some(rules) = first.rules().name() {
        tag(RULES, rules);
    }
    if *first != Position::start(first.rules()) || offers[0] != DrawOffer::None {
        tag(POSITION, &first.to_text_with_offer(offers[0]));
    }
    tag(RESULT, &write_result(game.outcome()));

    text.push('\n');
    let mut line = LineWrapper::new(&mut text);
    for token in tokens(game, &offers) {
        line.word(&token).expect("writing to a string cannot fail");
    }
    text.push('\n');
    text
}

/// The tokens of a record after its tags.
fn tokens(game: &TribunGame, offers: &[DrawOffer]) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut number = 0;
    for (ply, (position, action)) in game.history().enumerate() {
        push_changed_offer(&mut tokens, offers, ply);
        let black = position.turn() == Player::First;
        if black || ply == 0 {
            number += 1;
            tokens.push(format!("{number}.{}", if black { "" } else { ".." }));
        }
        tokens.push(action.to_string());
    }
    push_changed_offer(&mut tokens, offers, game.ply());
    tokens
}

/// Adds the draw offer before action `ply` if it differs from the one before the previous action.
fn push_changed_offer(tokens: &mut Vec<String>, offers: &[DrawOffer], ply: usize) {
    if ply > 0 && offers[ply] != offers[ply - 1] {
        tokens.push(format!("{{{}}}", offer_text(offers[ply])));
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
    match Player::ALL.into_iter().find(|&player| player_name(player) == winner) {
        Some(winner) if !reason.is_draw() => Some(Outcome::Win { winner, reason }),
        None if reason.is_draw() && winner == DRAW => Some(Outcome::Draw { reason }),
        _ => None,
    }
}

/// Parses a line that consists of one tag.
fn tag_line(line: &str) -> Option<(&str, String)> {
    let (name, value, rest) = parse_tag(line)?;
    rest.is_empty().then_some((name, value))
}

pub(super) fn parse(text: &str, rules: Rules) -> Result<(TribunGame, Tags), RecordError> {
    let at = |line| move |fault| RecordError { line, fault };
    let lines = || text.lines().map(str::trim).zip(1..).filter(|(line, _)| !line.is_empty());

    let (mut tags, mut rules) = (Tags::new(), rules);
    let (mut position, mut result) = (None, None);
    for (line, number) in lines().take_while(|(line, _)| line.starts_with('[')) {
        let (name, value) =
            tag_line(line).ok_or_else(|| RecordFault::Tag(line.to_owned())).map_err(at(number))?;
        match name {
            RULES => {
                rules = Rules::named(&value).ok_or(RecordFault::Rules(value)).map_err(at(number))?;
            }
            POSITION => position = Some((value, number)),
            RESULT => {
                let outcome = parse_result(&value).ok_or(RecordFault::Result(value)).map_err(at(number))?;
                result = Some((outcome, number));
            }
            _ => tags.push((name.to_owned(), value)),
        }
    }

    let mut game = match position {
        None => TribunGame::new(rules),
        Some((text, number)) => {
            let game = TribunGame::from_text(&text, rules);
            game.map_err(RecordFault::Position).map_err(at(number))?
        }
    };
    // A tag after the actions begins the next game.
    let is_tag = |(line, _): &(&str, usize)| line.starts_with('[');
    for (line, number) in lines().skip_while(is_tag).take_while(|line| !is_tag(line)) {
        game = line.split_whitespace().try_fold(game, replay).map_err(at(number))?;
    }
    if let Some((outcome, number)) = result {
        conclude(&mut game, outcome).map_err(at(number))?;
    }
    Ok((game, tags))
}

/// Applies one token of a record.
fn replay(mut game: TribunGame, token: &str) -> Result<TribunGame, RecordFault> {
    if let Some(offer) = token.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let offer = parse_offer(offer).ok_or_else(|| RecordFault::DrawOffer(token.to_owned()))?;
        return Ok(game.with_draw_offer(offer));
    }
    let text = strip_move_number(token);
    if text.is_empty() {
        return Ok(game);
    }
    if game.is_over() {
        return Err(RecordFault::AfterEnd(text.to_owned()));
    }
    let action = game.position().parse_move(text);
    let action = action.map_err(|error| RecordFault::Action { ply: game.ply() + 1, error })?;
    game.play_unchecked(action);
    Ok(game)
}

/// Declares the end of the game that the `Result` tag claims, unless the position already ends the game.
fn conclude(game: &mut TribunGame, claimed: Outcome<Reason>) -> Result<(), RecordFault> {
    let by_position = matches!(claimed.reason(), Some(Reason::TribunAttacked | Reason::NoAction));
    if claimed.is_over() && !by_position {
        game.declare(claimed);
    }
    let found = game.outcome();
    if found == claimed {
        return Ok(());
    }
    Err(RecordFault::ResultMismatch { claimed: write_result(claimed), found: write_result(found) })
}
