//! Every 121 bytes are a board that is written back the same and counted as it is listed, or an error with a reason.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sandtable_core::{Player, Position as _};
use sandtable_tribun::{Board, Position, Rules, Tile, Unit};

fuzz_target!(|input: (Vec<(u8, u8)>, bool)| {
    let (placed, white) = input;
    // Units at places of the fuzzer's choice: a whole board of random bytes is hardly ever one.
    let mut bytes = [0; Tile::CIDS];
    for (cid, byte) in placed {
        if let (Some(slot), Ok(_)) = (bytes.get_mut(usize::from(cid)), Unit::from_byte(byte)) {
            *slot = byte;
        }
    }
    match Board::from_bytes(&bytes) {
        Err(error) => assert!(!error.reasons().is_empty()),
        Ok(board) => {
            assert_eq!(board.to_bytes(), bytes);
            assert_eq!(Board::from_base64(&board.to_base64()), Ok(board));
            assert_eq!(board.mirrored().mirrored(), board);
            let turn = if white { Player::Second } else { Player::First };
            let position = Position::new(board, turn, Rules::STANDARD);
            assert_eq!(position.count_legal(), position.legal_moves().len() as u64);
            assert_eq!(position.mirrored().count_legal(), position.count_legal());
        }
    }
});
