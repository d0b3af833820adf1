//! Every command knows every game.

use std::fs;

use sandtable::{GAMES, GameKind};
use serde_json::Value;

use crate::common::{run, run_in, run_with};

/// A position of each game some moves after its start, and the last of those moves.
fn midgame(kind: &GameKind) -> (String, String) {
    let mut game = kind.start((kind.rules)()[0]).unwrap();
    let mut rng = sandtable::core::Rng::new(3);
    for _ in 0..12 {
        let moves = game.moves();
        game.play(&moves[rng.below(moves.len())].text).unwrap();
    }
    let next = game.moves()[0].text.clone();
    (game.position(), next)
}

#[test]
fn show_draws_every_cell() {
    for kind in GAMES {
        let (position, _) = midgame(kind);
        let folder = tempfile::tempdir().unwrap();
        let said = run_in(&folder, &["show", kind.name, "--svg", "board.svg", "--indices", &position], "");
        assert_eq!(said.code, 0, "{}", said.err);
        assert!(said.out.contains(&position), "{}", said.out);
        let cells = run(&["show", kind.name, "--json", &position]).objects().remove(0)["cells"]
            .as_array()
            .unwrap()
            .len();
        let svg = fs::read_to_string(folder.path().join("board.svg")).unwrap();
        assert_eq!(svg.matches("<rect").count() + svg.matches("<polygon").count(), cells);
        assert_eq!(kind.parse(&position, (kind.rules)()[0]).unwrap().diagram().cells.len(), cells);
    }
}

#[test]
fn moves_agree_with_perft_and_with_each_other() {
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
fn what_is_encoded_is_decoded() {
    for kind in GAMES {
        let (position, _) = midgame(kind);
        let folder = tempfile::tempdir().unwrap();
        let encoded =
            run_in(&folder, &["encode", kind.name, "--out", "a.npy", "-"], &format!("{position}\n"));
        assert_eq!(encoded.code, 0, "{}", encoded.err);
        let turn = run(&["show", kind.name, "--json", &position]).objects().remove(0)["turn"].clone();
        let first = kind.start((kind.rules)()[0]).unwrap().players().first;
        let turn = if turn == first { "first" } else { "second" };
        let decoded = run_in(&folder, &["decode", kind.name, "a.npy", "--json", "--turn", turn], "");
        assert_eq!(decoded.code, 0, "{}", decoded.err);
        let again = decoded.objects().remove(0)["fen"].as_str().unwrap().to_owned();
        let placement = |text: &str| text.split_whitespace().next().unwrap().to_owned();
        assert_eq!(placement(&again), placement(&position));
    }
}

#[test]
fn a_game_of_every_kind_is_played_saved_and_resumed() {
    for kind in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let start = kind.start((kind.rules)()[0]).unwrap();
        let first = &start.moves()[0];
        let said = run_in(&folder, &["play", kind.name], &format!("{}\nsave game\nnonsense\n", first.text));
        assert_eq!(said.code, 0, "{}", said.err);
        assert!(said.out.contains("saved in game") && said.out.contains("--resume"), "{}", said.out);
        let resumed = run_in(&folder, &["play", kind.name, "--resume", "--json"], "undo\nload game\n");
        let history: Vec<_> =
            resumed.objects().iter().map(|o| o["history"].as_array().map(Vec::len)).collect();
        assert_eq!(history, [Some(1), Some(0), Some(1), None], "{}", resumed.out);
    }
}

#[test]
fn a_position_of_another_game_is_refused_with_a_reason() {
    for kind in GAMES {
        for other in GAMES.iter().filter(|other| other.name != kind.name) {
            let (position, _) = midgame(other);
            let said = run(&["show", kind.name, &position]);
            assert_eq!(said.code, 1, "{} as {}", other.name, kind.name);
            assert!(said.err.starts_with("not a position: ") && said.err.len() > 25, "{}", said.err);
        }
    }
}

#[test]
fn rules_have_names_in_every_game() {
    for kind in GAMES {
        for rules in (kind.rules)() {
            let answer = run(&["moves", kind.name, "--rules", rules, "--json"]).objects().remove(0);
            assert_eq!(answer["rules"], rules);
        }
    }
}

#[test]
fn a_deployment_is_one_turn() {
    // A Navy that carries an Air Force and a Tank, and both commanders.
    let position = "6c4/11/11/11/11/11/11/11/2(NFT)8/11/11/4C6 r - - 0 1";
    let answer = run(&["moves", "cotulenh", "--turns", "--json", position]).objects().remove(0);
    let (steps, turns) = (answer["steps"].as_array().unwrap().len(), answer["turns"].as_u64().unwrap());
    assert!(turns > 2 * steps as u64, "{turns} turns from {steps} first steps");
    let said = run_with(&["play", "cotulenh", "--json", position], "Tc4>c5\nend\n");
    let turns: Vec<_> = said.objects().iter().filter_map(|o| o["turn"].as_str().map(str::to_owned)).collect();
    assert_eq!(turns, ["Red", "Red", "Blue"], "{}", said.out);
}

#[test]
fn tribun_gives_its_actions_as_numbers_too() {
    let answer = run(&["moves", "tribun", "--json"]).objects().remove(0);
    let actions: Vec<_> = answer["actions"].as_array().unwrap().iter().map(|a| a.as_u64().unwrap()).collect();
    assert_eq!(actions.len(), 265);
    assert!(actions.is_sorted());
    let word = format!("0x{:08X}", actions[0]);
    let said = run_with(&["play", "tribun", "--json"], &format!("{word}\n"));
    assert_eq!(said.objects()[1]["history"][0], answer["steps"][0], "{}", said.out);
}

#[test]
fn a_tribun_position_may_be_bytes() {
    use sandtable::core::Position as _;
    let start = sandtable::tribun::Position::start(sandtable::tribun::Rules::default());
    let board = start.board().to_base64();
    let said = run(&["show", "tribun", "--json", &board, "b"]);
    assert_eq!(said.objects()[0]["fen"], run(&["show", "tribun", "--json"]).objects()[0]["fen"]);
}

#[test]
fn a_resumed_game_keeps_its_rules() {
    for kind in GAMES {
        for rules in (kind.rules)() {
            let folder = tempfile::tempdir().unwrap();
            let first = kind.start(rules).unwrap().moves()[0].text.clone();
            run_in(&folder, &["play", kind.name, "--rules", rules], &format!("{first}\n"));
            let said = run_in(&folder, &["play", kind.name, "--resume", "--json"], "");
            assert_eq!(said.objects()[0]["rules"], rules, "{}", kind.name);
        }
    }
}
