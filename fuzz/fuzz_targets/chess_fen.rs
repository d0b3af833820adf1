//! Any text is a position or an error; a position writes itself so that it reads back, in text and in tensor.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sandtable_chess::notation::fen;
use sandtable_chess::{DrawRules, EnPassant, Position};
use sandtable_core::{Layout, Observe as _, Position as _};

fuzz_target!(|text: &str| {
    let Ok(setup) = fen::parse(text) else { return };
    assert_eq!(fen::parse(&fen::write(&setup)).as_ref(), Ok(&setup), "any setup reads back");
    let Ok(position) = Position::from_fen(text, DrawRules::default()) else { return };
    for written in [position.to_fen(), position.to_fen_with(EnPassant::Always)] {
        assert_eq!(Position::from_fen(&written, DrawRules::default()).as_ref(), Ok(&position), "{written}");
    }
    assert_eq!(position.mirrored().mirrored(), position);

    let mut observation = vec![0.0; Position::SHAPE.len()];
    position.write_observation(1, Layout::Hwc, &mut observation).unwrap();
    let (decoded, _) = Position::decode_observation(&observation, Layout::Hwc, position.turn()).unwrap();
    assert!(decoded.board.iter().zip(setup.board).all(|(decoded, read)| *decoded == read));

    for m in position.legal_moves() {
        let mut next = position.clone();
        next.play(m).unwrap();
        assert_eq!(Position::from_fen(&next.to_fen(), DrawRules::default()), Ok(next));
    }
});
