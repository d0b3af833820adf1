//! Seats, guests, roles, links, offers, claims, the lobby, presence, the chat and rematches.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Method;
use sandtable_server::{Access, Limits};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Guest, TestServer, config, limits};

const AN: &str = "a0000000000000000000000000000001";
const BINH: &str = "b0000000000000000000000000000002";
const CHI: &str = "c0000000000000000000000000000003";

async fn server_with(limits: &Limits) -> (TestServer, TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut config = config(folder.path());
    (config.access, config.limits) = (Access::Seats, *limits);
    (TestServer::start_with(config).await, folder)
}

async fn server() -> (TestServer, TempDir) {
    server_with(&Limits::default()).await
}

fn human(name: &str) -> Value {
    json!({ "type": "human", "name": name })
}

/// A new game with an open second seat.
fn with_open_seat() -> Value {
    json!({ "kind": "chess", "seats": { "first": human("An"), "second": { "type": "open" } }, "chat": true })
}

/// Creates a game of An (first) against Bình.
async fn between_two(server: &TestServer, request: Value) -> String {
    let (an, binh) = (server.guest(AN), server.guest(BINH));
    let id = an.create(request).await;
    let token = invitation(&an, &id).await;
    binh.post(&format!("/api/games/{id}/seat"), json!({ "token": token, "name": "Bình" })).await;
    id
}

async fn invitation(guest: &Guest<'_>, id: &str) -> String {
    let link = guest.post(&format!("/api/games/{id}/invitation"), json!({})).await;
    link["token"].as_str().unwrap().to_owned()
}

async fn draw(guest: &Guest<'_>, id: &str, player: &str, action: &str) -> u16 {
    guest.status(&format!("/api/games/{id}/draw"), json!({ "player": player, "action": action })).await
}

async fn take_back(guest: &Guest<'_>, id: &str, player: &str, action: &str) -> (u16, Value) {
    let body = json!({ "player": player, "action": action });
    guest.request(Method::POST, &format!("/api/games/{id}/take-back"), Some(body)).await
}

/// The actions of the table: a name, the method, the path below the game and the body.
fn actions() -> Vec<(&'static str, Method, &'static str, Option<Value>)> {
    let (get, post) = (Method::GET, Method::POST);
    let own = |action: &str| Some(json!({ "player": "first", "action": action }));
    let other = |action: &str| Some(json!({ "player": "second", "action": action }));
    vec![
        ("read", get.clone(), "", None),
        ("record", get.clone(), "/record", None),
        ("read chat", get, "/chat", None),
        ("move", post.clone(), "/moves", Some(json!({ "text": "e4" }))),
        ("undo", post.clone(), "/undo", Some(json!({}))),
        ("resign", post.clone(), "/resign", Some(json!({ "player": "first" }))),
        ("resign for the other", post.clone(), "/resign", Some(json!({ "player": "second" }))),
        ("offer draw", post.clone(), "/draw", own("offer")),
        ("offer draw for the other", post.clone(), "/draw", other("offer")),
        ("retract draw", post.clone(), "/draw", own("retract")),
        ("retract draw for the other", post.clone(), "/draw", other("retract")),
        ("accept draw", post.clone(), "/draw", own("accept")),
        ("accept draw for the other", post.clone(), "/draw", other("accept")),
        ("decline draw", post.clone(), "/draw", own("decline")),
        ("decline draw for the other", post.clone(), "/draw", other("decline")),
        ("ask to take back", post.clone(), "/take-back", own("offer")),
        ("ask to take back for the other", post.clone(), "/take-back", other("offer")),
        ("retract take-back", post.clone(), "/take-back", own("retract")),
        ("retract take-back for the other", post.clone(), "/take-back", other("retract")),
        ("accept take-back", post.clone(), "/take-back", own("accept")),
        ("accept take-back for the other", post.clone(), "/take-back", other("accept")),
        ("decline take-back", post.clone(), "/take-back", own("decline")),
        ("decline take-back for the other", post.clone(), "/take-back", other("decline")),
        ("claim draw", post.clone(), "/claim", Some(json!({ "player": "first", "claim": "draw" }))),
        (
            "claim draw for the other",
            post.clone(),
            "/claim",
            Some(json!({ "player": "second", "claim": "draw" })),
        ),
        ("claim victory", post.clone(), "/claim", Some(json!({ "player": "first", "claim": "victory" }))),
        (
            "claim victory for the other",
            post.clone(),
            "/claim",
            Some(json!({ "player": "second", "claim": "victory" })),
        ),
        ("ask for advice", post.clone(), "/advice", Some(json!({ "player": "first", "kind": "hint" }))),
        (
            "ask for advice for the other",
            post.clone(),
            "/advice",
            Some(json!({ "player": "second", "kind": "threats" })),
        ),
        ("abort", post.clone(), "/abort", Some(json!({}))),
        ("rematch", post.clone(), "/rematch", Some(json!({}))),
        ("chat", post.clone(), "/chat", Some(json!({ "text": "Xin chào" }))),
        ("invite", post.clone(), "/invitation", Some(json!({}))),
        ("transfer", post.clone(), "/transfer", Some(json!({ "player": "first" }))),
        ("transfer for the other", post.clone(), "/transfer", Some(json!({ "player": "second" }))),
        ("take a seat", post, "/seat", Some(json!({ "name": "Ai đó" }))),
        ("delete", Method::DELETE, "", None),
    ]
}

/// Every role with every action on a new game: the status for a guest without a token, a spectator with one, the host of an
/// open seat, one of two players (first), the other player (second), the only player against an engine (first), and a guest
/// who plays both sides. 409 means that the role may do it in another state of the game.
#[tokio::test]
async fn every_role_has_its_actions_and_no_others() {
    #[rustfmt::skip]
    let table: &[(&str, [u16; 7])] = &[
        //                                   nobody spectator host player other engine both
        ("read",                              [200, 200, 200, 200, 200, 200, 200]),
        ("record",                            [200, 200, 200, 200, 200, 200, 200]),
        ("read chat",                         [403, 403, 200, 200, 200, 403, 403]),
        ("move",                              [403, 403, 409, 200, 409, 200, 200]),
        ("undo",                              [403, 403, 409, 403, 403, 409, 409]),
        ("resign",                            [403, 403, 409, 200, 403, 200, 200]),
        ("resign for the other",              [403, 403, 403, 403, 200, 409, 200]),
        ("offer draw",                        [403, 403, 409, 200, 403, 200, 200]),
        ("offer draw for the other",          [403, 403, 403, 403, 200, 409, 200]),
        ("retract draw",                      [403, 403, 409, 409, 403, 409, 409]),
        ("retract draw for the other",        [403, 403, 403, 403, 409, 409, 409]),
        ("accept draw",                       [403, 403, 409, 409, 403, 409, 409]),
        ("accept draw for the other",         [403, 403, 403, 403, 409, 409, 409]),
        ("decline draw",                      [403, 403, 409, 409, 403, 409, 409]),
        ("decline draw for the other",        [403, 403, 403, 403, 409, 409, 409]),
        ("ask to take back",                  [403, 403, 409, 409, 403, 409, 409]),
        ("ask to take back for the other",    [403, 403, 403, 403, 409, 409, 409]),
        ("retract take-back",                 [403, 403, 409, 409, 403, 409, 409]),
        ("retract take-back for the other",   [403, 403, 403, 403, 409, 409, 409]),
        ("accept take-back",                  [403, 403, 409, 409, 403, 409, 409]),
        ("accept take-back for the other",    [403, 403, 403, 403, 409, 409, 409]),
        ("decline take-back",                 [403, 403, 409, 409, 403, 409, 409]),
        ("decline take-back for the other",   [403, 403, 403, 403, 409, 409, 409]),
        ("claim draw",                        [403, 403, 409, 409, 403, 409, 409]),
        ("claim draw for the other",          [403, 403, 403, 403, 409, 409, 409]),
        ("claim victory",                     [403, 403, 409, 409, 403, 409, 409]),
        ("claim victory for the other",       [403, 403, 403, 403, 409, 409, 409]),
        ("ask for advice",                    [403, 403, 409, 403, 403, 200, 200]),
        ("ask for advice for the other",      [403, 403, 403, 403, 403, 409, 409]),
        ("abort",                             [403, 403, 204, 204, 204, 204, 204]),
        ("rematch",                           [403, 403, 409, 409, 409, 409, 409]),
        ("chat",                              [403, 403, 201, 201, 201, 403, 403]),
        ("invite",                            [403, 403, 200, 409, 409, 409, 409]),
        ("transfer",                          [403, 403, 200, 200, 403, 200, 200]),
        ("transfer for the other",            [403, 403, 403, 403, 200, 409, 200]),
        ("take a seat",                       [403, 403, 403, 403, 403, 403, 403]),
        ("delete",                            [403, 403, 204, 403, 403, 204, 204]),
    ];
    let unlimited = limits(|limits| {
        limits.per_client = limits.total;
        limits.total.requests_per_second = 100_000;
        limits.per_client.requests_per_second = 100_000;
    });
    let (server, _folder) = server_with(&unlimited).await;
    let against_engine = json!({ "kind": "chess", "chat": true,
        "seats": { "first": human("An"), "second": { "type": "engine", "level": 0 } } });
    let alone = json!({ "kind": "chess", "chat": true });
    let actions = actions();
    assert_eq!(
        actions.iter().map(|action| action.0).collect::<Vec<_>>(),
        table.iter().map(|row| row.0).collect::<Vec<_>>()
    );
    for ((name, method, path, body), (_, expected)) in actions.into_iter().zip(table) {
        let mut found = Vec::new();
        for role in ["nobody", "spectator", "host", "player", "other", "engine", "both"] {
            let id = match role {
                "host" => server.guest(AN).create(with_open_seat()).await,
                "engine" => server.guest(AN).create(against_engine.clone()).await,
                "both" => server.guest(AN).create(alone.clone()).await,
                _ => between_two(&server, with_open_seat()).await,
            };
            let token = match role {
                "nobody" => "",
                "spectator" => CHI,
                "other" => BINH,
                _ => AN,
            };
            let path = format!("/api/games/{id}{path}");
            let (status, response) = server.guest(token).request(method.clone(), &path, body.clone()).await;
            if status >= 400 {
                let code = if status == 403 { "forbidden" } else { "conflict" };
                assert_eq!(response["code"], code, "{name} as {role}");
            }
            found.push(status);
        }
        assert_eq!(found, expected, "{name}");
    }
}

#[tokio::test]
async fn an_invitation_works_once_and_a_new_one_replaces_it() {
    let (server, folder) = server().await;
    let (an, binh, chi) = (server.guest(AN), server.guest(BINH), server.guest(CHI));
    let id = an.create(with_open_seat()).await;
    let seat = format!("/api/games/{id}/seat");
    assert_eq!(an.get(&format!("/api/games/{id}")).await["you"], json!(["first"]));
    let old = invitation(&an, &id).await;
    let link = an.post(&format!("/api/games/{id}/invitation"), json!({})).await;
    let token = link["token"].as_str().unwrap().to_owned();
    assert_eq!(link["url"], format!("http://{}/#/join/{id}/{token}", server.address));
    for wrong in [old.as_str(), "nonsense", CHI] {
        assert_eq!(binh.status(&seat, json!({ "token": wrong })).await, 403, "{wrong}");
    }
    assert_eq!(binh.status(&seat, json!({})).await, 403, "the game is not in the lobby");
    assert_eq!(an.status(&seat, json!({ "token": token })).await, 403, "the creator plays the other side");
    let game = binh.post(&seat, json!({ "token": token, "name": "Bình" })).await;
    assert_eq!((&game["you"], &game["seats"]["second"]), (&json!(["second"]), &human("Bình")));
    assert_eq!(chi.status(&seat, json!({ "token": token })).await, 403, "the link was used");
    // Only hashes are stored: neither tokens of guests nor of links.
    server.stop().await;
    let file = std::fs::read(folder.path().join("games.sqlite")).unwrap();
    for secret in [AN, BINH, &token] {
        assert!(!file.windows(secret.len()).any(|window| window == secret.as_bytes()), "{secret} is stored");
    }
}

#[tokio::test]
async fn a_browser_gets_a_cookie_and_keeps_its_seat() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.public_url = Some("https://table.example".parse().unwrap());
    let server = TestServer::start_with(config).await;
    let me = server.get("/api/me").await;
    assert_eq!(me, json!({ "access": "seats", "guest": false, "networks": [] }));
    let response = server.http.post(server.url("/api/games")).json(&with_open_seat()).send().await.unwrap();
    assert_eq!(response.status(), 201);
    let cookie = response.headers()["set-cookie"].to_str().unwrap().to_owned();
    let (pair, attributes) = cookie.split_once("; ").unwrap();
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000; Secure");
    let token = pair.strip_prefix("sandtable-guest=").unwrap();
    assert!(token.len() == 32 && token.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
    let game: Value = response.json().await.unwrap();
    assert_eq!(game["you"], json!(["first"]));
    let again = server.http.get(server.url("/api/me")).header("cookie", pair).send().await.unwrap();
    assert_eq!(again.json::<Value>().await.unwrap()["guest"], true);
    let id = game["id"].as_str().unwrap();
    let url = server.url(&format!("/api/games/{id}/invitation"));
    let link: Value =
        server.http.post(url).header("cookie", pair).send().await.unwrap().json().await.unwrap();
    assert!(link["url"].as_str().unwrap().starts_with("https://table.example/#/join/"), "{link}");
    let second = server.http.post(server.url("/api/games")).header("cookie", pair).json(&with_open_seat());
    assert!(!second.send().await.unwrap().headers().contains_key("set-cookie"), "the browser has a token");
    let bad = server.http.get(server.url("/api/me")).bearer_auth("me").send().await.unwrap();
    assert_eq!(bad.status(), 400);
}

#[tokio::test]
async fn games_are_listed_to_their_players_only() {
    let (server, _folder) = server().await;
    let (an, binh, chi) = (server.guest(AN), server.guest(BINH), server.guest(CHI));
    let private = between_two(&server, with_open_seat()).await;
    let public = an.create(json!({ "kind": "tribun", "public": true })).await;
    let ids = |games: &Value| -> Vec<String> {
        games.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
    };
    let own = an.get("/api/games").await;
    assert_eq!(ids(&own), [public.clone(), private.clone()]);
    assert_eq!(own[1]["you"], json!(["first"]));
    assert_eq!(binh.get("/api/games").await[0]["you"], json!(["second"]));
    assert_eq!(ids(&chi.get("/api/games").await), Vec::<String>::new());
    assert_eq!(ids(&server.guest("").get("/api/games").await), Vec::<String>::new());
    let watched = chi.get("/api/games?scope=public").await;
    assert_eq!((ids(&watched), &watched[0]["you"]), (vec![public], &json!([])));
    let seen = chi.get(&format!("/api/games/{private}")).await;
    assert_eq!(seen["you"], json!([]), "everyone who knows the id can watch");
}

#[tokio::test]
async fn the_lobby_shows_challenges_while_their_creators_are_there() {
    let (server, _folder) = server().await;
    let (an, binh) = (server.guest(AN), server.guest(BINH));
    let mut request = with_open_seat();
    request["lobby"] = json!(true);
    request["clock"] = json!({ "initial": 300_000, "delay": 2_000 });
    let id = an.create(request).await;
    assert_eq!(binh.get("/api/lobby").await, json!([]), "the creator does not follow the game");
    let mut socket = an.follow(&id).await;
    let game = socket.receive().await["game"].clone();
    assert_eq!(
        (&game["lobby"], &game["connected"]),
        (&json!(true), &json!({ "first": true, "second": false }))
    );
    let lobby = binh.get("/api/lobby").await;
    assert_eq!((&lobby[0]["id"], &lobby[0]["clock"]["delay"]), (&json!(id), &json!(2_000)));
    assert_eq!(lobby[0]["seats"]["second"], json!({ "type": "open" }));
    let game = binh.post(&format!("/api/games/{id}/seat"), json!({ "name": "Bình" })).await;
    assert_eq!((&game["you"], &game["lobby"]), (&json!(["second"]), &json!(false)));
    assert_eq!(an.get("/api/lobby").await, json!([]));
    let change = socket.receive_until(|message| message["type"] == "change").await;
    assert_eq!(change["game"]["seats"]["second"], human("Bình"));
    assert_eq!(server.guest(CHI).status(&format!("/api/games/{id}/seat"), json!({})).await, 403);
}

#[tokio::test]
async fn two_players_and_a_spectator_follow_a_game() {
    let (server, _folder) = server().await;
    let (an, binh) = (server.guest(AN), server.guest(BINH));
    let id = between_two(&server, with_open_seat()).await;
    let mut sockets = [an.follow(&id).await, binh.follow(&id).await, server.guest(CHI).follow(&id).await];
    let mut you = Vec::new();
    for socket in &mut sockets {
        you.push(socket.receive().await["game"]["you"].clone());
    }
    assert_eq!(you, [json!(["first"]), json!(["second"]), json!([])]);
    an.play(&id, "e4").await;
    binh.play(&id, "e5").await;
    for (socket, you) in sockets.iter_mut().zip(&you) {
        let change = socket.receive_until(|message| message["game"]["version"] == 4).await;
        assert_eq!((&change["type"], &change["kept"]), (&json!("change"), &json!(1)));
        assert_eq!(change["game"]["view"]["moves_played"][1]["san"], "e5");
        assert_eq!(&change["game"]["you"], you);
    }
    // Messages reach the players only, and do not change the version.
    binh.post(&format!("/api/games/{id}/chat"), json!({ "text": " Chào! " })).await;
    for socket in &mut sockets[..2] {
        let chat = socket.receive_until(|message| message["type"] == "chat").await;
        assert_eq!(
            (&chat["message"]["player"], &chat["message"]["text"]),
            (&json!("second"), &json!("Chào!"))
        );
    }
    an.play(&id, "Nf3").await;
    let next = sockets[2].receive().await;
    assert_eq!(
        (&next["type"], &next["game"]["version"]),
        (&json!("change"), &json!(5)),
        "no chat for spectators"
    );
}

#[tokio::test]
async fn moves_are_taken_back_with_consent_only() {
    let (server, _folder) = server().await;
    let (an, binh) = (server.guest(AN), server.guest(BINH));
    let id = between_two(&server, with_open_seat()).await;
    an.play(&id, "e4").await;
    binh.play(&id, "e5").await;
    assert_eq!(take_back(&an, &id, "first", "offer").await.1["take_back_offer"], "first");
    assert_eq!(take_back(&an, &id, "first", "accept").await.0, 409);
    assert_eq!(take_back(&an, &id, "second", "accept").await.0, 403);
    let (status, game) = take_back(&binh, &id, "second", "accept").await;
    assert_eq!((status, &game["view"]["moves_played"]), (200, &json!([])));
    assert_eq!(draw(&an, &id, "first", "offer").await, 200);
    assert_eq!(draw(&binh, &id, "second", "accept").await, 200);
    assert_eq!(take_back(&an, &id, "first", "offer").await.0, 409, "after the end");
    assert_eq!(an.status(&format!("/api/games/{id}/undo"), json!({})).await, 403);
}

#[tokio::test]
async fn a_fallen_flag_stays_fallen() {
    let (server, _folder) = server().await;
    let an = server.guest(AN);
    let id = an.create(json!({ "kind": "chess", "clock": { "initial": 1_000 } })).await;
    an.play(&id, "e4").await;
    let mut socket = an.follow(&id).await;
    let over = socket.receive_until(|message| message["game"]["view"]["outcome"]["over"] == true).await;
    assert_eq!(over["game"]["view"]["outcome"]["winner"], "first");
    let undo = an.request(Method::POST, &format!("/api/games/{id}/undo"), Some(json!({}))).await;
    assert_eq!((undo.0, &undo.1["detail"]["code"]), (409, &json!("game.flag_stays")));
}

#[tokio::test]
async fn a_player_who_stays_away_loses_if_the_opponent_claims_it() {
    let (server, _folder) = server_with(&limits(|l| l.abandon_after = Duration::from_millis(300))).await;
    let (an, binh) = (server.guest(AN), server.guest(BINH));
    let id = between_two(&server, with_open_seat()).await;
    let claim = format!("/api/games/{id}/claim");
    let victory = json!({ "player": "first", "claim": "victory" });
    let mut own = an.follow(&id).await;
    let opponents = binh.follow(&id).await;
    own.receive_until(|message| message["connected"]["second"] == true).await;
    an.play(&id, "e4").await;
    tokio::time::sleep(Duration::from_millis(350)).await;
    assert_eq!(an.status(&claim, victory.clone()).await, 409, "the opponent is there");
    drop(opponents);
    let gone = own.receive_until(|message| message["connected"]["second"] == false).await;
    assert!(gone["claim_from"]["second"].is_u64() && gone["claim_from"]["first"].is_null(), "{gone}");
    tokio::time::sleep(Duration::from_millis(350)).await;
    let game = an.post(&claim, victory).await;
    let outcome = &game["view"]["outcome"];
    assert_eq!((&outcome["winner"], &outcome["reason"]), (&json!("first"), &json!("abandonment")));
}

#[tokio::test]
async fn threefold_repetition_is_claimed() {
    let (server, _folder) = server().await;
    let (an, binh) = (server.guest(AN), server.guest(BINH));
    let id = between_two(&server, with_open_seat()).await;
    for texts in [["Nf3", "Nf6"], ["Ng1", "Ng8"], ["Nf3", "Nf6"], ["Ng1", "Ng8"]] {
        an.play(&id, texts[0]).await;
        binh.play(&id, texts[1]).await;
    }
    let path = format!("/api/games/{id}/claim");
    assert_eq!(binh.status(&path, json!({ "player": "second", "claim": "draw" })).await, 409);
    let game = an.post(&path, json!({ "player": "first", "claim": "draw" })).await;
    assert_eq!(game["view"]["outcome"]["reason"], "threefold repetition");
}

#[tokio::test]
async fn an_aborted_game_is_gone() {
    let (server, _folder) = server().await;
    let (an, binh) = (server.guest(AN), server.guest(BINH));
    let id = between_two(&server, with_open_seat()).await;
    an.play(&id, "e4").await;
    let mut socket = an.follow(&id).await;
    assert_eq!(socket.receive().await["game"]["abortable"], true);
    assert_eq!(binh.status(&format!("/api/games/{id}/abort"), json!({})).await, 204);
    let message = socket.receive_until(|message| message["type"] == "deleted").await;
    assert_eq!(message["reason"], "aborted");
    assert_eq!(socket.next().await, None);
    assert_eq!(an.request(Method::GET, &format!("/api/games/{id}"), None).await.0, 404);
    let id = between_two(&server, with_open_seat()).await;
    an.play(&id, "e4").await;
    assert_eq!(binh.play(&id, "e5").await["abortable"], false);
    assert_eq!(an.status(&format!("/api/games/{id}/abort"), json!({})).await, 409);
}

#[tokio::test]
async fn a_rematch_swaps_the_sides_and_is_one_game() {
    let (server, _folder) = server().await;
    let (an, binh) = (server.guest(AN), server.guest(BINH));
    let id = between_two(&server, with_open_seat()).await;
    let path = format!("/api/games/{id}/rematch");
    assert_eq!(an.status(&path, json!({})).await, 409);
    an.post(&format!("/api/games/{id}/resign"), json!({ "player": "first" })).await;
    let mut socket = an.follow(&id).await;
    let next = binh.post(&path, json!({})).await;
    assert_eq!((&next["you"], &next["seats"]["first"]), (&json!(["first"]), &human("Bình")));
    let seen = socket.receive_until(|message| message["game"]["rematch"].is_object()).await;
    assert_eq!(seen["game"]["rematch"], json!({ "id": next["id"], "by": "second" }));
    let same = an.post(&path, json!({})).await;
    assert_eq!((&same["id"], &same["you"]), (&next["id"], &json!(["second"])));
    binh.play(next["id"].as_str().unwrap(), "d4").await;
    assert_eq!(server.guest(CHI).status(&path, json!({})).await, 403);
}

#[tokio::test]
async fn the_chat_is_limited() {
    let (server, _folder) = server().await;
    let (an, binh) = (server.guest(AN), server.guest(BINH));
    let mut quiet = with_open_seat();
    quiet["chat"] = json!(false);
    let quiet = between_two(&server, quiet).await;
    assert_eq!(an.status(&format!("/api/games/{quiet}/chat"), json!({ "text": "?" })).await, 409);
    let id = between_two(&server, with_open_seat()).await;
    let path = format!("/api/games/{id}/chat");
    for (text, status) in [("", 400), ("  ", 400), (&*"á".repeat(201), 400), (&*"á".repeat(200), 201)] {
        assert_eq!(an.status(&path, json!({ "text": text })).await, status, "{text}");
    }
    let mut statuses = Vec::new();
    for number in 0..10 {
        statuses.push(an.status(&path, json!({ "text": number.to_string() })).await);
    }
    assert!(statuses.starts_with(&[201; 4]) && statuses.contains(&429), "{statuses:?}");
    binh.post(&path, json!({ "text": "Chậm thôi" })).await;
    let messages = binh.get(&path).await;
    let last = messages.as_array().unwrap().last().unwrap();
    assert_eq!((&last["player"], &last["text"]), (&json!("second"), &json!("Chậm thôi")));
    assert_eq!(binh.get(&format!("/api/games/{id}")).await["version"], 2, "messages are not changes");
}

#[tokio::test]
async fn a_seat_moves_to_another_device() {
    let (server, folder) = server().await;
    let (an, binh, phone) = (server.guest(AN), server.guest(BINH), server.guest(CHI));
    let id = between_two(&server, with_open_seat()).await;
    let mut desk = an.follow(&id).await;
    assert_eq!(desk.receive().await["game"]["you"], json!(["first"]));
    let link = an.post(&format!("/api/games/{id}/transfer"), json!({ "player": "first" })).await;
    let seat = format!("/api/games/{id}/seat");
    let token = json!({ "token": link["token"] });
    assert_eq!(binh.status(&seat, token.clone()).await, 403, "nobody plays both sides");
    let game = phone.post(&seat, token.clone()).await;
    assert_eq!((&game["you"], &game["version"]), (&json!(["first"]), &json!(2)));
    assert_eq!(desk.receive_until(|message| message["type"] == "change").await["game"]["you"], json!([]));
    assert_eq!(an.status(&format!("/api/games/{id}/moves"), json!({ "text": "e4" })).await, 403);
    phone.play(&id, "e4").await;
    assert_eq!(an.status(&seat, token).await, 403, "the link was used");
    // The seats survive a restart.
    server.stop().await;
    let mut config = config(folder.path());
    config.access = Access::Seats;
    let server = TestServer::start_with(config).await;
    assert_eq!(server.guest(CHI).get(&format!("/api/games/{id}")).await["you"], json!(["first"]));
    server.guest(BINH).play(&id, "e5").await;
}

#[tokio::test]
async fn a_server_on_loopback_has_no_seats_to_manage() {
    let (server, _folder) = TestServer::start().await;
    assert_eq!(server.get("/api/me").await, json!({ "access": "open", "guest": false, "networks": [] }));
    let response =
        server.http.post(server.url("/api/games")).json(&json!({ "kind": "chess" })).send().await.unwrap();
    assert!(!response.headers().contains_key("set-cookie"));
    let game: Value = response.json().await.unwrap();
    assert_eq!((&game["access"], &game["you"]), (&json!("open"), &json!(["first", "second"])));
    assert_eq!(server.get("/api/lobby").await, json!([]));
    let (status, _, message) = server.post_error("/api/games", with_open_seat()).await;
    assert!(status == 400 && message.contains("--seats"), "{message}");
}

/// What the server logs.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn tokens_never_reach_the_log() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing_subscriber::filter::LevelFilter::TRACE);
    // Another test of the same process may have installed a subscriber: then there is nothing to compare.
    let installed = subscriber.with_writer(move || writer.clone()).try_init().is_ok();
    let (server, _folder) = server().await;
    let id = between_two(&server, with_open_seat()).await;
    let an = server.guest(AN);
    let link = an.post(&format!("/api/games/{id}/transfer"), json!({ "player": "first" })).await;
    let token = link["token"].as_str().unwrap();
    let seat = format!("/api/games/{id}/seat");
    server.guest(BINH).status(&seat, json!({ "token": token })).await;
    let url = server.url("/api/games");
    let new = server.http.post(url).json(&with_open_seat()).send().await.unwrap();
    let cookie = new.headers()["set-cookie"].to_str().unwrap().to_owned();
    let cookie = cookie.split(['=', ';']).nth(1).unwrap().to_owned();
    server
        .http
        .get(server.url("/api/me"))
        .header("cookie", format!("sandtable-guest={cookie}"))
        .send()
        .await
        .unwrap();
    server.stop().await;
    let log = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    assert!(!installed || log.contains(&seat), "requests are logged");
    // The clients of this test run in the same process, and their libraries log requests too.
    let log: Vec<_> = log.lines().filter(|line| line.contains("sandtable_server")).collect();
    for secret in [AN, BINH, token, &cookie] {
        assert!(!log.iter().any(|line| line.contains(secret)), "{secret} is in the log");
    }
}
