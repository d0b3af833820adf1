//! Every text is a position, an action or a record that is written back the same, or an error; nothing panics.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sandtable_core::{Notation, Position as _};
use sandtable_tribun::{Board, Position, Rules, Tile};

/// A position in which slaves can lead, be freed and backstab.
const SLAVES: &str = "black:a1=1*,f6=4/2,f8=1,e6=2,d5=2 white:g8=3,f5=2/2,g10=1*,h9=6 b";

fuzz_target!(|text: &str| {
    let rules = Rules::STANDARD;
    if let Ok(tile) = text.parse::<Tile>() {
        assert_eq!(tile.to_string().parse(), Ok(tile));
    }
    if let Ok(board) = Board::from_base64(text) {
        assert_eq!(board.to_base64(), text);
    }
    if let Ok(position) = Position::from_text(text, rules) {
        assert_eq!(Position::from_text(&position.to_text(), rules), Ok(position));
    }
    let slaves = Position::from_text(SLAVES, rules).expect("it is a position");
    for position in [Position::start(rules), slaves] {
        if let Ok(action) = position.parse_move(text) {
            assert!(position.is_legal(action));
            assert_eq!(position.parse_move(&position.move_text(action)), Ok(action));
        }
    }
    if let Ok((game, tags)) = Position::read_record(text, rules) {
        let written = Position::write_record(&game, &tags);
        assert_eq!(Position::read_record(&written, game.position().rules()), Ok((game, tags)));
    }
});
