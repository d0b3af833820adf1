//! Sockets that follow games.

use reqwest::Method;
use sandtable_server::Limits;
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;

use crate::client::Running;

#[tokio::test]
async fn a_follower_hears_the_game_and_every_change() {
    let (server, _folder) = Running::start().await;
    let id = server.begin("chess").await;
    let path = format!("/api/games/{id}/socket");
    let mut socket = server.socket(&path).await;
    assert_eq!(socket.hear().await["game"]["version"], 1);
    let played = server.play(&id, "e4").await;
    let heard = socket.hear().await;
    assert_eq!(heard["game"]["view"], played["view"]);
    // One that has seen this version needs nothing; one that has not gets the game.
    let mut again = server.socket(&format!("{path}?since=2")).await;
    assert_eq!(again.hear().await, json!({ "type": "current", "version": 2 }));
    let mut late = server.socket(&format!("{path}?since=1")).await;
    assert_eq!(late.hear().await["game"]["version"], 2);
    socket.say_text("anything").await;
    server.play(&id, "e5").await;
    for socket in [&mut socket, &mut again, &mut late] {
        assert_eq!(socket.hear().await["game"]["version"], 3);
    }
}

#[tokio::test]
async fn a_follower_hears_that_a_game_is_gone() {
    let (server, _folder) = Running::start().await;
    let id = server.begin("tribun").await;
    let mut socket = server.socket(&format!("/api/games/{id}/socket")).await;
    socket.hear().await;
    server.ask(Method::DELETE, &format!("/api/games/{id}"), None).await;
    assert_eq!(socket.hear().await, json!({ "type": "gone" }));
    assert_eq!(socket.next().await, None);
}

#[tokio::test]
async fn a_page_goes_on_with_the_next_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_in(folder.path(), Limits::default()).await;
    let id = server.begin("cotulenh").await;
    let path = format!("/api/games/{id}/socket");
    let mut socket = server.socket(&path).await;
    socket.hear().await;
    server.play(&id, "Ic5c6").await;
    let seen = socket.hear().await["game"]["version"].clone();
    server.stop().await;
    assert_eq!(socket.next().await, None, "a server that stops closes its sockets");
    let server = Running::start_in(folder.path(), Limits::default()).await;
    let mut socket = server.socket(&format!("{path}?since={seen}")).await;
    assert_eq!(socket.hear().await["type"], "current");
}

#[tokio::test]
async fn two_hundred_followers_hear_every_move() {
    let (server, _folder) = Running::start().await;
    let id = server.begin("chess").await;
    let path = format!("/api/games/{id}/socket");
    let opened = (0..200).map(|_| server.socket(&path));
    let mut sockets = futures_util::future::join_all(opened).await;
    for socket in &mut sockets {
        assert_eq!(socket.hear().await["game"]["version"], 1);
    }
    for (version, text) in (2..).zip(["e4", "e5", "Nf3", "Nc6"]) {
        server.play(&id, text).await;
        let heard = futures_util::future::join_all(
            sockets.iter_mut().map(|s| s.hear_until(|m| m["game"]["version"] == version)),
        )
        .await;
        assert!(heard.iter().all(|message| message["game"]["view"]["history"][version - 2]["san"] == text));
    }
}

#[tokio::test]
async fn there_are_only_so_many_sockets() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { sockets: 2, ..Limits::default() };
    let server = Running::start_in(folder.path(), limits).await;
    let url = format!("ws://{}/api/analysis", server.address);
    let first = connect_async(&url).await.unwrap();
    let second = connect_async(&url).await.unwrap();
    let refused = connect_async(&url).await.unwrap_err().to_string();
    assert!(refused.contains("503"), "{refused}");
    drop(first);
    let reopened = async {
        while connect_async(&url).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), reopened).await.expect("a place is free again");
    drop(second);
}

#[tokio::test]
async fn nothing_is_heard_of_what_was_refused() {
    let (server, _folder) = Running::start().await;
    let id = server.begin("chess").await;
    let mut socket = server.socket(&format!("/api/games/{id}/socket")).await;
    socket.hear().await;
    server.refused(&format!("/api/games/{id}/moves"), json!({ "text": "e5" })).await;
    server.play(&id, "d4").await;
    let heard: Value = socket.hear().await;
    assert_eq!(heard["game"]["view"]["history"].as_array().unwrap().len(), 1);
}
