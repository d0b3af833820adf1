//! Text forms: positions, moves, complete turns and game records.

use std::error::Error;

use crate::record::{Annotations, RecordErrorOf, RecordFormat, find_tag, read, write};
use crate::rules::DrawOffer;
use crate::{Describe, Game, Position};

/// The tag pairs of a game record, in order: players, place, date.
pub type Tags = Vec<(String, String)>;

/// What a game record contains.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<P: Position> {
    /// The game: the main line of the record, with its end.
    pub game: Game<P>,
    /// The tag pairs.
    pub tags: Tags,
    /// Comments, glyphs and variations.
    pub annotations: Annotations<P::Move>,
}

impl<P: Position> Record<P> {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }
}

/// The text forms of a game.
///
/// Parsers report the error and its place. Writers produce exactly one text for each value and form.
pub trait Notation: Position {
    /// The reason why the text of a position cannot be read.
    type PositionError: Error + Describe + Send + Sync + 'static;
    /// The reason why the text of a move cannot be read.
    type MoveError: Error + Describe + Send + Sync + 'static;
    /// What game records look like: [`PlainRecords`](crate::record::PlainRecords) unless the game has its own format.
    type Records: RecordFormat<Self>;

    /// The file extension of a game record.
    const RECORD_EXTENSION: &'static str;

    /// Whether [`move_san`](Self::move_san) is the same as [`move_text`](Self::move_text), so that one of them is enough.
    const SAN_IS_TEXT: bool = true;

    /// The position as one line of text.
    fn to_text(&self) -> String;

    /// Parses the text of a position.
    ///
    /// Accepts everything [`to_text`](Self::to_text) writes; each game lists the other texts that it accepts.
    fn from_text(text: &str, rules: Self::Rules) -> Result<Self, Self::PositionError>;

    /// The position with the state of the draw offer, in games whose text has a field for it; otherwise
    /// [`to_text`](Self::to_text).
    fn to_text_with_offer(&self, _offer: DrawOffer) -> String {
        self.to_text()
    }

    /// Parses the text that [`to_text_with_offer`](Self::to_text_with_offer) writes.
    fn from_text_with_offer(
        text: &str,
        rules: Self::Rules,
    ) -> Result<(Self, DrawOffer), Self::PositionError> {
        Ok((Self::from_text(text, rules)?, DrawOffer::None))
    }

    /// The board as bytes, in games whose wire form is bytes.
    fn to_bytes(&self) -> Option<Vec<u8>> {
        None
    }

    /// The move in the long form that programs exchange: UCI in chess.
    fn move_text(&self, m: Self::Move) -> String;

    /// The move in the short form that people write: SAN in chess. Defaults to the long form; a game with a short form also
    /// sets [`SAN_IS_TEXT`](Self::SAN_IS_TEXT) to false.
    fn move_san(&self, m: Self::Move) -> String {
        self.move_text(m)
    }

    /// [`move_san`](Self::move_san) of all legal moves, in their order.
    ///
    /// Games whose SAN depends on the other legal moves override it, because one pass is cheaper than many.
    fn move_sans(&self, legal: &[Self::Move]) -> Vec<String> {
        legal.iter().map(|&m| self.move_san(m)).collect()
    }

    /// The move as a number, in games whose wire form is a number.
    fn move_word(&self, _m: Self::Move) -> Option<u32> {
        None
    }

    /// Parses a move in either form. The result is legal in this position.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Self::MoveError>;

    /// Parses a complete turn in any form that records use. The result is legal in this position.
    ///
    /// Where a turn is one move, this is [`parse_move`](Self::parse_move).
    fn parse_turn(&self, text: &str) -> Result<Vec<Self::Move>, Self::MoveError> {
        Ok(vec![self.parse_move(text)?])
    }

    /// A complete turn as records write it.
    ///
    /// # Panics
    ///
    /// May panic if `moves` is not a complete legal turn of this position.
    fn turn_text(&self, moves: &[Self::Move]) -> String {
        let [m] = moves else { panic!("a turn is one move in {}", Self::NAME) };
        self.move_san(*m)
    }

    /// The number of the turn that begins here, as records count: it grows by one after each turn of the second player.
    fn move_number(&self) -> usize {
        1
    }

    /// The record of a game with annotations.
    ///
    /// # Panics
    ///
    /// May panic if a move of a variation is not legal.
    fn write_record(game: &Game<Self>, tags: &Tags, annotations: &Annotations<Self::Move>) -> String {
        write(game, tags, annotations)
    }

    /// Parses the first game of a record. The rules that the record names take precedence over `rules`.
    fn read_record(text: &str, rules: Self::Rules) -> Result<Record<Self>, RecordErrorOf<Self>> {
        read(text, rules)
    }
}
