//! Invalid input: a client error with a helpful message, and a server that keeps running.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;

use crate::client::{TestServer, limits, parse_response, read_to_end};
use crate::schema::{check_response, check_schema};

/// Posts a raw body and returns the status and the error.
async fn post_raw(server: &TestServer, path: &str, content_type: Option<&str>, body: &str) -> (u16, Value) {
    let mut request = server.http.post(server.url(path)).body(body.to_owned());
    if let Some(content_type) = content_type {
        request = request.header("content-type", content_type);
    }
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let body: Value = response.json().await.unwrap();
    check_response("POST", path, status, Some(&body));
    (status, body)
}

#[tokio::test]
async fn rejects_bodies_that_are_not_json() {
    let (server, _folder) = TestServer::start().await;
    let json_type = Some("application/json");
    for path in ["/api/position", "/api/inspect", "/api/setup", "/api/games", "/api/records/read"] {
        for body in [
            "",
            "{",
            "[]",
            "null",
            "\"chess\"",
            "{\"kind\": 7}",
            "{\"kind\": \"chess\", \"kind\": \"chess\"}",
            "\u{0}",
        ] {
            let (status, error) = post_raw(&server, path, json_type, body).await;
            assert_eq!((status, &error["code"]), (400, &json!("bad_request")), "{path} {body:?}");
        }
        assert_eq!(post_raw(&server, path, None, "{}").await.0, 415);
        assert_eq!(post_raw(&server, path, Some("text/plain"), "{\"kind\":\"chess\"}").await.0, 415);
        let long = format!("{{\"kind\": \"{}\"}}", "x".repeat(300 * 1024));
        assert_eq!(post_raw(&server, path, json_type, &long).await.0, 413);
        let deep = "[".repeat(100_000);
        assert_eq!(post_raw(&server, path, json_type, &deep).await.0, 400);
    }
    server.get("/api/health").await;
}

#[tokio::test]
async fn names_unknown_missing_and_invalid_fields() {
    let (server, _folder) = TestServer::start().await;
    for (path, body, named) in [
        ("/api/position", json!({}), "kind"),
        ("/api/position", json!({ "kind": "chess", "colour": "red" }), "colour"),
        ("/api/position", json!({ "kind": "chess", "moves": "e4" }), "moves"),
        ("/api/position", json!({ "kind": "chess", "moves": [4] }), "moves"),
        ("/api/setup", json!({ "kind": "chess", "turn": "first" }), "cells"),
        ("/api/setup", json!({ "kind": "chess", "turn": "white", "cells": {} }), "turn"),
        ("/api/games", json!({ "kind": "chess", "seats": { "first": { "type": "cat" } } }), "cat"),
        ("/api/games", json!({ "kind": "chess", "clock": { "initial": -5 } }), "clock"),
        ("/api/games", json!({ "kind": "chess", "clock": { "initial": 5 } }), "clock"),
        (
            "/api/games",
            json!({ "kind": "chess", "seats": { "first": { "type": "engine", "level": 10 }, "second": { "type": "human" } } }),
            "level",
        ),
        (
            "/api/games",
            json!({ "kind": "chess", "seats": { "first": { "type": "human", "name": "x".repeat(81) }, "second": { "type": "human" } } }),
            "name",
        ),
        ("/api/games", json!({ "kind": "chess", "tags": vec![["a", "b"]; 65] }), "tags"),
    ] {
        let (status, code, message) = server.post_error(path, body.clone()).await;
        assert_eq!((status, code.as_str()), (400, "bad_request"), "{body}");
        assert!(message.contains(named), "{body}: {message}");
    }
}

#[tokio::test]
async fn rejects_invalid_positions_and_illegal_moves() {
    let (server, _folder) = TestServer::start().await;
    for (request, code) in [
        (json!({ "kind": "go" }), "invalid_position"),
        (json!({ "kind": "chess", "rules": "club" }), "invalid_position"),
        (json!({ "kind": "chess", "position": "" }), "invalid_position"),
        (json!({ "kind": "chess", "position": "8/8/8/8/8/8/8/8 w - - 0 1" }), "invalid_position"),
        (json!({ "kind": "chess", "position": "x".repeat(5_000) }), "invalid_position"),
        (json!({ "kind": "cotulenh", "position": "é" }), "invalid_position"),
        (json!({ "kind": "tribun", "position": "black:a1=1* white:a1=1* b -" }), "invalid_position"),
        (json!({ "kind": "chess", "moves": ["e5"] }), "illegal_move"),
        (json!({ "kind": "chess", "moves": ["e4", ""] }), "illegal_move"),
        (json!({ "kind": "chess", "moves": ["e4", "e5", "Qh9"] }), "illegal_move"),
        (json!({ "kind": "chess", "moves": ["x".repeat(300)] }), "illegal_move"),
        (json!({ "kind": "chess", "moves": vec!["e4"; 5_001] }), "illegal_move"),
        (json!({ "kind": "tribun", "moves": ["0xFFFFFFFF"] }), "illegal_move"),
    ] {
        for path in ["/api/position", "/api/inspect", "/api/games"] {
            let (status, found, message) = server.post_error(path, request.clone()).await;
            assert_eq!((status, found.as_str()), (422, code), "{path}: {message}");
            assert!(!message.is_empty());
        }
    }
    let (_, _, message) =
        server.post_error("/api/position", json!({ "kind": "chess", "moves": ["e4", "e4"] })).await;
    assert!(message.starts_with("move 2: "), "{message}");
    let (status, code, _) =
        server.post_error("/api/records/read", json!({ "kind": "chess", "record": "1. e4 e4 *" })).await;
    assert_eq!((status, code.as_str()), (422, "invalid_record"));
    assert_eq!(server.request(Method::GET, "/api/kinds/go/palette", None).await.0, 404);
    assert_eq!(server.request(Method::GET, "/api/kinds/chess/palette?rules=club", None).await.0, 422);
}

#[tokio::test]
async fn unknown_games_are_not_found() {
    let (server, _folder) = TestServer::start().await;
    for id in ["unknown", "%00", "..%2F..%2Fetc%2Fpasswd", "'; DROP TABLE games; --", &"x".repeat(2_000)] {
        let path = format!("/api/games/{}", id.replace(' ', "%20").replace('\'', "%27"));
        assert_eq!(server.request(Method::GET, &path, None).await.0, 404, "{id}");
        assert_eq!(server.request(Method::DELETE, &path, None).await.0, 404);
        for act in ["moves", "undo", "resign", "draw", "advice"] {
            let body = match act {
                "moves" => json!({ "text": "e4" }),
                "undo" => json!({}),
                "resign" => json!({ "player": "first" }),
                "advice" => json!({ "player": "first", "kind": "hint" }),
                _ => json!({ "player": "first", "action": "offer" }),
            };
            let (status, code, _) = server.post_error(&format!("{path}/{act}"), body).await;
            assert_eq!((status, code.as_str()), (404, "not_found"));
        }
    }
    assert_eq!(server.get("/api/games").await, json!([]));
}

#[tokio::test]
async fn rejects_invalid_query_parameters() {
    let (server, _folder) = TestServer::start().await;
    for query in
        ["limit=0", "limit=201", "limit=x", "limit=-1", "before=yesterday", "order=up", "limit=1&limit=2"]
    {
        let (status, body) = server.request(Method::GET, &format!("/api/games?{query}"), None).await;
        assert_eq!((status, &body["code"]), (400, &json!("bad_request")), "{query}");
    }
}

#[tokio::test]
async fn a_move_is_either_a_text_or_an_index() {
    let (server, _folder) = TestServer::start().await;
    let path = format!("/api/games/{}/moves", server.create_kind("chess").await);
    for body in [
        json!({}),
        json!({ "text": "e4", "index": 3 }),
        json!({ "index": -1 }),
        json!({ "index": 1.5 }),
        json!({ "index": 1e30 }),
    ] {
        assert_eq!(server.post_error(&path, body.clone()).await.0, 400, "{body}");
    }
    for body in [
        json!({ "index": 4_294_967_295_u32 }),
        json!({ "index": 0 }),
        json!({ "text": "" }),
        json!({ "text": "x".repeat(100_000) }),
        json!({ "text": "e5" }),
    ] {
        let (status, code, _) = server.post_error(&path, body.clone()).await;
        assert_eq!((status, code.as_str()), (422, "illegal_move"), "{body}");
    }
}

#[tokio::test]
async fn rejects_other_origins_and_unknown_hosts() {
    let (server, _folder) = TestServer::start().await;
    let status = async |host: Option<&str>, origin: Option<&str>| {
        let mut request = server.http.get(server.url("/api/games"));
        for (name, value) in [("host", host), ("origin", origin)] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        request.send().await.unwrap().status().as_u16()
    };
    let own = format!("http://{}", server.address);
    assert_eq!(status(None, Some(&own)).await, 200);
    assert_eq!(status(Some("localhost:1"), Some("http://localhost:1")).await, 200);
    assert_eq!(status(None, Some("http://evil.example")).await, 403);
    assert_eq!(status(None, Some("null")).await, 403);
    assert_eq!(status(Some("evil.example"), None).await, 403);
    assert_eq!(status(Some("evil.example"), Some("http://evil.example")).await, 403);
    // Browsers let every page open WebSockets to any server, so only this check protects them.
    let mut request = server.http.get(server.url("/api/analysis")).header("origin", "http://evil.example");
    for (name, value) in [
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA=="),
    ] {
        request = request.header(name, value);
    }
    assert_eq!(request.send().await.unwrap().status(), 403);
}

#[tokio::test]
async fn a_socket_path_requires_an_upgrade() {
    let (server, _folder) = TestServer::start().await;
    let id = server.create_kind("chess").await;
    for path in ["/api/analysis".to_owned(), format!("/api/games/{id}/socket")] {
        let response = server.http.get(server.url(&path)).send().await.unwrap();
        assert_eq!(response.status(), 400);
        check_schema("Error", &response.json().await.unwrap());
    }
}

/// Checks that a raw response is an `Error`.
fn assert_error(status: u16, content_type: &str, body: &str) {
    assert!(status >= 400 && content_type == "application/json", "{status} {content_type}: {body}");
    check_schema("Error", &serde_json::from_str(body).unwrap());
}

#[tokio::test]
async fn rejects_paths_that_are_not_utf8() {
    let (server, _folder) = TestServer::start().await;
    for (method, path) in [
        ("GET", "/api/games/%ff"),
        ("DELETE", "/api/games/%ff"),
        ("GET", "/api/games/%ff/record"),
        ("GET", "/api/games/%ff/socket"),
        ("GET", "/api/kinds/%c3%28/palette"),
    ] {
        let (status, content_type, body) = server.request_raw(method, path.as_bytes()).await;
        assert_eq!(status, 400, "{path}: {body}");
        assert_error(status, &content_type, &body);
        check_response(method, path, status, Some(&serde_json::from_str(&body).unwrap()));
    }
    for path in ["/api/games/%ff/undo", "/api/games/%ff/moves"] {
        assert_eq!(post_raw(&server, path, Some("application/json"), "{}").await.0, 400);
    }
}

#[tokio::test]
async fn the_page_is_read_only() {
    let (server, _folder) = TestServer::start().await;
    for path in ["/", "/foo", "/assets/main.js", "/index.html"] {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            let response = server.http.request(method.clone(), server.url(path)).send().await.unwrap();
            assert_eq!(response.status(), 405, "{method} {path}");
            assert_eq!(response.headers()["allow"], "GET,HEAD");
            check_schema("Error", &response.json().await.unwrap());
        }
        assert_ne!(server.http.head(server.url(path)).send().await.unwrap().status(), 405);
    }
    for path in ["/api", "/api/", "/api/nothing", "/api/games/", "/api/games/x/y/z", "/assets/gone.js"] {
        let response = server.http.get(server.url(path)).send().await.unwrap();
        assert_eq!(response.status(), 404, "{path}");
        check_schema("Error", &response.json().await.unwrap());
    }
    assert_eq!(server.http.post(server.url("/api/nothing")).send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn responses_leak_no_files_and_no_local_paths() {
    let (server, folder) = TestServer::start().await;
    let local_path = folder.path().to_str().unwrap();
    for path in [
        "/api/games/x",
        "/api/../Cargo.toml",
        "/api/../../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "/../../Cargo.toml",
        "/..\\..\\Cargo.toml",
        "//../../../../../../../../etc/passwd",
        "/assets/../../Cargo.toml",
        "/assets/../../../crates/server/Cargo.toml",
        "/assets/..%2f..%2f..%2fCargo.toml",
        "/api/kinds/../../Cargo.toml",
        "/api/kinds/%2e%2e/palette",
        "/./index.html/../../package.json",
    ] {
        let (status, _, text) = server.request_raw("GET", path.as_bytes()).await;
        assert!(
            !text.contains(local_path)
                && !text.contains("[package]")
                && !text.contains("[workspace]")
                && !text.contains("root:")
                && !text.contains("devDependencies")
                && !text.contains(".rs:"),
            "{path}: {status} {text}"
        );
    }
    server.get("/api/health").await;
}

#[tokio::test]
async fn survives_malformed_http() {
    let (server, _folder) = TestServer::start().await;
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
        b"POST /api/position HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
        b"POST /api/position HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nhost\r\n\r\n",
        b"\r\n\r\n\r\n\0\0\0\0",
    ] {
        let mut stream = server.connect().await;
        stream.write_all(bytes).await.unwrap();
        stream.shutdown().await.unwrap();
        let response = read_to_end(&mut stream).await;
        assert!(response.is_empty() || parse_response(&response).0 >= 400, "{bytes:?}: {response}");
    }
    server.get("/api/health").await;
}

#[tokio::test]
async fn slow_requests_time_out() {
    let folder = tempfile::tempdir().unwrap();
    let short = Duration::from_millis(100);
    let limits = limits(|l| (l.io_timeout, l.idle_timeout) = (short, short));
    let server = TestServer::start_in(folder.path(), limits).await;
    let mut silent = server.connect().await;
    let mut slow = server.connect().await;
    slow.write_all(b"POST /api/position HTTP/1.1\r\nhost: localhost\r\n").await.unwrap();
    let mut half = server.connect().await;
    let head = "POST /api/position HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{";
    half.write_all(head.as_bytes()).await.unwrap();
    assert_eq!(read_to_end(&mut silent).await, "");
    assert_eq!(read_to_end(&mut slow).await, "");
    let (status, content_type, body) = parse_response(&read_to_end(&mut half).await);
    assert_eq!(status, 408, "{body}");
    assert_error(status, &content_type, &body);
    server.get("/api/health").await;
}

#[tokio::test]
async fn the_length_of_records_is_limited() {
    let (server, _folder) = TestServer::start().await;
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let moves = |count: usize| (0..count).map(|n| shuffle[n % 4]).collect::<Vec<_>>();
    let record = |count: usize| json!({ "kind": "chess", "record": moves(count).join(" ") });
    server.post("/api/records/read", record(5_000)).await;
    let (status, code, message) = server.post_error("/api/records/read", record(5_001)).await;
    assert_eq!((status, code.as_str()), (422, "invalid_record"));
    assert!(message.contains("5001"), "{message}");
    let (status, code, message) = server.post_error("/api/records/read", record(25_001)).await;
    assert_eq!((status, code.as_str()), (422, "invalid_record"));
    assert!(message.contains("100003 bytes"), "{message}");
}
