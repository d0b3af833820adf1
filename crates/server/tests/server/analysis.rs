//! The analysis socket.

use std::sync::Arc;
use std::time::Duration;

use sandtable::engine::{PolicyEngine, PolicyError, PolicyNetwork, PolicyOutput};
use sandtable::find;
use serde_json::{Value, json};

use crate::client::{TestServer, config, limits};
use crate::schema::check_schema;

const PATH: &str = "/api/analysis";

/// A request for a start position, without limits.
fn analyze(id: i64, kind: &str) -> Value {
    json!({ "type": "analyze", "id": id, "position": { "kind": kind } })
}

#[tokio::test]
async fn reports_with_increasing_depth_until_the_limit() {
    let (server, _folder) = TestServer::start().await;
    let mut socket = server.socket(PATH).await;
    for kind in ["chess", "cotulenh", "tribun"] {
        let mut request = analyze(5, kind);
        (request["lines"], request["depth"]) = (json!(3), json!(2));
        check_schema("AnalysisRequest", &request);
        socket.send(&request).await;
        let mut depths = Vec::new();
        let done = loop {
            let message = socket.receive_until(|message| message["type"] != "queued").await;
            assert_eq!(message["id"], 5);
            match message["type"].as_str().unwrap() {
                "report" => {
                    depths.push(message["depth"].as_u64().unwrap());
                    let lines = message["lines"].as_array().unwrap();
                    assert_eq!(lines.len(), 3, "{kind}");
                    assert!(lines.iter().all(|line| line["moves"].as_array().unwrap().len()
                        == line["san"].as_array().unwrap().len()));
                }
                "done" => break message,
                other => assert_eq!(other, "started"),
            }
        };
        assert_eq!(done["reason"], "limit");
        assert!(depths.is_sorted() && depths.last() == Some(&2), "{kind}: {depths:?}");
    }
}

#[tokio::test]
async fn scores_are_from_the_first_players_perspective() {
    let (server, _folder) = TestServer::start().await;
    let mut socket = server.socket(PATH).await;
    for (position, mate) in [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", None),
        ("7k/5K2/6Q1/8/8/8/8/8 w - - 0 1", Some(1)),
        ("6q1/8/8/8/8/5k2/8/7K b - - 0 1", Some(-1)),
    ] {
        let position = json!({ "kind": "chess", "position": position });
        socket.send(&json!({ "type": "analyze", "id": 1, "position": position, "depth": 3 })).await;
        let Some(mate) = mate else {
            let done = socket.receive_until(|message| message["type"] == "done").await;
            assert_eq!(done["reason"], "game_over");
            continue;
        };
        let report = socket.receive_until(|message| message["type"] == "report").await;
        assert_eq!(report["lines"][0]["score"]["mate"], mate, "{report}");
        socket.receive_until(|message| message["type"] == "done").await;
    }
}

#[tokio::test]
async fn a_new_request_replaces_the_previous_one() {
    let (server, _folder) = TestServer::start().await;
    let mut socket = server.socket(PATH).await;
    socket.send(&analyze(1, "chess")).await;
    socket.receive_until(|message| message["type"] == "report").await;
    socket.send(&analyze(2, "tribun")).await;
    let done = socket.receive_until(|message| message["type"] == "done").await;
    assert_eq!((&done["id"], &done["reason"]), (&json!(1), &json!("stopped")));
    socket.receive_until(|message| message["type"] == "report" && message["id"] == 2).await;
    socket.send(&json!({ "type": "stop" })).await;
    let done = socket.receive_until(|message| message["type"] == "done").await;
    assert_eq!((&done["id"], &done["reason"]), (&json!(2), &json!("stopped")));
}

#[tokio::test]
async fn closing_the_socket_frees_its_worker() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), limits(|l| l.analysis_workers = 1)).await;
    let endless = analyze(1, "cotulenh");
    let mut first = server.socket(PATH).await;
    first.send(&endless).await;
    first.receive_until(|message| message["type"] == "report").await;
    let mut second = server.socket(PATH).await;
    second.send(&endless).await;
    assert_eq!(second.receive().await["type"], "queued");
    // Busy workers do not delay other requests.
    server.get("/api/health").await;
    drop(first);
    assert_eq!(second.receive().await["type"], "started");
    // A stopped request leaves the queue.
    let mut third = server.socket(PATH).await;
    third.send(&endless).await;
    assert_eq!(third.receive().await["type"], "queued");
    third.send(&json!({ "type": "stop" })).await;
    assert_eq!(third.receive().await["type"], "done");
    drop(second);
    third.send(&endless).await;
    third.receive_until(|message| message["type"] == "report").await;
}

#[tokio::test]
async fn the_server_limits_the_analysis_time() {
    let folder = tempfile::tempdir().unwrap();
    let limits = limits(|l| l.analysis_time = Duration::from_millis(50));
    let server = TestServer::start_in(folder.path(), limits).await;
    let mut socket = server.socket(PATH).await;
    let mut request = analyze(1, "chess");
    request["time"] = json!(3_600_000);
    socket.send(&request).await;
    assert_eq!(socket.receive_until(|message| message["type"] == "done").await["reason"], "limit");
}

#[tokio::test]
async fn invalid_requests_get_an_error_and_keep_the_socket_open() {
    let (server, _folder) = TestServer::start().await;
    let mut socket = server.socket(PATH).await;
    for text in [
        "",
        "{",
        "[]",
        "{\"type\":\"sing\"}",
        "{\"type\":\"analyze\"}",
        "{\"type\":\"analyze\",\"id\":1,\"position\":{\"kind\":\"chess\"},\"speed\":3}",
    ] {
        socket.send_text(text).await;
        let message = socket.receive().await;
        assert_eq!(
            (&message["type"], &message["error"]["code"]),
            (&json!("error"), &json!("bad_request")),
            "{text}"
        );
    }
    for (position, lines, code) in [
        (json!({ "kind": "go" }), 1, "invalid_position"),
        (json!({ "kind": "chess", "moves": ["e5"] }), 1, "illegal_move"),
        (json!({ "kind": "chess" }), 0, "bad_request"),
        (json!({ "kind": "chess" }), 6, "bad_request"),
    ] {
        socket.send(&json!({ "type": "analyze", "id": 9, "position": position, "lines": lines })).await;
        let message = socket.receive_until(|message| message["type"] == "error").await;
        assert_eq!((&message["id"], &message["error"]["code"]), (&json!(9), &json!(code)));
    }
    let mut request = analyze(1, "chess");
    request["depth"] = json!(1);
    socket.send(&request).await;
    socket.receive_until(|message| message["type"] == "report").await;
}

/// A network that finds all moves and results alike.
struct Uniform;

impl PolicyNetwork for Uniform {
    fn game(&self) -> &'static str {
        "tribun"
    }

    fn rules(&self) -> &'static str {
        "standard"
    }

    fn evaluate(&self, observations: &[f32]) -> Result<PolicyOutput, PolicyError> {
        let kind = find("tribun").unwrap();
        let count = observations.len() / kind.shape.len();
        Ok(PolicyOutput { head: vec![0.0; count * kind.head.shape.len()], wdl: vec![[0.0; 3]; count] })
    }
}

#[tokio::test]
async fn a_network_analyses_its_game_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.networks.push(PolicyEngine::new(Arc::new(Uniform)));
    let server = TestServer::start_with(config).await;
    let me: Value = server.get("/api/me").await;
    assert_eq!(me["networks"], json!([{ "kind": "tribun", "rules": "standard" }]));
    let mut socket = server.socket(PATH).await;
    let mut request = analyze(1, "tribun");
    (request["engine"], request["nodes"], request["lines"]) = (json!("network"), json!(30), json!(2));
    check_schema("AnalysisRequest", &request);
    socket.send(&request).await;
    let mut last = Value::Null;
    loop {
        let message = socket.receive_until(|message| message["type"] != "queued").await;
        match message["type"].as_str().unwrap() {
            "report" => last = message,
            "done" => break assert_eq!(message["reason"], "limit"),
            other => assert_eq!(other, "started"),
        }
    }
    assert_eq!((&last["nodes"], last["lines"].as_array().unwrap().len()), (&json!(30), 2), "{last}");
    // An endless search ends when the client stops it.
    request["nodes"] = json!(1_000_000_000);
    socket.send(&request).await;
    socket.receive_until(|message| message["type"] == "report").await;
    socket.send(&json!({ "type": "stop" })).await;
    let done = socket.receive_until(|message| message["type"] == "done").await;
    assert_eq!(done["reason"], "stopped");
    (request["position"]["kind"], request["nodes"]) = (json!("chess"), json!(30));
    socket.send(&request).await;
    let refused = socket.receive_until(|message| message["type"] == "error").await;
    assert_eq!(refused["error"]["detail"]["code"], "request.no_network", "{refused}");
}
