//! A FEN is refused with an error or reads to a position that writes and reads back to itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sandtable_core::{Notation, Position as _, Rules as _};
use sandtable_cotulenh::{Position, Rules};

fuzz_target!(|text: &str| {
    for (_, rules) in Rules::PRESETS {
        match Position::from_text(text, *rules) {
            Err(error) => assert!(!error.to_string().is_empty()),
            Ok(position) => {
                let again =
                    Position::from_text(&position.to_text(), *rules).expect("what was written reads back");
                assert_eq!(again, position);
                assert_eq!(position.mirrored().mirrored(), position);
                assert_eq!(position.count_legal(), position.legal_moves().len() as u64);
            }
        }
    }
});
