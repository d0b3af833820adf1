//! `decode`.

use std::fs;

use crate::common::{Said, run_in};

const TWO: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nr3k3/8/8/8/8/8/8/4K3 b q - 0 1\n";

/// A folder with an array of two positions.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run_in(&folder, &["encode", "chess", "--out", "a.npy", "-"], TWO).code, 0);
    folder
}

fn decode(folder: &tempfile::TempDir, more: &[&str]) -> Said {
    run_in(folder, &[&["decode", "chess", "a.npy"], more].concat(), "")
}

#[test]
fn what_was_encoded_is_seen_again() {
    let folder = folder();
    let said = decode(&folder, &["--json"]);
    let answers = said.objects();
    assert_eq!((said.code, answers.len()), (0, 2));
    assert_eq!(answers[0]["fen"], "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!(answers[1]["fen"], "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "the mover is taken to be White");
    assert_eq!((&answers[1]["row"], &answers[1]["occurrences"]), (&1.into(), &1.into()));
    let black = decode(&folder, &["--json", "--row", "1", "--turn", "second"]);
    assert_eq!(black.objects()[0]["fen"], "r3k3/8/8/8/8/8/8/4K3 b q - 0 1");
    let text = decode(&folder, &["--row", "0"]).out;
    assert!(text.starts_with("row 0, occurrence 1: 4k3/") && text.ends_with("White to move\n"), "{text}");
}

#[test]
fn files_that_are_no_observations_are_refused_with_the_reason() {
    let folder = folder();
    let whole = fs::read(folder.path().join("a.npy")).unwrap();
    let mut spoilt = whole.clone();
    spoilt[128..132].copy_from_slice(&0.5_f32.to_le_bytes());
    for (bytes, code, part) in [
        (&whole[..0], 1, "not an .npy file"),
        (&whole[..50], 1, "the file ends within its header, after 50 bytes"),
        (&whole[..200], 1, "the file ends within row 0 of 2"),
        (&whole[..5000], 1, "the file ends within row 1 of 2"),
        (b"PK\x03\x04", 1, "not an .npy file"),
        (&spoilt, 1, "row 0: plane 0 (own pawns) cannot be 0.5 at row 0, column 0: it is 0 or 1"),
        (&sandtable::npy::header(&[2, 18, 8, 8]).unwrap(), 1, "the array has the shape [2, 18, 8, 8]"),
        (&sandtable::npy::header(&[18]).unwrap(), 1, "the array has the shape [18]"),
    ] {
        fs::write(folder.path().join("a.npy"), bytes).unwrap();
        let said = decode(&folder, &[]);
        assert_eq!(said.code, code, "{part}");
        assert!(said.err.contains(part), "{part}: {}", said.err);
    }
}

#[test]
fn a_spoilt_row_does_not_hide_the_others() {
    let folder = folder();
    let mut bytes = fs::read(folder.path().join("a.npy")).unwrap();
    bytes[128..132].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(folder.path().join("a.npy"), bytes).unwrap();
    let said = decode(&folder, &["--json"]);
    assert_eq!((said.code, said.objects().len()), (1, 2));
    assert!(said.objects()[0]["error"].as_str().unwrap().contains("NaN"));
}

#[test]
fn rows_and_files_that_are_not_there_are_told() {
    let folder = folder();
    let said = decode(&folder, &["--row", "2"]);
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "error: there is no row 2: the file has 2, counted from 0\n")
    );
    fs::remove_file(folder.path().join("a.npy")).unwrap();
    let said = decode(&folder, &[]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("cannot read a.npy"), "{}", said.err);
}

#[test]
fn a_header_that_promises_too_much_is_no_panic() {
    let folder = folder();
    let rows = usize::MAX / 4608;
    let header = sandtable::npy::header(&[rows, 8, 8, 18]).unwrap();
    fs::write(folder.path().join("a.npy"), header).unwrap();
    let said = decode(&folder, &["--row", &(rows - 1).to_string()]);
    assert_eq!(said.code, 1, "{}", said.err);
    assert!(said.err.contains("the file ends before row"), "{}", said.err);
}

#[test]
fn the_rules_are_those_asked_for() {
    let folder = folder();
    assert_eq!(decode(&folder, &["--rules", "nonsense"]).code, 2);
    let said = decode(&folder, &["--rules", "claims", "--json"]);
    assert_eq!(said.objects()[0]["rules"], "claims");
}
