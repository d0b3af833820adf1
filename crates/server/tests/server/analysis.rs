//! The socket to the engine.

use std::time::Duration;

use sandtable_server::Limits;
use serde_json::json;

use crate::client::Running;
use crate::description::check_schema;

const PATH: &str = "/api/analysis";

#[tokio::test]
async fn reports_come_with_growing_depth_until_the_limit() {
    let (server, _folder) = Running::start().await;
    let mut socket = server.socket(PATH).await;
    for kind in ["chess", "cotulenh", "tribun"] {
        let request = json!({ "type": "analyse", "id": 5, "said": { "kind": kind }, "lines": 3, "depth": 2 });
        check_schema("AnalysisRequest", &request);
        socket.say(&request).await;
        let mut depths = Vec::new();
        let done = loop {
            let message = socket.hear_until(|message| message["type"] != "queued").await;
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
        assert_eq!(done["why"], "limit");
        assert!(depths.is_sorted() && depths.last() == Some(&2), "{kind}: {depths:?}");
    }
}

#[tokio::test]
async fn a_score_is_the_first_players_whoever_is_to_move() {
    let (server, _folder) = Running::start().await;
    let mut socket = server.socket(PATH).await;
    for (position, mate) in [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", None),
        ("7k/5K2/6Q1/8/8/8/8/8 w - - 0 1", Some(1)),
        ("6q1/8/8/8/8/5k2/8/7K b - - 0 1", Some(-1)),
    ] {
        socket.say(&json!({ "type": "analyse", "id": 1, "said": { "kind": "chess", "position": position }, "depth": 3 })).await;
        let Some(mate) = mate else {
            let done = socket.hear_until(|message| message["type"] == "done").await;
            assert_eq!(done["why"], "over");
            continue;
        };
        let report = socket.hear_until(|message| message["type"] == "report").await;
        assert_eq!(report["lines"][0]["score"]["mate"], mate, "{report}");
        socket.hear_until(|message| message["type"] == "done").await;
    }
}

#[tokio::test]
async fn a_new_request_takes_the_place_of_the_old_one() {
    let (server, _folder) = Running::start().await;
    let mut socket = server.socket(PATH).await;
    let ask = |id: i64, kind: &str| json!({ "type": "analyse", "id": id, "said": { "kind": kind } });
    socket.say(&ask(1, "chess")).await;
    socket.hear_until(|message| message["type"] == "report").await;
    socket.say(&ask(2, "tribun")).await;
    let done = socket.hear_until(|message| message["type"] == "done").await;
    assert_eq!((&done["id"], &done["why"]), (&json!(1), &json!("stopped")));
    socket.hear_until(|message| message["type"] == "report" && message["id"] == 2).await;
    socket.say(&json!({ "type": "stop" })).await;
    let done = socket.hear_until(|message| message["type"] == "done").await;
    assert_eq!((&done["id"], &done["why"]), (&json!(2), &json!("stopped")));
}

#[tokio::test]
async fn a_desk_is_free_again_when_nobody_listens() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { analyses: 1, ..Limits::default() };
    let server = Running::start_in(folder.path(), limits).await;
    let endless = json!({ "type": "analyse", "id": 1, "said": { "kind": "cotulenh" } });
    let mut first = server.socket(PATH).await;
    first.say(&endless).await;
    first.hear_until(|message| message["type"] == "report").await;
    let mut second = server.socket(PATH).await;
    second.say(&endless).await;
    assert_eq!(second.hear().await["type"], "queued");
    // Requests are answered while every desk is taken and somebody waits.
    server.get("/api/health").await;
    drop(first);
    assert_eq!(second.hear().await["type"], "started");
    // One that leaves the queue leaves no trace in it.
    let mut third = server.socket(PATH).await;
    third.say(&endless).await;
    assert_eq!(third.hear().await["type"], "queued");
    third.say(&json!({ "type": "stop" })).await;
    assert_eq!(third.hear().await["type"], "done");
    drop(second);
    third.say(&endless).await;
    third.hear_until(|message| message["type"] == "report").await;
}

#[tokio::test]
async fn no_analysis_takes_longer_than_the_server_allows() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { analysis_time: Duration::from_millis(50), ..Limits::default() };
    let server = Running::start_in(folder.path(), limits).await;
    let mut socket = server.socket(PATH).await;
    socket.say(&json!({ "type": "analyse", "id": 1, "said": { "kind": "chess" }, "time": 3_600_000 })).await;
    assert_eq!(socket.hear_until(|message| message["type"] == "done").await["why"], "limit");
}

#[tokio::test]
async fn what_cannot_be_analysed_is_refused_and_the_socket_stays() {
    let (server, _folder) = Running::start().await;
    let mut socket = server.socket(PATH).await;
    for text in [
        "",
        "{",
        "[]",
        "{\"type\":\"sing\"}",
        "{\"type\":\"analyse\"}",
        "{\"type\":\"analyse\",\"id\":1,\"said\":{\"kind\":\"chess\"},\"speed\":3}",
    ] {
        socket.say_text(text).await;
        let refused = socket.hear().await;
        assert_eq!(
            (&refused["type"], &refused["error"]["error"]),
            (&json!("refused"), &json!("bad_request")),
            "{text}"
        );
    }
    for (said, lines, code) in [
        (json!({ "kind": "go" }), 1, "bad_position"),
        (json!({ "kind": "chess", "moves": ["e5"] }), 1, "illegal_move"),
        (json!({ "kind": "chess" }), 0, "bad_request"),
        (json!({ "kind": "chess" }), 6, "bad_request"),
    ] {
        socket.say(&json!({ "type": "analyse", "id": 9, "said": said, "lines": lines })).await;
        let refused = socket.hear_until(|message| message["type"] == "refused").await;
        assert_eq!((&refused["id"], &refused["error"]["error"]), (&json!(9), &json!(code)));
    }
    socket.say(&json!({ "type": "analyse", "id": 1, "said": { "kind": "chess" }, "depth": 1 })).await;
    socket.hear_until(|message| message["type"] == "report").await;
}
