//! Hashes: golden values, transpositions, and the identity of the repetition rule.

use std::collections::HashMap;

use sandtable_chess::{Chess, ChessGame, DrawRules};
use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::{Game, Position};

fn hash(fen: &str) -> u64 {
    Chess::from_fen(fen, DrawRules::default()).unwrap_or_else(|e| panic!("{fen}: {e}")).hash64()
}

fn after(moves: &str) -> Chess {
    let mut game = ChessGame::default();
    for text in moves.split_whitespace() {
        game.play_text(text).unwrap_or_else(|e| panic!("{e}"));
    }
    game.position().clone()
}

#[test]
fn golden_hashes() {
    // Files and caches hold hashes, so they must never change.
    let golden = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x33AB_452B_8705_6E0F),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", 0x46C7_962E_098D_DEA5),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 0xE8AD_0188_F23E_B8A7),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 0xB6E7_03D4_63A8_8347),
        ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", 0xFB43_B518_67CD_9C55),
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", 0x0989_F832_317E_6165),
    ];
    for (fen, expected) in golden {
        assert_eq!(hash(fen), expected, "{:#018x} {fen}", hash(fen));
    }
}

#[test]
fn transpositions_have_the_same_hash() {
    for (one, other) in [
        ("e4 e5 Nf3 Nc6", "Nf3 Nc6 e4 e5"),
        ("d4 d5 c4 e6", "c4 e6 d4 d5"),
        ("Nf3 Nf6 Ng1 Ng8", ""),
        ("e3 e6 Bc4 Bc5 Bf1 Bf8", "e3 e6"),
    ] {
        let (one, other) = (after(one), after(other));
        assert_eq!(one.hash64(), other.hash64());
        assert!(one.same_position(&other));
    }
}

#[test]
fn counters_do_not_change_the_hash() {
    assert_eq!(hash("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), hash("4k3/8/8/8/8/8/8/R3K3 w Q - 77 130"));
}

#[test]
fn turn_castling_rights_and_placement_change_the_hash() {
    let different = [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1",
        "r3k1r1/8/8/8/8/8/8/R3K2R w KQq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2N w Qkq - 0 1",
    ];
    for (i, one) in different.iter().enumerate() {
        for other in &different[..i] {
            assert_ne!(hash(one), hash(other), "{one} and {other}");
        }
    }
}

#[test]
fn an_en_passant_square_changes_the_hash_only_if_a_capture_is_legal() {
    let with = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_ne!(hash(with), hash(&with.replace("d6", "-")), "a pawn can capture");
    for with in [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
        "4k3/8/8/3pK3/8/8/8/8 w - d6 0 1",
        "4k3/8/8/3pN3/8/8/8/4K3 w - d6 0 1",
    ] {
        let fields: Vec<&str> = with.split(' ').collect();
        let without = with.replace(&format!(" {} ", fields[3]), " - ");
        assert_eq!(hash(with), hash(&without), "{with}");
    }
}

#[test]
fn random_games_have_no_hash_collisions() {
    let mut seen: HashMap<u64, Chess> = HashMap::new();
    for seed in 0..20 {
        let (mut game, mut rng) = (Game::<Chess>::new(DrawRules::default()), Rng::new(seed));
        while play_random_moves(&mut game, &mut rng, 1) == 1 {
            let position = game.position();
            let first = seen.entry(position.hash64()).or_insert_with(|| position.clone());
            assert!(first.same_position(position), "{} and {}", first.to_fen(), position.to_fen());
        }
    }
    assert!(seen.len() > 1000);
}
