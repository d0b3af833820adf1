//! `net`: games, training, and what interruptions leave behind.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{run_in, sandtable};

const DATA: &[&str] =
    &["net", "data", "tribun", "games", "--nodes", "60", "--max-plies", "40", "--plies", "4"];

fn data<'a>(more: &[&'a str]) -> Vec<&'a str> {
    DATA.iter().chain(more).copied().collect()
}

/// The files of games in a folder, by name.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("a readable folder").path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// The games of an uninterrupted run.
fn uninterrupted(games: &str) -> (tempfile::TempDir, Vec<(String, Vec<u8>)>) {
    let directory = tempfile::tempdir().unwrap();
    let finished = run_in(&directory, &data(&["--games", games, "--threads", "2"]), "");
    assert_eq!(finished.code, 0, "{finished:?}");
    let files = files(&directory.path().join("games"));
    (directory, files)
}

#[test]
fn a_killed_run_neither_loses_nor_doubles_a_game() {
    let (_complete, expected) = uninterrupted("40");
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("games");
    let size = |folder: &Path| fs::read_dir(folder).map_or(0, |entries| entries.flatten().count());
    let mut kills = 0;
    for wait in [0, 5, 20, 60, 120] {
        let binary = sandtable(&directory, &[]).get_program().to_owned();
        let mut run = std::process::Command::new(binary)
            .args(data(&["--games", "40", "--threads", "2"]))
            .current_dir(directory.path())
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("sandtable starts");
        let start = Instant::now();
        while size(&folder) < 8 && start.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(wait));
        if run.try_wait().unwrap().is_none() {
            run.kill().unwrap();
            kills += 1;
        }
        run.wait().unwrap();
    }
    assert!(kills > 0, "the run ended before it was killed");
    let finished = run_in(&directory, &data(&["--games", "40"]), "");
    assert_eq!(finished.code, 0, "{finished:?}");
    assert_eq!(files(&folder), expected);
}

#[test]
fn a_game_that_was_cut_off_is_played_again() {
    let (directory, expected) = uninterrupted("9");
    let file = directory.path().join("games/0.games");
    let whole = fs::read(&file).unwrap();
    for cut in [1, 9, 30] {
        fs::write(&file, &whole[..whole.len() - cut]).unwrap();
        let finished = run_in(&directory, &data(&["--games", "9", "--json"]), "");
        assert_eq!(finished.objects()[0]["new_games"], 1, "{finished:?}");
        assert_eq!(files(&directory.path().join("games")), expected);
    }
}

#[test]
fn damaged_files_and_other_settings_are_refused() {
    let (directory, _) = uninterrupted("17");
    let finished = run_in(&directory, &data(&["--games", "17", "--seed", "2"]), "");
    assert_eq!(finished.code, 2);
    assert!(finished.err.contains("has games with other settings"), "{}", finished.err);
    let file = directory.path().join("games/0.games");
    let mut bytes = fs::read(&file).unwrap();
    let header = bytes.iter().position(|byte| *byte == b'\n').unwrap();
    bytes[header + 12] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let finished = run_in(&directory, &data(&["--games", "17"]), "");
    assert_eq!(finished.code, 2);
    assert!(finished.err.contains("is damaged at byte"), "{}", finished.err);
    let train = ["net", "train", "chess", "games", "--out", "chess.net"];
    fs::remove_file(&file).unwrap();
    let finished = run_in(&directory, &train, "");
    assert!(finished.err.contains("has games of tribun, not of chess"), "{}", finished.err);
}

#[test]
fn a_training_that_resumes_gives_the_same_network() {
    let (directory, _) = uninterrupted("40");
    let train = |out: &str, epochs: &str| {
        let args = ["net", "train", "tribun", "games", "--out", out, "--hidden", "16", "--batch", "64"];
        let args: Vec<_> = args.into_iter().chain(["--epochs", epochs]).collect();
        run_in(&directory, &args, "")
    };
    let finished = train("a.net", "3");
    assert_eq!(finished.code, 0, "{finished:?}");
    let network = fs::read(directory.path().join("a.net")).unwrap();
    assert!(fs::read_to_string(directory.path().join("a.net.svg")).unwrap().contains("validation loss"));
    // All epochs are done: the same command only writes the network again.
    fs::remove_file(directory.path().join("a.net")).unwrap();
    assert_eq!(train("a.net", "3").code, 0);
    assert_eq!(fs::read(directory.path().join("a.net")).unwrap(), network);
    let other = train("a.net", "4");
    assert!(other.err.contains("it belongs to other games or settings"), "{}", other.err);
    let game = run_in(
        &directory,
        &["match", "tribun", "--a", "nodes:50;eval=a.net", "--b", "nodes:50;eval=hand", "--games", "2"],
        "",
    );
    assert_eq!(game.code, 0, "{game:?}");
    // Against the hand-made evaluation; too few games for a verdict.
    let check = |budget: &'static str, more: &[&'static str]| {
        let check = ["net", "check", "tribun", "--net", "a.net", "--budget", budget, "--max-plies", "20"];
        run_in(&directory, &[&check[..], more].concat(), "")
    };
    let open = check("nodes:30", &["--games", "2", "--against", "hand", "--json"]);
    assert_eq!((open.code, &open.objects()[0]["sprt"]["verdict"]), (1, &"open".into()), "{open:?}");
    // Hypotheses so far apart that any result decides: not weaker by 900, not stronger by 500.
    let accepted = check("nodes:30", &["--games", "40", "--sprt", "-900,-500"]);
    assert_eq!((accepted.code, accepted.out.contains("accepted")), (0, true), "{accepted:?}");
    let rejected = check("nodes:30", &["--games", "40", "--sprt", "500,900"]);
    assert_eq!((rejected.code, rejected.out.contains("rejected")), (1, true), "{rejected:?}");
    let level = check("level:3", &[]);
    assert_eq!((level.code, level.err.contains("invalid limit `level:3`")), (2, true), "{level:?}");
    let analysis = |eval: &str| {
        let args = ["analyze", "tribun", "--nodes", "300", "--json", "--eval", eval];
        let finished = run_in(&directory, &args, "");
        assert_eq!(finished.code, 0, "{finished:?}");
        finished.objects()[0]["evaluation"].clone()
    };
    assert_ne!(analysis("a.net"), analysis("hand"));
    let missing = ["match", "tribun", "--a", "nodes:50;eval=b.net", "--b", "random", "--games", "2"];
    let missing = run_in(&directory, &missing, "");
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("cannot use b.net"), "{}", missing.err);
}

/// The first line of a file of games.
fn header(directory: &tempfile::TempDir, folder: &str) -> String {
    let bytes = fs::read(directory.path().join(folder).join("0.games")).unwrap();
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap();
    String::from_utf8(bytes[..end].to_vec()).unwrap()
}

#[test]
fn games_of_two_evaluations_do_not_mix_in_a_folder_but_in_a_training() {
    let (directory, _) = uninterrupted("24");
    let network = header(&directory, "games");
    let (_, id) = network.split_once(" eval=").expect("the header names the evaluation");
    assert!(id.split(' ').next().unwrap().chars().all(|digit| digit.is_ascii_hexdigit()), "{network}");
    assert!(network.contains(&format!(" engine={} ", env!("CARGO_PKG_VERSION"))), "{network}");
    let mixed = run_in(&directory, &data(&["--games", "24", "--eval", "hand"]), "");
    assert_eq!(mixed.code, 2);
    assert!(mixed.err.contains("has games with other settings"), "{}", mixed.err);
    let hand = ["net", "data", "tribun", "old", "--nodes", "60", "--max-plies", "40", "--games", "24"];
    assert_eq!(run_in(&directory, &[&hand[..], &["--eval", "hand"]].concat(), "").code, 0);
    assert!(header(&directory, "old").contains(" eval=hand "));

    // A file of an earlier version has neither the evaluation nor the version of the engine.
    let file = directory.path().join("old/0.games");
    let bytes = fs::read(&file).unwrap();
    let text = header(&directory, "old");
    let before = text.replace(&format!(" engine={} eval=hand", env!("CARGO_PKG_VERSION")), "");
    fs::write(&file, [before.as_bytes(), &bytes[text.len()..]].concat()).unwrap();
    let train = |folders: &[&'static str]| {
        let options = ["--out", "a.net", "--hidden", "16", "--epochs", "1", "--batch", "64", "--json"];
        let args = [&["net", "train", "tribun"], folders, &options].concat();
        let finished = run_in(&directory, &args, "");
        let _ = fs::remove_file(directory.path().join("a.net.checkpoint"));
        assert_eq!(finished.code, 0, "{finished:?}");
        let answer = &finished.objects()[0];
        ["positions", "validation_positions"].map(|name| answer[name].as_u64().unwrap()).iter().sum::<u64>()
    };
    assert_eq!(train(&["games", "old"]), train(&["games"]) + train(&["old"]));
}

#[test]
fn the_scale_of_the_expected_score_is_fitted_to_games() {
    let (directory, _) = uninterrupted("24");
    let finished = run_in(&directory, &["net", "scale", "tribun", "games", "--json"], "");
    let fitted = &finished.objects()[0];
    assert_eq!(fitted["games"], 24, "{finished:?}");
    assert!((40.0..=2_000.0).contains(&fitted["scale"].as_f64().unwrap()), "{finished:?}");
    let finished = run_in(&directory, &["net", "scale", "chess", "games"], "");
    assert!(finished.code == 2 && finished.err.contains("games of tribun, not of chess"), "{finished:?}");
}
