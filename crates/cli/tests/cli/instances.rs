//! Two server processes on one `PostgreSQL` database, one of them killed.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::common::run;
use crate::serve::{ServerProcess, get, post};

#[allow(dead_code, reason = "the tests of the server use more of it")]
#[path = "../../../server/tests/server/cluster.rs"]
mod cluster;

use self::cluster::{Cluster, Durability};

/// Moves and takes back by turns until the server is gone or `stop` is set. Returns the game and the last acknowledged
/// version.
async fn play_on(url: String, stop: Arc<AtomicBool>) -> (String, u64) {
    let http = reqwest::Client::new();
    let game = post(&http, &format!("{url}api/games"), json!({ "kind": "chess" })).await.expect("a game");
    let id = game["id"].as_str().expect("an id").to_owned();
    let mut version = 1;
    while !stop.load(Ordering::Relaxed) {
        let (action, body) = if version % 2 == 1 {
            ("moves", json!({ "text": "e4", "version": version }))
        } else {
            ("undo", json!({ "version": version }))
        };
        match post(&http, &format!("{url}api/games/{id}/{action}"), body).await {
            Some(game) => version = game["version"].as_u64().expect("a version"),
            None => break,
        }
    }
    (id, version)
}

#[test]
fn a_killed_instance_loses_nothing_acknowledged_and_is_replaced() {
    let Some(cluster) = Cluster::start(Durability::Durable) else { return };
    let store = cluster.database();
    let start = || ServerProcess::start_with(Path::new("unused"), &["--log", "warn", "--store", &store]);
    let (killed, survivor) = (start(), start());
    Runtime::new().unwrap().block_on(async {
        let http = reqwest::Client::new();
        let stop = Arc::new(AtomicBool::new(false));
        let mut players = tokio::task::JoinSet::new();
        for url in [&killed.url, &survivor.url, &killed.url, &survivor.url] {
            players.spawn(play_on(url.clone(), Arc::clone(&stop)));
        }
        // A clock that runs on the instance that is killed.
        let clock = json!({ "initial": 1_500, "increment": 0 });
        let new = json!({ "kind": "chess", "clock": clock });
        let game = post(&http, &format!("{}api/games", killed.url), new).await.expect("a game");
        let timed = game["id"].as_str().expect("an id").to_owned();
        tokio::time::sleep(Duration::from_millis(700)).await;
        let moved = format!("{}api/games/{timed}/moves", killed.url);
        post(&http, &moved, json!({ "text": "e4" })).await.expect("a move");
        killed.kill();
        let death = Instant::now();
        let url = format!("{}api/games/{timed}", survivor.url);
        let over = loop {
            let game = get(&http, &url).await;
            if game["view"]["outcome"]["over"] == true {
                break game;
            }
            assert!(death.elapsed() < Duration::from_secs(30), "the flag does not fall");
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        eprintln!("the flag fell {:?} after the end of its instance", death.elapsed());
        assert_eq!(over["clock"]["left"]["second"], 0);
        stop.store(true, Ordering::Relaxed);
        for (id, acknowledged) in players.join_all().await {
            assert!(acknowledged > 1, "nothing was played");
            let game: Value = get(&http, &format!("{}api/games/{id}", survivor.url)).await;
            let version = game["version"].as_u64().unwrap();
            assert!((acknowledged..=acknowledged + 1).contains(&version), "{version} of {acknowledged}");
        }
    });
    survivor.kill();
}

#[test]
fn an_unreachable_store_is_an_error_without_its_password() {
    let unreachable = run(&["serve", "--store", "postgres://an:s3cret@127.0.0.1:1/games"]);
    assert_ne!(unreachable.code, 0);
    let error = unreachable.err;
    assert!(error.contains("postgres://an@127.0.0.1:1/games") && !error.contains("s3cret"), "{error}");
    let invalid = run(&["serve", "--store", "mysql://an:s3cret@127.0.0.1/games"]);
    assert_ne!(invalid.code, 0);
    assert!(invalid.err.contains("invalid store") && !invalid.err.contains("s3cret"), "{}", invalid.err);
}
