//! The text of positions, actions and records.

mod move_text;
mod position_text;
mod record;

use sandtable_core::rules::DrawOffer;
use sandtable_core::{Notation, Position};

pub use self::move_text::MoveError;
pub use self::position_text::{PositionError, PositionField};
pub(crate) use self::position_text::{parse_offer, write_offer};
pub use self::record::{RecordError, RecordFault};
use crate::action::Action;
use crate::position::Tribun;
use crate::rules::Rules;

impl Notation for Tribun {
    type PositionError = PositionError;
    type MoveError = MoveError;
    type Records = record::Records;

    const RECORD_EXTENSION: &'static str = "tribun";

    /// Writes `-` in the field for the draw offer.
    fn to_text(&self) -> String {
        self.to_text_with_offer(DrawOffer::None)
    }

    /// Accepts the same texts as [`from_text_with_offer`](Self::from_text_with_offer) and drops the draw offer.
    fn from_text(text: &str, rules: Rules) -> Result<Self, PositionError> {
        position_text::parse(text, rules).map(|(position, _)| position)
    }

    fn to_text_with_offer(&self, offer: DrawOffer) -> String {
        position_text::write(self, offer)
    }

    /// Also accepts `BASE64 b|w`, units in any order, and texts without the draw offer.
    fn from_text_with_offer(text: &str, rules: Rules) -> Result<(Self, DrawOffer), PositionError> {
        position_text::parse(text, rules)
    }

    /// The unit bytes by cid.
    fn to_bytes(&self) -> Option<Vec<u8>> {
        Some(self.board().to_bytes().into())
    }

    fn move_text(&self, action: Action) -> String {
        move_text::write(action)
    }

    fn move_word(&self, action: Action) -> Option<u32> {
        Some(action.word())
    }

    /// Parses the text of an action, or its action word (`0x0000243C`, `9276`).
    fn parse_move(&self, text: &str) -> Result<Action, MoveError> {
        let action = move_text::parse(text, self.turn())?;
        if self.is_legal(action) { Ok(action) } else { Err(MoveError::Illegal { action }) }
    }
}
