//! `generate`: man pages and shell completions.

use std::fs;

use crate::common::{run, run_in};

#[test]
fn writes_a_man_page_for_every_command() {
    let directory = tempfile::tempdir().unwrap();
    let output = run_in(&directory, &["generate", "man", "man"], "");
    assert_eq!(output.code, 0, "{}", output.err);
    let page = |name: &str| fs::read_to_string(directory.path().join("man").join(name)).unwrap();
    assert!(page("sandtable.1").contains("sandtable\\-analyze(1)"), "{}", page("sandtable.1"));
    for command in [
        "show", "moves", "perft", "encode", "decode", "play", "analyze", "uci", "match", "bench", "serve",
        "backup", "restore",
    ] {
        assert!(page(&format!("sandtable-{command}.1")).contains("Examples:"), "{command}");
    }
}

#[test]
fn writes_completions_for_every_shell() {
    let directory = tempfile::tempdir().unwrap();
    let output = run_in(&directory, &["generate", "completions", "out/completions"], "");
    assert_eq!(output.code, 0, "{}", output.err);
    for (file, part) in [
        ("sandtable.bash", "complete -F"),
        ("_sandtable", "#compdef sandtable"),
        ("sandtable.fish", "complete -c sandtable"),
    ] {
        let text = fs::read_to_string(directory.path().join("out/completions").join(file)).unwrap();
        assert!(text.contains(part) && text.contains("analyze"), "{file}");
    }
    assert_eq!(output.out.lines().count(), 5, "{}", output.out);
}

#[test]
fn is_hidden_from_help() {
    assert!(!run(&["--help"]).out.contains("generate"));
}
