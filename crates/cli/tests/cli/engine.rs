//! The engine: `analyze`, `match`, and `play --level`.

use std::fs;
use std::process::{Command, Stdio};

use sandtable::GAMES;
use sandtable::games::complete_games;

use crate::common::{run, run_in, run_with};

const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";

#[test]
fn analyses_every_game() {
    for kind in GAMES {
        let output = run(&["analyze", kind.name, "--nodes", "3000", "--multipv", "2", "--json"]);
        let answer = output.objects().remove(0);
        let lines = answer["lines"].as_array().unwrap();
        assert_eq!(lines.len(), 2, "{}", output.out);
        assert_eq!(answer["best"], lines[0]["moves"][0]);
        assert_ne!(lines[0]["moves"][0], lines[1]["moves"][0]);
        let moves = run(&["moves", kind.name, "--json"]).objects().remove(0);
        assert!(moves["steps"].as_array().unwrap().contains(&answer["best"]));
        let text = run(&["analyze", kind.name, "--depth", "1"]).out;
        assert!(text.starts_with("depth  1") && text.contains("\nbest move "), "{text}");
    }
}

#[test]
fn mate_distances_are_counted_in_turns() {
    let answer = run(&["analyze", "chess", "--depth", "5", "--json", MATE_IN_TWO]).objects().remove(0);
    assert_eq!(answer["lines"][0]["mate"], 2, "{answer}");
    // One turn of CoTuLenh may take several moves: the winning ones are deployments.
    for (mate, min_moves, rules, fen) in [
        (1, 2, "standard", "3c7/11/(NF)10/11/11/6C4/11/11/7s3/11/11/11 r - - 0 1"),
        (1, 2, "club", "11/1(NT)9/11/2c8/2g8/11/5C2G2/11/2(ti)8/11/11/5I5 r - - 0 1"),
        (2, 4, "club", "11/5(TM)5/8c2/3C7/11/11/11/11/11/11/11/11 r - - 0 1"),
        (2, 4, "standard", "11/11/11/11/11/5C5/11/11/4c6/11/(NM)10/6S4 r - - 0 1"),
    ] {
        let output = run(&["analyze", "cotulenh", "--rules", rules, "--nodes", "20000", "--json", fen]);
        let answer = output.objects().remove(0);
        assert_eq!(answer["lines"][0]["mate"], mate, "{answer}");
        let moves = answer["lines"][0]["moves"].as_array().unwrap().len();
        assert!(moves >= min_moves, "{answer}");
    }
    let over = run(&["analyze", "chess", "--depth", "3", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"]);
    assert_eq!((over.code, over.out.as_str()), (0, "White wins (checkmate)\n"));
}

#[test]
fn rejects_conflicting_and_invalid_limits() {
    for args in [
        &["--depth", "3", "--nodes", "10"][..],
        &["--depth", "0"],
        &["--nodes", "0"],
        &["--time", "soon"],
        &["--time", "-1s"],
        &["--multipv", "0"],
    ] {
        assert_eq!(run(&[&["analyze", "chess"], args].concat()).code, 2, "{args:?}");
    }
}

#[test]
fn reports_a_table_larger_than_memory() {
    let output = run(&["analyze", "chess", "--depth", "1", "--hash", "9999999999999"]);
    assert_eq!((output.code, output.out.as_str()), (2, ""));
    assert_eq!(
        output.err,
        "error: not enough memory for a transposition table of 9999999999999 MiB: choose a smaller one\n"
    );
}

#[test]
fn a_match_is_counted_recorded_and_reproducible() {
    for kind in complete_games() {
        let directory = tempfile::tempdir().unwrap();
        let args = [
            "match",
            kind.name,
            "--a",
            "nodes:150",
            "--b",
            "random",
            "--games",
            "4",
            "--jobs",
            "2",
            "--max-plies",
            "60",
            "--out",
            "games",
            "--json",
        ];
        let output = run_in(&directory, &args, "");
        assert_eq!(output.code, 0, "{}", output.err);
        let answer = output.objects().remove(0);
        assert_eq!(answer["games"], 4);
        assert_eq!(
            answer["wins"].as_u64().unwrap()
                + answer["draws"].as_u64().unwrap()
                + answer["losses"].as_u64().unwrap(),
            4
        );
        let records = fs::read_to_string(directory.path().join("games")).unwrap();
        assert_eq!(records.matches("\"sandtable match\"").count(), 4, "{records}");
        assert!(kind.load_record(&records, kind.rules[0]).is_ok(), "{records}");
        let alone = [
            "match",
            kind.name,
            "--a",
            "nodes:150",
            "--b",
            "nodes:50",
            "--games",
            "2",
            "--max-plies",
            "20",
            "--json",
        ];
        assert_eq!(run(&alone).out, run(&alone).out);
    }
}

/// The results of a ladder in a file, without the line of settings.
fn ladder_lines(path: &std::path::Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_ladder_continues_where_it_stopped() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("ladder.jsonl");
    let file = path.to_str().unwrap();
    let ladder = |kind: &str, games: &str, more: &[&str]| {
        let args = ["ladder", kind, "--levels", "0..2", "--max-plies", "10", "--jobs", "2", "--json"];
        run(&[&args, ["--games", games, "--out", file].as_slice(), more].concat())
    };
    for kind in complete_games() {
        let _ = fs::remove_file(&path);
        let output = ladder(kind.name, "2", &[]);
        assert_eq!((output.code, output.err.as_str()), (0, ""), "{}", kind.name);
        let answer = &output.objects()[0];
        assert_eq!(answer["players"].as_array().unwrap().len(), 3);
        let level_1 = &answer["players"][1];
        let elo = "1".parse::<sandtable::engine::Level>().unwrap().elo(kind.name).map(f64::from);
        assert_eq!((level_1["name"].as_str(), level_1["elo"].as_f64()), (Some("level:1"), elo));
        // Levels 1 and 0, 2 and 0, 2 and 1: two games each.
        let mut first = ladder_lines(&path);
        assert_eq!(first.len(), 6);
        // A game that was cut off is played again, with the same result.
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 3]).unwrap();
        assert_eq!(ladder(kind.name, "2", &[]).code, 0);
        let mut again = ladder_lines(&path);
        first.sort();
        again.sort();
        assert_eq!(first, again, "{}", kind.name);
        assert_eq!(ladder(kind.name, "3", &["--anchor", "nodes:1=900"]).code, 0);
        assert_eq!(ladder_lines(&path).len(), 18);
    }
    let output = ladder("chess", "2", &["--seed", "7"]);
    assert!(output.code == 2 && output.err.contains("other settings"), "{}", output.err);
    assert_eq!(run(&["ladder", "chess", "--levels", "3..1"]).code, 2);
    assert_eq!(run(&["ladder", "chess", "--anchor", "human=1500"]).code, 2);
}

#[test]
fn rejects_unknown_players_and_invalid_tests() {
    for (a, sprt, part) in [
        ("human", "0,20", "unknown player `human`"),
        ("level:10", "0,20", "unknown level `10`"),
        ("random", "20,0", "invalid SPRT `20,0`"),
    ] {
        let output = run(&["match", "chess", "--a", a, "--b", "random", "--sprt", sprt]);
        assert!(output.code == 2 && output.err.contains(part), "{}", output.err);
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_match_keeps_its_records() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sandtable"))
        .args([
            "match", "chess", "--a", "random", "--b", "random", "--games", "1000000", "--out", "games",
            "--json",
        ])
        .current_dir(directory.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while fs::read_to_string(directory.path().join("games")).unwrap_or_default().matches("[Event").count() < 3
    {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut out = String::new();
    std::io::Read::read_to_string(child.stdout.as_mut().unwrap(), &mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    let records = fs::read_to_string(directory.path().join("games")).unwrap();
    assert_eq!(answer["games"].as_u64().unwrap() as usize, records.matches("[Event").count());
}

#[test]
fn the_engine_replies_and_undo_takes_back_both_moves() {
    for kind in GAMES {
        let start = kind.start(kind.rules[0]).unwrap();
        let first = &start.legal_moves()[0].text;
        let output = run_with(&["play", kind.name, "--level", "1", "--json"], &format!("{first}\nundo\n"));
        let objects = output.objects();
        let states: Vec<_> = objects.iter().filter(|o| o.get("history").is_some()).collect();
        assert_eq!(states[0]["turn"], start.players().first);
        let last = states.last().unwrap();
        assert_eq!(
            last["history"].as_array().unwrap().len(),
            0,
            "undo takes back the move and the reply: {}",
            output.out
        );
        assert!(states.len() >= 4, "{}", output.out);
    }
}

#[test]
fn the_engine_can_move_first_and_gives_hints() {
    let output =
        run_with(&["play", "chess", "--level", "2", "--side", "second"], "undo\nhint\nanalyze\nfen\n");
    assert!(output.out.contains("no move to take back"), "{}", output.out);
    assert!(output.out.contains("depth  1"), "{}", output.out);
    assert!(output.out.contains(" b KQkq "), "{}", output.out);
    let elo = "2".parse::<sandtable::engine::Level>().unwrap().elo("chess").unwrap();
    assert!(output.out.contains(&format!("against level 2, about {elo} Elo")), "{}", output.out);
    assert_eq!(run(&["play", "chess", "--level", "10"]).code, 2);
    assert_eq!(run(&["play", "chess", "--side", "second"]).code, 2);
}
