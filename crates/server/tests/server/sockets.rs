//! The game socket, and what all sockets share: limits, pings and timeouts.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::Method;
use sandtable_server::Limits;
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{TestServer, limits};

#[tokio::test]
async fn sends_the_game_and_every_change() {
    let (server, _folder) = TestServer::start().await;
    let id = server.create_kind("chess").await;
    let path = format!("/api/games/{id}/socket");
    let mut socket = server.socket(&path).await;
    assert_eq!(socket.receive().await["game"]["version"], 1);
    let played = server.play(&id, "e4").await;
    let message = socket.receive().await;
    assert_eq!(message["game"]["view"], played["view"]);
    // A client that has seen this version gets no game; one that has seen an older version does.
    let mut up_to_date = server.socket(&format!("{path}?since=2")).await;
    assert_eq!(up_to_date.receive().await, json!({ "type": "current", "version": 2 }));
    let mut behind = server.socket(&format!("{path}?since=1")).await;
    assert_eq!(behind.receive().await["game"]["version"], 2);
    socket.send_text("anything").await;
    server.play(&id, "e5").await;
    for socket in [&mut socket, &mut up_to_date, &mut behind] {
        assert_eq!(socket.receive().await["game"]["version"], 3);
    }
}

#[tokio::test]
async fn a_deleted_game_closes_its_sockets() {
    let (server, _folder) = TestServer::start().await;
    let id = server.create_kind("tribun").await;
    let mut socket = server.socket(&format!("/api/games/{id}/socket")).await;
    socket.receive().await;
    server.request(Method::DELETE, &format!("/api/games/{id}"), None).await;
    assert_eq!(socket.receive().await, json!({ "type": "deleted", "reason": "deleted" }));
    assert_eq!(socket.next().await, None);
}

#[tokio::test]
async fn a_client_reconnects_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), Limits::default()).await;
    let id = server.create_kind("cotulenh").await;
    let path = format!("/api/games/{id}/socket");
    let mut socket = server.socket(&path).await;
    socket.receive().await;
    server.play(&id, "Ic5c6").await;
    let seen = socket.receive().await["game"]["version"].clone();
    server.stop().await;
    assert_eq!(socket.next().await, None, "shutdown closes the sockets");
    let server = TestServer::start_in(folder.path(), Limits::default()).await;
    let mut socket = server.socket(&format!("{path}?since={seen}")).await;
    assert_eq!(socket.receive().await["type"], "current");
}

#[tokio::test]
async fn two_hundred_clients_receive_every_move() {
    let (server, _folder) = TestServer::start().await;
    let id = server.create_kind("chess").await;
    let path = format!("/api/games/{id}/socket");
    let opened = (0..200).map(|_| server.socket(&path));
    let mut sockets = futures_util::future::join_all(opened).await;
    for socket in &mut sockets {
        assert_eq!(socket.receive().await["game"]["version"], 1);
    }
    for (version, text) in (2..).zip(["e4", "e5", "Nf3", "Nc6"]) {
        server.play(&id, text).await;
        let messages = futures_util::future::join_all(
            sockets.iter_mut().map(|s| s.receive_until(|m| m["game"]["version"] == version)),
        )
        .await;
        assert!(
            messages
                .iter()
                .all(|message| message["game"]["view"]["moves_played"][version - 2]["san"] == text)
        );
    }
}

#[tokio::test]
async fn the_number_of_sockets_is_limited() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), limits(|l| l.total.sockets = 2)).await;
    let url = format!("ws://{}/api/analysis", server.address);
    let first = connect_async(&url).await.unwrap();
    let second = connect_async(&url).await.unwrap();
    let error = connect_async(&url).await.unwrap_err().to_string();
    assert!(error.contains("429"), "{error}");
    drop(first);
    wait_for_free_socket(&url).await;
    drop(second);
}

/// Waits until the limit on sockets allows a new one.
async fn wait_for_free_socket(url: &str) {
    let opened = async {
        while connect_async(url).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), opened).await.expect("a socket becomes free");
}

#[tokio::test]
async fn idle_sockets_are_pinged() {
    let folder = tempfile::tempdir().unwrap();
    let limits = limits(|l| l.ping_interval = Duration::from_millis(100));
    let server = TestServer::start_in(folder.path(), limits).await;
    let id = server.create_kind("chess").await;
    for path in ["/api/analysis".to_owned(), format!("/api/games/{id}/socket?since=1")] {
        let (mut socket, _) = connect_async(format!("ws://{}{path}", server.address)).await.unwrap();
        let mut pings = 0;
        // More than enough for a silent client to be disconnected.
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
async fn a_client_that_answers_no_ping_is_disconnected() {
    let folder = tempfile::tempdir().unwrap();
    let limits = limits(|l| (l.total.sockets, l.ping_interval) = (1, Duration::from_millis(20)));
    let server = TestServer::start_in(folder.path(), limits).await;
    let id = server.create_kind("chess").await;
    for path in ["/api/analysis".to_owned(), format!("/api/games/{id}/socket")] {
        let url = format!("ws://{}{path}", server.address);
        // This client answers pings only while the test reads from it.
        let (silent, _) = connect_async(&url).await.unwrap();
        wait_for_free_socket(&url).await;
        drop(silent);
        wait_for_free_socket(&url).await;
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_is_disconnected() {
    let folder = tempfile::tempdir().unwrap();
    let limits = limits(|l| (l.total.sockets, l.io_timeout) = (1, Duration::from_millis(300)));
    let server = TestServer::start_in(folder.path(), limits).await;
    let id = server.create_kind("tribun").await;
    let path = format!("/api/games/{id}");
    let url = format!("ws://{}{path}/socket", server.address);
    let (stalled, _) = connect_async(&url).await.unwrap();
    // Unread messages fill the buffers of the connection.
    let disconnected = async {
        while connect_async(&url).await.is_err() {
            server.play(&id, "b3-e5").await;
            server.post(&format!("{path}/undo"), json!({})).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), disconnected).await.expect("the client is disconnected");
    drop(stalled);
}

#[tokio::test]
async fn a_rejected_request_sends_no_message() {
    let (server, _folder) = TestServer::start().await;
    let id = server.create_kind("chess").await;
    let mut socket = server.socket(&format!("/api/games/{id}/socket")).await;
    socket.receive().await;
    server.post_error(&format!("/api/games/{id}/moves"), json!({ "text": "e5" })).await;
    server.play(&id, "d4").await;
    let message: Value = socket.receive().await;
    assert_eq!(message["game"]["view"]["moves_played"].as_array().unwrap().len(), 1);
}
