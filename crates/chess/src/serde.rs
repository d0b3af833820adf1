//! Serde support (feature `serde`): every value as its text form.
//!
//! | type | form |
//! |---|---|
//! | [`Position`] | `{ "rules": "standard", "position": FEN }` |
//! | [`Square`] | `"e4"` |
//! | [`Uci`] | `"e7e8q"` |
//! | [`Move`] | `"e7e8q"`; serialize only |
//! | [`Reason`] | `"checkmate"` |
//!
//! A [`Move`] cannot be deserialized by itself: the text `e1g1` is castling in one position and a rook move in another.
//! Deserialize a [`Uci`] and call [`Uci::to_move`].
//!
//! ```
//! use sandtable_chess::{Position, notation::uci::Uci};
//! use sandtable_core::Position as _;
//!
//! let position = Position::default();
//! let json = serde_json::to_string(&position.legal_moves()[0])?;
//! let uci: Uci = serde_json::from_str(&json)?;
//! assert_eq!(uci.to_move(&position)?, position.legal_moves()[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;

use sandtable_core::serde::position;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::notation::uci::Uci;
use crate::{Move, Position, Reason, Square};

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        position::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        position::deserialize(deserializer)
    }
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Uci::from(*self).serialize(serializer)
    }
}

/// Implements both traits for types with a text form.
macro_rules! as_text {
    ($($Type:ty),*) => {
        $(
            impl Serialize for $Type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $Type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
                }
            }
        )*
    };
}

as_text!(Square, Uci, Reason);
