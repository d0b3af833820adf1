//! Serde support (feature `serde`): every value as its text form.
//!
//! | type | form |
//! |---|---|
//! | [`Chess`] | `{ "rules": "standard", "position": FEN }` |
//! | [`Square`] | `"e4"` |
//! | [`Uci`] | `"e7e8q"` |
//! | [`Move`] | `"e7e8q"`; serialize only |
//! | [`Reason`](crate::Reason) | `"checkmate"` |
//!
//! A [`Move`] cannot be deserialized by itself: the text `e1g1` is castling in one position and a rook move in another.
//! Deserialize a [`Uci`] and call [`Uci::to_move`].
//!
//! ```
//! use sandtable_chess::{Chess, notation::uci::Uci};
//! use sandtable_core::Position as _;
//!
//! let position = Chess::default();
//! let json = serde_json::to_string(&position.legal_moves()[0])?;
//! let uci: Uci = serde_json::from_str(&json)?;
//! assert_eq!(uci.to_move(&position)?, position.legal_moves()[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use sandtable_core::serde::position;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::notation::uci::Uci;
use crate::{Chess, Move, Square};

impl Serialize for Chess {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        position::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Chess {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        position::deserialize(deserializer)
    }
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Uci::from(*self).serialize(serializer)
    }
}

sandtable_core::serde_as_text!(Square, Uci);
