//! Every word is an event that is written back the same, or an error; an event on the board has a text and tiles.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sandtable_core::{Notation, Player, Position as _};
use sandtable_tribun::{Event, Position, Rules};

fuzz_target!(|words: Vec<u32>| {
    let mut position = Position::start(Rules::STANDARD);
    for word in words {
        let event = match Event::from_word(word) {
            Ok(event) => event,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        assert_eq!(event.word(), word);
        let Event::Board(action) = event else { continue };
        assert_eq!(action.mirrored().mirrored(), action);
        assert!(action.tiles().count() > 0);
        assert!(!action.to_string().is_empty());
        let before = position;
        if position.play(action).is_ok() {
            assert_eq!(before.parse_move(&before.move_text(action)), Ok(action));
            assert!(position.board().total_height() <= before.board().total_height());
            assert_eq!(position.turn(), !before.turn());
            assert!(Player::ALL.iter().all(|&player| position.board().units(player).next().is_some()));
        } else {
            assert_eq!(position, before);
        }
    }
});
