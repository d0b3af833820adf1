//! Serde support (feature `serde`).
//!
//! A position is a map of its rule set and its text, without the draw offer; an action is its action word.

use ::serde::de::{Error as _, Unexpected};
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::action::Action;
use crate::event::Event;
use crate::position::Tribun;

impl Serialize for Tribun {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        sandtable_core::serde::position::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Tribun {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        sandtable_core::serde::position::deserialize(deserializer)
    }
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.word())
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_word(u32::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.word())
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Event::deserialize(deserializer)? {
            Event::Board(action) => Ok(action),
            event => Err(D::Error::invalid_value(
                Unexpected::Unsigned(event.word().into()),
                &"the word of a board action",
            )),
        }
    }
}
