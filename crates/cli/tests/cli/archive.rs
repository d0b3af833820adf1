//! `backup` and `restore`, with and without a server.

use std::fs;

use serde_json::json;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::common::{Finished, run_in};
use crate::serve::{ServerProcess, get, post};

fn archive(directory: &TempDir, args: &[&str]) -> Finished {
    run_in(directory, &[args, &["--data", "data"]].concat(), "")
}

/// Runs a command that succeeds and returns what it prints.
fn succeed(directory: &TempDir, args: &[&str]) -> String {
    let output = archive(directory, args);
    assert_eq!(output.code, 0, "{output:?}");
    output.out
}

#[test]
fn backs_up_and_restores_a_running_server() {
    let directory = tempfile::tempdir().unwrap();
    let (runtime, http) = (Runtime::new().unwrap(), reqwest::Client::new());
    let server = ServerProcess::start(&directory.path().join("data"));
    let games = format!("{}api/games", server.url);
    let create = || runtime.block_on(post(&http, &games, json!({ "kind": "chess" }))).expect("a new game");
    let id = create()["id"].as_str().expect("an id").to_owned();
    let play = |text: &str| {
        let moved = runtime.block_on(post(&http, &format!("{games}/{id}/moves"), json!({ "text": text })));
        moved.expect("a legal move")["version"].clone()
    };
    assert_eq!(play("e4"), 2);
    let printed = succeed(&directory, &["backup", "copy.sqlite"]);
    assert!(printed.starts_with("Backed up 1 game (") && printed.ends_with("to copy.sqlite\n"), "{printed}");
    assert_eq!(play("e5"), 3);
    create();
    let restored: serde_json::Value =
        serde_json::from_str(&succeed(&directory, &["--json", "restore", "copy.sqlite"])).unwrap();
    assert_eq!(restored["games"], 1);
    let listed = runtime.block_on(get(&http, &games));
    assert_eq!((listed.as_array().map(Vec::len), &listed[0]["version"]), (Some(1), &json!(2)));
    // The server may still hold the old state in memory, but never writes it.
    let version = runtime.block_on(async {
        loop {
            let game = get(&http, &format!("{games}/{id}")).await;
            if game["version"] == 2 {
                break game["version"].clone();
            }
        }
    });
    assert_eq!(version, 2);
    assert_eq!(play("c5"), 3);
    server.kill();
    let server = ServerProcess::start(&directory.path().join("data"));
    let game = runtime.block_on(get(&http, &format!("{}api/games/{id}", server.url)));
    assert_eq!(game["view"]["moves_played"][1]["san"], "c5");
    server.kill();
}

#[test]
fn restores_a_backup_without_a_server() {
    let directory = tempfile::tempdir().unwrap();
    ServerProcess::start(&directory.path().join("data")).kill();
    succeed(&directory, &["backup", "copy.sqlite"]);
    let printed = succeed(&directory, &["restore", "copy.sqlite"]);
    assert!(printed.starts_with("Restored 0 games (") && printed.ends_with("to data\n"), "{printed}");
    ServerProcess::start(&directory.path().join("data")).kill();
}

#[test]
fn reports_what_is_wrong() {
    let directory = tempfile::tempdir().unwrap();
    let expect = |args: &[&str], code: i32, message: &str| {
        let output = archive(&directory, args);
        assert!(output.code == code && output.err.contains(message), "{output:?}");
    };
    expect(&["backup", "copy.sqlite"], 2, "no games in data: games.sqlite not found");
    expect(&["restore", "copy.sqlite"], 2, "cannot read copy.sqlite");
    fs::write(directory.path().join("copy.sqlite"), "no database").unwrap();
    expect(&["restore", "copy.sqlite"], 1, "copy.sqlite is not a backup");
    ServerProcess::start(&directory.path().join("data")).kill();
    expect(&["backup", "copy.sqlite"], 2, "copy.sqlite exists: use --force to replace it");
    succeed(&directory, &["backup", "copy.sqlite", "--force"]);
    expect(&["backup", "data/games.sqlite", "--force"], 2, "is the database of the server");
    expect(&["backup", "nowhere/copy.sqlite"], 2, "nowhere/copy.sqlite");
}
