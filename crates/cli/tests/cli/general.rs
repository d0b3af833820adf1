//! Behaviour common to all commands.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use crate::common::{run, run_with};

const COMMANDS: [&str; 10] =
    ["show", "moves", "perft", "encode", "decode", "play", "analyze", "uci", "match", "bench"];
const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

#[test]
fn help_has_examples() {
    for command in COMMANDS {
        let output = run(&[command, "--help"]);
        assert_eq!(output.code, 0);
        assert!(
            output.out.contains("Examples:") && output.out.contains("--json"),
            "{command}: {}",
            output.out
        );
    }
    assert!(COMMANDS.iter().all(|command| run(&["--help"]).out.contains(command)));
}

#[test]
fn wrong_usage_exits_with_2_and_names_the_argument() {
    for (args, part) in [
        (&[][..], "Usage"),
        (&["fly"], "fly"),
        (&["show"], "GAME"),
        (&["show", "go"], "unknown game `go`: expected chess, cotulenh"),
        (&["moves", "chess", "--fast"], "--fast"),
        (&["show", "chess", "--rules", "house"], "unknown rules `house`: expected standard or claims"),
        (&["perft", "chess"], "DEPTH"),
        (&["perft", "chess", "deep"], "deep"),
        (&["perft", "chess", "101"], "perft depth 101 is too large: expected 0 to 100"),
        (&["perft", "chess", "2", "--threads", "0"], "threads"),
        (&["perft", "chess", "0", "--divide"], "at least 1"),
        (&["encode", "chess"], "--out"),
        (&["encode", "chess", "--planes", "--layout", "whc"], "whc"),
        (&["decode", "chess"], "FILE.npy"),
        (&["bench", "go"], "unknown game `go`"),
        (&["play", "chess", "-"], "cannot be `-`"),
        (&["show", "chess", "--svg", "x.svg", "-"], "not a stream"),
        (&["show", "chess", "--color", "blue"], "blue"),
    ] {
        let output = run(args);
        assert_eq!(output.code, 2, "{args:?}: {output:?}");
        assert!(output.err.contains(part), "{args:?}: {}", output.err);
        assert_eq!(output.out, "", "{args:?}");
    }
}

#[test]
fn an_invalid_position_exits_with_1_and_the_reason() {
    for command in [&["show", "chess"][..], &["moves", "chess"], &["perft", "chess", "1"], &["play", "chess"]]
    {
        let output = run(&[command, &["8/8/8/8/8/8/8/4K3 w - - 0 1"]].concat());
        assert_eq!(
            (output.code, output.err.as_str()),
            (1, "invalid position: Black has no king\n"),
            "{command:?}"
        );
        assert_eq!(output.out, "");
    }
}

#[test]
fn a_position_needs_no_quotes() {
    let words = ["show", "chess", "4k3/8/8/8/8/8/8/4K3", "w", "-", "-", "0", "1"];
    assert_eq!(run(&words).out, run(&["show", "chess", KINGS]).out);
}

#[test]
fn an_invalid_line_is_reported_and_skipped() {
    let input = format!("{KINGS}\n\nnonsense\n{KINGS}\n");
    let output = run_with(&["perft", "chess", "1", "-"], &input);
    assert_eq!(output.code, 1);
    assert_eq!(output.out.matches("5 nodes").count(), 2, "{}", output.out);
    assert!(output.err.starts_with("line 3: invalid position: "), "{}", output.err);

    let output = run_with(&["perft", "chess", "1", "--json", "-"], &input);
    let answers = output.objects();
    assert_eq!((output.code, answers.len(), output.err.as_str()), (1, 3, ""));
    assert_eq!((&answers[0]["nodes"], &answers[1]["line"]), (&5.into(), &3.into()));
    assert!(answers[1]["error"].as_str().unwrap().starts_with("invalid position: "));
}

#[test]
fn invalid_utf8_is_an_invalid_line() {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("sandtable");
    let command = command
        .args(["moves", "chess", "-"])
        .write_stdin([b"\xff\xfe\n".as_slice(), b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"].concat());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 6);
}

#[test]
fn each_line_is_answered_before_the_next_is_read() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sandtable"))
        .args(["perft", "chess", "1", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..3 {
        // Read the answer before writing the next line: a command that buffers its input would hang here.
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
    // The child exits at its first answer, so our own write may fail.
    let _ = input.write_all(format!("{KINGS}\n").repeat(2000).as_bytes());
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn colors_are_off_in_pipes_unless_requested() {
    assert!(!run(&["show", "chess"]).out.contains('\x1b'), "no colours in a pipe");
    assert!(run(&["show", "chess", "--color", "always"]).out.contains("\x1b["));
    assert!(!run(&["show", "chess", "--color", "never"]).out.contains('\x1b'));
}

#[test]
fn an_invalid_position_is_reported_as_json() {
    let output = run(&["show", "chess", "--json", "nonsense"]);
    assert_eq!((output.code, output.err.as_str()), (1, ""));
    assert!(output.objects()[0]["error"].as_str().unwrap().starts_with("invalid position: "));
}
