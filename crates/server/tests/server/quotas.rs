//! What one client and all clients together may use: 429 beyond it, and other clients are not affected.

use std::net::Ipv4Addr;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::{Client, Response};
use serde_json::{Value, json};
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

use crate::client::{TestServer, config, http_from, limits, read_to_end};
use crate::schema::{check_response, check_schema};

/// The client that uses too much. The test's own client is at 127.0.0.1.
const GREEDY: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// Checks that a response is 429 and says when to try again.
async fn assert_too_many(response: Response, detail: &str) {
    assert_eq!(response.status(), 429);
    let seconds: u64 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!(seconds >= 1);
    let body: Value = response.json().await.unwrap();
    check_schema("Error", &body);
    assert_eq!((&body["code"], &body["detail"]["code"]), (&json!("too_many_requests"), &json!(detail)));
}

async fn get(client: &Client, server: &TestServer, path: &str) -> Response {
    client.get(server.url(path)).send().await.unwrap()
}

async fn create(client: &Client, server: &TestServer, game: Value) -> Response {
    let response = client.post(server.url("/api/games")).json(&game).send().await.unwrap();
    assert!(matches!(response.status().as_u16(), 201 | 429), "{response:?}");
    response
}

#[tokio::test]
async fn requests_per_second_are_limited() {
    let (server, _folder) =
        TestServer::start_with_quotas(limits(|l| l.per_client.requests_per_second = 1)).await;
    let greedy = http_from(GREEDY);
    let mut refused = None;
    // Five at once, and one more for each second that the loop takes.
    for _ in 0..1_000 {
        let response = get(&greedy, &server, "/api/health").await;
        if response.status() == 429 {
            refused = Some(response);
            break;
        }
    }
    assert_too_many(refused.expect("a limit"), "server.too_many_requests").await;
    server.get("/api/health").await;
}

#[tokio::test]
async fn only_a_trusted_proxy_names_the_client() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    // One request for each client while the test runs.
    config.limits = limits(|l| l.per_client.stored_bytes_per_hour = 200);
    let server = TestServer::start_with(config).await;
    let create = async |http: &Client, forwarded: &str| {
        let request = http.post(server.url("/api/games")).header("x-forwarded-for", forwarded);
        request.json(&json!({ "kind": "chess" })).send().await.unwrap().status().as_u16()
    };
    while create(&server.http, "198.51.100.1, 192.0.2.1").await == 201 {}
    assert_eq!(create(&server.http, "198.51.100.2, 192.0.2.1").await, 429, "the last address counts");
    assert_eq!(create(&server.http, "192.0.2.2").await, 201);
    let direct = http_from(GREEDY);
    while create(&direct, "192.0.2.3").await == 201 {}
    assert_eq!(create(&direct, "192.0.2.4").await, 429, "not a proxy");
    assert_eq!(create(&server.http, "192.0.2.3").await, 201);
}

#[tokio::test]
async fn a_client_cannot_take_all_sockets() {
    let (server, _folder) = TestServer::start_with_quotas(limits(|l| l.per_client.sockets = 2)).await;
    let open = async || {
        let request = format!("ws://{}/api/analysis", server.address).into_client_request().unwrap();
        client_async(request, server.connect_from(GREEDY).await).await
    };
    let (first, _second) = (open().await.unwrap(), open().await.unwrap());
    let error = open().await.unwrap_err().to_string();
    assert!(error.contains("429"), "{error}");
    let _other = server.socket("/api/analysis").await;
    drop(first);
    let reopened = async {
        while open().await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), reopened).await.expect("the socket becomes free");
}

/// 300 analyses without end of one client: another client plays, and its own analysis starts although all workers are busy.
#[tokio::test]
async fn queued_analyses_of_a_client_delay_no_other() {
    const ANALYSES: usize = 300;
    let limits = limits(|l| {
        l.analysis_workers = 1;
        (l.per_client.sockets, l.per_client.connections) = (400, 400);
    });
    let (server, _folder) = TestServer::start_with_quotas(limits).await;
    let analyze = json!({ "type": "analyze", "id": 1, "position": { "kind": "cotulenh" } });
    let mut sockets = Vec::new();
    for _ in 0..ANALYSES {
        let request = format!("ws://{}/api/analysis", server.address).into_client_request().unwrap();
        let (mut socket, _) = client_async(request, server.connect_from(GREEDY).await).await.unwrap();
        socket.send(analyze.to_string().into()).await.unwrap();
        sockets.push(socket);
    }
    // Each request is taken or refused before the other client comes.
    let mut refused = 0;
    for socket in &mut sockets {
        let text = loop {
            let message = socket.next().await.unwrap().unwrap();
            if let Message::Text(text) = message {
                break text;
            }
        };
        refused += usize::from(serde_json::from_str::<Value>(&text).unwrap()["type"] == "error");
    }
    assert_eq!(refused, ANALYSES - 16, "a client has at most 16 analyses, running and waiting");
    let guest = server.guest("00000000000000000000000000000001");
    let id = guest.create(json!({ "kind": "chess", "seats": { "first": { "type": "human" }, "second": { "type": "engine", "level": 0 } } })).await;
    guest.play(&id, "e4").await;
    let mut socket = server.socket("/api/analysis").await;
    socket.send(&analyze).await;
    socket.receive_until(|message| message["type"] == "report").await;
}

#[tokio::test]
async fn a_client_cannot_take_all_connections() {
    let (server, _folder) = TestServer::start_with_quotas(limits(|l| l.per_client.connections = 3)).await;
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(server.connect_from(GREEDY).await);
    }
    let mut refused = server.connect_from(GREEDY).await;
    let response = read_to_end(&mut refused).await;
    assert!(response.starts_with("HTTP/1.1 429 "), "{response}");
    assert!(response.contains("\r\nretry-after: ") && response.contains("connection: close"), "{response}");
    let body = serde_json::from_str(response.split_once("\r\n\r\n").unwrap().1).unwrap();
    check_schema("Error", &body);
    assert_eq!(body["detail"]["code"], "server.too_many_connections");
    server.get("/api/health").await;
    drop(open);
    let freed = async {
        while http_from(GREEDY).get(server.url("/api/health")).send().await.unwrap().status() == 429 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), freed).await.expect("a connection becomes free");
}

#[tokio::test]
async fn unfinished_games_are_limited() {
    let limits = limits(|l| (l.per_client.games, l.per_client.engine_games) = (3, 1));
    let (server, _folder) = TestServer::start_with_quotas(limits).await;
    let greedy = http_from(GREEDY);
    // A human moves first, so the engine waits.
    let engine = json!({ "kind": "chess", "seats": { "first": { "type": "human" }, "second": { "type": "engine", "level": 0 } } });
    let with_engine: Value = create(&greedy, &server, engine.clone()).await.json().await.unwrap();
    assert_too_many(create(&greedy, &server, engine.clone()).await, "server.too_many_engine_games").await;
    let mut games = Vec::new();
    for _ in 0..2 {
        let game: Value = create(&greedy, &server, json!({ "kind": "chess" })).await.json().await.unwrap();
        games.push(game["id"].as_str().unwrap().to_owned());
    }
    assert_too_many(create(&greedy, &server, json!({ "kind": "chess" })).await, "server.too_many_games")
        .await;
    server.create(engine.clone()).await;
    // A finished game and a deleted one no longer count.
    let resign = greedy.post(server.url(&format!("/api/games/{}/resign", games[0])));
    assert_eq!(resign.json(&json!({ "player": "first" })).send().await.unwrap().status(), 200);
    assert_eq!(create(&greedy, &server, json!({ "kind": "chess" })).await.status(), 201);
    let path = format!("/api/games/{}", with_engine["id"].as_str().unwrap());
    assert_eq!(greedy.delete(server.url(&path)).send().await.unwrap().status(), 204);
    assert_eq!(create(&greedy, &server, engine).await.status(), 201);
}

#[tokio::test]
async fn stored_bytes_are_limited() {
    let (server, _folder) =
        TestServer::start_with_quotas(limits(|l| l.per_client.stored_bytes_per_hour = 20_000)).await;
    let greedy = http_from(GREEDY);
    let tags = |length: usize| json!({ "kind": "chess", "tags": [["Event", "x".repeat(length)]] });
    let mut created = 0;
    let refused = loop {
        let response = create(&greedy, &server, tags(7_900)).await;
        if response.status() == 429 {
            break response;
        }
        created += 1;
    };
    assert_eq!(created, 2);
    assert_too_many(refused, "server.too_much_stored").await;
    server.create(tags(7_900)).await;
    let (status, code, message) = server.post_error("/api/games", tags(8_000)).await;
    assert_eq!((status, code.as_str()), (400, "bad_request"));
    assert!(message.contains("8005 bytes, at most 8000"), "{message}");
}

#[tokio::test]
async fn without_seats_a_client_may_use_what_all_may_use() {
    let folder = tempfile::tempdir().unwrap();
    let limits = limits(|l| (l.per_client.games, l.total.games) = (1, 3));
    let server = TestServer::start_in(folder.path(), limits).await;
    for _ in 0..3 {
        server.create_kind("chess").await;
    }
    let (status, code, _) = server.post_error("/api/games", json!({ "kind": "chess" })).await;
    assert_eq!((status, code.as_str()), (429, "too_many_requests"));
}

#[tokio::test]
async fn two_host_headers_get_400() {
    let (server, _folder) = TestServer::start().await;
    let (status, _, body) =
        server.request_raw("GET", b"/api/health HTTP/1.1\r\nhost: localhost\r\nx-rest:").await;
    assert_eq!(status, 400, "{body}");
    let body = serde_json::from_str(&body).unwrap();
    check_response("GET", "/api/health", 400, Some(&body));
    assert_eq!(body["detail"]["code"], "server.several_hosts");
}
