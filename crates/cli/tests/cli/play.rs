//! `play`.

use std::fs;

use crate::common::{run_in, run_with};

#[test]
fn a_game_can_be_played_taken_back_and_looked_at() {
    let said = run_with(&["play", "chess"], "e4\ne7e5\nundo\nd5\nfen\nmoves\nboard\nhelp\nquit\n");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        said.out.contains("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"),
        "{}",
        said.out
    );
    assert!(said.out.contains("last move d5, White to move"));
    assert!(said.out.contains(" exd5 ") && said.out.contains("save FILE"));
}

#[test]
fn every_illegal_move_gets_a_clear_word_and_changes_nothing() {
    let input = "e5\ne2e5\nKe2\nO-O\nxyzzy\nundo\nsave\nload nowhere.pgn\nfen\n";
    let said = run_with(&["play", "chess", "--json"], input);
    let errors: Vec<_> =
        said.objects().iter().filter_map(|o| o["error"].as_str().map(str::to_owned)).collect();
    for (error, part) in errors.iter().zip([
        "e5: no pawn of yours can legally go to e5",
        "e2e5: a pawn cannot go from e2 to e5 here",
        "Ke2: no king of yours can legally go to e2",
        "O-O: castling is not possible now",
        "`xyzzy` is not a move",
        "there is no move to take back",
        "save needs the name of a file",
        "cannot read nowhere.pgn",
    ]) {
        assert!(error.contains(part), "{error} / {part}");
    }
    assert_eq!(errors.len(), 8, "{errors:?}");
    let last = said.objects().pop().unwrap();
    assert_eq!(last["text"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
}

#[test]
fn a_game_ends_with_a_result_and_takes_no_more_moves() {
    let said = run_with(&["play", "chess"], "f3\ne5\ng4\nQh4\nKf2\nresign\ndraw\nrecord\n");
    assert!(said.out.contains("last move Qh4#, Black has won by checkmate"), "{}", said.out);
    assert_eq!(said.out.matches("the game is over: Black has won by checkmate").count(), 3);
    assert!(said.out.contains("1. f3 e5 2. g4 Qh4# 0-1\n"), "{}", said.out);
    assert!(!said.out.contains("--resume"), "there is nothing to go on with");
}

#[test]
fn resigning_and_agreeing_can_be_taken_back() {
    let said = run_with(
        &["play", "chess"],
        "resign\nundo\ne4\nresign\nundo\ne5\ndraw\nmoves\nundo\nundo\nfen\nnew\nfen\n",
    );
    assert!(said.out.contains("White has won by resignation"), "{}", said.out);
    assert!(said.out.contains("Black has won by resignation"));
    assert!(
        said.out.contains("last move e5, drawn by agreement") && said.out.contains("\nthe game is over\n")
    );
    assert!(said.out.contains("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n"));
    assert!(said.out.ends_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"));
}

#[test]
fn what_is_saved_can_be_loaded() {
    let folder = tempfile::tempdir().unwrap();
    run_in(&folder, &["play", "chess"], "e4\nc5\nsave game.pgn\n");
    let record = fs::read_to_string(folder.path().join("game.pgn")).unwrap();
    assert!(record.ends_with("\n\n1. e4 c5 *\n"), "{record}");
    let said = run_in(&folder, &["play", "chess"], "load game.pgn\nNf3\nrecord\n");
    assert!(said.out.contains("1. e4 c5 2. Nf3 *"), "{}", said.out);
    fs::write(folder.path().join("bad.pgn"), "1. e4 e4 *").unwrap();
    let said = run_in(&folder, &["play", "chess"], "load bad.pgn\nfen\n");
    assert!(said.out.contains("bad.pgn: line 1, column 7: e4: no pawn of yours"), "{}", said.out);
}

#[test]
fn a_game_that_was_left_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run_in(&folder, &["play", "chess", "--resume"], "").code, 1, "there is none yet");
    let said = run_in(&folder, &["play", "chess"], "d4\nd5\n");
    assert!(said.out.contains("Go on with: sandtable play chess --resume"), "{}", said.out);
    // A later game that is over, and one that was never begun, are no games to go on with.
    run_in(&folder, &["play", "chess"], "f3\ne5\ng4\nQh4\n");
    run_in(&folder, &["play", "chess"], "");
    let said = run_in(&folder, &["play", "chess", "--resume"], "c4\nrecord\n");
    assert!(said.out.contains("1. d4 d5 2. c4 *"), "{}", said.out);
}

#[test]
fn a_killed_game_is_not_lost() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sandtable"))
        .args(["play", "chess", "--json"])
        .env("XDG_STATE_HOME", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    answers.next().unwrap().unwrap();
    for text in ["e4", "e5", "Nf3"] {
        writeln!(child.stdin.as_mut().unwrap(), "{text}").unwrap();
        answers.next().unwrap().unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let said = run_in(&folder, &["play", "chess", "--resume"], "record\n");
    assert!(said.out.contains("1. e4 e5 2. Nf3 *"), "{}", said.out);
}

#[test]
fn a_game_can_begin_anywhere() {
    let said = run_with(&["play", "chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1"], "a8\na8=N\nrecord\n");
    assert!(said.out.contains("a8: a pawn that reaches the last rank must become something"), "{}", said.out);
    assert!(said.out.contains("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]"), "{}", said.out);
}
