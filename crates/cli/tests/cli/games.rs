//! Every command with every game.

use std::fs;

use sandtable::{GAMES, GameKind};
use serde_json::Value;

use crate::common::{run, run_in, run_with};

/// A position of each game after some random moves, and a legal move in it.
fn midgame(kind: &GameKind) -> (String, String) {
    let mut game = kind.start(kind.rules[0]).unwrap();
    let mut rng = sandtable::core::rules::Rng::new(3);
    for _ in 0..12 {
        let moves = game.legal_moves();
        let mut next = game.clone_box();
        next.play(&moves[rng.below(moves.len())].text).unwrap();
        if next.is_over() {
            break;
        }
        game = next;
    }
    let next = game.legal_moves()[0].text.clone();
    (game.position_text(), next)
}

#[test]
fn show_renders_every_cell() {
    for kind in GAMES {
        let (position, _) = midgame(kind);
        let directory = tempfile::tempdir().unwrap();
        let output =
            run_in(&directory, &["show", kind.name, "--svg", "board.svg", "--indices", &position], "");
        assert_eq!(output.code, 0, "{}", output.err);
        assert!(output.out.contains(&position), "{}", output.out);
        let cells = run(&["show", kind.name, "--json", &position]).objects().remove(0)["cells"]
            .as_array()
            .unwrap()
            .len();
        let svg = fs::read_to_string(directory.path().join("board.svg")).unwrap();
        let diagram = kind.parse(&position, kind.rules[0]).unwrap().diagram();
        assert_eq!(diagram.cells.len(), cells);
        for cell in diagram.cells {
            assert!(svg.contains(&format!(">{}</text>", cell.index)), "{}: no {}", kind.name, cell.name);
        }
    }
}

#[test]
fn moves_agrees_with_perft_and_between_formats() {
    for kind in GAMES {
        let (position, next) = midgame(kind);
        let answer = run(&["moves", kind.name, "--json", "--turns", &position]).objects().remove(0);
        let steps = answer["steps"].as_array().unwrap();
        assert!(steps.contains(&Value::from(next)));
        let count = run(&["perft", kind.name, "1", "--json", &position]).objects().remove(0);
        assert_eq!(count["nodes"], steps.len());
        assert_eq!(answer["turns"], answer["turn_fens"].as_array().unwrap().len());
        let listed = run(&["moves", kind.name, &position]);
        assert_eq!(listed.out.lines().count(), steps.len());
    }
}

#[test]
fn decoding_an_encoded_position_round_trips() {
    for kind in GAMES {
        let (position, _) = midgame(kind);
        let directory = tempfile::tempdir().unwrap();
        let encoded =
            run_in(&directory, &["encode", kind.name, "--out", "a.npy", "-"], &format!("{position}\n"));
        assert_eq!(encoded.code, 0, "{}", encoded.err);
        let turn = run(&["show", kind.name, "--json", &position]).objects().remove(0)["turn"].clone();
        let first = kind.start(kind.rules[0]).unwrap().players().first;
        let turn = if turn == first { "first" } else { "second" };
        let decoded = run_in(&directory, &["decode", kind.name, "a.npy", "--json", "--turn", turn], "");
        assert_eq!(decoded.code, 0, "{}", decoded.err);
        let again = decoded.objects().remove(0)["fen"].as_str().unwrap().to_owned();
        let placement = |text: &str| text.split_whitespace().next().unwrap().to_owned();
        assert_eq!(placement(&again), placement(&position));
    }
}

#[test]
fn plays_saves_and_resumes_every_game() {
    for kind in GAMES {
        let directory = tempfile::tempdir().unwrap();
        let start = kind.start(kind.rules[0]).unwrap();
        let first = &start.legal_moves()[0];
        let output =
            run_in(&directory, &["play", kind.name], &format!("{}\nsave game\nnonsense\n", first.text));
        assert_eq!(output.code, 0, "{}", output.err);
        assert!(output.out.contains("saved to game") && output.out.contains("--resume"), "{}", output.out);
        let resumed = run_in(&directory, &["play", kind.name, "--resume", "--json"], "undo\nload game\n");
        let history: Vec<_> =
            resumed.objects().iter().map(|o| o["history"].as_array().map(Vec::len)).collect();
        assert_eq!(history, [Some(1), Some(0), Some(1), None], "{}", resumed.out);
    }
}

#[test]
fn rejects_a_position_of_another_game_with_a_reason() {
    for kind in GAMES {
        for other in GAMES.iter().filter(|other| other.name != kind.name) {
            let (position, _) = midgame(other);
            let output = run(&["show", kind.name, &position]);
            assert_eq!(output.code, 1, "{} as {}", other.name, kind.name);
            assert!(output.err.starts_with("invalid position: ") && output.err.len() > 27, "{}", output.err);
        }
    }
}

#[test]
fn every_rules_preset_can_be_selected() {
    for kind in GAMES {
        for &rules in kind.rules {
            let answer = run(&["moves", kind.name, "--rules", rules, "--json"]).objects().remove(0);
            assert_eq!(answer["rules"], rules);
        }
    }
}

#[test]
fn a_deployment_is_one_turn() {
    // A Navy carrying an Air Force and a Tank, and both commanders.
    let position = "6c4/11/11/11/11/11/11/11/2(NFT)8/11/11/4C6 r - - 0 1";
    let answer = run(&["moves", "cotulenh", "--turns", "--json", position]).objects().remove(0);
    let (steps, turns) = (answer["steps"].as_array().unwrap().len(), answer["turns"].as_u64().unwrap());
    assert!(turns > 2 * steps as u64, "{turns} turns from {steps} first steps");
    let output = run_with(&["play", "cotulenh", "--json", position], "Tc4>c5\nend\n");
    let turns: Vec<_> =
        output.objects().iter().filter_map(|o| o["turn"].as_str().map(str::to_owned)).collect();
    assert_eq!(turns, ["Red", "Red", "Blue"], "{}", output.out);
}

#[test]
fn tribun_lists_its_actions_as_action_words_too() {
    let answer = run(&["moves", "tribun", "--json"]).objects().remove(0);
    let actions: Vec<_> = answer["actions"].as_array().unwrap().iter().map(|a| a.as_u64().unwrap()).collect();
    assert_eq!(actions.len(), 265);
    assert!(actions.is_sorted());
    let word = format!("0x{:08X}", actions[0]);
    let output = run_with(&["play", "tribun", "--json"], &format!("{word}\n"));
    assert_eq!(output.objects()[1]["history"][0], answer["steps"][0], "{}", output.out);
}

#[test]
fn a_tribun_position_may_be_base64_bytes() {
    use sandtable::core::Position as _;
    let start = sandtable::tribun::Tribun::start(sandtable::tribun::Rules::default());
    let board = start.board().to_base64();
    let output = run(&["show", "tribun", "--json", &board, "b"]);
    assert_eq!(output.objects()[0]["fen"], run(&["show", "tribun", "--json"]).objects()[0]["fen"]);
}

#[test]
fn a_resumed_game_keeps_its_rules() {
    for kind in GAMES {
        for &rules in kind.rules {
            let directory = tempfile::tempdir().unwrap();
            let first = kind.start(rules).unwrap().legal_moves()[0].text.clone();
            run_in(&directory, &["play", kind.name, "--rules", rules], &format!("{first}\n"));
            let output = run_in(&directory, &["play", kind.name, "--resume", "--json"], "");
            assert_eq!(output.objects()[0]["rules"], rules, "{}", kind.name);
        }
    }
}
