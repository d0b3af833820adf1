//! Perft of the six standard positions against the published counts.

use sandtable_chess::{Chess, DrawRules};
use sandtable_core::Position;
use sandtable_core::rules::{divide, perft, perft_threaded};

/// A position and its published node counts from depth 1 on.
struct Published {
    fen: &'static str,
    nodes: &'static [u64],
}

const START: Published = Published {
    fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    nodes: &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324, 3_195_901_860],
};
const KIWIPETE: Published = Published {
    fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    nodes: &[48, 2_039, 97_862, 4_085_603, 193_690_690, 8_031_647_685],
};
const THIRD: Published = Published {
    fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    nodes: &[14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661],
};
const FOURTH: Published = Published {
    fen: "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    nodes: &[6, 264, 9_467, 422_333, 15_833_292, 706_045_033],
};
const FIFTH: Published = Published {
    fen: "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    nodes: &[44, 1_486, 62_379, 2_103_487, 89_941_194, 3_048_196_529],
};
const SIXTH: Published = Published {
    fen: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    nodes: &[46, 2_079, 89_890, 3_894_594, 164_075_551, 6_923_051_137],
};

impl Published {
    fn position(&self) -> Chess {
        Chess::from_fen(self.fen, DrawRules::default()).unwrap_or_else(|e| panic!("{}: {e}", self.fen))
    }

    fn assert_to_depth(&self, depth: u32) {
        for (depth, &nodes) in (1..=depth).zip(self.nodes) {
            assert_eq!(perft(&self.position(), depth), nodes, "depth {depth} of {}", self.fen);
        }
    }

    /// The mirrored position has the same tree with swapped colours.
    fn assert_mirror(&self, depth: u32) {
        let mirror = self.position().mirrored();
        assert_eq!(perft(&mirror, depth), self.nodes[depth as usize - 1], "the mirror of {}", self.fen);
    }

    fn assert_last_depth(&self) {
        let depth = self.nodes.len() as u32;
        let nodes = perft_threaded(&self.position(), depth, 2);
        assert_eq!(nodes, self.nodes[depth as usize - 1], "depth {depth} of {}", self.fen);
    }
}

macro_rules! published {
    ($($name:ident: $position:ident to $depth:literal;)*) => {
        $(mod $name {
            use super::*;

            #[test]
            fn to_the_standard_depth() {
                $position.assert_to_depth($depth);
                $position.assert_mirror($depth - 1);
            }

            #[test]
            #[ignore = "deep: up to a minute in release on one core"]
            fn one_ply_deeper() {
                $position.assert_last_depth();
            }
        })*
    };
}

published! {
    start_position: START to 6;
    kiwipete: KIWIPETE to 5;
    third_position: THIRD to 6;
    fourth_position: FOURTH to 5;
    fifth_position: FIFTH to 5;
    sixth_position: SIXTH to 5;
}

#[test]
fn depth_zero_counts_one_node() {
    assert_eq!(perft(&START.position(), 0), 1);
}

#[test]
fn a_checkmate_has_no_leaves() {
    let mate = Chess::from_fen("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", DrawRules::default()).unwrap();
    assert_eq!((1..4).map(|depth| perft(&mate, depth)).sum::<u64>(), 0);
}

#[test]
fn divide_sums_to_perft() {
    for threads in [1, 3] {
        let divided = divide(&KIWIPETE.position(), 3, threads, |_| ());
        assert_eq!(divided.len(), 48);
        assert_eq!(divided.iter().map(|entry| entry.nodes).sum::<u64>(), 97_862);
    }
}
