//! Storage of a real server process that is stopped under load or runs out of disk space.
#![cfg(unix)]

use std::process::Command;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::serve::{ServerProcess, get, post};

#[test]
fn a_stop_under_load_leaves_no_wal() {
    let (runtime, http) = (Runtime::new().expect("a runtime"), reqwest::Client::new());
    for round in 0..3 {
        let directory = tempfile::tempdir().expect("a directory");
        let server = ServerProcess::start(directory.path());
        let games = format!("{}api/games", server.url);
        for _ in 0..12 {
            let (http, games) = (http.clone(), games.clone());
            runtime.spawn(async move {
                let game = post(&http, &games, json!({ "kind": "chess" })).await?;
                let moves = format!("{games}/{}/moves", game["id"].as_str()?);
                for text in ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle() {
                    post(&http, &moves, json!({ "text": text })).await?;
                    http.get(&games).send().await.ok()?;
                }
                Some(())
            });
        }
        std::thread::sleep(Duration::from_millis(700));
        let log = server.terminate();
        assert!(!directory.path().join("games.sqlite-wal").exists(), "round {round}: {log}");
    }
}

#[test]
fn a_full_disk_loses_nothing_acknowledged_and_games_can_be_read() {
    let directory = tempfile::tempdir().expect("a directory");
    let (runtime, http) = (Runtime::new().expect("a runtime"), reqwest::Client::new());
    // No file may become longer than 200 KiB; beyond it, a write fails.
    let mut limited = Command::new("sh");
    limited
        .args(["-c", r#"trap "" XFSZ; ulimit -f 400; exec "$@""#, "sh"])
        .arg(cargo_bin("sandtable"))
        .args(["--json", "serve", "--port", "0", "--log", "off", "--data"])
        .arg(directory.path());
    let server = ServerProcess::spawn(limited);
    let games = format!("{}api/games", server.url);
    let (id, played) = runtime.block_on(async {
        let game = post(&http, &games, json!({ "kind": "chess" })).await.expect("a new game");
        let id = game["id"].as_str().expect("an id").to_owned();
        let mut played = 0;
        for text in ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle() {
            let url = format!("{games}/{id}/moves");
            let response = http.post(url).json(&json!({ "text": text })).send().await.expect("a response");
            if response.status() == 503 {
                let error: serde_json::Value = response.json().await.expect("JSON");
                let code = error["detail"]["code"].as_str().unwrap_or_default();
                assert!(["server.storage_full", "server.storage_failed"].contains(&code), "{error}");
                break;
            }
            assert_eq!(response.status(), 200);
            played += 1;
            assert!(played < 1_000, "the disk is not full");
        }
        let game = get(&http, &format!("{games}/{id}")).await;
        assert_eq!(game["version"], played + 1, "the game is as it was");
        assert_eq!(get(&http, &games).await[0]["version"], played + 1);
        (id, played)
    });
    server.kill();
    let server = ServerProcess::start(directory.path());
    let games = format!("{}api/games", server.url);
    runtime.block_on(async {
        let game = get(&http, &format!("{games}/{id}")).await;
        assert_eq!(game["version"], played + 1);
        let next = ["Nf3", "Nf6", "Ng1", "Ng8"][played % 4];
        post(&http, &format!("{games}/{id}/moves"), json!({ "text": next })).await.expect("the game goes on");
    });
    server.kill();
}
