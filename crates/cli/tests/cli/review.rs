//! `sandtable review`.

use std::fs;

use crate::common::{run, run_in};

const BLUNDERS: &str = "[White \"Anna\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. O-O?? {mine} Qg5 *\n";

#[test]
fn errors_are_listed_and_the_record_is_annotated() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("game.pgn"), BLUNDERS).unwrap();
    let arguments = ["review", "game.pgn", "--nodes", "2000", "--out", "out.pgn", "--color", "always"];
    let output = run_in(&directory, &arguments, "");
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(output.out.contains("White  accuracy") && output.out.contains("4... Qg5??"), "{}", output.out);
    assert!(output.out.contains('▅') && output.out.contains("\u{1b}[31m"), "{}", output.out);
    let record = fs::read_to_string(directory.path().join("out.pgn")).unwrap();
    assert!(record.starts_with("[Event \"?\"]") && record.contains("[White \"Anna\"]"), "{record}");
    assert!(record.contains("mine}") && record.contains("Qg5 $4") && record.contains("(4... "), "{record}");

    let plain = run_in(&directory, &["review", "out.pgn", "--nodes", "2000", "--threads", "1"], "");
    assert!(!plain.out.contains('\u{1b}'), "a pipe gets no colours: {}", plain.out);
    let strip =
        |text: &str| text.replace("\u{1b}[31m", "").replace("\u{1b}[33m", "").replace("\u{1b}[36m", "");
    assert_eq!(plain.out, strip(&output.out).replace("\u{1b}[0m", ""), "the same for any number of threads");
}

#[test]
fn json_has_every_turn() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("game.tribun"), "1. b3-e5 j9-g7\n").unwrap();
    let output = run_in(&directory, &["review", "--json", "--nodes", "200", "game.tribun"], "");
    let answer: serde_json::Value = serde_json::from_str(&output.out).unwrap();
    assert_eq!((&answer["game"], answer["turns"].as_array().unwrap().len()), (&"tribun".into(), 2));
    assert_eq!(answer["turns"][1]["player"], "White");
    assert!(answer["turns"][0]["after"]["expected"].as_f64().is_some());
}

#[test]
fn a_record_from_standard_input_needs_a_game() {
    let directory = tempfile::tempdir().unwrap();
    let record = "1. F&c4 Ic7 2. c4:N:F>e6 *";
    let output = run_in(&directory, &["review", "--game", "cotulenh", "--nodes", "200", "-"], record);
    assert!(output.code == 0 && output.out.contains("Red   accuracy"), "{} {}", output.out, output.err);
    let output = run_in(&directory, &["review", "-"], record);
    assert_eq!(output.code, 2);
    assert!(output.err.contains("expected .pgn, .ctl, .tribun, "), "{}", output.err);
}

#[test]
fn faults_have_exit_codes() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("bad.pgn"), "1. e4 e4 *").unwrap();
    let bad = run_in(&directory, &["review", "bad.pgn", "--out", "out.pgn"], "");
    assert_eq!(bad.code, 1);
    assert!(bad.err.contains("bad.pgn: line 1, column 7: illegal move `e4`"), "{}", bad.err);
    assert!(!directory.path().join("out.pgn").exists());
    assert_eq!(run(&["review", "missing.pgn"]).code, 2);
    assert_eq!(run_in(&directory, &["review", "bad.pgn", "--rules", "house"], "").code, 2);
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_review_leaves_no_file() {
    use std::process::{Command, Stdio};

    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("game.pgn"), BLUNDERS).unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sandtable"))
        .args(["review", "game.pgn", "--nodes", "1000000000000", "--out", "out.pgn"])
        .current_dir(directory.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // Wait until the program handles SIGINT, the second bit of the mask.
    let handles = |status: &str| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or_default();
        u64::from_str_radix(mask.trim(), 16).unwrap_or_default() & 2 != 0
    };
    while !handles(&fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap()) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let files: Vec<_> =
        fs::read_dir(directory.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["game.pgn"]);
}
