//! `encode`.

use std::fs;

use sandtable::core::learn::Layout;
use sandtable::training::npy;

use crate::common::{run, run_in};

/// Reads the shape and values of an `.npy` file.
fn load(path: &std::path::Path) -> (Vec<usize>, Vec<f32>) {
    let bytes = fs::read(path).unwrap();
    let header = npy::parse_header(&bytes).unwrap();
    let values: Vec<_> =
        bytes[header.data..].chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(values.len(), header.values());
    (header.shape, values)
}

fn observation(position: Option<&str>, moves: &[&str], layout: Layout) -> Vec<f32> {
    let kind = sandtable::find("chess").unwrap();
    let mut game = match position {
        None => kind.start("standard").unwrap(),
        Some(text) => kind.parse(text, "standard").unwrap(),
    };
    for text in moves {
        game.play(text).unwrap();
    }
    let mut out = vec![0.0; game.shape().len()];
    game.write_observation(layout, &mut out).unwrap();
    out
}

#[test]
fn one_position_has_the_shape_of_an_observation() {
    let directory = tempfile::tempdir().unwrap();
    let output = run_in(&directory, &["encode", "chess", "--moves", "e2e4 e5", "--out", "a.npy"], "");
    assert_eq!((output.code, output.out.as_str()), (0, "a.npy: (8, 8, 18) float32, chess-canonical-1\n"));
    let expected = observation(None, &["e4", "e7e5"], Layout::Hwc);
    assert_eq!(load(&directory.path().join("a.npy")), (vec![8, 8, 18], expected));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "no leftover files");
}

#[test]
fn moves_played_first_count_for_repetition() {
    let directory = tempfile::tempdir().unwrap();
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    run_in(&directory, &["encode", "chess", "--moves", &shuffle.join(" "), "--out", "a.npy"], "");
    let (_, values) = load(&directory.path().join("a.npy"));
    assert_eq!(values[12].to_bits(), (2.0_f32 / 3.0).to_bits());
}

#[test]
fn many_positions_make_one_array_without_invalid_lines() {
    let directory = tempfile::tempdir().unwrap();
    let fens = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"];
    let input = format!("{}\nnonsense\n{}\n", fens[0], fens[1]);
    let args = ["encode", "chess", "--layout", "chw", "--out", "a.npy", "--json", "-"];
    let output = run_in(&directory, &args, &input);
    assert_eq!(output.code, 1);
    let answers = output.objects();
    assert_eq!((&answers[0]["line"], &answers[1]["shape"]), (&2.into(), &serde_json::json!([2, 18, 8, 8])));
    let expected: Vec<f32> = fens.iter().flat_map(|fen| observation(Some(fen), &[], Layout::Chw)).collect();
    assert_eq!(load(&directory.path().join("a.npy")), (vec![2, 18, 8, 8], expected));
}

#[test]
fn no_positions_make_an_empty_array() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(run_in(&directory, &["encode", "chess", "--out", "a.npy", "-"], "").code, 0);
    assert_eq!(load(&directory.path().join("a.npy")), (vec![0, 8, 8, 18], vec![]));
}

#[test]
fn a_failed_run_keeps_the_existing_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.npy");
    fs::write(&file, "precious").unwrap();
    let output = run_in(&directory, &["encode", "chess", "--moves", "e2e5", "--out", "a.npy"], "");
    assert_eq!(
        (output.code, output.err.as_str()),
        (1, "illegal move `e2e5`: a pawn cannot move from e2 to e5 here\n")
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    assert_eq!(run(&["encode", "chess", "--out", "no/such/folder/a.npy"]).code, 2);
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_leaves_no_file() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::{Command, Stdio};

    let directory = tempfile::tempdir().unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sandtable"))
        .args(["encode", "chess", "--planes", "--json", "--out", "a.npy", "-"])
        .current_dir(directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Kept open until the end of the test: at the end of its input the child would finish normally.
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
    // The first answer shows that the command is running.
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(answers.next().unwrap().unwrap().contains("planes"));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "the temporary file");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn prints_planes() {
    let output = run(&[
        "encode",
        "chess",
        "--planes",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    ]);
    let planes: Vec<_> = output.out.split('\n').filter(|line| !line.starts_with("  ")).collect();
    assert_eq!(planes[13], "13 en passant");
    assert_eq!(planes[14], "14 own kingside castling: 1 everywhere");
    assert!(output.out.contains("12 repetition: 0.33333334 everywhere\n13 en passant\n   . . . . . . . .\n   . . . . . . . .\n   . . . . . # . .\n"), "{}", output.out);
    let answer = &run(&["encode", "chess", "--planes", "--json"]).objects()[0];
    assert_eq!(answer["planes"][0]["name"], "own pawns");
    assert_eq!(answer["planes"][0]["values"][6], serde_json::json!([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
}

#[test]
fn a_broken_pipe_does_not_stop_writing_the_file() {
    use std::process::{Command, Stdio};

    let directory = tempfile::tempdir().unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sandtable"))
        .args(["encode", "chess", "--planes", "--out", "a.npy", "-"])
        .current_dir(directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let fens = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n".repeat(100);
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), fens.as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(load(&directory.path().join("a.npy")).0, [100, 8, 8, 18]);
}

#[test]
#[cfg(unix)]
fn follows_links_keeps_permissions_and_does_not_replace_devices() {
    use std::os::unix::fs::PermissionsExt as _;

    let directory = tempfile::tempdir().unwrap();
    let (file, link) = (directory.path().join("real.npy"), directory.path().join("link.npy"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    assert_eq!(run_in(&directory, &["encode", "chess", "--out", "link.npy"], "").code, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(load(&file).0, [8, 8, 18]);
    fs::create_dir(directory.path().join("directory")).unwrap();
    for path in ["directory", "/dev/null"] {
        let output = run_in(&directory, &["encode", "chess", "--out", path], "");
        assert_eq!(output.code, 2);
        assert!(output.err.contains("not a regular file"), "{}", output.err);
    }
    assert_eq!(run_in(&directory, &["show", "chess", "--svg", "/dev/null"], "").code, 0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}
