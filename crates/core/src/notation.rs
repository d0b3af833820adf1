//! Text: positions, moves, and records of whole games.

use std::error::Error;

use crate::{Game, Position};

/// The tag pairs of a record, in order: who played, where, when.
pub type Tags = Vec<(String, String)>;

/// The text forms of a game.
///
/// Every form is read with errors that say what is wrong, where and why; every form has one strict writer.
pub trait Notation: Position {
    /// What can be wrong with the text of a position.
    type PositionError: Error + Send + Sync + 'static;
    /// What can be wrong with the text of a move.
    type MoveError: Error + Send + Sync + 'static;
    /// What can be wrong with the record of a game.
    type RecordError: Error + Send + Sync + 'static;

    /// The ending of a file that holds a record.
    const RECORD_EXTENSION: &'static str;

    /// The position as one line of text.
    fn to_text(&self) -> String;

    /// Reads what [`to_text`](Self::to_text) writes, and a little more.
    fn from_text(text: &str, rules: Self::Rules) -> Result<Self, Self::PositionError>;

    /// The board as bytes, in games whose wire form is bytes.
    fn to_bytes(&self) -> Option<Vec<u8>> {
        None
    }

    /// The move in the form that needs no position to be read by a person or a program: UCI in chess.
    fn move_text(&self, m: Self::Move) -> String;

    /// The move as people write it down: SAN in chess.
    fn move_san(&self, m: Self::Move) -> String;

    /// [`move_san`](Self::move_san) of all legal moves, in their order: for games in which the text of one depends on the
    /// others, so that all together take less than one by one.
    fn move_sans(&self, legal: &[Self::Move]) -> Vec<String> {
        legal.iter().map(|&m| self.move_san(m)).collect()
    }

    /// The move as a number, in games whose wire form is one.
    fn move_word(&self, _m: Self::Move) -> Option<u32> {
        None
    }

    /// Reads a move in any of the two forms. What it returns is legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Self::MoveError>;

    /// The record of a game.
    fn write_record(game: &Game<Self>, tags: &Tags) -> String;

    /// Reads the first game of a record.
    fn read_record(text: &str, rules: Self::Rules) -> Result<(Game<Self>, Tags), Self::RecordError>;
}
