//! Sockets that follow games.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::Method;
use sandtable_server::Limits;
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

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
    wait_for_a_place(&url).await;
    drop(second);
}

/// Waits until a socket can be opened where all places were taken.
async fn wait_for_a_place(url: &str) {
    let opened = async {
        while connect_async(url).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), opened).await.expect("a place is free again");
}

#[tokio::test]
async fn idle_sockets_are_pinged() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { ping: Duration::from_millis(20), ..Limits::default() };
    let server = Running::start_in(folder.path(), limits).await;
    let id = server.begin("chess").await;
    for path in ["/api/analysis".to_owned(), format!("/api/games/{id}/socket?since=1")] {
        let (mut socket, _) = connect_async(format!("ws://{}{path}", server.address)).await.unwrap();
        let mut pings = 0;
        // Who answers stays, long after somebody silent would have been given up.
        while pings < 10 {
            let message = tokio::time::timeout(Duration::from_secs(10), socket.next()).await.expect(&path);
            match message.expect("the socket is open").unwrap() {
                Message::Ping(_) => pings += 1,
                other => assert!(other.is_text(), "{other}"),
            }
        }
        socket.send(Message::Text("{}".into())).await.expect("the socket is open");
    }
}

#[tokio::test]
async fn who_answers_no_ping_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { sockets: 1, ping: Duration::from_millis(20), ..Limits::default() };
    let server = Running::start_in(folder.path(), limits).await;
    let id = server.begin("chess").await;
    for path in ["/api/analysis".to_owned(), format!("/api/games/{id}/socket")] {
        let url = format!("ws://{}{path}", server.address);
        // A client of this kind answers only while somebody reads from it.
        let (silent, _) = connect_async(&url).await.unwrap();
        wait_for_a_place(&url).await;
        drop(silent);
        wait_for_a_place(&url).await;
    }
}

#[tokio::test]
async fn who_does_not_listen_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { sockets: 1, patience: Duration::from_millis(300), ..Limits::default() };
    let server = Running::start_in(folder.path(), limits).await;
    let id = server.begin("tribun").await;
    let path = format!("/api/games/{id}");
    let url = format!("ws://{}{path}/socket", server.address);
    let (deaf, _) = connect_async(&url).await.unwrap();
    // Messages pile up until the connection takes no more.
    let given_up = async {
        while connect_async(&url).await.is_err() {
            server.play(&id, "b3-e5").await;
            server.post(&format!("{path}/undo"), json!({})).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), given_up).await.expect("the socket is given up");
    drop(deaf);
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
