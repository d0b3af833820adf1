//! SAN and UCI.

use sandtable_chess::{Chess, DrawRules, Square};

mod san;
mod uci;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn position(fen: &str) -> Chess {
    Chess::from_fen(fen, DrawRules::default()).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn square(name: &str) -> Square {
    name.parse().unwrap()
}
