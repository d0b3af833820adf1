//! External UCI engines as players: `uci:COMMAND`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use sandtable::games::complete_games;

use crate::common::{Finished, run};

/// Writes an engine as a shell script into a folder whose name has a space, and returns its quoted path.
fn script(directory: &tempfile::TempDir, text: &str) -> String {
    let folder = directory.path().join("my engines");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("engine.sh");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    format!("\"{}\"", path.display())
}

/// An engine that answers `uci` and `isready`, and for which `cases` says what it does with other commands.
fn answering(cases: &str) -> String {
    format!(
        "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; {cases} esac; done"
    )
}

/// Plays the first two plies of a game of chess against the engine.
fn play(engine: &str) -> Finished {
    let engine = format!("uci:{engine}");
    let players = ["match", "chess", "--a", &engine, "--b", "random"];
    run(&[&players[..], &["--games", "1", "--plies", "0", "--max-plies", "2", "--json"]].concat())
}

#[test]
fn an_external_engine_can_play_every_game() {
    let program = assert_cmd::cargo::cargo_bin!("sandtable");
    let external = format!("uci:\"{}\" uci;Hash=1;nodes=60;depth=4", program.display());
    for kind in complete_games() {
        let players = ["match", kind.name, "--a", &external, "--b", "random"];
        let output = run(&[&players[..], &["--games", "2", "--max-plies", "12", "--json"]].concat());
        assert_eq!((output.code, output.err.as_str()), (0, ""), "{}", kind.name);
        assert_eq!(output.objects()[0]["games"], 2);
    }
}

#[test]
fn an_external_engine_gets_its_arguments() {
    let directory = tempfile::tempdir().unwrap();
    let engine = script(
        &directory,
        &format!(
            "[ \"$#|$1|$2|$3\" = '3|--mode|a b;c|-v' ] || exit 1\n{}",
            answering("'go depth 3 movetime 20') echo 'info depth 1'; echo 'bestmove e2e4';;")
        ),
    );
    let output = play(&format!("{engine} --mode \"a b;c\" -v;time=20ms;depth=3"));
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    assert!(play(&engine).err.contains("exited before "));
}

#[test]
fn an_engine_that_does_not_answer_is_ended_and_named() {
    let directory = tempfile::tempdir().unwrap();
    for (engine, timeout, missing) in [
        ("exec sleep 600".to_owned(), "300ms", "uciok"),
        // This engine does not exit even at the end of its input.
        ("while :; do sleep 1; done".to_owned(), "300ms", "uciok"),
        (answering("go*) exec sleep 600;;"), "3s", "bestmove"),
        (answering("go*) exec yes info;;"), "3s", "bestmove"),
        (answering("ucinewgame) exec sleep 600;;"), "3s", "readyok"),
    ] {
        let start = Instant::now();
        let output = play(&format!("{};timeout={timeout}", script(&directory, &engine)));
        assert_eq!(output.code, 2, "{engine}");
        let message = format!("engine.sh did not send {missing} within {timeout}");
        assert!(output.err.contains(&message), "{engine}: {}", output.err);
        assert!(start.elapsed() < Duration::from_mins(1), "{engine}");
    }
}

#[test]
fn a_late_answer_is_accepted() {
    let directory = tempfile::tempdir().unwrap();
    let engine = script(&directory, &answering("go*) sleep 1; echo 'bestmove e2e4';;"));
    let output = play(&format!("{engine};time=10ms"));
    assert_eq!((output.code, output.err.as_str()), (0, ""));
}

#[test]
fn an_engine_that_does_not_quit_is_ended() {
    let directory = tempfile::tempdir().unwrap();
    let engine = script(&directory, &answering("go*) echo 'bestmove e2e4';; quit) exec sleep 600;;"));
    let start = Instant::now();
    let output = play(&engine);
    assert_eq!((output.code, output.err.as_str()), (0, ""));
    assert!(start.elapsed() < Duration::from_mins(1));
}

#[test]
fn an_engine_that_exits_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    let output = play(&script(&directory, &answering("go*) exit 3;;")));
    assert!(
        output.code == 2 && output.err.contains("engine.sh exited before sending bestmove"),
        "{output:?}"
    );
    let output = play("no-such-program --flag");
    assert!(output.code == 2 && output.err.contains("cannot start no-such-program: "), "{output:?}");
    let output = play("true");
    assert!(output.code == 2 && output.err.contains("true exited before "), "{output:?}");
    let output = play("\"no-such-program");
    assert!(output.code == 2 && output.err.contains("missing closing quote"), "{output:?}");
}
