//! The positions of the benchmarks.

use sandtable_core::{Game, Notation};

/// Chess: a start position, a middlegame, an endgame and a mate in two.
pub(crate) const CHESS: [(&str, &str); 4] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("middlegame", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("mate", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"),
];

/// A game that starts from a position.
pub(crate) fn game<P: Notation>(text: &str) -> Game<P> {
    Game::from_position(P::from_text(text, P::Rules::default()).expect("the position is valid"))
}
