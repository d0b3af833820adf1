//! Games that are kept: moves, undo, ends, draws, clocks, engines, and going on after a stop.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::Method;
use sandtable_server::{Config, Limits, Server};
use serde_json::{Value, json};

use crate::client::Running;

fn against_level(kind: &str, level: u8) -> Value {
    json!({ "kind": kind, "players": { "first": { "who": "person", "name": "An" }, "second": { "who": "engine", "level": level } } })
}

fn sans(game: &Value) -> Vec<String> {
    let played = game["view"]["history"].as_array().expect("a history");
    played.iter().map(|played| played["san"].as_str().expect("a san").to_owned()).collect()
}

#[tokio::test]
async fn moves_come_as_text_or_index_and_raise_the_version() {
    let (server, _folder) = Running::start().await;
    let id = server.begin("chess").await;
    let first = server.play(&id, "e4").await;
    assert_eq!((&first["version"], &first["view"]["history"][0]["text"]), (&json!(2), &json!("e2e4")));
    let index =
        first["view"]["actions"].as_array().unwrap().iter().find(|a| a["san"] == "c5").unwrap()["index"]
            .clone();
    let second =
        server.post(&format!("/api/games/{id}/moves"), json!({ "index": index, "version": 2 })).await;
    assert_eq!(sans(&second), ["e4", "c5"]);
    let stale = json!({ "text": "d4", "version": 2 });
    let (status, code, message) = server.refused(&format!("/api/games/{id}/moves"), stale).await;
    assert_eq!((status, code.as_str()), (409, "conflict"));
    assert!(message.contains("version 3"), "{message}");
    assert_eq!(sans(&server.get(&format!("/api/games/{id}")).await), ["e4", "c5"]);
}

#[tokio::test]
async fn a_move_is_taken_back_and_so_is_an_end() {
    let (server, _folder) = Running::start().await;
    let id = server.begin("chess").await;
    let undo = format!("/api/games/{id}/undo");
    assert_eq!(server.refused(&undo, json!({})).await.0, 409);
    server.play(&id, "e4").await;
    server.play(&id, "e5").await;
    let over = server.post(&format!("/api/games/{id}/resign"), json!({ "player": "second" })).await;
    assert_eq!(over["view"]["outcome"]["winner"], "first");
    assert_eq!(over["view"]["actions"], json!([]));
    assert_eq!(server.refused(&format!("/api/games/{id}/moves"), json!({ "text": "d4" })).await.0, 409);
    assert_eq!(server.post(&undo, json!({})).await["view"]["outcome"]["over"], false);
    assert_eq!(sans(&server.post(&undo, json!({})).await), ["e4"]);
}

#[tokio::test]
async fn an_engine_answers_and_both_moves_are_taken_back_together() {
    let (server, _folder) = Running::start().await;
    for kind in ["chess", "cotulenh", "tribun"] {
        let game = server.post("/api/games", against_level(kind, 1)).await;
        let id = game["id"].as_str().unwrap().to_owned();
        let first = game["view"]["actions"][0]["text"].as_str().unwrap().to_owned();
        server.play(&id, &first).await;
        let answered = server.wait_for(&id, |game| game["thinking"] == false).await;
        assert!(sans(&answered).len() >= 2, "{kind}");
        assert_eq!(answered["view"]["turn"], "first");
        let back = server.post(&format!("/api/games/{id}/undo"), json!({})).await;
        assert_eq!(sans(&back).len(), 0, "{kind}");
        let refused = server.refused(&format!("/api/games/{id}/resign"), json!({ "player": "second" })).await;
        assert_eq!(refused.0, 409, "nobody resigns for the engine");
    }
}

#[tokio::test]
async fn engines_play_whole_games_against_each_other() {
    let (server, _folder) = Running::start().await;
    let engine = json!({ "who": "engine", "level": 0 });
    let mut new = json!({ "kind": "tribun", "players": { "first": engine, "second": engine } });
    new["rules"] = json!("ninety");
    let id = server.post("/api/games", new).await["id"].as_str().unwrap().to_owned();
    let later =
        server.wait_for(&id, |game| sans(game).len() > 20 || game["view"]["outcome"]["over"] == true).await;
    assert!(later["version"].as_u64().unwrap() > 1);
    server.ask(Method::DELETE, &format!("/api/games/{id}"), None).await;
}

#[tokio::test]
async fn draws_are_offered_and_answered() {
    let (server, _folder) = Running::start().await;
    for kind in ["chess", "cotulenh", "tribun"] {
        let id = server.begin(kind).await;
        let draw = format!("/api/games/{id}/draw");
        let say = |player: &str, act: &str| json!({ "player": player, "act": act });
        assert_eq!(server.refused(&draw, say("first", "accept")).await.0, 409);
        assert_eq!(server.post(&draw, say("first", "offer")).await["offer"], "first");
        assert_eq!(server.refused(&draw, say("first", "accept")).await.0, 409);
        assert_eq!(server.post(&draw, say("second", "decline")).await["offer"], Value::Null);
        assert_eq!(
            server.refused(&draw, say("first", "offer")).await.0,
            409,
            "a declined offer is not repeated"
        );
        server.post(&draw, say("second", "offer")).await;
        let over = server.post(&draw, say("first", "accept")).await;
        assert_eq!(over["view"]["outcome"]["reason"], "agreement", "{kind}");
        assert_eq!(server.refused(&draw, say("first", "offer")).await.0, 409);
    }
}

#[tokio::test]
async fn an_engine_takes_a_draw_where_it_is_lost_and_none_where_it_wins() {
    let (server, _folder) = Running::start().await;
    for (position, reason) in [
        ("4k3/8/8/8/8/8/QQ6/4K3 w - - 0 1", json!("agreement")),
        ("4k3/qq6/8/8/8/8/8/4K3 w - - 0 1", Value::Null),
    ] {
        let mut new = against_level("chess", 3);
        new["position"] = json!(position);
        let id = server.post("/api/games", new).await["id"].as_str().unwrap().to_owned();
        let offered =
            server.post(&format!("/api/games/{id}/draw"), json!({ "player": "first", "act": "offer" })).await;
        let version = offered["version"].as_u64().unwrap();
        let answered = server.wait_for(&id, |game| game["version"].as_u64() > Some(version)).await;
        assert_eq!((&answered["view"]["outcome"]["reason"], &answered["offer"]), (&reason, &Value::Null));
    }
}

#[tokio::test]
async fn a_clock_runs_from_the_first_move_and_its_flag_falls() {
    let (server, _folder) = Running::start().await;
    let game = server
        .post("/api/games", json!({ "kind": "cotulenh", "clock": { "initial": 1_000, "increment": 500 } }))
        .await;
    let id = game["id"].as_str().unwrap().to_owned();
    assert_eq!(game["clock"]["running"], Value::Null);
    let moved = server.play(&id, "Ic5c6").await;
    assert_eq!(
        (&moved["clock"]["running"], &moved["clock"]["left"]["first"]),
        (&json!("second"), &json!(1_000))
    );
    let over = server.wait_for(&id, |game| game["view"]["outcome"]["over"] == true).await;
    assert_eq!(
        (&over["view"]["outcome"]["reason"], &over["view"]["outcome"]["winner"]),
        (&json!("time"), &json!("first"))
    );
    assert_eq!((&over["clock"]["left"]["second"], &over["clock"]["running"]), (&json!(0), &Value::Null));
    let record = server.get(&format!("/api/games/{id}/record")).await;
    let read =
        server.post("/api/records/read", json!({ "kind": "cotulenh", "record": record["record"] })).await;
    assert_eq!(read["view"]["outcome"], over["view"]["outcome"]);
}

#[tokio::test]
async fn an_increment_comes_with_a_completed_turn_only() {
    let (server, _folder) = Running::start().await;
    let position = "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 b - - 0 1";
    let new = json!({ "kind": "cotulenh", "position": position, "clock": { "initial": 60_000, "increment": 30_000 } });
    let game = server.post("/api/games", new).await;
    let id = game["id"].as_str().unwrap().to_owned();
    server.play(&id, game["view"]["actions"][0]["text"].as_str().unwrap()).await;
    let step = server.get(&format!("/api/games/{id}")).await["view"]["actions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|a| a["group"] == json!(["air force"]))
        .unwrap()["text"]
        .clone();
    let within = server.play(&id, step.as_str().unwrap()).await;
    assert_eq!(within["clock"]["running"], "first");
    assert!(within["clock"]["left"]["first"].as_u64().unwrap() <= 60_000);
    let after = server.play(&id, "end").await;
    assert!(after["clock"]["left"]["first"].as_u64().unwrap() > 60_000);
}

/// What a player has left.
fn left(game: &Value, player: &str) -> u64 {
    game["clock"]["left"][player].as_u64().unwrap()
}

#[tokio::test]
async fn a_move_that_is_taken_back_gives_its_time_back() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_in(folder.path(), Limits::default()).await;
    let clock = json!({ "initial": 60_000, "increment": 30_000 });
    let new = json!({ "kind": "chess", "moves": ["d4", "d5"], "clock": clock });
    let id = server.post("/api/games", new).await["id"].as_str().unwrap().to_owned();
    let undo = format!("/api/games/{id}/undo");
    server.play(&id, "c4").await;
    let replied = server.play(&id, "e6").await;
    assert!(left(&replied, "second") > 60_000);
    let back = server.post(&undo, json!({})).await;
    assert!(left(&back, "second") <= 60_000, "an increment is not kept: {}", back["clock"]);
    assert_eq!((left(&back, "first"), &back["clock"]["running"]), (60_000, &json!("second")));
    server.play(&id, "e6").await;
    let before = server.play(&id, "Nc3").await;
    assert!(left(&before, "first") > 60_000);
    server.stop().await;

    let server = Running::start_in(folder.path(), Limits::default()).await;
    let back = server.post(&undo, json!({})).await;
    assert!(left(&back, "first") <= 60_000, "a new server remembers as well: {}", back["clock"]);
    assert!(left(&back, "second") > 60_000);
    server.post(&undo, json!({})).await;
    // At the moves that the game began with, the clock has not begun to run.
    let back = server.post(&undo, json!({})).await;
    assert_eq!((left(&back, "first"), left(&back, "second")), (60_000, 60_000));
    assert_eq!(back["clock"]["running"], Value::Null);
    assert_eq!(server.post(&undo, json!({})).await["clock"]["running"], Value::Null);
}

#[tokio::test]
async fn a_loss_on_time_is_taken_back_with_the_time_of_the_turn() {
    let (server, _folder) = Running::start().await;
    let new = json!({ "kind": "chess", "clock": { "initial": 1_000 } });
    let id = server.post("/api/games", new).await["id"].as_str().unwrap().to_owned();
    server.play(&id, "e4").await;
    let over = |game: &Value| game["view"]["outcome"]["over"] == true;
    server.wait_for(&id, over).await;
    let back = server.post(&format!("/api/games/{id}/undo"), json!({})).await;
    assert!(!over(&back) && left(&back, "second") > 0, "{}", back["clock"]);
    assert_eq!((sans(&back).len(), &back["clock"]["running"]), (1, &json!("second")));
    // The flag falls again, and only when that time is over.
    let again = server.wait_for(&id, over).await;
    assert_eq!(left(&again, "second"), 0);
    assert!(again["updated"].as_u64().unwrap() >= back["updated"].as_u64().unwrap() + 900);
}

#[tokio::test]
async fn a_clock_leaves_no_timers_behind() {
    let (server, _folder) = Running::start().await;
    let new = json!({ "kind": "chess", "clock": { "initial": 600_000 } });
    let id = server.post("/api/games", new).await["id"].as_str().unwrap().to_owned();
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    server.play(&id, "e4").await;
    let before = tasks();
    for _ in 0..60 {
        server.post(&format!("/api/games/{id}/undo"), json!({})).await;
        server.play(&id, "e4").await;
    }
    let settled = async {
        while tasks() > before + 10 {
            tokio::task::yield_now().await;
        }
    };
    let settled = tokio::time::timeout(Duration::from_secs(10), settled).await;
    assert!(settled.is_ok(), "{before} tasks have become {}", tasks());
}

#[tokio::test]
async fn what_could_not_be_written_is_read_anew() {
    let (server, folder) = Running::start().await;
    let id = server.begin("chess").await;
    let path = format!("/api/games/{id}");
    let mut socket = server.socket(&format!("{path}/socket")).await;
    socket.hear().await;
    // The place of the next change is taken: it cannot be written, and the disk is ahead of the memory.
    let games = rusqlite::Connection::open(folder.path().join("games.sqlite")).unwrap();
    let insert = r#"INSERT INTO entries VALUES (?1, 2, 0, '{"what":{"move":"e2e4"}}')"#;
    games.execute(insert, [&id]).unwrap();
    let (status, body) =
        server.ask(Method::POST, &format!("{path}/moves"), Some(json!({ "text": "d4" }))).await;
    assert_eq!((status, &body["error"]), (500, &json!("internal")));
    assert_eq!(socket.next().await, None, "who followed must ask again");
    let found = server.get(&path).await;
    assert_eq!((sans(&found), &found["version"]), (vec!["e4".to_owned()], &json!(2)));
    assert_eq!(sans(&server.play(&id, "e5").await), ["e4", "e5"]);
}

#[tokio::test]
async fn a_folder_has_one_server() {
    let (server, folder) = Running::start().await;
    let listen = std::net::SocketAddr::from(([127, 0, 0, 1], 0));
    let second = || Server::bind(Config { listen, ..Config::new(folder.path().to_owned()) });
    let refused = second().await.err().expect("there is a server already").to_string();
    assert!(refused.contains("another server"), "{refused}");
    assert!(refused.contains(folder.path().to_str().unwrap()), "{refused}");
    server.stop().await;
    second().await.expect("the folder is free again");
}

#[tokio::test]
async fn a_game_goes_on_after_the_server_has_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_in(folder.path(), Limits::default()).await;
    let new = json!({ "kind": "tribun", "clock": { "initial": 600_000 }, "tags": [["Event", "An evening"]], "players": { "first": { "who": "person", "name": "An" }, "second": { "who": "person", "name": "Binh" } } });
    let id = server.post("/api/games", new).await["id"].as_str().unwrap().to_owned();
    for text in ["b3-e5", "j9-g7", "c6-d7"] {
        server.play(&id, text).await;
    }
    server.post(&format!("/api/games/{id}/undo"), json!({})).await;
    let before =
        server.post(&format!("/api/games/{id}/draw"), json!({ "player": "second", "act": "offer" })).await;
    server.stop().await;

    let server = Running::start_in(folder.path(), Limits::default()).await;
    let after = server.get(&format!("/api/games/{id}")).await;
    for key in ["id", "version", "created", "updated", "players", "offer", "tags"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    assert_eq!(after["view"], before["view"]);
    assert_eq!(after["clock"]["running"], "first");
    assert!(
        left(&before, "first").abs_diff(left(&after, "first")) < 5_000,
        "the time without a server is nobody's"
    );
    let record = server.get(&format!("/api/games/{id}/record")).await;
    assert!(record["record"].as_str().unwrap().contains("[Black \"An\"]"), "{record}");
    assert_eq!(server.get("/api/games").await[0]["id"], json!(id));
}

#[tokio::test]
async fn games_are_listed_by_their_last_change_page_by_page() {
    let (server, _folder) = Running::start().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(server.begin("chess").await);
    }
    server.play(&ids[1], "e4").await;
    let mut expected = vec![ids[1].clone()];
    expected.extend([4, 3, 2, 0].map(|i: usize| ids[i].clone()));
    let mut found = Vec::new();
    let mut before = String::new();
    loop {
        let page = server.get(&format!("/api/games?limit=2{before}")).await;
        let Some(last) = page.as_array().unwrap().last() else { break };
        before = format!("&before={}", last["updated"]);
        found.extend(page.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_owned()));
    }
    assert_eq!(found, expected);
    let (status, _) = server.ask(Method::DELETE, &format!("/api/games/{}", ids[3]), None).await;
    assert_eq!(status, 204);
    assert_eq!(server.ask(Method::GET, &format!("/api/games/{}", ids[3]), None).await.0, 404);
    assert_eq!(server.get("/api/games").await.as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn games_that_change_together_are_all_listed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_in(folder.path(), Limits::default()).await;
    let begun = futures_util::future::join_all((0..60).map(|_| server.begin("chess"))).await;
    futures_util::future::join_all(begun.iter().take(30).map(|id| server.play(id, "e4"))).await;
    server.stop().await;
    let server = Running::start_in(folder.path(), Limits::default()).await;
    let mut found = Vec::new();
    let mut before = String::new();
    loop {
        let page = server.get(&format!("/api/games?limit=1{before}")).await;
        let Some(game) = page.get(0) else { break };
        before = format!("&before={}", game["updated"]);
        found.push(game["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(found.len(), begun.len());
    assert_eq!(found.iter().collect::<BTreeSet<_>>(), begun.iter().collect());
    assert_eq!(found[..30].iter().collect::<BTreeSet<_>>(), begun[..30].iter().collect());
}

#[tokio::test]
async fn of_many_moves_at_once_one_is_played() {
    let (server, _folder) = Running::start().await;
    let id = server.begin("chess").await;
    let path = format!("/api/games/{id}/moves");
    let moves = ["e4", "d4", "c4", "Nf3", "g3", "b3", "f4", "a3"];
    let asked =
        moves.map(|text| server.ask(Method::POST, &path, Some(json!({ "text": text, "version": 1 }))));
    let answers = futures_util::future::join_all(asked).await;
    assert_eq!(answers.iter().filter(|(status, _)| *status == 200).count(), 1);
    assert!(answers.iter().all(|(status, _)| [200, 409].contains(status)));
}
