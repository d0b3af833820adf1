//! A record is refused with an error or reads to a game that writes and reads back to itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sandtable_core::{Notation, Position as _, Rules as _};
use sandtable_cotulenh::{Position, Rules};

fuzz_target!(|text: &str| {
    for (_, rules) in Rules::PRESETS {
        match Position::read_record(text, *rules) {
            Err(error) => assert!(error.line >= 1),
            Ok((game, tags)) => {
                let record = Position::write_record(&game, &tags);
                let (again, _) = Position::read_record(&record, game.position().rules())
                    .expect("what was written reads back");
                assert_eq!(again, game);
            }
        }
    }
});
