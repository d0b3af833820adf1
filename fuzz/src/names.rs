//! Names and short texts: squares, tiles, units, levels, reasons, tests of engines.

use std::fmt::Display;
use std::str::FromStr;

use sandtable::engine::Level;
use sandtable_chess::Chess;
use sandtable_core::rules::Reason;
use sandtable_core::{Player, Position};
use sandtable_cotulenh::CoTuLenh;
use sandtable_search::elo::Sprt;
use sandtable_tribun::{Tile, Tribun, Unit};

/// A word is rejected, or is a value whose text is parsed to the same value.
pub fn names(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for word in text.split(' ') {
        name::<sandtable_chess::Square>(word);
        name::<sandtable_cotulenh::Square>(word);
        name::<Tile>(word);
        name::<Reason<<Chess as Position>::Ending>>(word);
        name::<Reason<<CoTuLenh as Position>::Ending>>(word);
        name::<Reason<<Tribun as Position>::Ending>>(word);
        for owner in Player::ALL {
            if let Ok(unit) = Unit::from_text(owner, word) {
                assert_eq!(unit.to_string(), word);
            }
        }
        if let Ok(level) = word.parse::<Level>() {
            assert!(Level::all().any(|known| known == level), "{word}");
        }
        if let Ok(Sprt { elo0, elo1 }) = word.parse() {
            assert!(elo0 < elo1, "{word}");
        }
    }
}

fn name<T: FromStr<Err: PartialEq + std::fmt::Debug> + Display + PartialEq + std::fmt::Debug>(text: &str) {
    let Ok(value) = text.parse::<T>() else { return };
    assert_eq!(value.to_string().parse().as_ref(), Ok(&value), "{text}");
}
