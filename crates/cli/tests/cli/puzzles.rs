//! `puzzles`: mining, and what interruptions leave behind; solving.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::common::{run, run_in, run_with, sandtable};

/// Few nodes and low bounds: the puzzles are worth little, but there are some in a few games.
const MINE: &[&str] = &[
    "puzzles",
    "mine",
    "tribun",
    "puzzles.jsonl",
    "--nodes",
    "300",
    "--candidate-nodes",
    "100",
    "--play-nodes",
    "30",
    "--winning",
    "150",
    "--others",
    "50",
];

fn mine<'a>(more: &[&'a str]) -> Vec<&'a str> {
    MINE.iter().chain(more).copied().collect()
}

/// A file of puzzles: a mate in one in chess, with a second one that takes two turns.
const CHESS: &str = r#"{"format":"sandtable-puzzles-1","game":"chess","rules":"standard","engine":"0","eval":"hand","play_nodes":1,"random_moves":0,"candidate_nodes":1,"proof_nodes":1,"winning":450,"others":150,"min_nodes":0,"seed":1}
{"id":"a","position":"7k/8/8/8/8/8/R7/1R5K w - - 0 1","turns":["a2a7","h8g8","b1b8"],"mate":2,"nodes":200,"themes":["mate","quiet"],"source":0}
"#;

fn solve(input: &str, more: &[&str]) -> (i32, String) {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("chess.jsonl"), CHESS).unwrap();
    let args: Vec<_> =
        ["puzzles", "solve", "--file", "chess.jsonl", "--seed", "1"].iter().chain(more).copied().collect();
    let finished = run_in(&directory, &args, input);
    (finished.code, finished.out + &finished.err)
}

#[test]
fn a_killed_run_neither_loses_nor_doubles_a_puzzle() {
    let complete = tempfile::tempdir().unwrap();
    let finished = run_in(&complete, &mine(&["--count", "3", "--threads", "2"]), "");
    assert_eq!(finished.code, 0, "{finished:?}");
    let expected = fs::read_to_string(complete.path().join("puzzles.jsonl")).unwrap();
    assert_eq!(expected.lines().count(), 4, "{expected}");

    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("puzzles.jsonl");
    let binary = sandtable(&directory, &[]).get_program().to_owned();
    for wait in [50, 200] {
        let mut run = std::process::Command::new(&binary)
            .args(mine(&["--count", "3"]))
            .current_dir(directory.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("sandtable starts");
        std::thread::sleep(Duration::from_millis(wait));
        run.kill().unwrap();
        run.wait().unwrap();
    }
    // A kill may also cut off a line, and leave out the later puzzles of a game.
    for lines in [0, 2] {
        let kept: usize = expected.split_inclusive('\n').take(lines).map(str::len).sum();
        fs::write(&file, &expected[..kept + 10]).unwrap();
        let finished = run_in(&directory, &mine(&["--count", "3"]), "");
        assert_eq!(finished.code, 0, "{finished:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), expected);
    }
}

#[test]
fn puzzles_are_added_to_a_file_with_the_same_settings_only() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("puzzles.jsonl");
    let first = run_in(&directory, &mine(&["--count", "1", "--json"]), "");
    assert_eq!(first.objects()[0]["new"], 1, "{first:?}");
    let more = run_in(&directory, &mine(&["--count", "2", "--json"]), "");
    assert_eq!((&more.objects()[0]["puzzles"], &more.objects()[0]["new"]), (&2.into(), &1.into()));
    let before = fs::read_to_string(&file).unwrap();
    let other = run_in(&directory, &mine(&["--seed", "2"]), "");
    assert_eq!(other.code, 2);
    assert!(other.err.contains("other settings"), "{other:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    for text in ["hello", "hello\n", "{}\n", ""] {
        fs::write(&file, text).unwrap();
        let finished = run_in(&directory, &mine(&["--games", "1"]), "");
        assert_eq!(finished.code, if text.is_empty() { 0 } else { 2 }, "{text:?}: {finished:?}");
        if !text.is_empty() {
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
    }
    let bounds = run(&["puzzles", "mine", "tribun", "other.jsonl", "--winning", "100", "--others", "100"]);
    assert!(bounds.code == 2 && bounds.err.contains("--others"), "{bounds:?}");
}

#[test]
fn a_puzzle_is_solved_turn_by_turn() {
    let (code, out) = solve("Ra7\nRb8\n", &[]);
    assert_eq!(code, 0, "{out}");
    for part in ["wins by force, in 2", "Correct. The reply is Kg8", "Solved.", "Solved 1 of 1"] {
        assert!(out.contains(part), "`{part}` is missing: {out}");
    }
}

#[test]
fn mistakes_and_hints_are_answered() {
    let (code, out) = solve("Kg1\nnonsense\nhint\nhint\nhint\na2a7\nsolution\n", &[]);
    assert_eq!(code, 0, "{out}");
    for part in [
        "Not the winning turn",
        "nonsense",
        "mate, quiet",
        "begins at a2",
        "is Ra7",
        "Solution: Rb8",
        "Solved 0 of 1",
    ] {
        assert!(out.contains(part), "`{part}` is missing: {out}");
    }
    let (code, out) = solve("help\nmoves\nfen\nboard\nundo\n\nnext\n", &[]);
    assert!(code == 0 && out.contains("7k/8/8/8/8/8/R7/1R5K w - - 0 1"), "{out}");
    let (code, out) = solve("quit\n", &[]);
    assert!(code == 0 && out.contains("Solved 0 of 0"), "{out}");
}

#[test]
fn answers_are_objects_with_json() {
    let (code, out) = solve("Kg1\nRa7\nRb8\n", &["--json"]);
    assert_eq!(code, 0, "{out}");
    let objects: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let correct: Vec<_> = objects.iter().filter_map(|object| object["correct"].as_bool()).collect();
    assert_eq!(correct, [false, true, true]);
    assert_eq!((&objects[0]["puzzle"], &objects[2]["reply"]), (&"a".into(), &"Kg8".into()));
    assert_eq!(objects[4]["best_streak"], 0);
}

#[test]
fn the_puzzles_of_the_program_are_chosen_by_game_theme_and_difficulty() {
    for game in ["cotulenh", "tribun"] {
        let finished = run_with(&["puzzles", "solve", game, "--theme", "mate", "--seed", "1"], "solution\n");
        assert!(finished.code == 0 && finished.out.contains("Solution: "), "{finished:?}");
    }
    let wrong = [
        ["puzzles", "solve", "chess"].as_slice(),
        &["puzzles", "solve", "--theme", "x"],
        &["puzzles", "solve", "--level", "6"],
        &["puzzles", "solve", "--id", "x"],
        &["puzzles", "solve", "--file", "missing.jsonl"],
    ];
    for args in wrong {
        let finished = run(args);
        assert!(finished.code == 2 && !finished.err.is_empty(), "{args:?}: {finished:?}");
    }
}
