//! The toy game, which has nothing but the required traits, on the command line.

use crate::common::{run, run_in, run_with};

const GAME: &str = "greedy-nim";

#[test]
fn moves_and_perft_list_and_count() {
    assert_eq!(
        run(&["moves", GAME]).out.lines().collect::<Vec<_>>(),
        ["0  0  0", "1  1  1", "2  2  2", "3  3  3"]
    );
    let nodes = |depth| run(&["perft", GAME, depth, "--json"]).objects().remove(0)["nodes"].clone();
    assert_eq!((nodes("1"), nodes("2")), (4.into(), 16.into()));
}

#[test]
fn two_people_play_a_game_to_its_end_and_save_it() {
    let directory = tempfile::tempdir().unwrap();
    let output = run_in(&directory, &["play", GAME], "3\n1\n2\nhello\n3\nsave pile.nim\n");
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(output.out.contains("First wins (last taken)"), "{}", output.out);
    let record = std::fs::read_to_string(directory.path().join("pile.nim")).expect("a saved record");
    assert!(record.contains("1,2"), "{record}");
}

#[test]
fn the_engine_plays_a_game_to_its_end() {
    let output = run_with(&["play", GAME, "--level", "9", "--time", "100ms", "5 first -"], "2\n");
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(output.out.contains("Second wins (last taken)"), "{}", output.out);
}

#[test]
fn engines_play_a_match() {
    let output =
        run(&["match", GAME, "--a", "nodes:150", "--b", "random", "--plies", "0", "--games", "4", "--json"]);
    assert_eq!(output.code, 0, "{}", output.err);
    let summary = output.objects().pop().expect("a summary");
    assert_eq!(summary["games"], 4, "{}", output.out);
}

#[test]
fn the_optional_commands_answer_without_a_network_or_puzzles() {
    assert_eq!(run(&["show", GAME]).code, 0);
    assert_eq!(run(&["analyze", GAME, "--depth", "3", "5 first -"]).code, 0);
    let puzzles = run(&["puzzles", "solve", GAME]);
    assert_ne!(puzzles.code, 0);
    assert!(puzzles.err.contains("no puzzle matches"), "{}", puzzles.err);
}
