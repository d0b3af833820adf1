//! The toy game, which has nothing but the required traits, from its creation to its end.

use serde_json::{Value, json};

use crate::client::TestServer;

const KIND: &str = "greedy-nim";

#[tokio::test]
async fn the_kind_has_defaults_for_what_the_game_does_not_have() {
    let (server, _folder) = TestServer::start().await;
    let kinds = server.get("/api/kinds").await;
    let kind = kinds.as_array().unwrap().iter().find(|kind| kind["name"] == KIND).expect("the toy game");
    assert_eq!(kind["players"], json!({ "first": "First", "second": "Second" }));
    assert_eq!((&kind["rules"], &kind["confirm_moves"]), (&json!(["standard"]), &json!(false)));
    assert_eq!(kind["level_elo"], json!(vec![Value::Null; 10]));
    assert_eq!(kind["fields"][0]["name"], "position");
}

#[tokio::test]
async fn two_people_play_a_game_to_its_end() {
    let (server, _folder) = TestServer::start().await;
    let id = server.create_kind(KIND).await;
    // Taking one does not end the turn.
    for (text, turn) in [("3", "second"), ("1", "second"), ("2", "first"), ("0", "second")] {
        assert_eq!(server.play(&id, text).await["view"]["turn"], turn, "{text}");
    }
    let moves = format!("/api/games/{id}/moves");
    let (status, code, message) = server.post_error(&moves, json!({ "text": "4" })).await;
    assert_eq!((status, code.as_str()), (422, "illegal_move"), "{message}");
    assert!(message.contains("invalid move `4`"), "{message}");
    let over = server.play(&id, "3").await;
    let outcome = &over["view"]["outcome"];
    assert_eq!((&outcome["winner"], &outcome["reason"]), (&json!("second"), &json!("last taken")));
    assert_eq!(over["view"]["legal_moves"], json!([]));
    let record = server.get(&format!("/api/games/{id}/record")).await["record"].clone();
    let read = server.post("/api/records/read", json!({ "kind": KIND, "record": record })).await;
    assert_eq!(read["view"]["moves_played"], over["view"]["moves_played"]);
}

#[tokio::test]
async fn the_engine_wins_against_a_person_who_leaves_it_the_last_counters() {
    let (server, _folder) = TestServer::start().await;
    let seats =
        json!({ "first": { "type": "human", "name": "An" }, "second": { "type": "engine", "level": 9 } });
    let id = server.create(json!({ "kind": KIND, "seats": seats, "position": "5 first -" })).await;
    server.play(&id, "2").await;
    let over = server.wait_for(&id, |game| game["view"]["outcome"]["over"] == true).await;
    assert_eq!(over["view"]["outcome"]["winner"], "second");
    assert_eq!(over["view"]["position"].as_str().map(|text| &text[..1]), Some("0"));
}
