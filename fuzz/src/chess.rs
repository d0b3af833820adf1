//! Chess: FEN, moves, PGN, whole games.

use arbitrary::{Result, Unstructured};
use sandtable_chess::notation::fen as fen_codec;
use sandtable_chess::notation::san::San;
use sandtable_chess::notation::uci::Uci;
use sandtable_chess::{Chess, DrawRules, EnPassant, Move, Promotion, Square};
use sandtable_core::Position;
use sandtable_core::record::read_all;

use crate::play::{Fuzzed, move_text, position_text};
use crate::{assert_place_in, assert_record_round_trips};

impl Fuzzed for Chess {
    const OPENINGS: &'static [&'static str] = &[
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "8/8/8/4k3/8/4K3/8/R7 w - - 140 100",
    ];

    fn near_miss(&self, u: &mut Unstructured<'_>) -> Result<Move> {
        let from = Square::new(u.int_in_range(0..=63)?).expect("64 squares");
        let to = Square::new(u.int_in_range(0..=63)?).expect("64 squares");
        Ok(match u.int_in_range(0..=3)? {
            0 => Move::Step { from, to },
            1 => Move::EnPassant { from, to },
            2 => Move::Castle { from, to },
            _ => Move::Promote { from, to, promotion: *u.choose(&Promotion::ALL)? },
        })
    }
}

/// A FEN is rejected, or its setup and its position round-trip.
pub fn fen(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(setup) = fen_codec::parse(text) else { return };
    assert_eq!(fen_codec::parse(&fen_codec::write(&setup)).as_ref(), Ok(&setup), "{text}");
    let Ok(position) = Chess::from_fen(text, DrawRules::default()) else { return };
    for written in [position.to_fen(), position.to_fen_with(EnPassant::Always)] {
        assert_eq!(Chess::from_fen(&written, DrawRules::default()).as_ref(), Ok(&position), "{written}");
    }
    position_text::<Chess>(text, DrawRules::default());
    for m in position.legal_moves() {
        let next = position.after(m);
        assert_eq!(Chess::from_fen(&next.to_fen(), DrawRules::default()), Ok(next));
    }
}

/// A FEN, a line break, and words: each word is rejected, or is a legal move that is played.
pub fn san(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (fen, moves) = text.split_once('\n').unwrap_or(("", text));
    let mut position = Chess::from_fen(fen, DrawRules::default()).unwrap_or_default();
    for word in moves.split(' ') {
        if let Ok(san) = word.parse::<San>() {
            assert_eq!(san.to_string().parse(), Ok(san), "{word}");
        }
        if let Ok(uci) = word.parse::<Uci>() {
            assert_eq!(uci.to_string(), word);
        }
        move_text(&position, word);
        if let Ok(m) = sandtable_core::Notation::parse_move(&position, word) {
            position.play(m).unwrap();
        }
    }
}

/// Every game of a PGN file is rejected with a position in the file, or round-trips.
pub fn pgn(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for record in read_all::<Chess>(text, DrawRules::default()) {
        match record {
            Err(error) => assert_place_in(text, &error),
            Ok(record) => assert_record_round_trips(&record),
        }
    }
}

/// A played game, with near misses at its end.
pub fn play(bytes: &[u8]) {
    crate::play::play::<Chess>(bytes);
}
