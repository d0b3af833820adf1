//! The fuzz targets: one function of bytes for each parser, codec and game.
//!
//! `fuzz_targets/` hands each function to libFuzzer, and `tests/corpus.rs` replays the committed inputs through the same
//! functions on a stable compiler. A target panics if a property fails; it returns if the input is rejected.

mod near_miss;
mod play;

pub mod chess;
pub mod cotulenh;
pub mod npy;
pub mod tribun;

/// The body of a fuzz target.
pub type Target = fn(&[u8]);

/// Every target by name: its folder in `corpus/`, its file in `fuzz_targets/`.
pub const TARGETS: &[(&str, Target)] = &[
    ("chess_fen", chess::fen),
    ("chess_pgn", chess::pgn),
    ("chess_play", chess::play),
    ("chess_san", chess::san),
    ("cotulenh_fen", cotulenh::fen),
    ("cotulenh_lan", cotulenh::lan),
    ("cotulenh_play", cotulenh::play),
    ("cotulenh_record", cotulenh::record),
    ("npy_header", npy::header),
    ("tribun_bytes", tribun::bytes),
    ("tribun_play", tribun::play),
    ("tribun_text", tribun::text),
    ("tribun_word", tribun::word),
];

/// Asserts that a line number (from 1) lies in the text; the line after a final newline counts.
fn assert_line_in(text: &str, line: usize) {
    let lines = text.matches('\n').count() + 1;
    assert!((1..=lines).contains(&line), "line {line} of {lines}");
}
