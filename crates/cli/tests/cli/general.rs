//! What holds for every command.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use crate::common::{run, run_with};

const COMMANDS: [&str; 10] =
    ["show", "moves", "perft", "encode", "decode", "play", "analyse", "uci", "match", "bench"];
const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

#[test]
fn help_has_examples() {
    for command in COMMANDS {
        let said = run(&[command, "--help"]);
        assert_eq!(said.code, 0);
        assert!(said.out.contains("Examples:") && said.out.contains("--json"), "{command}: {}", said.out);
    }
    assert!(COMMANDS.iter().all(|command| run(&["--help"]).out.contains(command)));
}

#[test]
fn wrong_use_exits_with_2_and_says_what_is_wrong() {
    for (args, part) in [
        (&[][..], "Usage"),
        (&["fly"], "fly"),
        (&["show"], "GAME"),
        (&["show", "go"], "there is no game `go`; there is"),
        (&["moves", "chess", "--fast"], "--fast"),
        (&["show", "chess", "--rules", "house"], "chess has no rules `house`; it has standard, claims"),
        (&["perft", "chess"], "DEPTH"),
        (&["perft", "chess", "deep"], "deep"),
        (&["perft", "chess", "101"], "101 is not in 0..=100"),
        (&["perft", "chess", "2", "--threads", "0"], "threads"),
        (&["perft", "chess", "0", "--divide"], "at least 1"),
        (&["encode", "chess"], "--out"),
        (&["encode", "chess", "--planes", "--layout", "whc"], "whc"),
        (&["decode", "chess"], "FILE.npy"),
        (&["bench", "go"], "there is no game `go`"),
        (&["play", "chess", "-"], "cannot be `-`"),
        (&["show", "chess", "--svg", "x.svg", "-"], "not a stream"),
        (&["show", "chess", "--color", "blue"], "blue"),
    ] {
        let said = run(args);
        assert_eq!(said.code, 2, "{args:?}: {said:?}");
        assert!(said.err.contains(part), "{args:?}: {}", said.err);
        assert_eq!(said.out, "", "{args:?}");
    }
}

#[test]
fn a_bad_position_exits_with_1_and_says_why() {
    for command in [&["show", "chess"][..], &["moves", "chess"], &["perft", "chess", "1"], &["play", "chess"]]
    {
        let said = run(&[command, &["8/8/8/8/8/8/8/4K3 w - - 0 1"]].concat());
        assert_eq!((said.code, said.err.as_str()), (1, "not a position: Black has no king\n"), "{command:?}");
        assert_eq!(said.out, "");
    }
}

#[test]
fn a_position_needs_no_quotes() {
    let words = ["show", "chess", "4k3/8/8/8/8/8/8/4K3", "w", "-", "-", "0", "1"];
    assert_eq!(run(&words).out, run(&["show", "chess", KINGS]).out);
}

#[test]
fn a_bad_line_gets_its_error_and_the_rest_goes_on() {
    let input = format!("{KINGS}\n\nnonsense\n{KINGS}\n");
    let said = run_with(&["perft", "chess", "1", "-"], &input);
    assert_eq!(said.code, 1);
    assert_eq!(said.out.matches("5 nodes").count(), 2, "{}", said.out);
    assert!(said.err.starts_with("line 3: not a position: a FEN has 6 fields"), "{}", said.err);

    let said = run_with(&["perft", "chess", "1", "--json", "-"], &input);
    let answers = said.objects();
    assert_eq!((said.code, answers.len(), said.err.as_str()), (1, 3, ""));
    assert_eq!((&answers[0]["nodes"], &answers[1]["line"]), (&5.into(), &3.into()));
    assert!(answers[1]["error"].as_str().unwrap().contains("a FEN has 6 fields"));
}

#[test]
fn bytes_that_are_not_text_are_only_a_bad_line() {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("sandtable");
    let output = command
        .args(["moves", "chess", "-"])
        .write_stdin([b"\xff\xfe\n".as_slice(), KINGS.as_bytes()].concat());
    let output = output.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 5);
}

#[test]
fn lines_are_answered_as_they_come() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sandtable"))
        .args(["perft", "chess", "1", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..3 {
        // The answer is read before the next line is written: a command that waited would hang here.
        writeln!(input, "{KINGS}").unwrap();
        assert!(answers.next().unwrap().unwrap().contains("\"nodes\":5"));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_broken_pipe_is_not_an_error() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sandtable"))
        .args(["show", "chess", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The child leaves at its first answer; what it does not read any more is our broken pipe, not its.
    let _ = input.write_all(format!("{KINGS}\n").repeat(2000).as_bytes());
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn colours_are_for_terminals_or_on_request() {
    assert!(!run(&["show", "chess"]).out.contains('\x1b'), "a pipe gets no colours");
    assert!(run(&["show", "chess", "--color", "always"]).out.contains("\x1b["));
    assert!(!run(&["show", "chess", "--color", "never"]).out.contains('\x1b'));
}

#[test]
fn a_refused_position_is_json_for_scripts() {
    let said = run(&["show", "chess", "--json", "nonsense"]);
    assert_eq!((said.code, said.err.as_str()), (1, ""));
    assert!(said.objects()[0]["error"].as_str().unwrap().starts_with("not a position: "));
}
