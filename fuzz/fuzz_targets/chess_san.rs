//! Any text is a legal move of a position or an error; a legal move is written so that it reads back.
//!
//! The input is a FEN, a line end, and moves to be played one after the other.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sandtable_chess::notation::san::San;
use sandtable_chess::notation::uci::Uci;
use sandtable_chess::{DrawRules, Position};
use sandtable_core::{Notation as _, Position as _};

fuzz_target!(|text: &str| {
    let (fen, moves) = text.split_once('\n').unwrap_or(("", text));
    let mut position = Position::from_fen(fen, DrawRules::default()).unwrap_or_default();
    for word in moves.split(' ') {
        if let Ok(san) = word.parse::<San>() {
            assert_eq!(san.to_string().parse(), Ok(san), "{word}");
        }
        if let Ok(uci) = word.parse::<Uci>() {
            assert_eq!(uci.to_string(), word);
        }
        let Ok(m) = position.parse_move(word) else { continue };
        assert!(position.is_legal(m), "{word} in {}", position.to_text());
        for written in [position.move_san(m), position.move_text(m)] {
            assert_eq!(position.parse_move(&written), Ok(m), "{written} in {}", position.to_text());
        }
        position.play(m).unwrap();
    }
});
