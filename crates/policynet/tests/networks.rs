//! The networks in `tests/networks`, which `make.py` writes there with the numbers that they should give.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sandtable::core::learn::{Layout, PolicyIndex};
use sandtable::core::rules::Rng;
use sandtable::engine::{PolicyEngine, PolicyError, PolicyNetwork as _};
use sandtable::games::complete_games;
use sandtable::search::{Limits, MctsSettings, Score, TreeReport};
use sandtable::training::search_tree;
use sandtable::{BoxedGame, find};
use sandtable_policynet::OnnxNetwork;
use serde::Deserialize;

/// A position, and what the network of its game gives there.
#[derive(Deserialize)]
struct Expected {
    played: Vec<u32>,
    wdl: [f32; 3],
    actions: Vec<u32>,
    priors: Vec<f32>,
}

impl Expected {
    fn game(&self, name: &str) -> BoxedGame {
        let mut game = find(name).unwrap().start("standard").unwrap();
        for action in &self.played {
            game.play_index(PolicyIndex(*action)).unwrap();
        }
        game
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/networks")
}

fn expected() -> BTreeMap<String, Vec<Expected>> {
    serde_json::from_slice(&std::fs::read(folder().join("expected.json")).unwrap()).unwrap()
}

fn bytes(game: &str) -> Vec<u8> {
    std::fs::read(folder().join(format!("{game}.onnx"))).unwrap()
}

fn network(game: &str) -> OnnxNetwork {
    OnnxNetwork::from_bytes(&bytes(game)).unwrap()
}

fn assert_close(found: f32, expected: f32, what: &str) {
    assert!((found - expected).abs() < 2e-5, "{what}: {found}, expected {expected}");
}

#[test]
fn priors_and_results_are_those_of_the_reference() {
    let all = expected();
    assert_eq!(all.len(), complete_games().count());
    for (name, positions) in all {
        let network = Arc::new(network(&name));
        for position in positions {
            let game = position.game(&name);
            let mut tree = search_tree(&*game, MctsSettings::default(), 1).unwrap();
            tree.search_policy(&*network, &Limits::nodes(0)).unwrap();
            let mut root = tree.root();
            root.sort_by_key(|visit| visit.root_move);
            assert_eq!(root.iter().map(|visit| visit.root_move.0).collect::<Vec<_>>(), position.actions);
            for (visit, prior) in root.iter().zip(&position.priors) {
                assert_close(visit.prior, *prior, &format!("{name}: prior of {}", visit.root_move.0));
            }
            let wdl = PolicyEngine::new(Arc::clone(&network) as _).wdl(&*game).unwrap();
            for (found, expected) in wdl.into_iter().zip(position.wdl) {
                assert_close(found, expected, &name);
            }
            let value = tree.report(1).report.score().unwrap();
            let sign = (position.wdl[0] - position.wdl[2]).signum();
            assert_eq!(value > Score::Centipawns(0), sign > 0.0, "{name}");
        }
    }
}

#[test]
fn a_batch_gives_what_its_positions_give_alone() {
    for kind in complete_games() {
        let network = network(kind.name);
        let mut rng = Rng::new(3);
        let mut game = kind.start("standard").unwrap();
        let mut observations = Vec::new();
        for _ in 0..11 {
            let mut observation = vec![0.0; kind.shape.len()];
            game.write_observation(Layout::Hwc, &mut observation).unwrap();
            observations.extend(observation);
            let text = game.random_move(&mut rng).unwrap();
            game.play(&text).unwrap();
        }
        let together = network.evaluate(&observations).unwrap();
        assert_eq!(together.wdl.len(), 11);
        let mut alone = (Vec::new(), Vec::new());
        for observation in observations.chunks_exact(kind.shape.len()) {
            let output = network.evaluate(observation).unwrap();
            alone.0.extend(output.head);
            alone.1.extend(output.wdl);
        }
        assert_eq!(together.head.len(), alone.0.len());
        let pairs = together.head.iter().chain(together.wdl.as_flattened());
        for (found, expected) in pairs.zip(alone.0.iter().chain(alone.1.as_flattened())) {
            assert_close(*found, *expected, kind.name);
        }
    }
}

fn search(engine: &PolicyEngine, game: &BoxedGame, visits: u64) -> TreeReport<String> {
    engine.search(&**game, &Limits::nodes(visits), &mut |_| ControlFlow::Continue(())).unwrap()
}

#[test]
fn the_same_visits_give_the_same_lines() {
    for kind in complete_games() {
        let game = kind.start("standard").unwrap();
        let engine = network(kind.name).into_engine().with_lines(4);
        let first = search(&engine, &game, 60);
        assert_eq!((first.report.nodes, first.root.len()), (60, 4));
        assert_eq!(search(&engine, &game, 60), first);
        assert_eq!(search(&engine.clone().with_threads(2), &game, 60).report.nodes, 60);
        let visits: Vec<_> = first.root.iter().map(|visit| visit.visits).collect();
        assert!(visits.is_sorted_by(|a, b| a >= b), "{visits:?}");
        for line in &first.report.lines {
            let mut game = game.clone_box();
            for text in &line.moves {
                game.play(text).unwrap();
            }
        }
    }
}

#[test]
fn a_network_plays_only_its_own_game_and_rules() {
    let engine = network("chess").into_engine();
    let tribun = find("tribun").unwrap().start("standard").unwrap();
    let other = PolicyError::OtherGame { expected: "chess".into(), found: "tribun" };
    assert_eq!(engine.check(&*tribun), Err(other));
    let kind = find("cotulenh").unwrap();
    let engine = network("cotulenh").into_engine();
    for &rules in kind.rules {
        let checked = engine.check(&*kind.start(rules).unwrap());
        assert_eq!(checked.is_ok(), rules == "standard", "{rules}: {checked:?}");
    }
}

/// A field of a message of protocol buffers: its tag, its length and its bytes.
fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    assert!(bytes.len() < 128);
    [&[tag, bytes.len() as u8], bytes].concat()
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes.to_vec();
    let places: Vec<_> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(from)).collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    bytes
}

/// The tag of a metadata entry.
const ENTRY: u8 = 0x72;

/// The file with another value of a metadata entry; without the entry for `None`.
fn with_metadata(bytes: &[u8], key: &str, value: Option<&str>) -> Vec<u8> {
    let name = field(0x0A, key.as_bytes());
    let mut bytes = bytes.to_vec();
    // An entry begins with its tag, its length and its key; an output may have the same name.
    let entries = (2..bytes.len()).filter(|&at| bytes[at - 2] == ENTRY && bytes[at..].starts_with(&name));
    for at in entries.collect::<Vec<_>>() {
        bytes[at + name.len() - 1] = b'_';
    }
    if let Some(value) = value {
        // Fields of a repeated entry may follow anywhere.
        bytes.extend(field(ENTRY, &[name, field(0x12, value.as_bytes())].concat()));
    }
    bytes
}

#[test]
fn unusable_files_are_refused_with_the_reason() {
    let chess = bytes("chess");
    let relabelled =
        with_metadata(&with_metadata(&chess, "game", Some("tribun")), "head", Some("tribun-head-1"));
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", Vec::new(), "not an ONNX file, or an incomplete one: it contains no graph"),
        ("text", b"sandtable".to_vec(), "not an ONNX file, or an incomplete one: "),
        ("half", chess[..chess.len() / 2].to_vec(), "not an ONNX file, or an incomplete one: "),
        (
            "no game",
            with_metadata(&chess, "game", None),
            "the ONNX file has no metadata `game`: write it with",
        ),
        (
            "no rules",
            with_metadata(&chess, "rules", None),
            "the ONNX file has no metadata `rules`: write it with",
        ),
        ("go", with_metadata(&chess, "game", Some("go")), "unknown game `go`: expected chess, cotulenh"),
        (
            "head",
            with_metadata(&chess, "head", Some("chess-head-9")),
            "the network has the policy head `chess-head-9`, but that of chess is `chess-head-1`: train a new one",
        ),
        (
            "rules",
            with_metadata(&chess, "rules", Some("giveaway")),
            "the network is for unknown rules `giveaway` of chess: expected standard",
        ),
        ("shape", relabelled, "observations has the shape (n, 8, 8, 18), not (n, 11, 11, 31)"),
        ("wdl", replaced(&chess, b"wdl", b"wdx"), "the network has no output `wdl`: write it with"),
        (
            "input",
            replaced(&chess, b"observations", b"observationz"),
            "the network has no single input `observations`: write it with",
        ),
    ];
    for (name, bytes, message) in cases {
        let error = OnnxNetwork::from_bytes(&bytes).expect_err(name).to_string();
        assert!(error.starts_with(message), "{name}: {error}");
    }
}

#[test]
fn damaged_files_give_errors_or_networks_but_no_panic() {
    let chess = bytes("chess");
    let mut rng = Rng::new(5);
    let mut refused = 0;
    for _ in 0..60 {
        let mut damaged = chess.clone();
        for _ in 0..3 {
            let at = rng.below(damaged.len());
            damaged[at] = rng.next_u64() as u8;
        }
        refused += u32::from(OnnxNetwork::from_bytes(&damaged).is_err());
    }
    for _ in 0..20 {
        let length = rng.below(chess.len());
        assert!(OnnxNetwork::from_bytes(&chess[..length]).is_err());
    }
    assert!(refused > 10, "{refused}");
}
