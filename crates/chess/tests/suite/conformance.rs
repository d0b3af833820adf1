//! The conformance suite of all games.

use sandtable_chess::{Chess, Move, Promotion, Square};
use sandtable_core::Position;
use sandtable_core::rules::Rng;
use sandtable_testkit::{Subject, conformance};

/// Every kind of move between random squares, and from the mover's king and another piece to every square.
fn near_misses(position: &Chess, rng: &mut Rng) -> Vec<Move> {
    let mut square = || Square::new(rng.below(64) as u8).unwrap();
    let random: Vec<_> = (0..100).map(|_| (square(), square())).collect();
    let from = position.legal_moves().first().map_or_else(square, |m| m.from());
    let focused = [from, position.king(position.turn())]
        .into_iter()
        .flat_map(|from| Square::all().map(move |to| (from, to)));
    random
        .into_iter()
        .chain(focused)
        .flat_map(|(from, to)| {
            let plain = [Move::Step { from, to }, Move::EnPassant { from, to }, Move::Castle { from, to }];
            plain.into_iter().chain(Promotion::ALL.map(|promotion| Move::Promote { from, to, promotion }))
        })
        .collect()
}

conformance!(
    Chess,
    Subject {
        openings: &[
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "8/8/8/4k3/8/4K3/8/R7 w - - 140 100",
            "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
        ],
        games: 2,
        near_misses,
    }
);
