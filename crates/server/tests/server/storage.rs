//! Faults of the storage as clients see them.

use std::fs;
use std::time::Duration;

use reqwest::Method;
use rusqlite::Connection;
use sandtable_server::Limits;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{TestServer, limits};

fn database(folder: &TempDir) -> Connection {
    Connection::open(folder.path().join("games.sqlite")).unwrap()
}

/// The code of the sentence that an error shows.
fn detail(error: &Value) -> &str {
    error["detail"]["code"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn a_locked_database_changes_nothing_and_delays_no_reader() {
    let folder = tempfile::tempdir().unwrap();
    let timeout = Duration::from_millis(500);
    let server = TestServer::start_in(folder.path(), limits(|limits| limits.store_timeout = timeout)).await;
    let mut ids = Vec::new();
    for _ in 0..20 {
        ids.push(server.create_kind("chess").await);
    }
    let other = server.create_kind("chess").await;
    let lock = database(&folder);
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let moves = async {
        let play = async |id: &String| {
            let path = format!("/api/games/{id}/moves");
            server.request(Method::POST, &path, Some(json!({ "text": "e4" }))).await
        };
        futures_util::future::join_all(ids.iter().map(play)).await
    };
    let reads = async {
        server.get("/api/games").await;
        server.get(&format!("/api/games/{other}")).await
    };
    let (moves, _) = tokio::join!(moves, reads);
    for (status, body) in moves {
        assert_eq!((status, detail(&body)), (503, "server.storage_locked"), "{body}");
    }
    lock.execute_batch("ROLLBACK").unwrap();
    for id in &ids {
        assert_eq!(server.get(&format!("/api/games/{id}")).await["version"], 1);
        assert_eq!(server.play(id, "e4").await["version"], 2);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_acknowledged_after_the_data_folder_was_deleted() {
    let (server, folder) = TestServer::start().await;
    let id = server.create_kind("chess").await;
    server.play(&id, "e4").await;
    fs::remove_dir_all(folder.path()).unwrap();
    let play = Some(json!({ "text": "e5" }));
    let (status, body) = server.request(Method::POST, &format!("/api/games/{id}/moves"), play).await;
    assert_eq!((status, detail(&body)), (503, "server.storage_missing"), "{body}");
    let (status, body) = server.request(Method::POST, "/api/games", Some(json!({ "kind": "chess" }))).await;
    assert_eq!((status, detail(&body)), (503, "server.storage_missing"), "{body}");
    assert_eq!(server.get(&format!("/api/games/{id}")).await["version"], 2);
    assert_not_ready(&server, "server.storage_missing").await;
}

/// The server is alive, but refuses requests for now.
async fn assert_not_ready(server: &TestServer, code: &str) {
    let (status, body) = server.request(Method::GET, "/api/ready", None).await;
    assert_eq!((status, detail(&body)), (503, code), "{body}");
    let response = server.http.get(server.url("/api/ready")).send().await.unwrap();
    assert_eq!(response.headers()["retry-after"], "1");
    assert_eq!(server.get("/api/health").await["name"], "sandtable");
}

#[tokio::test]
async fn a_garbled_summary_does_not_hide_the_other_games() {
    let (server, folder) = TestServer::start().await;
    let (sound, garbled) = (server.create_kind("chess").await, server.create_kind("tribun").await);
    for summary in ["{\"id\":\"x\",", "{}", "CAST(x'ff00ff' AS TEXT)"] {
        let summary = if summary.starts_with("CAST") { summary.to_owned() } else { format!("'{summary}'") };
        let garble = format!("UPDATE games SET summary = {summary} WHERE id = ?1");
        database(&folder).execute(&garble, [&garbled]).unwrap();
        let listed = server.get("/api/games").await;
        assert_eq!((&listed[0]["id"], &listed[0]["damaged"]), (&json!(garbled), &json!(true)), "{listed}");
        assert_eq!((&listed[1]["id"], &listed[1]["kind"]), (&json!(sound), &json!("chess")), "{listed}");
    }
}

#[tokio::test]
async fn a_game_that_cannot_be_replayed_can_be_exported_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), Limits::default()).await;
    let (sound, illegal) = (server.create_kind("chess").await, server.create_kind("chess").await);
    let (garbled, shortened) = (server.create_kind("chess").await, server.create_kind("chess").await);
    for id in [&sound, &illegal, &garbled, &shortened] {
        server.play(id, "e4").await;
    }
    server.stop().await;
    let change = |sql: &str, id: &String| assert_eq!(database(&folder).execute(sql, [id]).unwrap(), 1);
    change(r#"UPDATE entries SET entry = '{"event":{"move":"a1a8"}}' WHERE game = ?1"#, &illegal);
    change("UPDATE entries SET entry = CAST(x'7bff' AS TEXT) WHERE game = ?1", &garbled);
    change("DELETE FROM entries WHERE game = ?1", &shortened);
    let server = TestServer::start_in(folder.path(), Limits::default()).await;
    assert_eq!(server.get("/api/games").await.as_array().map(Vec::len), Some(4));
    let log = [json!({ "event": { "move": "a1a8" } }), json!("{\u{fffd}")];
    for (id, entry) in [(&illegal, log.first()), (&garbled, log.get(1)), (&shortened, None)] {
        let path = format!("/api/games/{id}");
        let (status, body) = server.request(Method::GET, &path, None).await;
        assert_eq!((status, detail(&body)), (500, "server.game_damaged"), "{body}");
        let raw = server.get(&format!("{path}/raw")).await;
        assert_eq!((&raw["version"], raw["log"].get(0)), (&json!(2), entry), "{raw}");
        assert_eq!(raw["settings"]["position"]["kind"], "chess", "{raw}");
        assert_eq!(server.request(Method::DELETE, &path, None).await.0, 204);
        assert_eq!(server.request(Method::GET, &path, None).await.0, 404);
    }
    assert_eq!(server.get(&format!("/api/games/{sound}/raw")).await["log"][0]["event"]["move"], "e2e4");
    assert_eq!(server.play(&sound, "e5").await["version"], 3);
    assert_eq!(server.request(Method::GET, "/api/games/unknown/raw", None).await.0, 404);
}

#[tokio::test]
async fn games_of_schema_2_and_3_are_migrated() {
    let schemas = [
        (include_str!("../schema-2.sql"), vec![("oldgame", 7, "Black wins (time forfeit)")]),
        (
            include_str!("../schema-3.sql"),
            vec![
                ("resigned", 2, "White wins (resignation)"),
                ("drawn", 5, "draw (agreement)"),
                ("mated", 7, "Black wins (checkmate)"),
            ],
        ),
    ];
    for (sql, games) in schemas {
        let folder = tempfile::tempdir().unwrap();
        database(&folder).execute_batch(sql).unwrap();
        let server = TestServer::start_in(folder.path(), Limits::default()).await;
        let listed = server.get("/api/games").await;
        assert_eq!(listed.as_array().map(Vec::len), Some(games.len()));
        for (number, (id, version, outcome)) in games.into_iter().enumerate() {
            let game = server.get(&format!("/api/games/{id}")).await;
            assert_eq!((&game["version"], &game["updated"]), (&json!(version), &listed[number]["updated"]));
            assert_eq!(game["view"]["outcome"]["description"], outcome);
            assert_eq!(game["view"]["outcome"], listed[number]["outcome"]);
            // The log goes on.
            let back = server.post(&format!("/api/games/{id}/undo"), json!({})).await;
            assert_eq!(
                (&back["version"], &back["view"]["outcome"]["over"]),
                (&json!(version + 1), &json!(false))
            );
        }
        server.stop().await;
    }
}

#[tokio::test]
async fn a_restored_backup_replaces_the_games_that_clients_see() {
    let (server, folder) = TestServer::start().await;
    let id = server.create_kind("chess").await;
    server.play(&id, "e4").await;
    let file = folder.path().join("copy.sqlite");
    let (data, copy) = (folder.path().to_owned(), file.clone());
    let backup = move || sandtable_server::backup(&data, &copy, false, |_, _| {});
    assert_eq!(tokio::task::spawn_blocking(backup).await.unwrap().unwrap().games, 1);
    server.play(&id, "e5").await;
    let later = server.create_kind("chess").await;
    let mut socket = server.socket(&format!("/api/games/{id}/socket")).await;
    assert_eq!(socket.receive().await["game"]["version"], 3);
    let data = folder.path().to_owned();
    let restore = move || sandtable_server::restore(&data, &file, |_, _| {});
    tokio::task::spawn_blocking(restore).await.unwrap().unwrap();
    while socket.next().await.is_some() {}
    let restored = server.wait_for(&id, |game| game["version"] == 2).await;
    assert_eq!(restored["view"]["moves_played"].as_array().map(Vec::len), Some(1));
    assert_eq!(server.play(&id, "c5").await["version"], 3);
    let (status, _) = server.request(Method::GET, &format!("/api/games/{later}"), None).await;
    assert_eq!(status, 404);
}
