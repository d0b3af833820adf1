//! A step or turn is refused with an error or is legal and writes back to the same step. The first line is the
//! position, the second the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sandtable_core::{Notation, Position as _, Rules as _};
use sandtable_cotulenh::{Position, Rules};

fuzz_target!(|input: &str| {
    let (fen, text) = input.split_once('\n').unwrap_or(("", input));
    for (_, rules) in Rules::PRESETS {
        let position = Position::from_text(fen, *rules).unwrap_or_else(|_| Position::start(*rules));
        match position.parse_move(text) {
            Err(error) => assert!(!error.to_string().is_empty()),
            Ok(step) => {
                assert!(position.is_legal(step));
                assert_eq!(position.parse_move(&position.move_text(step)), Ok(step));
                assert_eq!(position.parse_move(&position.move_san(step)), Ok(step));
            }
        }
        if let Ok(steps) = position.parse_turn(text) {
            assert_eq!(position.parse_turn(&position.turn_text(&steps)), Ok(steps));
        }
    }
});
