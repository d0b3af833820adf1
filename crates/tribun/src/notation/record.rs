//! Records of games: tags, then the actions in order.
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
//! `Position` is left out for the start, `Rules` for rules without a name. Between actions, braces say what stands from
//! then on about a draw, not how it came about: between two actions an offer can be made, answered and taken back, so any
//! such state can follow any other. `Result` is `*` while the game goes on, otherwise a winner or `draw`, and the reason.

use sandtable_core::{
    Notation, Outcome, Player, Position as _, Rules as _, Tags, Words, read_tag, write_tag,
};

use super::move_text::MoveTextError;
use super::position_text::{PositionTextError, parse_talk, write_talk};
use crate::game::TribunGame;
use crate::position::{Position, Reason, player_name};
use crate::rules::Rules;

/// An error in a record, with its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: RecordFault,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// An invalid tag.
    #[error("invalid tag `{0}`: expected a name and a quoted value, such as `[Event \"An evening\"]`")]
    Tag(String),
    /// An unknown rule set.
    #[error("unknown rules `{0}`: expected standard or ninety")]
    Rules(String),
    /// An invalid position.
    #[error("invalid `Position` tag: {0}")]
    Position(PositionTextError),
    /// An invalid result.
    #[error(
        "invalid result `{0}`: expected `*`, or Black, White or draw with a reason, such as `Black: resignation`"
    )]
    Result(String),
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
        /// What is wrong with the action.
        error: MoveTextError,
    },
    /// An invalid draw offer.
    #[error(
        "invalid draw offer `{0}`: expected {{-}}, {{offer:b}}, {{offer:w}}, {{declined:b}} or {{declined:w}}"
    )]
    DrawOffer(String),
    /// An action after the end of the game.
    #[error("unexpected `{0}` after the end of the game")]
    AfterEnd(String),
}

const RULES: &str = "Rules";
const POSITION: &str = "Position";
const RESULT: &str = "Result";
const ONGOING: &str = "*";
const DRAW: &str = "draw";

pub(super) fn write(game: &TribunGame, tags: &Tags) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        write_tag(&mut text, name, value).expect("a string takes all text");
    };
    for (name, value) in tags.iter().filter(|(name, _)| ![RULES, POSITION, RESULT].contains(&name.as_str())) {
        tag(name, value);
    }
    let first = *game.first_position();
    if let Some(rules) = first.rules().name() {
        tag(RULES, rules);
    }
    if first != Position::start(first.rules()) {
        tag(POSITION, &first.to_text());
    }
    tag(RESULT, &write_result(game.outcome()));

    text.push('\n');
    let mut words = Words::new(&mut text);
    for token in tokens(game) {
        words.word(&token).expect("a string takes all text");
    }
    text.push('\n');
    text
}

/// The record behind its tags, word by word.
fn tokens(game: &TribunGame) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut talk = game.first_position().talk();
    let mut round = 0;
    for (ply, (position, action)) in game.past().enumerate() {
        if position.talk() != talk {
            talk = position.talk();
            tokens.push(format!("{{{}}}", write_talk(talk)));
        }
        let black = position.turn() == Player::First;
        if black || ply == 0 {
            round += 1;
            tokens.push(format!("{round}.{}", if black { "" } else { ".." }));
        }
        tokens.push(action.to_string());
    }
    if game.position().talk() != talk {
        tokens.push(format!("{{{}}}", write_talk(game.position().talk())));
    }
    tokens
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
    let (who, why) = text.split_once(": ")?;
    let reason = Reason::ALL.into_iter().find(|reason| reason.to_string() == why)?;
    let is_draw = matches!(reason, Reason::Agreement | Reason::GameTime);
    match Player::ALL.into_iter().find(|&player| player_name(player) == who) {
        Some(winner) if !is_draw => Some(Outcome::Win { winner, reason }),
        None if is_draw && who == DRAW => Some(Outcome::Draw { reason }),
        _ => None,
    }
}

/// A line that is a tag and nothing else.
fn tag_line(line: &str) -> Option<(&str, String)> {
    let (name, value, rest) = read_tag(line)?;
    rest.is_empty().then_some((name, value))
}

pub(super) fn read(text: &str, rules: Rules) -> Result<(TribunGame, Tags), RecordError> {
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
            let position = Position::from_text(&text, rules);
            TribunGame::from_position(position.map_err(RecordFault::Position).map_err(at(number))?)
        }
    };
    // The next tag begins the next game.
    let is_tag = |(line, _): &(&str, usize)| line.starts_with('[');
    for (line, number) in lines().skip_while(is_tag).take_while(|line| !is_tag(line)) {
        line.split_whitespace().try_for_each(|token| replay(&mut game, token)).map_err(at(number))?;
    }
    if let Some((outcome, number)) = result {
        conclude(&mut game, outcome).map_err(at(number))?;
    }
    Ok((game, tags))
}

fn replay(game: &mut TribunGame, token: &str) -> Result<(), RecordFault> {
    if let Some(talk) = token.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let talk = parse_talk(talk).ok_or_else(|| RecordFault::DrawOffer(token.to_owned()))?;
        game.amend(|position| *position = position.with_talk(talk));
        return Ok(());
    }
    let number = token.trim_end_matches('.');
    if number.len() < token.len() && number.chars().all(|c| c.is_ascii_digit()) {
        return Ok(());
    }
    if game.outcome().is_over() {
        return Err(RecordFault::AfterEnd(token.to_owned()));
    }
    let action = game.position().parse_move(token);
    let action = action.map_err(|error| RecordFault::Action { ply: game.ply() + 1, error })?;
    game.play(action).expect("the action is legal and the game goes on");
    Ok(())
}

/// Ends the game as its result says, where the board does not say so already.
fn conclude(game: &mut TribunGame, claimed: Outcome<Reason>) -> Result<(), RecordFault> {
    let by_the_board = matches!(claimed.reason(), Some(Reason::TribunAttacked | Reason::NoAction));
    if claimed.is_over() && !by_the_board {
        game.declare(claimed);
    }
    let found = game.outcome();
    if found == claimed {
        return Ok(());
    }
    Err(RecordFault::ResultMismatch { claimed: write_result(claimed), found: write_result(found) })
}
