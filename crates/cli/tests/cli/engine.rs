//! `analyse`, `uci`, `match`, and `play` against the engine.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use sandtable::GAMES;

use crate::common::{run, run_in, run_with};

const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";

#[test]
fn analysis_tells_the_best_move_of_every_game() {
    for kind in GAMES {
        let said = run(&["analyse", kind.name, "--nodes", "3000", "--multipv", "2", "--json"]);
        let answer = said.objects().remove(0);
        let lines = answer["lines"].as_array().unwrap();
        assert_eq!(lines.len(), 2, "{}", said.out);
        assert_eq!(answer["best"], lines[0]["moves"][0]);
        assert_ne!(lines[0]["moves"][0], lines[1]["moves"][0]);
        let moves = run(&["moves", kind.name, "--json"]).objects().remove(0);
        assert!(moves["steps"].as_array().unwrap().contains(&answer["best"]));
        let text = run(&["analyse", kind.name, "--depth", "1"]).out;
        assert!(text.starts_with("depth  1") && text.contains("\nbest move "), "{text}");
    }
}

#[test]
fn a_mate_is_counted_in_moves() {
    let answer = run(&["analyse", "chess", "--depth", "5", "--json", MATE_IN_TWO]).objects().remove(0);
    assert_eq!(answer["lines"][0]["mate"], 2, "{answer}");
    let over = run(&["analyse", "chess", "--depth", "3", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"]);
    assert_eq!((over.code, over.out.as_str()), (0, "White has won by checkmate\n"));
}

#[test]
fn limits_exclude_each_other_and_must_make_sense() {
    for args in [
        &["--depth", "3", "--nodes", "10"][..],
        &["--depth", "0"],
        &["--nodes", "0"],
        &["--time", "soon"],
        &["--time", "-1s"],
        &["--multipv", "0"],
    ] {
        assert_eq!(run(&[&["analyse", "chess"], args].concat()).code, 2, "{args:?}");
    }
}

#[test]
fn a_table_that_does_not_fit_is_told() {
    let said = run(&["analyse", "chess", "--depth", "1", "--hash", "9999999999999"]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert_eq!(said.err, "error: there is no memory for a table of 9999999999999 MiB\n");
}

/// A conversation with `sandtable uci`.
struct Uci {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Uci {
    fn start() -> Self {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sandtable"))
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// All lines up to the one that begins with a word.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "no {word} after {lines:?}");
            let found = line.starts_with(word);
            lines.push(line.trim_end().to_owned());
            if found {
                return lines;
            }
        }
    }

    fn quit(mut self) {
        self.say("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn uci_is_spoken_as_guis_speak_it() {
    let mut uci = Uci::start();
    uci.say("uci");
    let greeting = uci.until("uciok");
    assert!(greeting[0].starts_with("id name Sandtable"));
    assert!(
        greeting
            .iter()
            .any(|line| line
                .contains("UCI_Variant type combo default chess var chess var cotulenh var tribun"))
    );
    uci.say("setoption name Hash value 8\nsetoption name MultiPV value 2\nucinewgame\nisready");
    assert_eq!(uci.until("readyok").len(), 1);
    uci.say("position startpos moves e2e4 e7e5\ngo depth 4");
    let lines = uci.until("bestmove");
    assert!(
        lines.iter().any(|line| line.starts_with("info depth 4 ") && line.contains(" multipv 2 score cp ")),
        "{lines:?}"
    );
    uci.say(&format!("setoption name MultiPV value 1\nposition fen {MATE_IN_TWO}\ngo depth 5"));
    let lines = uci.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" score mate 2 ")), "{lines:?}");
    uci.quit();
}

#[test]
fn an_endless_search_ends_when_it_is_told() {
    let mut uci = Uci::start();
    uci.say("position startpos\ngo infinite");
    uci.until("info depth 2");
    uci.say("isready");
    uci.until("readyok");
    uci.say("stop");
    assert_eq!(uci.until("bestmove").last().unwrap().len(), "bestmove e2e4".len());
    uci.say("go infinite");
    uci.until("info depth 1");
    // Leaving in the middle of a search is leaving all the same.
    uci.quit();
}

#[test]
fn what_is_not_understood_is_told_and_changes_nothing() {
    let mut uci = Uci::start();
    for (line, part) in [
        ("position fen nonsense", "not a position"),
        ("position startpos moves e2e5", "not a legal move: e2e5"),
        ("position", "a position is `startpos` or"),
        ("go depth", "depth needs a number"),
        ("go perft 101", "perft 101 is too deep: the depth may be 0 to 100"),
        ("setoption name Hash value 0", "Hash takes a number"),
        ("setoption name Colour value red", "there is no option `Colour`"),
        ("setoption name UCI_Variant value go", "there is no game `go`"),
        ("xyzzy", "unknown command: xyzzy"),
    ] {
        uci.say(line);
        let said = uci.until("info string").pop().unwrap();
        assert!(said.contains(part), "{line}: {said}");
    }
    uci.say("go perft 2");
    assert_eq!(uci.until("Nodes searched").pop().unwrap(), "Nodes searched: 400");
    uci.say("d");
    assert!(uci.until("Fen:").pop().unwrap().ends_with("w KQkq - 0 1"));
    uci.quit();
}

#[test]
fn the_other_games_are_variants() {
    let mut uci = Uci::start();
    for (variant, nodes) in [("cotulenh", 116), ("tribun", 265), ("chess", 20)] {
        uci.say(&format!("setoption name UCI_Variant value {variant}\nposition startpos\ngo perft 1"));
        assert_eq!(uci.until("Nodes searched").pop().unwrap(), format!("Nodes searched: {nodes}"));
        uci.say("go nodes 500");
        let best = uci.until("bestmove").pop().unwrap().split_whitespace().nth(1).unwrap().to_owned();
        assert_eq!(best.starts_with("0x"), variant == "tribun", "{best}");
        uci.say(&format!("position startpos moves {best}\ngo nodes 100"));
        uci.until("bestmove");
    }
    uci.say("setoption name UCI_Variant value cotulenh\nsetoption name Rules value club\ngo perft 2");
    assert_eq!(uci.until("Nodes searched").pop().unwrap(), "Nodes searched: 13460");
    uci.quit();
}

#[test]
fn a_match_is_counted_recorded_and_can_be_repeated() {
    for kind in GAMES {
        let folder = tempfile::tempdir().unwrap();
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
        let said = run_in(&folder, &args, "");
        assert_eq!(said.code, 0, "{}", said.err);
        let answer = said.objects().remove(0);
        assert_eq!(answer["games"], 4);
        assert_eq!(
            answer["wins"].as_u64().unwrap()
                + answer["draws"].as_u64().unwrap()
                + answer["losses"].as_u64().unwrap(),
            4
        );
        let records = fs::read_to_string(folder.path().join("games")).unwrap();
        assert_eq!(records.matches("\"sandtable match\"").count(), 4, "{records}");
        assert!(kind.load_record(&records, (kind.rules)()[0]).is_ok(), "{records}");
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

#[test]
fn a_player_may_be_another_program() {
    let program = assert_cmd::cargo::cargo_bin!("sandtable");
    let script = tempfile::tempdir().unwrap();
    let path = script.path().join("engine.sh");
    fs::write(&path, format!("#!/bin/sh\nexec '{}' uci\n", program.display())).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let external = format!("uci:{};Hash=1;nodes=60", path.display());
    for kind in GAMES {
        let args = [
            "match",
            kind.name,
            "--a",
            &external,
            "--b",
            "random",
            "--games",
            "2",
            "--max-plies",
            "12",
            "--json",
        ];
        let said = run(&args);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", kind.name);
        assert_eq!(said.objects()[0]["games"], 2);
    }
    let said = run(&["match", "chess", "--a", "uci:no-such-program", "--b", "random"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("cannot start no-such-program"), "{}", said.err);
    let said = run(&["match", "chess", "--a", "uci:true", "--b", "random"]);
    assert!(said.code == 2 && said.err.contains("true "), "{}", said.err);
}

#[test]
fn wrong_players_and_tests_are_told() {
    for (a, sprt, part) in [
        ("human", "0,20", "`human` is no player"),
        ("level:10", "0,20", "is no level"),
        ("random", "20,0", "is no test"),
    ] {
        let said = run(&["match", "chess", "--a", a, "--b", "random", "--sprt", sprt]);
        assert!(said.code == 2 && said.err.contains(part), "{}", said.err);
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_match_keeps_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sandtable"))
        .args([
            "match", "chess", "--a", "random", "--b", "random", "--games", "1000000", "--out", "games",
            "--json",
        ])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while fs::read_to_string(folder.path().join("games")).unwrap_or_default().matches("[Event").count() < 3 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut out = String::new();
    std::io::Read::read_to_string(child.stdout.as_mut().unwrap(), &mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    let records = fs::read_to_string(folder.path().join("games")).unwrap();
    assert_eq!(answer["games"].as_u64().unwrap() as usize, records.matches("[Event").count());
}

#[test]
fn the_engine_answers_in_a_game() {
    for kind in GAMES {
        let start = kind.start((kind.rules)()[0]).unwrap();
        let first = &start.moves()[0].text;
        let said = run_with(&["play", kind.name, "--level", "1", "--json"], &format!("{first}\nundo\n"));
        let objects = said.objects();
        let states: Vec<_> = objects.iter().filter(|o| o.get("history").is_some()).collect();
        assert_eq!(states[0]["turn"], start.players().first);
        let last = states.last().unwrap();
        assert_eq!(
            last["history"].as_array().unwrap().len(),
            0,
            "a move is taken back with its answer: {}",
            said.out
        );
        assert!(states.len() >= 4, "{}", said.out);
    }
}

#[test]
fn the_engine_may_begin_and_gives_hints() {
    let said = run_with(&["play", "chess", "--level", "2", "--side", "second"], "undo\nhint\nanalyse\nfen\n");
    assert!(said.out.contains("there is no move to take back"), "{}", said.out);
    assert!(said.out.contains("depth  1"), "{}", said.out);
    assert!(said.out.contains(" b KQkq "), "{}", said.out);
    assert_eq!(run(&["play", "chess", "--level", "10"]).code, 2);
    assert_eq!(run(&["play", "chess", "--side", "second"]).code, 2);
}
