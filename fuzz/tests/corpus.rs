//! Replays every committed input through its fuzz target, on a stable compiler.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use sandtable_fuzz::TARGETS;

/// The minimum number of inputs in a corpus.
const MIN_INPUTS: usize = 10;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn entries(path: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(path).unwrap_or_else(|e| panic!("cannot list {}: {e}", path.display()));
    let mut paths: Vec<_> = listed.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn replay(name: &str) {
    let (_, target) = TARGETS.iter().find(|(target, _)| *target == name).expect("a target");
    let inputs = entries(&folder("corpus").join(name));
    assert!(inputs.len() >= MIN_INPUTS, "corpus/{name} has {} files, fewer than {MIN_INPUTS}", inputs.len());
    for input in inputs {
        let bytes = fs::read(&input).unwrap();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(&bytes))) {
            eprintln!("the failing input is {}", input.display());
            std::panic::resume_unwind(panic);
        }
    }
}

macro_rules! replay {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                replay(stringify!($name));
            }
        )*

        const REPLAYED: &[&str] = &[$(stringify!($name)),*];
    };
}

replay! {
    arrangement chess_fen chess_pgn chess_play chess_san cotulenh_fen cotulenh_lan cotulenh_play cotulenh_record
    names network_file npy_header observation played_game review saved_tree session_log tribun_bytes tribun_play
    tribun_text tribun_word
}

#[test]
fn every_target_has_an_executable_a_corpus_and_a_replay() {
    let stems = |name: &str| -> BTreeSet<String> {
        let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
        entries(&folder(name)).into_iter().map(stem).collect()
    };
    let targets: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(stems("fuzz_targets"), targets);
    assert_eq!(stems("corpus"), targets);
    assert_eq!(REPLAYED.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>(), targets);
}
