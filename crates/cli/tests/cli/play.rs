//! `play`.

use std::fs;

use crate::common::{run_in, run_with};

#[test]
fn plays_takes_back_and_shows_a_game() {
    let output = run_with(&["play", "chess"], "e4\ne7e5\nundo\nd5\nfen\nmoves\nboard\nhelp\nquit\n");
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(
        output.out.contains("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"),
        "{}",
        output.out
    );
    assert!(output.out.contains("last move d5, White to move"));
    assert!(output.out.contains(" exd5 ") && output.out.contains("save FILE"));
}

#[test]
fn an_illegal_move_is_reported_and_changes_nothing() {
    let input = "e5\ne2e5\nKe2\nO-O\nxyzzy\nundo\nsave\nload nowhere.pgn\nfen\n";
    let output = run_with(&["play", "chess", "--json"], input);
    let errors: Vec<_> =
        output.objects().iter().filter_map(|o| o["error"].as_str().map(str::to_owned)).collect();
    for (error, part) in errors.iter().zip([
        "illegal move `e5`: no pawn can legally move to e5",
        "illegal move `e2e5`: a pawn cannot move from e2 to e5 here",
        "illegal move `Ke2`: no king can legally move to e2",
        "illegal move `O-O`: castling is not possible now",
        "`xyzzy` is not a move",
        "no move to take back",
        "missing file name: expected `save FILE`",
        "cannot read nowhere.pgn",
    ]) {
        assert!(error.contains(part), "{error} / {part}");
    }
    assert_eq!(errors.len(), 8, "{errors:?}");
    let last = output.objects().pop().unwrap();
    assert_eq!(last["text"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
}

#[test]
fn a_finished_game_shows_its_outcome_and_rejects_moves() {
    let output = run_with(&["play", "chess"], "f3\ne5\ng4\nQh4\nKf2\nresign\ndraw\nrecord\n");
    assert!(output.out.contains("last move Qh4#, Black wins (checkmate)"), "{}", output.out);
    assert_eq!(output.out.matches("the game is over: Black wins (checkmate)").count(), 3);
    assert!(output.out.contains("1. f3 e5 2. g4 Qh4# 0-1\n"), "{}", output.out);
    assert!(!output.out.contains("--resume"), "nothing to resume");
}

#[test]
fn a_resignation_and_a_draw_can_be_taken_back() {
    let output = run_with(
        &["play", "chess"],
        "resign\nundo\ne4\nresign\nundo\ne5\ndraw\nmoves\nundo\nundo\nfen\nnew\nfen\n",
    );
    assert!(output.out.contains("White wins (resignation)"), "{}", output.out);
    assert!(output.out.contains("Black wins (resignation)"));
    assert!(
        output.out.contains("last move e5, draw (agreement)") && output.out.contains("\nthe game is over\n")
    );
    assert!(output.out.contains("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n"));
    assert!(output.out.ends_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"));
}

#[test]
fn loads_a_saved_game() {
    let directory = tempfile::tempdir().unwrap();
    run_in(&directory, &["play", "chess"], "e4\nc5\nsave game.pgn\n");
    let record = fs::read_to_string(directory.path().join("game.pgn")).unwrap();
    assert!(record.ends_with("\n\n1. e4 c5 *\n"), "{record}");
    let output = run_in(&directory, &["play", "chess"], "load game.pgn\nNf3\nrecord\n");
    assert!(output.out.contains("1. e4 c5 2. Nf3 *"), "{}", output.out);
    fs::write(directory.path().join("bad.pgn"), "1. e4 e4 *").unwrap();
    let output = run_in(&directory, &["play", "chess"], "load bad.pgn\nfen\n");
    assert!(output.out.contains("bad.pgn: line 1, column 7: illegal move `e4`: no pawn"), "{}", output.out);
}

#[test]
fn annotations_of_a_loaded_game_are_saved() {
    let directory = tempfile::tempdir().unwrap();
    let record = "1. e4! {best} (1. d4 d5) e5 (1... c5) 2. Nf3 $2 *";
    fs::write(directory.path().join("game.pgn"), record).unwrap();
    let output =
        run_in(&directory, &["play", "chess"], "load game.pgn\nNc6\nrecord\nundo\nundo\nundo\nc5\nrecord\n");
    assert!(
        output.out.contains("1. e4 $1 {best} (1. d4 d5) 1... e5 (1... c5) 2. Nf3 $2 Nc6 *"),
        "{}",
        output.out
    );
    assert!(output.out.contains("1. e4 $1 {best} (1. d4 d5) 1... c5 *"), "{}", output.out);
}

#[test]
fn resumes_the_latest_unfinished_game() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(run_in(&directory, &["play", "chess", "--resume"], "").code, 1, "nothing to resume yet");
    let output = run_in(&directory, &["play", "chess"], "d4\nd5\n");
    assert!(output.out.contains("To continue: sandtable play chess --resume"), "{}", output.out);
    // A later game that is over, and one without moves, cannot be resumed.
    run_in(&directory, &["play", "chess"], "f3\ne5\ng4\nQh4\n");
    run_in(&directory, &["play", "chess"], "");
    let output = run_in(&directory, &["play", "chess", "--resume"], "c4\nrecord\n");
    assert!(output.out.contains("1. d4 d5 2. c4 *"), "{}", output.out);
}

#[test]
fn a_game_survives_a_killed_process() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::{Command, Stdio};

    let directory = tempfile::tempdir().unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sandtable"))
        .args(["play", "chess", "--json"])
        .env("XDG_STATE_HOME", directory.path())
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
    let output = run_in(&directory, &["play", "chess", "--resume"], "record\n");
    assert!(output.out.contains("1. e4 e5 2. Nf3 *"), "{}", output.out);
}

#[test]
fn starts_from_any_position() {
    let output = run_with(&["play", "chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1"], "a8\na8=N\nrecord\n");
    assert!(
        output.out.contains("illegal move `a8`: a pawn that reaches the last rank must promote"),
        "{}",
        output.out
    );
    assert!(output.out.contains("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]"), "{}", output.out);
}
