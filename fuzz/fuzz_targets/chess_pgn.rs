//! Any text is a list of games and errors; a game that was read is written so that it reads back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sandtable_chess::DrawRules;
use sandtable_chess::notation::pgn::Pgn;

fuzz_target!(|text: &str| {
    for game in Pgn::read_all(text, DrawRules::default()) {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                assert!(error.line <= text.matches('\n').count() + 1, "{error}");
                continue;
            }
        };
        let written = game.to_string();
        let again = Pgn::read(&written, DrawRules::default()).unwrap_or_else(|e| panic!("{e}\n{written}"));
        assert_eq!(again.start(), game.start(), "{written}");
        assert_eq!(again.moves(), game.moves(), "{written}");
        assert_eq!((&again.preamble, again.result), (&game.preamble, game.result), "{written}");
        assert_eq!(again.to_string(), written);
        assert_eq!(again.to_game(), game.to_game(), "{written}");
    }
});
