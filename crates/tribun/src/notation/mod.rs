//! The text forms: positions, moves, records.

mod move_text;
mod position_text;
mod record;

use sandtable_core::{Game, Notation, Position as _, Tags};

pub use self::move_text::MoveTextError;
pub use self::position_text::PositionTextError;
pub(crate) use self::position_text::{parse_talk, write_talk};
pub use self::record::{RecordError, RecordFault};
use crate::action::Action;
use crate::position::Position;
use crate::rules::Rules;

impl Notation for Position {
    type PositionError = PositionTextError;
    type MoveError = MoveTextError;
    type RecordError = RecordError;

    const RECORD_EXTENSION: &'static str = "tribun";

    fn to_text(&self) -> String {
        position_text::write(self)
    }

    /// A byte for every cid.
    fn to_bytes(&self) -> Option<Vec<u8>> {
        Some(self.board().to_bytes().into())
    }

    /// Reads the readable form and `BASE64 b|w`. The draw offers may be left out of either.
    fn from_text(text: &str, rules: Rules) -> Result<Self, PositionTextError> {
        position_text::parse(text, rules)
    }

    fn move_text(&self, action: Action) -> String {
        action.to_string()
    }

    /// The same as [`move_text`](Self::move_text): it is made to be read by people.
    fn move_san(&self, action: Action) -> String {
        action.to_string()
    }

    fn move_word(&self, action: Action) -> Option<u32> {
        Some(action.word())
    }

    /// Reads the text of an action, or its word as a number (`0x0000243C`, `9276`).
    fn parse_move(&self, text: &str) -> Result<Action, MoveTextError> {
        let action = move_text::parse(text, self.turn())?;
        if self.is_legal(action) { Ok(action) } else { Err(MoveTextError::Illegal { action }) }
    }

    fn write_record(game: &Game<Self>, tags: &Tags) -> String {
        record::write(game, tags)
    }

    /// Reads a record. Its `Rules` tag, where it has one, is stronger than `rules`.
    fn read_record(text: &str, rules: Rules) -> Result<(Game<Self>, Tags), RecordError> {
        record::read(text, rules)
    }
}
