//! Every text is a position, an action or a record that is written back the same, or an error; nothing panics.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sandtable_core::{Notation, Position as _};
use sandtable_tribun::{Board, Position, Rules, Tile};

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
    let start = Position::start(rules);
    if let Ok(action) = start.parse_move(text) {
        assert!(start.is_legal(action));
        assert_eq!(start.parse_move(&start.move_text(action)), Ok(action));
    }
    if let Ok((game, tags)) = Position::read_record(text, rules) {
        let written = Position::write_record(&game, &tags);
        assert_eq!(Position::read_record(&written, game.position().rules()), Ok((game, tags)));
    }
});
