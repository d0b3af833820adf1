//! Views, the inside, the editor and records: what needs no game.

use std::collections::BTreeSet;

use sandtable::core::Rng;
use serde_json::{Value, json};

use crate::client::Running;

const KINDS: [&str; 3] = ["chess", "cotulenh", "tribun"];

#[tokio::test]
async fn the_view_tells_what_the_core_says_all_along_random_games() {
    let (server, _folder) = Running::start().await;
    for kind in sandtable::GAMES {
        for rules in (kind.rules)() {
            let mut game = kind.start(rules).unwrap();
            let mut rng = Rng::new(7);
            for _ in 0..25 {
                let said = json!({ "kind": kind.name, "rules": rules, "moves": game.moves_played() });
                let view = server.post("/api/position", said).await;
                assert_eq!(view["position"], game.position());
                assert_eq!(view["hash"], format!("{:016x}", game.hash64()));
                assert_eq!(view["first_position"], game.first_position());
                let texts: Vec<_> = game.moves().into_iter().map(|m| m.text).collect();
                let told: Vec<_> =
                    view["actions"].as_array().unwrap().iter().map(|a| a["text"].clone()).collect();
                assert_eq!(told, texts);
                let sans: Vec<_> =
                    view["history"].as_array().unwrap().iter().map(|p| p["san"].clone()).collect();
                assert_eq!(sans, game.history());
                let Some(text) = game.random_move(&mut rng) else { break };
                game.play(&text).unwrap();
            }
        }
    }
}

#[tokio::test]
async fn narrowing_by_parts_ends_at_one_action() {
    let (server, _folder) = Running::start().await;
    for kind in KINDS {
        let view = server.post("/api/position", json!({ "kind": kind })).await;
        let mut seen = BTreeSet::new();
        for action in view["actions"].as_array().unwrap() {
            let mut parts = action.clone();
            for name in ["text", "san", "word", "index"] {
                parts.as_object_mut().unwrap().remove(name);
            }
            assert!(seen.insert(parts.to_string()), "{kind}: {action}");
        }
    }
}

#[tokio::test]
async fn the_page_hears_who_is_in_check_and_what_to_show_first() {
    let (server, _folder) = Running::start().await;
    for (kind, position, checked) in [
        ("chess", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", json!("e1")),
        ("chess", "4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", Value::Null),
        ("cotulenh", "6c4/11/11/11/11/11/11/11/11/6t4/11/6C4 r - - 0 1", json!("g1")),
    ] {
        let view = server.post("/api/position", json!({ "kind": kind, "position": position })).await;
        assert_eq!((&view["check"], &view["checked"]), (&json!(!checked.is_null()), &checked), "{position}");
    }
    let kinds = server.get("/api/kinds").await;
    let confirms: Vec<_> = kinds.as_array().unwrap().iter().map(|k| (&k["name"], &k["confirms"])).collect();
    let expected =
        [("chess", false), ("cotulenh", false), ("tribun", true)].map(|(n, c)| (json!(n), json!(c)));
    assert_eq!(confirms, expected.iter().map(|(n, c)| (n, c)).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_deployment_is_pending_until_it_ends() {
    let (server, _folder) = Running::start().await;
    let position = "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1";
    let said = |moves: &[&str]| json!({ "kind": "cotulenh", "position": position, "moves": moves });
    let before = server.post("/api/position", said(&[])).await;
    assert_eq!(before["pending"], Value::Null);
    let step =
        before["actions"].as_array().unwrap().iter().find(|a| a["group"] == json!(["air force"])).unwrap();
    assert_eq!((&step["deploys"], &step["from"]), (&json!(true), &json!("c3")));
    let within = server.post("/api/position", said(&[step["text"].as_str().unwrap()])).await;
    assert_eq!(within["turn"], "first");
    assert_eq!(within["pending"]["from"], "c3");
    assert_eq!(within["pending"]["pieces"], json!(["navy", "tank"]));
    assert_eq!(within["pending"]["steps"].as_array().unwrap().len(), 1);
    let end = within["actions"].as_array().unwrap().iter().find(|a| a["kind"] == "end").unwrap();
    let after = server
        .post("/api/position", said(&[step["text"].as_str().unwrap(), end["text"].as_str().unwrap()]))
        .await;
    assert_eq!((&after["turn"], &after["pending"]), (&json!("second"), &Value::Null));
}

#[tokio::test]
async fn fire_zones_and_pieces_can_be_spoken_of() {
    let (server, _folder) = Running::start().await;
    let position = "6c4/11/11/11/11/11/4(+NF)6/11/4G6/11/11/6C4 r - - 0 1";
    let view = server.post("/api/position", json!({ "kind": "cotulenh", "position": position })).await;
    let cells = view["board"]["cells"].as_array().unwrap();
    let e6 = cells.iter().find(|cell| cell["name"] == "e6").unwrap();
    assert_eq!(e6["terrain"], json!(["river", "lower"]));
    let pieces: Vec<_> = e6["figure"]["pieces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| (p["kind"].clone(), p["role"].clone(), p["starred"].clone()))
        .collect();
    assert_eq!(
        pieces,
        [
            (json!("navy"), json!("carrier"), json!(true)),
            (json!("air force"), json!("passenger"), json!(false))
        ]
    );
    let zone = view["overlays"].as_array().unwrap().iter().find(|o| o["owner"] == "first").unwrap();
    assert_eq!(zone["name"], "air defence");
    let e4 = zone["cells"].as_array().unwrap().iter().find(|c| c["cell"] == "e4").unwrap();
    assert!(e4["by"].as_array().unwrap().contains(&json!("e4")), "the gun itself: {e4}");
}

#[tokio::test]
async fn the_inside_is_the_observation_in_the_movers_frame() {
    let (server, _folder) = Running::start().await;
    for kind in sandtable::GAMES {
        let inside = server.post("/api/inspect", json!({ "kind": kind.name })).await;
        let planes = inside["planes"].as_array().unwrap();
        assert_eq!(planes.len(), kind.shape.planes);
        let mut observation = vec![0.0; kind.shape.len()];
        let game = kind.start((kind.rules)()[0]).unwrap();
        game.write_observation(sandtable::core::Layout::Chw, &mut observation).unwrap();
        let told: Vec<f32> = planes
            .iter()
            .flat_map(|plane| serde_json::from_value::<Vec<f32>>(plane["values"].clone()).unwrap())
            .collect();
        assert_eq!(told, observation);
        let frame = inside["frame"].as_array().unwrap();
        assert_eq!(frame.len(), kind.shape.cells());
        assert_eq!(inside["bytes"].is_null(), kind.name != "tribun");
    }
    // Black's king stands at the bottom of Black's frame.
    let inside = server.post("/api/inspect", json!({ "kind": "chess", "moves": ["e4"] })).await;
    let king = inside["planes"].as_array().unwrap().iter().find(|p| p["name"] == "own king").unwrap();
    let place = king["values"].as_array().unwrap().iter().position(|v| v == 1.0).unwrap();
    assert_eq!((place / 8, &inside["frame"][place]), (7, &json!("e8")));
}

#[tokio::test]
async fn an_arrangement_becomes_the_position_it_shows() {
    let (server, _folder) = Running::start().await;
    for kind in KINDS {
        let view = server.post("/api/position", json!({ "kind": kind })).await;
        let mut request = view["arrangement"].clone();
        request["kind"] = json!(kind);
        let answer = server.post("/api/setup", request).await;
        assert_eq!(answer, json!({ "position": view["position"], "reasons": [] }));
    }
}

/// Where each reason says that it lies; `-` for those of the whole.
fn places_of_reasons(answer: &Value) -> impl Iterator<Item = String> + '_ {
    answer["reasons"].as_array().unwrap().iter().map(|r| r["where"].as_str().unwrap_or("-").to_owned())
}

#[tokio::test]
async fn the_editor_hears_every_reason_at_once() {
    let (server, _folder) = Running::start().await;
    let chess = json!({ "kind": "chess", "turn": "first", "cells": { "a1": "P", "e8": "k", "z9": "K", "b2": "x" }, "fields": { "castling": "KK", "fullmoves": "0", "weather": "fine" } });
    let answer = server.post("/api/setup", chess).await;
    assert_eq!(answer["position"], Value::Null);
    let places: BTreeSet<_> = places_of_reasons(&answer).collect();
    assert_eq!(places, ["-", "a1", "b2", "castling", "fullmoves", "weather", "z9"].map(String::from).into());

    let cotulenh = json!({ "kind": "cotulenh", "turn": "second", "cells": { "a1": "T", "k12": "n", "e5": "(TE)", "e6": "", "g1": "C", "g2": "C" } });
    let answer = server.post("/api/setup", cotulenh).await;
    let places: Vec<_> = places_of_reasons(&answer).collect();
    assert_eq!(places, ["e5", "e6", "k12", "a1", "g1"], "{answer}");

    let tribun = json!({ "kind": "tribun", "turn": "first", "cells": { "a1": "b1*", "f6": "b5", "g7": "x1", "h8": "w6/3" }, "fields": { "draw": "?", "attacked": "perhaps" } });
    let answer = server.post("/api/setup", tribun).await;
    let places: BTreeSet<_> = places_of_reasons(&answer).collect();
    assert_eq!(places, ["-", "attacked", "draw", "f6", "g7", "h8"].map(String::from).into());
}

#[tokio::test]
async fn every_figure_of_a_palette_can_be_placed_where_it_says() {
    let (server, _folder) = Running::start().await;
    for kind in sandtable::GAMES {
        for rules in (kind.rules)() {
            let palette = server.get(&format!("/api/kinds/{}/palette?rules={rules}", kind.name)).await;
            let start = server.post("/api/position", json!({ "kind": kind.name, "rules": rules })).await;
            for entry in palette["figures"].as_array().unwrap() {
                let cells = &palette["regions"][entry["region"].as_u64().unwrap() as usize];
                let cell = cells[cells.as_array().unwrap().len() / 2].as_str().unwrap();
                let mut request = json!({ "kind": kind.name, "rules": rules, "turn": "first", "cells": {} });
                request["cells"][cell] = entry["figure"]["letters"].clone();
                let answer = server.post("/api/setup", request).await;
                let about = answer["reasons"].as_array().unwrap().iter().find(|r| r["where"] == cell);
                assert_eq!(about, None, "{} on {cell}", entry["figure"]["letters"]);
            }
            let letters: BTreeSet<_> = palette["figures"]
                .as_array()
                .unwrap()
                .iter()
                .map(|e| e["figure"]["letters"].to_string())
                .collect();
            for cell in start["board"]["cells"].as_array().unwrap() {
                assert!(cell["figure"].is_null() || letters.contains(&cell["figure"]["letters"].to_string()));
            }
        }
    }
}

#[tokio::test]
async fn records_are_read_and_written() {
    let (server, _folder) = Running::start().await;
    for kind in KINDS {
        let start = server.post("/api/position", json!({ "kind": kind })).await;
        let first = start["actions"][3]["text"].clone();
        let tags = json!([["Event", "A \"test\""]]);
        let written =
            server.post("/api/records/write", json!({ "kind": kind, "moves": [first], "tags": tags })).await;
        let read =
            server.post("/api/records/read", json!({ "kind": kind, "record": written["record"] })).await;
        assert_eq!(read["view"]["history"][0]["text"], first);
        assert!(read["tags"].as_array().unwrap().contains(&tags[0]), "{kind}: {}", read["tags"]);
    }
}

#[tokio::test]
async fn words_and_indices_are_moves_too() {
    let (server, _folder) = Running::start().await;
    let start = server.post("/api/position", json!({ "kind": "tribun" })).await;
    let action = &start["actions"][0];
    let by_word = server
        .post("/api/position", json!({ "kind": "tribun", "moves": [action["word"].to_string()] }))
        .await;
    assert_eq!(by_word["history"][0]["text"], action["text"]);
}
