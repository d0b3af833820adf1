//! Bad input of every kind: an answer in the 400s that says why, and a server that goes on.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::Running;
use crate::description::check_schema;

/// Sends bytes as they are and gives status and refusal.
async fn raw(server: &Running, path: &str, kind: Option<&str>, body: &str) -> (u16, Value) {
    let mut request = server.http.post(server.url(path)).body(body.to_owned());
    if let Some(kind) = kind {
        request = request.header("content-type", kind);
    }
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let body: Value = response.json().await.unwrap();
    check_schema("Error", &body);
    (status, body)
}

#[tokio::test]
async fn what_is_no_json_is_refused() {
    let (server, _folder) = Running::start().await;
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
            let (status, refusal) = raw(&server, path, json_type, body).await;
            assert_eq!((status, &refusal["error"]), (400, &json!("bad_request")), "{path} {body:?}");
        }
        assert_eq!(raw(&server, path, None, "{}").await.0, 415);
        assert_eq!(raw(&server, path, Some("text/plain"), "{\"kind\":\"chess\"}").await.0, 415);
        let long = format!("{{\"kind\": \"{}\"}}", "x".repeat(300 * 1024));
        assert_eq!(raw(&server, path, json_type, &long).await.0, 413);
        let deep = "[".repeat(100_000);
        assert_eq!(raw(&server, path, json_type, &deep).await.0, 400);
    }
    server.get("/api/health").await;
}

#[tokio::test]
async fn unknown_and_missing_fields_are_named() {
    let (server, _folder) = Running::start().await;
    for (path, body, named) in [
        ("/api/position", json!({}), "kind"),
        ("/api/position", json!({ "kind": "chess", "colour": "red" }), "colour"),
        ("/api/position", json!({ "kind": "chess", "moves": "e4" }), "moves"),
        ("/api/position", json!({ "kind": "chess", "moves": [4] }), "moves"),
        ("/api/setup", json!({ "kind": "chess", "turn": "first" }), "cells"),
        ("/api/setup", json!({ "kind": "chess", "turn": "white", "cells": {} }), "turn"),
        ("/api/games", json!({ "kind": "chess", "players": { "first": { "who": "cat" } } }), "cat"),
        ("/api/games", json!({ "kind": "chess", "clock": { "initial": -5 } }), "clock"),
        ("/api/games", json!({ "kind": "chess", "clock": { "initial": 5 } }), "clock"),
        (
            "/api/games",
            json!({ "kind": "chess", "players": { "first": { "who": "engine", "level": 10 }, "second": { "who": "person" } } }),
            "level",
        ),
        (
            "/api/games",
            json!({ "kind": "chess", "players": { "first": { "who": "person", "name": "x".repeat(81) }, "second": { "who": "person" } } }),
            "name",
        ),
        ("/api/games", json!({ "kind": "chess", "tags": vec![["a", "b"]; 65] }), "tags"),
    ] {
        let (status, code, message) = server.refused(path, body.clone()).await;
        assert_eq!((status, code.as_str()), (400, "bad_request"), "{body}");
        assert!(message.contains(named), "{body}: {message}");
    }
}

#[tokio::test]
async fn positions_and_moves_that_are_none_say_why() {
    let (server, _folder) = Running::start().await;
    for (said, code) in [
        (json!({ "kind": "go" }), "bad_position"),
        (json!({ "kind": "chess", "rules": "club" }), "bad_position"),
        (json!({ "kind": "chess", "position": "" }), "bad_position"),
        (json!({ "kind": "chess", "position": "8/8/8/8/8/8/8/8 w - - 0 1" }), "bad_position"),
        (json!({ "kind": "chess", "position": "x".repeat(5_000) }), "bad_position"),
        (json!({ "kind": "cotulenh", "position": "é" }), "bad_position"),
        (json!({ "kind": "tribun", "position": "black:a1=1* white:a1=1* b -" }), "bad_position"),
        (json!({ "kind": "chess", "moves": ["e5"] }), "illegal_move"),
        (json!({ "kind": "chess", "moves": ["e4", ""] }), "illegal_move"),
        (json!({ "kind": "chess", "moves": ["e4", "e5", "Qh9"] }), "illegal_move"),
        (json!({ "kind": "chess", "moves": ["x".repeat(300)] }), "illegal_move"),
        (json!({ "kind": "chess", "moves": vec!["e4"; 5_001] }), "illegal_move"),
        (json!({ "kind": "tribun", "moves": ["0xFFFFFFFF"] }), "illegal_move"),
    ] {
        for path in ["/api/position", "/api/inspect", "/api/games"] {
            let (status, found, message) = server.refused(path, said.clone()).await;
            assert_eq!((status, found.as_str()), (422, code), "{path}: {message}");
            assert!(!message.is_empty());
        }
    }
    let (_, _, message) =
        server.refused("/api/position", json!({ "kind": "chess", "moves": ["e4", "e4"] })).await;
    assert!(message.starts_with("move 2: "), "{message}");
    let (status, code, _) =
        server.refused("/api/records/read", json!({ "kind": "chess", "record": "1. e4 e4 *" })).await;
    assert_eq!((status, code.as_str()), (422, "bad_record"));
    assert_eq!(server.ask(Method::GET, "/api/kinds/go/palette", None).await.0, 404);
    assert_eq!(server.ask(Method::GET, "/api/kinds/chess/palette?rules=club", None).await.0, 404);
}

#[tokio::test]
async fn games_that_are_not_there_are_not_found() {
    let (server, _folder) = Running::start().await;
    for id in ["nobody", "%00", "..%2F..%2Fetc%2Fpasswd", "'; DROP TABLE games; --", &"x".repeat(2_000)] {
        let path = format!("/api/games/{}", id.replace(' ', "%20").replace('\'', "%27"));
        assert_eq!(server.ask(Method::GET, &path, None).await.0, 404, "{id}");
        assert_eq!(server.ask(Method::DELETE, &path, None).await.0, 404);
        for act in ["moves", "undo", "resign", "draw"] {
            let body = match act {
                "moves" => json!({ "text": "e4" }),
                "undo" => json!({}),
                "resign" => json!({ "player": "first" }),
                _ => json!({ "player": "first", "act": "offer" }),
            };
            let (status, code, _) = server.refused(&format!("{path}/{act}"), body).await;
            assert_eq!((status, code.as_str()), (404, "not_found"));
        }
    }
    assert_eq!(server.get("/api/games").await, json!([]));
}

#[tokio::test]
async fn parameters_are_read_strictly() {
    let (server, _folder) = Running::start().await;
    for query in
        ["limit=0", "limit=201", "limit=x", "limit=-1", "before=yesterday", "order=up", "limit=1&limit=2"]
    {
        let (status, body) = server.ask(Method::GET, &format!("/api/games?{query}"), None).await;
        assert_eq!((status, &body["error"]), (400, &json!("bad_request")), "{query}");
    }
}

#[tokio::test]
async fn moves_are_either_texts_or_indices() {
    let (server, _folder) = Running::start().await;
    let path = format!("/api/games/{}/moves", server.begin("chess").await);
    for body in [
        json!({}),
        json!({ "text": "e4", "index": 3 }),
        json!({ "index": -1 }),
        json!({ "index": 1.5 }),
        json!({ "index": 1e30 }),
    ] {
        assert_eq!(server.refused(&path, body.clone()).await.0, 400, "{body}");
    }
    for body in [
        json!({ "index": 4_294_967_295_u32 }),
        json!({ "index": 0 }),
        json!({ "text": "" }),
        json!({ "text": "x".repeat(100_000) }),
        json!({ "text": "e5" }),
    ] {
        let (status, code, _) = server.refused(&path, body.clone()).await;
        assert_eq!((status, code.as_str()), (422, "illegal_move"), "{body}");
    }
}

#[tokio::test]
async fn other_sites_and_other_names_are_turned_away() {
    let (server, _folder) = Running::start().await;
    let ask = async |host: Option<&str>, origin: Option<&str>| {
        let mut request = server.http.get(server.url("/api/games"));
        for (name, value) in [("host", host), ("origin", origin)] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        if status == 403 {
            check_schema("Error", &response.json().await.unwrap());
        }
        status
    };
    let own = format!("http://{}", server.address);
    assert_eq!(ask(None, Some(&own)).await, 200);
    assert_eq!(ask(Some("localhost:1"), Some("http://localhost:1")).await, 200);
    assert_eq!(ask(None, Some("http://evil.example")).await, 403);
    assert_eq!(ask(None, Some("null")).await, 403);
    assert_eq!(ask(Some("evil.example"), None).await, 403);
    assert_eq!(ask(Some("evil.example"), Some("http://evil.example")).await, 403);
    // A page of another site may open a socket wherever it likes, so sockets are guarded alike.
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
async fn a_socket_that_is_none_is_refused() {
    let (server, _folder) = Running::start().await;
    let id = server.begin("chess").await;
    for path in ["/api/analysis".to_owned(), format!("/api/games/{id}/socket")] {
        let response = server.http.get(server.url(&path)).send().await.unwrap();
        assert_eq!(response.status(), 400);
        check_schema("Error", &response.json().await.unwrap());
    }
}

#[tokio::test]
async fn no_path_of_the_machine_is_told() {
    let (server, folder) = Running::start().await;
    let place = folder.path().to_str().unwrap();
    for path in [
        "/api/games/x",
        "/api/../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/assets/../../Cargo.toml",
        "/api/kinds/%2e%2e/palette",
    ] {
        let text = server.http.get(server.url(path)).send().await.unwrap().text().await.unwrap();
        assert!(
            !text.contains(place) && !text.contains("[package]") && !text.contains(".rs:"),
            "{path}: {text}"
        );
    }
}
