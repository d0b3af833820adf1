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

use sandtable_core::record::{
    Annotations, MovetextWriter, Record, RecordScanner, RecordSyntax, Tags, write_tag,
};
use sandtable_core::rules::DrawOffer;
use sandtable_core::{Describe, Notation, Outcome, Player, Position, Rules as _};

use super::move_text::MoveTextError;
use super::position_text::{PositionTextError, offer_text, parse_offer};
use crate::action::Action;
use crate::game::TribunGame;
use crate::position::{Tribun, player_name};
use crate::reason::Reason;
use crate::rules::Rules;

/// An error in a record, with its place.
pub type RecordError = sandtable_core::record::RecordError<RecordFault>;

/// An error in a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_record")]
#[non_exhaustive]
pub enum RecordFault {
    /// An error in the syntax that the records of all games share.
    #[error(transparent)]
    Syntax(#[from] sandtable_core::record::RecordFault),
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
    /// An action after the end of the game.
    #[error("unexpected `{0}` after the end of the game")]
    AfterEnd(#[param(name = "text")] String),
}

const RULES: &str = "Rules";
const POSITION: &str = "Position";
const RESULT: &str = "Result";
const ONGOING: &str = "*";
const DRAW: &str = "draw";

pub(super) fn write(game: &TribunGame, tags: &Tags, annotations: &Annotations<Action>) -> String {
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
    if *first != Tribun::start(first.rules()) || offers[0] != DrawOffer::None {
        tag(POSITION, &first.to_text_with_offer(offers[0]));
    }
    tag(RESULT, &write_result(game.outcome()));

    text.push('\n');
    let moves: Vec<_> = game.moves_played().collect();
    let changed = (1..offers.len()).filter(|&ply| offers[ply] != offers[ply - 1]);
    let states: Vec<_> = changed.map(|ply| (ply, offer_text(offers[ply]))).collect();
    let writer = MovetextWriter {
        syntax: &Syntax,
        start: first,
        moves: &moves,
        annotations,
        states: &states,
        result: None,
    };
    writer.write(&mut text).expect("writing to a string cannot fail");
    text
}

/// The turns of a record: actions. The state of the draw offer is in braces.
struct Syntax;

impl RecordSyntax<Tribun> for Syntax {
    type Fault = RecordFault;

    const RESULTS: &'static [&'static str] = &[];

    fn parse_turn(&self, position: &Tribun, ply: usize, text: &str) -> Result<Vec<Action>, RecordFault> {
        if position.outcome(1).is_over() {
            return Err(RecordFault::AfterEnd(text.to_owned()));
        }
        let action = position.parse_move(text);
        Ok(vec![action.map_err(|error| RecordFault::Action { ply: ply + 1, error })?])
    }

    fn turn_text(&self, _: &Tribun, line: &[Action]) -> (String, usize) {
        (line[0].to_string(), 1)
    }

    fn is_state(&self, braces: &str) -> bool {
        parse_offer(braces).is_some()
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

pub(super) fn parse(text: &str, mut rules: Rules) -> Result<Record<Tribun>, RecordError> {
    let mut scanner = RecordScanner::new(text);
    let mut tags = Tags::new();
    let (mut position, mut result) = (None, None);
    for (place, name, value) in scanner.tags::<RecordFault>()? {
        match name.as_str() {
            RULES => {
                let named = Rules::named(&value).ok_or(RecordFault::Rules(value));
                rules = named.map_err(|fault| scanner.error(place, fault))?;
            }
            POSITION => position = Some((value, place)),
            RESULT => {
                let outcome = parse_result(&value).ok_or(RecordFault::Result(value));
                result = Some((outcome.map_err(|fault| scanner.error(place, fault))?, place));
            }
            _ => tags.push((name, value)),
        }
    }
    let mut game = match position {
        None => TribunGame::new(rules),
        Some((text, place)) => TribunGame::from_text(&text, rules)
            .map_err(|error| scanner.error(place, RecordFault::Position(error)))?,
    };
    let movetext = scanner.movetext(*game.position(), &Syntax)?;
    let mut states = movetext.states.iter().peekable();
    for ply in 0..=movetext.moves.len() {
        if ply > 0 {
            game.play_unchecked(movetext.moves[ply - 1]);
        }
        while let Some((_, state)) = states.next_if(|(at, _)| *at == ply) {
            game.set_draw_offer(parse_offer(state).expect("a state is a draw offer"));
        }
    }
    if let Some((outcome, place)) = result {
        conclude(&mut game, outcome).map_err(|fault| scanner.error(place, fault))?;
    }
    Ok(Record { game, tags, annotations: movetext.annotations })
}

/// Declares the end of the game that the `Result` tag claims, unless the position already ends the game.
fn conclude(game: &mut TribunGame, claimed: Outcome<Reason>) -> Result<(), RecordFault> {
    let by_position = matches!(claimed.reason(), Some(Reason::Rule(_)));
    if claimed.is_over() && !by_position {
        game.declare(claimed);
    }
    let found = game.outcome();
    if found == claimed {
        return Ok(());
    }
    Err(RecordFault::ResultMismatch { claimed: write_result(claimed), found: write_result(found) })
}
