//! Reviews over the analysis socket, and the reviews that are stored with games.

use std::time::Duration;

use sandtable_server::Access;
use serde_json::{Value, json};

use crate::client::{TestServer, config, limits};
use crate::schema::check_schema;

const PATH: &str = "/api/analysis";
/// White's third move allows mate.
const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

fn review_game(game: &str) -> Value {
    let request = json!({ "type": "review_game", "id": 3, "game": game });
    check_schema("AnalysisRequest", &request);
    request
}

async fn review(server: &TestServer, request: &Value) -> Value {
    let mut socket = server.socket(PATH).await;
    socket.send(request).await;
    let result =
        socket.receive_until(|message| matches!(message["type"].as_str(), Some("reviewed" | "error"))).await;
    if result["type"] == "reviewed" {
        assert_eq!(socket.receive().await["reason"], "complete");
    }
    result
}

#[tokio::test]
async fn a_review_is_stored_with_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), limits(|_| {})).await;
    let id = server.create(json!({ "kind": "chess", "moves": FOOLS_MATE })).await;
    let path = format!("/api/games/{id}/review");
    assert_eq!(server.get(&path).await, Value::Null);
    let result = review(&server, &review_game(&id)).await;
    assert_eq!(result["review"]["turns"][2]["judgement"], "blunder", "{result}");
    let version = server.get(&format!("/api/games/{id}")).await["version"].clone();
    // It is not searched again.
    let known = review(&server, &review_game(&id)).await;
    assert_eq!(known["annotations"], result["annotations"]);
    assert_eq!(server.get(&format!("/api/games/{id}")).await["version"], version);
    server.stop().await;

    let server = TestServer::start_in(folder.path(), limits(|_| {})).await;
    let stored = server.get(&path).await;
    assert_eq!(stored["annotations"], result["annotations"]);
    let record = server.get(&format!("/api/games/{id}/record")).await;
    assert!(record["record"].as_str().unwrap().contains("[%loss"), "{record}");
    let read = server.post("/api/records/read", json!({ "kind": "chess", "record": record["record"] })).await;
    assert_eq!(read["review"], stored["review"]);
    // A game that goes on has no review.
    server.post(&format!("/api/games/{id}/undo"), json!({})).await;
    assert_eq!(server.get(&path).await, Value::Null);
}

#[tokio::test]
async fn a_review_with_few_nodes_is_not_stored() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), limits(|_| {})).await;
    let id = server.create(json!({ "kind": "chess", "moves": FOOLS_MATE })).await;
    let mut poor = review_game(&id);
    poor["nodes"] = json!(1);
    assert_eq!(review(&server, &poor).await["type"], "reviewed");
    assert_eq!(server.get(&format!("/api/games/{id}/review")).await, Value::Null);
}

#[tokio::test]
async fn a_rematch_during_a_review_does_not_discard_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), limits(|_| {})).await;
    let id = server.create(json!({ "kind": "chess", "moves": FOOLS_MATE })).await;
    let mut request = review_game(&id);
    request["nodes"] = json!(100_000);
    let mut socket = server.socket(PATH).await;
    socket.send(&request).await;
    socket.receive_until(|message| message["type"] == "started").await;
    server.post(&format!("/api/games/{id}/rematch"), json!({})).await;
    let result =
        socket.receive_until(|message| matches!(message["type"].as_str(), Some("reviewed" | "error"))).await;
    assert_eq!(result["type"], "reviewed", "{result}");
    // The rematch is the second version, the review the third one.
    let game = server.get(&format!("/api/games/{id}")).await;
    assert!(game["version"] == 3 && game["rematch"].is_object(), "{game}");
    let stored = server.get(&format!("/api/games/{id}/review")).await;
    assert_eq!(stored["annotations"], result["annotations"]);
}

#[tokio::test]
async fn a_running_game_is_not_reviewed() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.access = Access::Seats;
    let server = TestServer::start_with(config).await;
    let id = server.create(json!({ "kind": "chess", "moves": FOOLS_MATE[..3] })).await;
    let refused = review(&server, &review_game(&id)).await;
    assert_eq!(refused["error"]["detail"]["code"], "game.review_before_end");
    assert_eq!(server.get(&format!("/api/games/{id}/review")).await, Value::Null);
    let missing = review(&server, &review_game("nothing")).await;
    assert_eq!(missing["error"]["code"], "not_found");
}

#[tokio::test]
async fn a_client_that_stops_or_leaves_frees_its_worker_and_stores_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), limits(|l| l.analysis_workers = 1)).await;
    let id = server.create(json!({ "kind": "chess", "moves": FOOLS_MATE })).await;
    let mut endless = review_game(&id);
    endless["nodes"] = json!(1_000_000);
    let mut first = server.socket(PATH).await;
    first.send(&endless).await;
    first.receive_until(|message| message["type"] == "progress").await;
    first.send(&json!({ "type": "stop" })).await;
    let done = first.receive_until(|message| message["type"] == "done").await;
    assert_eq!(done["reason"], "stopped");
    first.send(&endless).await;
    first.receive_until(|message| message["type"] == "progress").await;
    let mut second = server.socket(PATH).await;
    second.send(&endless).await;
    assert_eq!(second.receive().await["type"], "queued");
    drop(first);
    assert_eq!(second.receive_until(|message| message["type"] != "queued").await["type"], "started");
    drop(second);
    let mut short =
        json!({ "type": "review", "id": 1, "nodes": 100, "position": { "kind": "chess", "moves": ["e4"] } });
    check_schema("AnalysisRequest", &short);
    assert_eq!(review(&server, &short).await["review"]["turns"].as_array().unwrap().len(), 1);
    assert_eq!(server.get(&format!("/api/games/{id}/review")).await, Value::Null);
    short = json!({
        "type": "try", "id": 1, "nodes": 100,
        "position": { "kind": "chess", "moves": ["f3", "e5"] }, "moves": ["g4"], "better": ["e4"],
    });
    check_schema("AnalysisRequest", &short);
    let mut socket = server.socket(PATH).await;
    socket.send(&short).await;
    let tried = socket.receive_until(|message| message["type"] == "tried").await;
    assert_eq!(tried["judgement"], "blunder");
}

#[tokio::test]
async fn the_server_limits_the_time_of_a_review() {
    let folder = tempfile::tempdir().unwrap();
    let server =
        TestServer::start_in(folder.path(), limits(|l| l.analysis_time = Duration::from_millis(50))).await;
    let mut long = json!({ "type": "review", "id": 3, "position": { "kind": "chess", "moves": FOOLS_MATE } });
    long["nodes"] = json!(1_000_000);
    let late = review(&server, &long).await;
    assert_eq!(late["error"]["detail"]["code"], "request.review_too_long");
}

#[tokio::test]
async fn the_size_of_a_stored_review_counts_for_its_client() {
    let moves: Vec<_> = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(16).collect();
    // Enough for the game, which is over by repetition, but not for a note on each of its turns as well.
    let limits = limits(|l| l.per_client.stored_bytes_per_hour = 600);
    let (server, _folder) = TestServer::start_with_quotas(limits).await;
    let id = server.create(json!({ "kind": "chess", "moves": moves })).await;
    let refused = review(&server, &review_game(&id)).await;
    assert_eq!(refused["error"]["detail"]["code"], "server.too_much_stored", "{refused}");
    assert_eq!(server.get(&format!("/api/games/{id}/review")).await, Value::Null);
}
