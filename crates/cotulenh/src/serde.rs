//! Serde support (feature `serde`): positions, moves, squares and reasons as their text forms.
//!
//! ```
//! use sandtable_core::Position;
//! use sandtable_cotulenh::{CoTuLenh, Rules, Square, Step, StepKind};
//!
//! let step = Step::Whole { from: Square::C5, to: Square::C6, kind: StepKind::Move };
//! assert_eq!(serde_json::to_string(&step)?, r#""c5c6""#);
//! let start = CoTuLenh::start(Rules::CLUB);
//! let json = serde_json::to_string(&start)?;
//! assert!(json.starts_with(r#"{"rules":"club","position":"6c4/1n2fh1hf2/"#));
//! assert_eq!(serde_json::from_str::<CoTuLenh>(&json)?, start);
//! # Ok::<(), serde_json::Error>(())
//! ```

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{CoTuLenh, Square, Step};

impl Serialize for CoTuLenh {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        sandtable_core::serde::position::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for CoTuLenh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        sandtable_core::serde::position::deserialize(deserializer)
    }
}

sandtable_core::serde_as_text!(Square, Step);
