//! The default networks of the games, and the engines that use them.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use sandtable::engine::{Evaluation, default_network, engine_for, install_network, read_network};
use sandtable::games::complete_games;
use sandtable::nnue::train::Settings;
use sandtable::search::{AlphaBetaSettings, Limits};
use sandtable::training::{quantize, trainer};
use sandtable::{GAMES, GameKind};

/// The largest file of a network, in bytes.
const MAX_SIZE: usize = 1_000_000;

/// The file of a game's network.
fn file(kind: &GameKind) -> Vec<u8> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/nets").join(kind.name).with_extension("net");
    fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn every_complete_game_has_a_network_of_at_most_a_megabyte() {
    for kind in complete_games() {
        let bytes = file(kind);
        assert!(bytes.len() <= MAX_SIZE, "{}: {} bytes", kind.name, bytes.len());
        let network = read_network(kind, &bytes).unwrap_or_else(|e| panic!("{}: {e}", kind.name));
        assert_eq!(network.to_bytes(), bytes, "{}", kind.name);
        assert_eq!(network.id().to_le_bytes(), bytes[bytes.len() - 8..]);
    }
}

#[test]
fn engines_use_the_default_network_unless_told_otherwise() {
    for kind in complete_games() {
        let engine =
            |evaluation| engine_for(kind.name, 1, AlphaBetaSettings::default(), &evaluation).unwrap();
        let default = engine(Evaluation::Default).network.expect("the networks are embedded");
        assert_eq!(default.to_bytes(), file(kind));
        let again = engine(Evaluation::Default).network.unwrap();
        assert!(Arc::ptr_eq(&default, &again), "{} is read once", kind.name);
        assert!(engine(Evaluation::HandMade).network.is_none());
        let other = Arc::new(quantize(kind, &trainer(kind, Settings::default()), 400));
        assert_eq!(engine(Evaluation::Network(Arc::clone(&other))).network, Some(other));
    }
    assert!(Evaluation::Default.network("go").is_none());
}

#[test]
fn a_network_changes_the_static_evaluation_and_the_search() {
    for kind in complete_games() {
        let mut game = kind.start(kind.rules[0]).unwrap();
        let first = game.legal_moves().into_iter().next().unwrap();
        game.play(&first.text).unwrap();
        let score = |evaluation: &Evaluation| {
            let mut engine = engine_for(kind.name, 1, AlphaBetaSettings::default(), evaluation).unwrap();
            let report = game.search(&mut engine, &Limits::nodes(500), &mut |_| ControlFlow::Continue(()));
            (evaluation.static_eval(&*game), report.lines[0].score)
        };
        let (network, hand) = (score(&Evaluation::Default), score(&Evaluation::HandMade));
        assert_ne!(network.0, hand.0, "{}", kind.name);
        assert_ne!(network.1, hand.1, "{}", kind.name);
        assert_eq!(network, score(&Evaluation::Network(default_network(kind).unwrap())));
        // The network of another game is ignored.
        let other = complete_games().find(|other| other.name != kind.name).unwrap();
        assert_eq!(hand, score(&Evaluation::Network(default_network(other).unwrap())));
    }
}

#[test]
fn a_network_of_another_game_is_not_installed() {
    let [first, second] = [&GAMES[0], &GAMES[1]];
    let before = default_network(first);
    assert!(install_network(first, &file(second)).is_err());
    assert_eq!(default_network(first), before);
    // The same network again: tests of one process share the default.
    assert!(install_network(first, &file(first)).is_ok());
    assert_eq!(default_network(first), before);
}
