//! What the records of a game look like.

use crate::record::{ResultWord, SyntaxFault, Tags, find_tag};
use crate::rules::{DrawOffer, Reason, Rules as _, ends_turn};
use crate::{Describe, Game, Notation, Outcome};

/// The tag that names the rules.
pub const RULES_TAG: &str = "Rules";

/// The tag with the result.
pub const RESULT_TAG: &str = "Result";

/// The tag with the reason of the result.
pub const TERMINATION_TAG: &str = "Termination";

/// The records of a game: its tags, turns and results. The rest is the same in every game.
///
/// A record consists of tag pairs and movetext. The movetext is that of PGN, in every game: move numbers, `{comment}`, `; comment`
/// to the end of the line, `$1`, the suffixes `!`, `?`, `!!`, `??`, `!?` and `?!`, variations in parentheses after the turn that
/// they replace, and lines that begin with `%`, which are skipped.
///
/// [`PlainRecords`] implements it for a game without special wishes.
pub trait RecordFormat<P: Notation> {
    /// An error in a record of the game.
    type Fault: std::error::Error + Describe + From<SyntaxFault> + Send + Sync + 'static;

    /// The tags that every record has, with their values for "unknown".
    const ROSTER: &'static [(&'static str, &'static str)] = &[];

    /// The tag of the first position.
    const POSITION_TAG: &'static str = "Position";

    /// Whether a record of a game from the start position has a [`POSITION_TAG`](Self::POSITION_TAG).
    const WRITES_START: bool = false;

    /// The tags that the writer derives from the game, in their order. The caller's values are ignored.
    const OWN_TAGS: &'static [&'static str] = &[RULES_TAG, Self::POSITION_TAG, RESULT_TAG, TERMINATION_TAG];

    /// Whether the tags of a record that was read include the [`OWN_TAGS`](Self::OWN_TAGS).
    const KEEPS_OWN_TAGS: bool = false;

    /// Whether the movetext ends with a [`ResultWord`].
    const RESULT_WORDS: bool = true;

    /// The error for a text without a game. `None`: such a text is a game without moves.
    #[must_use]
    fn no_game() -> Option<Self::Fault> {
        None
    }

    /// The error for a rules tag that names no preset. `None`: such a tag is ignored.
    #[must_use]
    fn unknown_rules(_name: &str) -> Option<Self::Fault> {
        None
    }

    /// The error for a position tag that is not the text of a position.
    fn invalid_position(error: P::PositionError) -> Self::Fault;

    /// Checks a tag before the movetext is read.
    fn check_tag(_name: &str, _value: &str) -> Result<(), Self::Fault> {
        Ok(())
    }

    /// Parses a turn, without move number and suffix. The result must be legal; it is empty if the text is no more than a
    /// move number. `ply` is the number of moves before it.
    fn parse_turn(position: &P, ply: usize, text: &str) -> Result<Vec<P::Move>, Self::Fault>;

    /// The text of the turn at the start of a line, and the number of moves that it stands for, at least one.
    #[must_use]
    fn turn_text(position: &P, line: &[P::Move]) -> (String, usize) {
        let mut after = position.clone();
        let ends = |&m: &P::Move| {
            after.play_unchecked(m);
            ends_turn(position.turn(), &after)
        };
        let len = line.iter().position(ends).map_or(line.len(), |last| last + 1);
        (position.turn_text(&line[..len]), len)
    }

    /// The length of the parentheses at the start of a text, if they are a part of a turn and not a variation.
    #[must_use]
    fn group_len(_text: &str) -> Option<usize> {
        None
    }

    /// The state of the draw offer that braces around this text give; `None` if they are a comment.
    #[must_use]
    fn parse_offer(_braces: &str) -> Option<DrawOffer> {
        None
    }

    /// The text of a draw offer's state in braces, in games whose records show it.
    #[must_use]
    fn offer_text(_offer: DrawOffer) -> Option<String> {
        None
    }

    /// The value of the result tag.
    #[must_use]
    fn result_text(outcome: Outcome<Reason<P::Ending>>) -> String {
        ResultWord::of(outcome).text().to_owned()
    }

    /// The tags of a record, in order. `given` are the caller's tags, without the [`OWN_TAGS`](Self::OWN_TAGS).
    #[must_use]
    fn tags(game: &Game<P>, given: Tags) -> Tags {
        let missing = Self::ROSTER.iter().filter(|(name, _)| find_tag(&given, name).is_none());
        let mut tags: Tags = missing.map(|&(name, unknown)| (name.to_owned(), unknown.to_owned())).collect();
        tags.extend(given);
        let own = |&name: &&str| Some((name.to_owned(), Self::own_tag(game, name)?));
        tags.extend(Self::OWN_TAGS.iter().filter_map(own));
        tags
    }

    /// The value of one of the [`OWN_TAGS`](Self::OWN_TAGS).
    #[must_use]
    fn own_tag(game: &Game<P>, name: &str) -> Option<String> {
        let rules = game.position().rules();
        match name {
            RULES_TAG => rules.name().map(ToOwned::to_owned),
            RESULT_TAG => Some(Self::result_text(game.outcome())),
            TERMINATION_TAG => game.outcome().reason().map(|reason| reason.to_string()),
            _ if name == Self::POSITION_TAG => {
                let first = game.first_position_text();
                let is_start = || first == P::start(rules).to_text_with_offer(DrawOffer::None);
                (Self::WRITES_START || !is_start()).then_some(first)
            }
            _ => None,
        }
    }

    /// Ends a game after the last move of its record, as the result word or the tags say.
    fn conclude(game: &mut Game<P>, tags: &Tags, word: Option<ResultWord>) -> Result<(), Self::Fault> {
        let reason = find_tag(tags, TERMINATION_TAG).and_then(|reason| reason.parse().ok());
        game.declare(word.unwrap_or(ResultWord::Unknown).declared(reason));
        Ok(())
    }
}

/// The records of a game without special wishes: its turns, between the tags and results of PGN.
#[derive(Clone, Copy, Debug)]
pub struct PlainRecords;

/// An error in one of the [`PlainRecords`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("plain_record")]
#[non_exhaustive]
pub enum PlainFault<E: std::error::Error, M: std::error::Error> {
    /// An error in the syntax that the records of all games share.
    #[error(transparent)]
    Syntax(SyntaxFault),
    /// The position tag is not the text of a position.
    #[error("invalid position: {0}")]
    Position(#[param(message)] E),
    /// A turn is malformed or illegal.
    #[error(transparent)]
    Turn(M),
}

impl<E: std::error::Error, M: std::error::Error> From<SyntaxFault> for PlainFault<E, M> {
    fn from(fault: SyntaxFault) -> Self {
        Self::Syntax(fault)
    }
}

impl<P: Notation> RecordFormat<P> for PlainRecords {
    type Fault = PlainFault<P::PositionError, P::MoveError>;

    fn invalid_position(error: P::PositionError) -> Self::Fault {
        PlainFault::Position(error)
    }

    fn parse_turn(position: &P, _: usize, text: &str) -> Result<Vec<P::Move>, Self::Fault> {
        position.parse_turn(text).map_err(PlainFault::Turn)
    }
}
