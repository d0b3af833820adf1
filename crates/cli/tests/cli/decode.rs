//! `decode`.

use std::fs;

use crate::common::{Finished, run_in};

const TWO: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nr3k3/8/8/8/8/8/8/4K3 b q - 0 1\n";

/// A directory with an array of two positions.
fn encoded() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(run_in(&directory, &["encode", "chess", "--out", "a.npy", "-"], TWO).code, 0);
    directory
}

fn decode(directory: &tempfile::TempDir, more: &[&str]) -> Finished {
    run_in(directory, &[&["decode", "chess", "a.npy"], more].concat(), "")
}

#[test]
fn decoding_an_encoded_array_round_trips() {
    let directory = encoded();
    let output = decode(&directory, &["--json"]);
    let answers = output.objects();
    assert_eq!((output.code, answers.len()), (0, 2));
    assert_eq!(answers[0]["fen"], "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!(answers[1]["fen"], "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "White is to move by default");
    assert_eq!((&answers[1]["row"], &answers[1]["occurrences"]), (&1.into(), &1.into()));
    let black = decode(&directory, &["--json", "--row", "1", "--turn", "second"]);
    assert_eq!(black.objects()[0]["fen"], "r3k3/8/8/8/8/8/8/4K3 b q - 0 1");
    let text = decode(&directory, &["--row", "0"]).out;
    assert!(text.starts_with("row 0, occurrence 1: 4k3/") && text.ends_with("White to move\n"), "{text}");
}

#[test]
fn rejects_files_that_are_not_observations_with_the_reason() {
    let directory = encoded();
    let whole = fs::read(directory.path().join("a.npy")).unwrap();
    let mut corrupt = whole.clone();
    corrupt[128..132].copy_from_slice(&0.5_f32.to_le_bytes());
    for (bytes, code, part) in [
        (&whole[..0], 1, "not an .npy file"),
        (&whole[..50], 1, "truncated .npy header: the file ends after 50 bytes"),
        (&whole[..200], 1, "it ends within row 0 of 2"),
        (&whole[..5000], 1, "it ends within row 1 of 2"),
        (b"PK\x03\x04", 1, "not an .npy file"),
        (&corrupt, 1, "row 0: plane 0 (own pawns) holds 0.5 at row 0, column 0: expected 0 or 1"),
        (
            &sandtable::training::npy::header(&[2, 18, 8, 8]).unwrap(),
            1,
            "wrong shape [2, 18, 8, 8]: expected [8, 8, 18] or [N, 8, 8, 18] for chess",
        ),
        (&sandtable::training::npy::header(&[18]).unwrap(), 1, "wrong shape [18]"),
    ] {
        fs::write(directory.path().join("a.npy"), bytes).unwrap();
        let output = decode(&directory, &[]);
        assert_eq!(output.code, code, "{part}");
        assert!(output.err.contains(part), "{part}: {}", output.err);
    }
}

#[test]
fn a_corrupt_row_is_reported_and_skipped() {
    let directory = encoded();
    let mut bytes = fs::read(directory.path().join("a.npy")).unwrap();
    bytes[128..132].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(directory.path().join("a.npy"), bytes).unwrap();
    let output = decode(&directory, &["--json"]);
    assert_eq!((output.code, output.objects().len()), (1, 2));
    assert!(output.objects()[0]["error"].as_str().unwrap().contains("NaN"));
}

#[test]
fn reports_missing_rows_and_files() {
    let directory = encoded();
    let output = decode(&directory, &["--row", "2"]);
    assert_eq!(
        (output.code, output.err.as_str()),
        (2, "error: row 2 is out of range: the file has 2 rows, counted from 0\n")
    );
    fs::remove_file(directory.path().join("a.npy")).unwrap();
    let output = decode(&directory, &[]);
    assert_eq!(output.code, 2);
    assert!(output.err.contains("cannot read a.npy"), "{}", output.err);
}

#[test]
fn rejects_a_header_with_more_rows_than_the_file() {
    let directory = encoded();
    let rows = usize::MAX / 4608;
    let header = sandtable::training::npy::header(&[rows, 8, 8, 18]).unwrap();
    fs::write(directory.path().join("a.npy"), header).unwrap();
    let output = decode(&directory, &["--row", &(rows - 1).to_string()]);
    assert_eq!(output.code, 1, "{}", output.err);
    assert!(output.err.contains("truncated file: it ends before row"), "{}", output.err);
}

#[test]
fn uses_the_selected_rules() {
    let directory = encoded();
    assert_eq!(decode(&directory, &["--rules", "nonsense"]).code, 2);
    let output = decode(&directory, &["--rules", "claims", "--json"]);
    assert_eq!(output.objects()[0]["rules"], "claims");
}
