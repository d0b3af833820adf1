//! The fuzz targets: one function of bytes for each parser, codec and game.
//!
//! `fuzz_targets/` hands each function to libFuzzer, and `tests/corpus.rs` replays the committed inputs through the same
//! functions on a stable compiler. A target panics if a property fails; it returns if the input is rejected.

mod near_miss;
mod play;

pub mod chess;
pub mod cotulenh;
pub mod encoding;
pub mod names;
pub mod network;
pub mod npy;
pub mod played_game;
pub mod review;
pub mod session;
pub mod tree;
pub mod tribun;

use sandtable_core::record::{Record, RecordError};
use sandtable_core::{Describe, Notation};

/// The body of a fuzz target.
pub type Target = fn(&[u8]);

/// Every target by name: its folder in `corpus/`, its file in `fuzz_targets/`.
pub const TARGETS: &[(&str, Target)] = &[
    ("arrangement", encoding::arrangement),
    ("chess_fen", chess::fen),
    ("chess_pgn", chess::pgn),
    ("chess_play", chess::play),
    ("chess_san", chess::san),
    ("cotulenh_fen", cotulenh::fen),
    ("cotulenh_lan", cotulenh::lan),
    ("cotulenh_play", cotulenh::play),
    ("cotulenh_record", cotulenh::record),
    ("names", names::names),
    ("network_file", network::file),
    ("npy_header", npy::header),
    ("observation", encoding::observation),
    ("played_game", played_game::played_game),
    ("review", review::in_record),
    ("saved_tree", tree::saved_tree),
    ("session_log", session::log),
    ("tribun_bytes", tribun::bytes),
    ("tribun_play", tribun::play),
    ("tribun_text", tribun::text),
    ("tribun_word", tribun::word),
];

/// Asserts that the place of an error lies in the text or directly after its end.
fn assert_place_in<F: Describe>(text: &str, error: &RecordError<F>) {
    let line = text.split('\n').nth(error.line - 1).unwrap_or_else(|| panic!("{error}"));
    assert!((1..=line.chars().count() + 1).contains(&error.column), "{error}");
}

/// Asserts that a record which was read is written as text that reads back to the same game and annotations.
fn assert_record_round_trips<P: Notation>(record: &Record<P>) {
    let written = P::write_record(&record.game, &record.tags, &record.annotations);
    let again = P::read_record(&written, record.game.position().rules());
    let again = again.unwrap_or_else(|e| panic!("{e}\n{written}"));
    assert_eq!((&again.game, &again.annotations), (&record.game, &record.annotations), "{written}");
}
