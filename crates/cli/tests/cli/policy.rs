//! Networks with a policy: `--net`, players `net:FILE` and the UCI option `NetFile`.

use std::time::{Duration, Instant};

use sandtable::games::complete_games;

use crate::common::{Finished, run, run_in, run_with};
use crate::uci::Uci;

/// The network of a game that the tests of `sandtable-policynet` use.
fn network(game: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../policynet/tests/networks");
    format!("{folder}/{game}.onnx")
}

const MATE_IN_ONE: &str = "7k/5K2/6Q1/8/8/8/8/8 w - - 0 1";

#[test]
fn analyses_with_a_network() {
    for kind in complete_games() {
        let args = ["analyze", kind.name, "--net", &network(kind.name), "--visits", "50", "--multipv", "2"];
        let first = run(&[&args[..], &["--json"]].concat()).objects().remove(0);
        assert_eq!(first["nodes"], 50, "{first}");
        let lines = first["lines"].as_array().unwrap();
        assert_eq!((lines.len(), &first["best"]), (2, &lines[0]["moves"][0]));
        let number = |name: &str, line: usize| lines[line][name].as_f64().unwrap();
        assert!(number("visits", 0) >= number("visits", 1) && number("visits", 1) >= 1.0, "{first}");
        assert!((-1.0..=1.0).contains(&number("value", 0)) && number("prior", 0) > 0.0, "{first}");
        assert!(lines[0]["centipawns"].is_i64() && lines[0]["san"].is_array(), "{first}");
        let wdl = first["wdl"].as_array().unwrap();
        let sum: f64 = wdl.iter().map(|share| share.as_f64().unwrap()).sum();
        assert!(wdl.len() == 3 && (sum - 1.0).abs() < 1e-5, "{first}");
        let text = run(&args).out;
        assert!(text.contains(" of      50 visits ") && text.contains("\nbest move "), "{text}");
        assert!(text.ends_with(&format!("({}), {}\n", first["best"].as_str().unwrap(), score_text(lines))));
    }
}

/// The score of the best line as text.
fn score_text(lines: &[serde_json::Value]) -> String {
    let centipawns = lines[0]["centipawns"].as_i64().unwrap();
    let sign = if centipawns < 0 { '-' } else { '+' };
    format!("{sign}{}.{:02}", centipawns.abs() / 100, centipawns.abs() % 100)
}

#[test]
fn a_proven_win_ends_the_analysis() {
    let args = ["analyze", "chess", "--net", &network("chess"), "--time", "60s", "--json", MATE_IN_ONE];
    let answer = run(&args).objects().remove(0);
    assert_eq!(answer["lines"][0]["mate"], 1, "{answer}");
    let over = run(&["analyze", "chess", "--net", &network("chess"), "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"]);
    assert_eq!((over.code, over.out.as_str()), (0, "White wins (checkmate)\n"));
}

#[test]
fn plays_against_a_network() {
    let args = ["play", "chess", "--net", &network("chess"), "--visits", "20", "--json"];
    let played = |output: &Finished| {
        let shown = output.objects();
        let history = shown.iter().rev().find_map(|object| object["history"].as_array());
        history.expect("the game is shown").len()
    };
    assert_eq!(played(&run_with(&args, "e4\nquit\n")), 2);
    assert_eq!(played(&run_with(&[&args[..], &["--side", "second"]].concat(), "quit\n")), 1);
    let text = run_with(&["play", "chess", "--net", &network("chess"), "--time", "50ms"], "e4\nquit\n").out;
    assert!(text.starts_with("You play against the network ") && text.contains("White to move"), "{text}");
}

#[test]
fn networks_play_matches() {
    let directory = tempfile::tempdir().unwrap();
    let player = |visits: u32| format!("net:{};visits={visits}", network("tribun"));
    for opponent in ["level:1", "nodes:100", &player(4)] {
        let args =
            ["match", "tribun", "--a", &player(8), "--b", opponent, "--games", "2", "--max-plies", "6"];
        let result = run_in(&directory, &[&args[..], &["--json"]].concat(), "");
        assert_eq!(result.code, 0, "{}", result.err);
        assert_eq!(result.objects()[0]["games"], 2);
    }
    let wrong = ["match", "chess", "--a", &player(8), "--b", "random", "--games", "2"];
    let result = run_in(&directory, &wrong, "");
    let message = "error: the network is for tribun, not for chess\n";
    assert_eq!((result.code, result.err.as_str()), (2, message));
}

#[test]
fn unusable_networks_are_usage_errors() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("text.onnx"), "no network").unwrap();
    let tribun = network("tribun");
    for command in ["play", "analyze"] {
        for (file, message) in [
            ("nowhere.onnx", "error: cannot use nowhere.onnx: "),
            ("text.onnx", "error: cannot use text.onnx: not an ONNX file, or an incomplete one: "),
        ] {
            let output = run_in(&directory, &[command, "chess", "--net", file], "");
            assert_eq!(output.code, 2);
            assert!(output.err.starts_with(message), "{}", output.err);
        }
        let other = run_in(&directory, &[command, "chess", "--net", &tribun], "");
        assert_eq!(other.code, 2);
        assert!(other.err.contains("the network is for tribun, not for chess"), "{}", other.err);
    }
    let cotulenh = network("cotulenh");
    let rules = run(&["analyze", "cotulenh", "--rules", "club", "--net", &cotulenh]);
    assert_eq!(rules.code, 2);
    assert!(rules.err.contains("the network is for the rules `standard`, not for `club`"), "{}", rules.err);
    let twice = run(&["serve", "--net", &tribun, "--net", &tribun]);
    assert_eq!(twice.code, 2);
    assert!(twice.err.contains("there is another network for tribun"), "{}", twice.err);
    for args in [
        &["play", "chess", "--visits", "5"][..],
        &["play", "chess", "--net", &tribun, "--level", "3"],
        &["play", "chess", "--net", &tribun, "--eval", "hand"],
        &["analyze", "chess", "--visits", "5"],
        &["analyze", "chess", "--net", &tribun, "--depth", "5"],
        &["analyze", "chess", "--net", &tribun, "--eval", "hand"],
        &["analyze", "chess", "--net", &tribun, "--visits", "0"],
    ] {
        assert_eq!(run(args).code, 2, "{args:?}");
    }
}

#[test]
fn uci_searches_with_a_network() {
    let mut uci = Uci::start();
    uci.send("uci");
    assert!(uci.until("uciok").iter().any(|line| line == "option name NetFile type string default <empty>"));
    uci.send(&format!("setoption name NetFile value {}", network("chess")));
    uci.send("setoption name MultiPV value 2\nsetoption name UCI_ShowWDL value true");
    assert_eq!(uci.so_far(), ["readyok"]);
    uci.send("position startpos moves e2e4\ngo nodes 40");
    let lines = uci.until("bestmove");
    let last = &lines[lines.len() - 2];
    assert!(last.starts_with("info depth ") && last.contains(" multipv 2 score cp "), "{last}");
    assert!(last.contains(" wdl ") && last.contains(" nodes 40 nps ") && last.contains(" pv "), "{last}");
    // Only these moves are searched.
    let best = uci.best("go nodes 20 searchmoves a7a6 h7h6");
    assert!(["a7a6", "h7h6"].contains(&best[0].as_str()), "{best:?}");
    assert_eq!(uci.best(&format!("position fen {MATE_IN_ONE}\ngo nodes 2000"))[0].len(), 4);
    assert!(!uci.best("position startpos\ngo movetime 50").is_empty());
    assert!(!uci.best("go depth 2").is_empty());
    assert!(!uci.best("go wtime 500 btime 500").is_empty());
    // The other games refuse the network and use alpha-beta.
    uci.send("setoption name UCI_Variant value tribun");
    assert!(uci.so_far()[0].contains("the network is for chess, not for tribun"));
    uci.send("position startpos\ngo depth 1");
    assert!(uci.until("bestmove").iter().any(|line| line.contains(" depth 1 ")));
    uci.send("setoption name UCI_Variant value chess");
    assert_eq!(uci.so_far(), ["readyok"]);
    // Without a file alpha-beta is back: its first iteration has 20 nodes or more.
    uci.send("setoption name NetFile value <empty>\nposition startpos\ngo depth 1");
    assert!(uci.until("bestmove").iter().all(|line| !line.contains(" nodes 8 ")));
    uci.quit();
}

#[test]
fn uci_stops_a_network_and_ponders() {
    let mut uci = Uci::start();
    uci.send(&format!("setoption name NetFile value {}\nposition startpos\ngo infinite", network("chess")));
    uci.until("info depth");
    uci.send("stop");
    let stopped = Instant::now();
    uci.until("bestmove");
    assert!(stopped.elapsed() < Duration::from_secs(5));
    // A search that is complete waits for `ponderhit`.
    uci.send("go ponder nodes 10");
    uci.until("info depth");
    assert!(!uci.so_far().iter().any(|line| line.starts_with("bestmove")));
    uci.send("ponderhit");
    uci.until("bestmove");
    // A stop that comes at once still gives a move.
    uci.send("go infinite\nstop");
    uci.until("bestmove");
    uci.quit();
}
