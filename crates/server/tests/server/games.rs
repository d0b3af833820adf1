//! Stored games: moves, undo, game ends, draw offers, clocks, engines, restarts and the list of games.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::Method;
use sandtable_server::{Limits, Server};
use serde_json::{Value, json};

use crate::client::{TestServer, config, limits};

fn against_level(kind: &str, level: u8) -> Value {
    json!({ "kind": kind, "seats": { "first": { "type": "human", "name": "An" }, "second": { "type": "engine", "level": level } } })
}

fn sans(game: &Value) -> Vec<String> {
    let played = game["view"]["moves_played"].as_array().expect("a list of moves");
    played.iter().map(|played| played["san"].as_str().expect("a string").to_owned()).collect()
}

fn is_over(game: &Value) -> bool {
    game["view"]["outcome"]["over"] == true
}

#[tokio::test]
async fn moves_are_texts_or_indices_and_increase_the_version() {
    let (server, _folder) = TestServer::start().await;
    let id = server.create_kind("chess").await;
    let first = server.play(&id, "e4").await;
    assert_eq!((&first["version"], &first["view"]["moves_played"][0]["text"]), (&json!(2), &json!("e2e4")));
    let legal_moves = first["view"]["legal_moves"].as_array().unwrap();
    let index = &legal_moves.iter().find(|m| m["san"] == "c5").unwrap()["index"];
    let second =
        server.post(&format!("/api/games/{id}/moves"), json!({ "index": index, "version": 2 })).await;
    assert_eq!(sans(&second), ["e4", "c5"]);
    let stale = json!({ "text": "d4", "version": 2 });
    let (status, code, message) = server.post_error(&format!("/api/games/{id}/moves"), stale).await;
    assert_eq!((status, code.as_str()), (409, "conflict"));
    assert!(message.contains("version 3"), "{message}");
    assert_eq!(sans(&server.get(&format!("/api/games/{id}")).await), ["e4", "c5"]);
}

#[tokio::test]
async fn undo_takes_back_moves_and_declared_ends() {
    let (server, _folder) = TestServer::start().await;
    let id = server.create_kind("chess").await;
    let undo = format!("/api/games/{id}/undo");
    assert_eq!(server.post_error(&undo, json!({})).await.0, 409);
    server.play(&id, "e4").await;
    server.play(&id, "e5").await;
    let over = server.post(&format!("/api/games/{id}/resign"), json!({ "player": "second" })).await;
    assert_eq!(over["view"]["outcome"]["winner"], "first");
    assert_eq!(server.post_error(&format!("/api/games/{id}/moves"), json!({ "text": "d4" })).await.0, 409);
    assert!(!is_over(&server.post(&undo, json!({})).await));
    assert_eq!(sans(&server.post(&undo, json!({})).await), ["e4"]);
}

#[tokio::test]
async fn an_engine_replies_and_undo_takes_back_both_moves() {
    let (server, _folder) = TestServer::start().await;
    for kind in sandtable::games::complete_games().map(|kind| kind.name) {
        let game = server.post("/api/games", against_level(kind, 1)).await;
        let id = game["id"].as_str().unwrap().to_owned();
        let first = game["view"]["legal_moves"][0]["text"].as_str().unwrap().to_owned();
        server.play(&id, &first).await;
        let replied = server.wait_for(&id, |game| game["thinking"] == false).await;
        assert!(sans(&replied).len() >= 2, "{kind}");
        assert_eq!(replied["view"]["turn"], "first");
        let back = server.post(&format!("/api/games/{id}/undo"), json!({})).await;
        assert_eq!(sans(&back).len(), 0, "{kind}");
        let error =
            server.post_error(&format!("/api/games/{id}/resign"), json!({ "player": "second" })).await;
        assert_eq!(error.0, 409, "a client cannot resign for the engine");
    }
}

#[tokio::test]
async fn engines_play_whole_games_against_each_other() {
    let (server, _folder) = TestServer::start().await;
    let engine = json!({ "type": "engine", "level": 0 });
    for kind in sandtable::GAMES {
        let new = json!({ "kind": kind.name, "seats": { "first": engine, "second": engine } });
        let id = server.create(new).await;
        let mut socket = server.socket(&format!("/api/games/{id}/socket")).await;
        let over = socket.receive_until(|message| is_over(&message["game"])).await["game"].clone();
        assert_eq!((&over["thinking"], &over["view"]["legal_moves"]), (&json!(false), &json!([])));
        // The moves are a legal game that ends with the same outcome, and not before the last move.
        let mut game = kind.start(kind.rules[0]).unwrap();
        for played in over["view"]["moves_played"].as_array().unwrap() {
            game.play(played["text"].as_str().unwrap()).unwrap();
        }
        assert_eq!(over["view"]["position"], game.position_text(), "{}", kind.name);
        assert!(game.is_over(), "{}: {}", kind.name, over["view"]["outcome"]);
        assert_eq!(over["version"], game.ply() + 1);
        let record = server.get(&format!("/api/games/{id}/record")).await;
        let request = json!({ "kind": kind.name, "record": record["record"] });
        let read = server.post("/api/records/read", request).await;
        assert_eq!(read["view"]["moves_played"], over["view"]["moves_played"], "{}", kind.name);
        assert_eq!(read["view"]["outcome"], over["view"]["outcome"], "{}", kind.name);
    }
}

#[tokio::test]
async fn engines_play_each_other_only_while_somebody_watches() {
    let (server, _folder) = TestServer::start().await;
    let engine = json!({ "type": "engine", "level": 0 });
    let new = json!({ "kind": "cotulenh", "seats": { "first": engine, "second": engine } });
    let id = server.create(new).await;
    let path = format!("/api/games/{id}");
    // An engine that plays at random needs far less time for a move.
    let pause = || tokio::time::sleep(Duration::from_millis(300));
    pause().await;
    assert_eq!(server.get(&path).await["version"], 1);
    let mut socket = server.socket(&format!("{path}/socket")).await;
    socket.receive_until(|message| message["game"]["version"].as_u64() > Some(5)).await;
    drop(socket);
    // Until the server notices that the socket is closed.
    let mut last = server.get(&path).await["version"].clone();
    let stopped = async {
        loop {
            pause().await;
            let version = server.get(&path).await["version"].clone();
            if last == version {
                return version;
            }
            last = version;
        }
    };
    let version = tokio::time::timeout(Duration::from_secs(30), stopped).await.expect("the engines pause");
    let mut socket = server.socket(&format!("{path}/socket")).await;
    socket.receive_until(|message| message["game"]["version"].as_u64() > version.as_u64()).await;
}

#[tokio::test]
async fn an_engine_replies_after_the_move_was_seen() {
    const DELAY: Duration = Duration::from_millis(500);
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), limits(|l| l.reply_delay = DELAY)).await;
    let id = server.create(against_level("chess", 1)).await;
    let began = std::time::Instant::now();
    server.play(&id, "e4").await;
    let is_answered = |game: &Value| game["view"]["moves_played"].as_array().is_some_and(|m| m.len() == 2);
    server.wait_for(&id, is_answered).await;
    assert!(began.elapsed() >= DELAY, "{:?}", began.elapsed());
}

#[tokio::test]
async fn an_engine_that_waits_for_a_worker_loses_no_time() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), limits(|l| l.engine_workers = 0)).await;
    let mut new = against_level("chess", 9);
    new["clock"] = json!({ "initial": 1_000 });
    let id = server.create(new).await;
    server.play(&id, "e4").await;
    tokio::time::sleep(Duration::from_millis(1_300)).await;
    let game = server.get(&format!("/api/games/{id}")).await;
    assert!(!is_over(&game), "{}", game["view"]["outcome"]);
    assert_eq!(game["thinking"], true);
    assert!(game["clock"]["left"]["second"].as_u64() > Some(500), "{}", game["clock"]);
}

fn draw(player: &str, action: &str) -> Value {
    json!({ "player": player, "action": action })
}

#[tokio::test]
async fn draws_are_offered_declined_and_accepted() {
    let (server, _folder) = TestServer::start().await;
    for kind in ["chess", "cotulenh", "tribun"] {
        let id = server.create_kind(kind).await;
        let path = format!("/api/games/{id}/draw");
        assert_eq!(server.post_error(&path, draw("first", "accept")).await.0, 409, "no offer is open");
        assert_eq!(server.post(&path, draw("first", "offer")).await["draw_offer"], "first");
        assert_eq!(server.post_error(&path, draw("first", "accept")).await.0, 409, "the player's own offer");
        assert_eq!(server.post(&path, draw("second", "decline")).await["draw_offer"], Value::Null);
        assert_eq!(
            server.post_error(&path, draw("first", "offer")).await.0,
            409,
            "a declined offer cannot be repeated"
        );
        server.post(&path, draw("second", "offer")).await;
        let over = server.post(&path, draw("first", "accept")).await;
        assert_eq!(over["view"]["outcome"]["reason"], "agreement", "{kind}");
    }
}

/// One finished game for each way a game can end: its id, and how the error messages describe the end.
async fn finished_games(server: &TestServer) -> Vec<(String, &'static str)> {
    let mate = server.create(json!({ "kind": "chess", "moves": ["f3", "e5", "g4"] })).await;
    // An open offer must not survive the end.
    server.post(&format!("/api/games/{mate}/draw"), draw("second", "offer")).await;
    server.play(&mate, "Qh4").await;
    let stalemate =
        server.create(json!({ "kind": "chess", "position": "7k/8/5KQ1/8/8/8/8/8 w - - 0 1" })).await;
    server.play(&stalemate, "Kf7").await;
    let commander =
        json!({ "kind": "cotulenh", "position": "6c4/6T4/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1" });
    let commander = server.create(commander).await;
    server.play(&commander, "Txg12").await;
    let resigned = server.create_kind("tribun").await;
    server.post(&format!("/api/games/{resigned}/resign"), json!({ "player": "first" })).await;
    let agreed = server.create_kind("tribun").await;
    server.post(&format!("/api/games/{agreed}/draw"), draw("second", "offer")).await;
    server.post(&format!("/api/games/{agreed}/draw"), draw("first", "accept")).await;
    let flag = server.create(json!({ "kind": "chess", "clock": { "initial": 1_000 } })).await;
    server.play(&flag, "e4").await;
    server.wait_for(&flag, is_over).await;
    vec![
        (mate, "Black wins (checkmate)"),
        (stalemate, "draw (stalemate)"),
        (commander, "Red wins (commander captured)"),
        (resigned, "White wins (resignation)"),
        (agreed, "draw (agreement)"),
        (flag, "White wins (time forfeit)"),
    ]
}

#[tokio::test]
async fn a_finished_game_has_no_legal_moves_and_accepts_no_moves_draws_or_resignations() {
    let (server, _folder) = TestServer::start().await;
    for (id, end) in finished_games(&server).await {
        let path = format!("/api/games/{id}");
        let over = server.get(&path).await;
        let description = over["view"]["outcome"]["description"].as_str().unwrap();
        assert!(is_over(&over) && description == end, "{description}");
        assert_eq!((&over["view"]["legal_moves"], &over["draw_offer"]), (&json!([]), &Value::Null), "{end}");
        let mut requests = vec![
            ("moves", json!({ "text": "e5" })),
            ("moves", json!({ "index": 0 })),
            ("resign", json!({ "player": "first" })),
        ];
        for player in ["first", "second"] {
            for action in ["offer", "retract", "accept", "decline"] {
                requests.push(("draw", draw(player, action)));
            }
        }
        for (action, body) in requests {
            let (status, code, message) = server.post_error(&format!("{path}/{action}"), body.clone()).await;
            assert_eq!((status, code.as_str()), (409, "conflict"), "{end}: {action} {body}");
            assert_eq!(message, format!("the game is over: {end}"), "{action} {body}");
        }
        let after = server.get(&path).await;
        assert_eq!((&after["version"], &after["view"]), (&over["version"], &over["view"]), "{end}");
    }
}

#[tokio::test]
async fn an_engine_accepts_a_draw_when_losing_and_declines_when_winning() {
    let (server, _folder) = TestServer::start().await;
    for (position, reason) in [
        ("4k3/8/8/8/8/8/QQ6/4K3 w - - 0 1", json!("agreement")),
        ("4k3/qq6/8/8/8/8/8/4K3 w - - 0 1", Value::Null),
    ] {
        let mut new = against_level("chess", 3);
        new["position"] = json!(position);
        let id = server.create(new).await;
        let offered = server.post(&format!("/api/games/{id}/draw"), draw("first", "offer")).await;
        let version = offered["version"].as_u64().unwrap();
        let answered = server.wait_for(&id, |game| game["version"].as_u64() > Some(version)).await;
        assert_eq!(
            (&answered["view"]["outcome"]["reason"], &answered["draw_offer"]),
            (&reason, &Value::Null)
        );
    }
}

#[tokio::test]
async fn a_clock_runs_from_the_first_move_until_the_flag_falls() {
    let (server, _folder) = TestServer::start().await;
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
    let over = server.wait_for(&id, is_over).await;
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
async fn the_increment_is_added_after_a_complete_turn() {
    let (server, _folder) = TestServer::start().await;
    let position = "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 b - - 0 1";
    let new = json!({ "kind": "cotulenh", "position": position, "clock": { "initial": 60_000, "increment": 30_000 } });
    let game = server.post("/api/games", new).await;
    let id = game["id"].as_str().unwrap().to_owned();
    server.play(&id, game["view"]["legal_moves"][0]["text"].as_str().unwrap()).await;
    let game = server.get(&format!("/api/games/{id}")).await;
    let legal_moves = game["view"]["legal_moves"].as_array().unwrap();
    let step = legal_moves.iter().find(|m| m["group"] == json!(["air force"])).unwrap();
    let during = server.play(&id, step["text"].as_str().unwrap()).await;
    assert_eq!(during["clock"]["running"], "first");
    assert!(left(&during, "first") <= 60_000);
    let after = server.play(&id, "end").await;
    assert!(left(&after, "first") > 60_000);
}

#[tokio::test]
async fn a_complete_turn_is_played_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), Limits::default()).await;
    let position = "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1";
    let start = sandtable::find("cotulenh").unwrap().parse(position, "standard").unwrap();
    let turn = start.turns().into_iter().find(|turn| turn.moves.len() == 3).unwrap();
    assert!(turn.text.starts_with("c3:"), "{}", turn.text);
    let clock = json!({ "initial": 60_000, "increment": 30_000 });
    let new = json!({ "kind": "cotulenh", "position": position, "clock": clock });
    let id = server.create(new).await;
    let played = server.play(&id, &turn.text).await;
    let texts = |game: &Value| {
        let played = game["view"]["moves_played"].as_array().unwrap().clone();
        played.iter().map(|played| played["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((texts(&played), &played["version"]), (turn.moves.clone(), &json!(4)));
    assert_eq!((&played["view"]["turn"], &played["clock"]["running"]), (&json!("second"), &json!("second")));
    // The first step starts the clock, as if the steps were played one by one, and the turn earns one increment.
    assert!((60_001..=90_000).contains(&left(&played, "first")), "{}", played["clock"]);
    server.stop().await;

    let server = TestServer::start_in(folder.path(), Limits::default()).await;
    assert_eq!(server.get(&format!("/api/games/{id}")).await["view"], played["view"]);
    let back = server.post(&format!("/api/games/{id}/undo"), json!({})).await;
    assert_eq!((texts(&back).as_slice(), &back["view"]["turn"]), (&turn.moves[..2], &json!("first")));
    assert!(left(&back, "first") <= 60_000, "the increment is taken back: {}", back["clock"]);
    let request = json!({ "kind": "cotulenh", "position": position, "moves": [turn.text] });
    assert_eq!(server.post("/api/position", request).await["position"], turn.position);
}

/// The time left to a player.
fn left(game: &Value, player: &str) -> u64 {
    game["clock"]["left"][player].as_u64().unwrap()
}

#[tokio::test]
async fn undo_restores_the_clocks() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), Limits::default()).await;
    let clock = json!({ "initial": 60_000, "increment": 30_000 });
    let new = json!({ "kind": "chess", "moves": ["d4", "d5"], "clock": clock });
    let id = server.create(new).await;
    let undo = format!("/api/games/{id}/undo");
    server.play(&id, "c4").await;
    let replied = server.play(&id, "e6").await;
    assert!(left(&replied, "second") > 60_000);
    let back = server.post(&undo, json!({})).await;
    assert!(left(&back, "second") <= 60_000, "the increment is taken back: {}", back["clock"]);
    assert_eq!((left(&back, "first"), &back["clock"]["running"]), (60_000, &json!("second")));
    server.play(&id, "e6").await;
    let before = server.play(&id, "Nc3").await;
    assert!(left(&before, "first") > 60_000);
    server.stop().await;

    let server = TestServer::start_in(folder.path(), Limits::default()).await;
    let back = server.post(&undo, json!({})).await;
    assert!(left(&back, "first") <= 60_000, "also after a restart: {}", back["clock"]);
    assert!(left(&back, "second") > 60_000);
    server.post(&undo, json!({})).await;
    // Back at the moves the game was created with, the clock has not started.
    let back = server.post(&undo, json!({})).await;
    assert_eq!((left(&back, "first"), left(&back, "second")), (60_000, 60_000));
    assert_eq!(back["clock"]["running"], Value::Null);
    assert_eq!(server.post(&undo, json!({})).await["clock"]["running"], Value::Null);
}

#[tokio::test]
async fn undo_of_a_loss_on_time_restores_the_time_of_the_turn() {
    let (server, _folder) = TestServer::start().await;
    let new = json!({ "kind": "chess", "clock": { "initial": 1_000 } });
    let id = server.create(new).await;
    server.play(&id, "e4").await;
    server.wait_for(&id, is_over).await;
    let back = server.post(&format!("/api/games/{id}/undo"), json!({})).await;
    assert!(!is_over(&back) && left(&back, "second") > 0, "{}", back["clock"]);
    assert_eq!((sans(&back).len(), &back["clock"]["running"]), (1, &json!("second")));
    // The flag falls again, but only after that time.
    let again = server.wait_for(&id, is_over).await;
    assert_eq!(left(&again, "second"), 0);
    assert!(again["updated"].as_u64().unwrap() >= back["updated"].as_u64().unwrap() + 900);
}

#[tokio::test]
async fn replaced_flag_timers_are_cancelled() {
    let (server, _folder) = TestServer::start().await;
    let new = json!({ "kind": "chess", "clock": { "initial": 600_000 } });
    let id = server.create(new).await;
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
    assert!(settled.is_ok(), "{before} tasks became {}", tasks());
}

#[tokio::test]
async fn after_a_failed_write_the_game_is_reloaded() {
    let (server, folder) = TestServer::start().await;
    let id = server.create_kind("chess").await;
    let path = format!("/api/games/{id}");
    let mut socket = server.socket(&format!("{path}/socket")).await;
    socket.receive().await;
    // The next entry exists already: the server cannot write it, and the disk is ahead of its memory.
    let games = rusqlite::Connection::open(folder.path().join("games.sqlite")).unwrap();
    let insert = r#"INSERT INTO entries VALUES (?1, 2, 0, '{"event":{"move":"e2e4"}}')"#;
    games.execute(insert, [&id]).unwrap();
    games.execute("UPDATE games SET version = 2 WHERE id = ?1", [&id]).unwrap();
    let (status, body) =
        server.request(Method::POST, &format!("{path}/moves"), Some(json!({ "text": "d4" }))).await;
    assert_eq!((status, &body["code"]), (500, &json!("internal")));
    assert_eq!(socket.next().await, None, "subscribers must reconnect");
    let found = server.get(&path).await;
    assert_eq!((sans(&found), &found["version"]), (vec!["e4".to_owned()], &json!(2)));
    assert_eq!(sans(&server.play(&id, "e5").await), ["e4", "e5"]);
}

#[tokio::test]
async fn a_folder_has_one_server() {
    let (server, folder) = TestServer::start().await;
    let error = Server::bind(config(folder.path())).await.err().expect("the folder is in use").to_string();
    assert!(error.contains("another server is using this folder"), "{error}");
    assert!(error.contains(folder.path().to_str().unwrap()), "{error}");
    server.stop().await;
    Server::bind(config(folder.path())).await.expect("the folder is free again");
}

#[tokio::test]
async fn games_of_schema_1_are_migrated() {
    let folder = tempfile::tempdir().unwrap();
    let database = rusqlite::Connection::open(folder.path().join("games.sqlite")).unwrap();
    database.execute_batch(include_str!("../schema-1.sql")).unwrap();
    drop(database);
    let server = TestServer::start_in(folder.path(), Limits::default()).await;
    let seats = json!({
        "first": { "type": "human", "name": r#"the "who":"person" of "players":"# },
        "second": { "type": "engine", "level": 0 },
    });
    let summary = &server.get("/api/games").await[0];
    assert_eq!((&summary["id"], &summary["seats"]), (&json!("oldgame"), &seats));
    assert_eq!(
        (&summary["last_move"], &summary["outcome"]["reason"]),
        (&json!("e5"), &json!("time forfeit"))
    );
    let game = server.get("/api/games/oldgame").await;
    assert_eq!((sans(&game), &game["version"]), (vec!["d4".to_owned(), "e5".to_owned()], &json!(7)));
    assert_eq!((&game["seats"], &game["tags"][0]), (&seats, &json!(["Event", "\"said\":"])));
    assert_eq!((&game["view"]["outcome"], left(&game, "first")), (&summary["outcome"], 0));
    let back = server.post("/api/games/oldgame/undo", json!({})).await;
    assert_eq!((is_over(&back), &back["clock"]["running"]), (false, &json!("first")));
}

#[tokio::test]
async fn games_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), Limits::default()).await;
    let new = json!({ "kind": "tribun", "clock": { "initial": 600_000 }, "tags": [["Event", "An evening"]], "seats": { "first": { "type": "human", "name": "An" }, "second": { "type": "human", "name": "Binh" } } });
    let id = server.create(new).await;
    for text in ["b3-e5", "j9-g7", "c6-d7"] {
        server.play(&id, text).await;
    }
    server.post(&format!("/api/games/{id}/undo"), json!({})).await;
    let before = server.post(&format!("/api/games/{id}/draw"), draw("second", "offer")).await;
    server.stop().await;

    let server = TestServer::start_in(folder.path(), Limits::default()).await;
    let after = server.get(&format!("/api/games/{id}")).await;
    for key in ["id", "version", "created", "updated", "seats", "draw_offer", "tags"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    assert_eq!(after["view"], before["view"]);
    assert_eq!(after["clock"]["running"], "first");
    assert!(
        left(&before, "first").abs_diff(left(&after, "first")) < 5_000,
        "downtime is charged to neither player"
    );
    let record = server.get(&format!("/api/games/{id}/record")).await;
    assert!(record["record"].as_str().unwrap().contains("[Black \"An\"]"), "{record}");
    assert_eq!(server.get("/api/games").await[0]["id"], json!(id));
}

#[tokio::test]
async fn lists_games_by_their_last_change_page_by_page() {
    let (server, _folder) = TestServer::start().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(server.create_kind("chess").await);
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
    let (status, _) = server.request(Method::DELETE, &format!("/api/games/{}", ids[3]), None).await;
    assert_eq!(status, 204);
    assert_eq!(server.request(Method::GET, &format!("/api/games/{}", ids[3]), None).await.0, 404);
    assert_eq!(server.get("/api/games").await.as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn the_list_skips_no_game_that_changed_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start_in(folder.path(), Limits::default()).await;
    let created = futures_util::future::join_all((0..60).map(|_| server.create_kind("chess"))).await;
    futures_util::future::join_all(created.iter().take(30).map(|id| server.play(id, "e4"))).await;
    server.stop().await;
    let server = TestServer::start_in(folder.path(), Limits::default()).await;
    let mut found = Vec::new();
    let mut before = String::new();
    loop {
        let page = server.get(&format!("/api/games?limit=1{before}")).await;
        let Some(game) = page.get(0) else { break };
        before = format!("&before={}", game["updated"]);
        found.push(game["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(found.len(), created.len());
    assert_eq!(found.iter().collect::<BTreeSet<_>>(), created.iter().collect());
    assert_eq!(found[..30].iter().collect::<BTreeSet<_>>(), created[..30].iter().collect());
}

#[tokio::test]
async fn one_of_many_simultaneous_moves_is_played() {
    let (server, _folder) = TestServer::start().await;
    let id = server.create_kind("chess").await;
    let path = format!("/api/games/{id}/moves");
    let moves = ["e4", "d4", "c4", "Nf3", "g3", "b3", "f4", "a3"];
    let requests =
        moves.map(|text| server.request(Method::POST, &path, Some(json!({ "text": text, "version": 1 }))));
    let responses = futures_util::future::join_all(requests).await;
    assert_eq!(responses.iter().filter(|(status, _)| *status == 200).count(), 1);
    assert!(responses.iter().all(|(status, _)| [200, 409].contains(status)));
}
