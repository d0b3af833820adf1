//! Views, inspection, the editor and records: requests without a stored game.

use std::collections::BTreeSet;

use sandtable::core::rules::Rng;
use serde_json::{Value, json};

use crate::client::TestServer;

const KINDS: [&str; 3] = ["chess", "cotulenh", "tribun"];

/// A move list of a view.
fn moves<'a>(view: &'a Value, key: &str) -> &'a [Value] {
    view[key].as_array().unwrap()
}

#[tokio::test]
async fn views_agree_with_the_games_along_random_play() {
    let (server, _folder) = TestServer::start().await;
    for kind in sandtable::GAMES {
        for rules in kind.rules {
            let mut game = kind.start(rules).unwrap();
            let mut rng = Rng::new(7);
            for _ in 0..25 {
                let request = json!({ "kind": kind.name, "rules": rules, "moves": game.moves_played() });
                let view = server.post("/api/position", request).await;
                assert_eq!(view["position"], game.position_text());
                assert_eq!(view["hash"], format!("{:016x}", game.hash64()));
                assert_eq!(view["first_position"], game.first_position_text());
                let texts: Vec<_> = game.legal_moves().into_iter().map(|m| m.text).collect();
                let listed: Vec<_> = moves(&view, "legal_moves").iter().map(|m| m["text"].clone()).collect();
                assert_eq!(listed, texts);
                let sans: Vec<_> = moves(&view, "moves_played").iter().map(|m| m["san"].clone()).collect();
                assert_eq!(sans, game.sans_played());
                let Some(text) = game.random_move(&mut rng) else { break };
                game.play(&text).unwrap();
            }
        }
    }
}

#[tokio::test]
async fn no_two_legal_moves_have_the_same_details() {
    let (server, _folder) = TestServer::start().await;
    for kind in KINDS {
        let view = server.post("/api/position", json!({ "kind": kind })).await;
        let mut seen = BTreeSet::new();
        for legal_move in moves(&view, "legal_moves") {
            let mut details = legal_move.clone();
            for name in ["text", "san", "action_word", "index"] {
                details.as_object_mut().unwrap().remove(name);
            }
            assert!(seen.insert(details.to_string()), "{kind}: {legal_move}");
        }
    }
}

#[tokio::test]
async fn a_drawn_position_has_no_legal_moves() {
    let (server, _folder) = TestServer::start().await;
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(4);
    for (request, reason) in [
        (json!({ "position": "8/8/8/4k3/8/8/8/4K3 w - - 0 1" }), "insufficient material"),
        (json!({ "position": "4k3/8/8/8/8/8/8/R3K3 w - - 150 100" }), "75 moves without progress"),
        (json!({ "moves": shuffle }), "fivefold repetition"),
    ] {
        let mut request = request;
        request["kind"] = json!("chess");
        let view = server.post("/api/position", request.clone()).await;
        assert_eq!((&view["outcome"]["reason"], &view["legal_moves"]), (&json!(reason), &json!([])));
        let inspection = server.post("/api/inspect", request).await;
        assert_eq!(inspection["policy"]["legal_count"], 0, "{reason}");
    }
}

#[tokio::test]
async fn views_show_the_cell_in_check() {
    let (server, _folder) = TestServer::start().await;
    for (kind, position, cell) in [
        ("chess", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", json!("e1")),
        ("chess", "4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", Value::Null),
        ("cotulenh", "6c4/11/11/11/11/11/11/11/11/6t4/11/6C4 r - - 0 1", json!("g1")),
    ] {
        let view = server.post("/api/position", json!({ "kind": kind, "position": position })).await;
        assert_eq!(
            (&view["in_check"], &view["cell_in_check"]),
            (&json!(!cell.is_null()), &cell),
            "{position}"
        );
    }
}

#[tokio::test]
async fn only_tribun_asks_to_confirm_moves() {
    let (server, _folder) = TestServer::start().await;
    let kinds = server.get("/api/kinds").await;
    let confirmed = kinds.as_array().unwrap().iter().filter(|kind| kind["confirm_moves"] == true);
    assert_eq!(confirmed.map(|kind| &kind["name"]).collect::<Vec<_>>(), ["tribun"]);
}

#[tokio::test]
async fn a_deployment_is_a_turn_in_progress_until_it_ends() {
    let (server, _folder) = TestServer::start().await;
    let position = "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1";
    let request = |moves: &[&Value]| json!({ "kind": "cotulenh", "position": position, "moves": moves });
    let before = server.post("/api/position", request(&[])).await;
    assert_eq!(before["turn_in_progress"], Value::Null);
    let step = moves(&before, "legal_moves").iter().find(|m| m["group"] == json!(["air force"])).unwrap();
    assert_eq!((&step["deploys"], &step["from"]), (&json!(true), &json!("c3")));
    let during = server.post("/api/position", request(&[&step["text"]])).await;
    assert_eq!(during["turn"], "first");
    let turn = &during["turn_in_progress"];
    assert_eq!((&turn["from"], &turn["pieces"]), (&json!("c3"), &json!(["navy", "tank"])));
    assert_eq!(turn["steps"].as_array().unwrap().len(), 1);
    let end = moves(&during, "legal_moves").iter().find(|m| m["kind"] == "end").unwrap();
    let after = server.post("/api/position", request(&[&step["text"], &end["text"]])).await;
    assert_eq!((&after["turn"], &after["turn_in_progress"]), (&json!("second"), &Value::Null));
}

#[tokio::test]
async fn views_describe_terrain_pieces_and_fire_zones() {
    let (server, _folder) = TestServer::start().await;
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
    assert!(e4["sources"].as_array().unwrap().contains(&json!("e4")), "the gun itself: {e4}");
}

#[tokio::test]
async fn an_inspection_has_the_observation_in_the_movers_frame() {
    let (server, _folder) = TestServer::start().await;
    for kind in sandtable::GAMES {
        let inspection = server.post("/api/inspect", json!({ "kind": kind.name })).await;
        let planes = inspection["planes"].as_array().unwrap();
        assert_eq!(planes.len(), kind.shape.planes);
        let mut observation = vec![0.0; kind.shape.len()];
        let game = kind.start(kind.rules[0]).unwrap();
        game.write_observation(sandtable::core::learn::Layout::Chw, &mut observation).unwrap();
        let values: Vec<f32> = planes
            .iter()
            .flat_map(|plane| serde_json::from_value::<Vec<f32>>(plane["values"].clone()).unwrap())
            .collect();
        assert_eq!(values, observation);
        let frame = inspection["frame"].as_array().unwrap();
        assert_eq!(frame.len(), kind.shape.cells());
        assert_eq!(inspection["bytes"].is_null(), kind.name != "tribun");
    }
    // From Black's perspective, the black king is on the bottom row.
    let inspection = server.post("/api/inspect", json!({ "kind": "chess", "moves": ["e4"] })).await;
    let king = inspection["planes"].as_array().unwrap().iter().find(|p| p["name"] == "own king").unwrap();
    let index = king["values"].as_array().unwrap().iter().position(|v| v == 1.0).unwrap();
    assert_eq!((index / 8, &inspection["frame"][index]), (7, &json!("e8")));
}

#[tokio::test]
async fn setup_accepts_the_arrangement_of_a_view() {
    let (server, _folder) = TestServer::start().await;
    for kind in KINDS {
        let view = server.post("/api/position", json!({ "kind": kind })).await;
        let mut request = view["arrangement"].clone();
        request["kind"] = json!(kind);
        let response = server.post("/api/setup", request).await;
        let expected = json!({ "position": view["position"], "outcome": view["outcome"], "faults": [] });
        assert_eq!(response, expected);
    }
}

/// The place of each fault; `-` for faults of the position as a whole.
fn fault_places(response: &Value) -> impl Iterator<Item = String> + '_ {
    response["faults"].as_array().unwrap().iter().map(|f| f["place"].as_str().unwrap_or("-").to_owned())
}

#[tokio::test]
async fn setup_reports_all_faults() {
    let (server, _folder) = TestServer::start().await;
    let chess = json!({ "kind": "chess", "turn": "first", "cells": { "a1": "P", "e8": "k", "z9": "K", "b2": "x" }, "fields": { "castling": "KK", "fullmoves": "0", "weather": "fine" } });
    let response = server.post("/api/setup", chess).await;
    assert_eq!(response["position"], Value::Null);
    let places: BTreeSet<_> = fault_places(&response).collect();
    assert_eq!(places, ["-", "a1", "b2", "castling", "fullmoves", "weather", "z9"].map(String::from).into());

    let cotulenh = json!({ "kind": "cotulenh", "turn": "second", "cells": { "a1": "T", "k12": "n", "e5": "(TE)", "e6": "", "g1": "C", "g2": "C" } });
    let response = server.post("/api/setup", cotulenh).await;
    let places: Vec<_> = fault_places(&response).collect();
    assert_eq!(places, ["e5", "e6", "k12", "a1", "g1"], "{response}");

    let tribun = json!({ "kind": "tribun", "turn": "first", "cells": { "a1": "b1*", "f6": "b5", "g7": "x1", "h8": "w6/3" }, "fields": { "draw": "?", "attacked": "perhaps" } });
    let response = server.post("/api/setup", tribun).await;
    let places: BTreeSet<_> = fault_places(&response).collect();
    assert_eq!(places, ["-", "attacked", "draw", "f6", "g7", "h8"].map(String::from).into());
}

#[tokio::test]
async fn palette_figures_can_be_placed_in_their_region() {
    let (server, _folder) = TestServer::start().await;
    for kind in sandtable::games::complete_games() {
        for rules in kind.rules {
            let palette = server.get(&format!("/api/kinds/{}/palette?rules={rules}", kind.name)).await;
            let start = server.post("/api/position", json!({ "kind": kind.name, "rules": rules })).await;
            for entry in palette["figures"].as_array().unwrap() {
                let cells = &palette["regions"][entry["region"].as_u64().unwrap() as usize];
                let cell = cells[cells.as_array().unwrap().len() / 2].as_str().unwrap();
                let mut request = json!({ "kind": kind.name, "rules": rules, "turn": "first", "cells": {} });
                request["cells"][cell] = entry["figure"]["letters"].clone();
                let response = server.post("/api/setup", request).await;
                let faulty = fault_places(&response).any(|place| place == cell);
                assert!(!faulty, "{} on {cell}: {response}", entry["figure"]["letters"]);
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
async fn records_round_trip() {
    let (server, _folder) = TestServer::start().await;
    for kind in KINDS {
        let start = server.post("/api/position", json!({ "kind": kind })).await;
        let first = start["legal_moves"][3]["text"].clone();
        let tags = json!([["Event", "A \"test\""]]);
        let written =
            server.post("/api/records/write", json!({ "kind": kind, "moves": [first], "tags": tags })).await;
        let read =
            server.post("/api/records/read", json!({ "kind": kind, "record": written["record"] })).await;
        assert_eq!(read["view"]["moves_played"][0]["text"], first);
        assert!(read["tags"].as_array().unwrap().contains(&tags[0]), "{kind}: {}", read["tags"]);
    }
}

#[tokio::test]
async fn action_words_are_moves() {
    let (server, _folder) = TestServer::start().await;
    let start = server.post("/api/position", json!({ "kind": "tribun" })).await;
    let first = &start["legal_moves"][0];
    let request = json!({ "kind": "tribun", "moves": [first["action_word"].to_string()] });
    let view = server.post("/api/position", request).await;
    assert_eq!(view["moves_played"][0]["text"], first["text"]);
}

/// A Tribun position with 45,261 legal moves.
pub(crate) const RICH: &str = "black:a1=1*,a3=8,a5=8,b2=8,b7=8,c1=8,c4=8,c6=8,d3=8,d8=8,e2=8,e7=8,e10=8,f4=8,f6=8,f9=8,g3=8,\
    g8=8,g11=6,h5=8,h7=8,h11=8,i4=8,i10=8,j6=8,j8=8,k10=3 white:k11=1* b -";

#[tokio::test]
async fn a_view_lists_a_page_of_the_legal_moves() {
    let (server, _folder) = TestServer::start().await;
    let game = sandtable::find("tribun").unwrap().parse(RICH, "standard").unwrap();
    let all = game.legal_moves();
    let page = async |offset: usize| {
        let request = json!({ "kind": "tribun", "position": RICH, "legal_offset": offset });
        let view = server.post("/api/position", request).await;
        assert_eq!(view["legal_count"], 45_261);
        moves(&view, "legal_moves").iter().map(|m| m["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for offset in [0, 4_096, 44_000, 45_261, u32::MAX as usize] {
        let expected: Vec<_> = all.iter().skip(offset).take(4_096).map(|m| m.text.clone()).collect();
        assert_eq!(page(offset).await, expected, "{offset}");
    }
    let without = json!({ "kind": "tribun", "position": RICH, "legal_moves": false });
    let without = server.post("/api/position", without).await;
    assert_eq!((moves(&without, "legal_moves").len(), &without["legal_count"]), (0, &json!(45_261)));
    let game = server.post("/api/games", json!({ "kind": "tribun", "position": RICH })).await;
    assert_eq!(moves(&game["view"], "legal_moves").len(), 4_096);
    assert_eq!(game["view"]["legal_count"], 45_261);
}

#[tokio::test]
async fn a_figure_that_cannot_act_says_why() {
    let (server, _folder) = TestServer::start().await;
    for (request, code) in [
        (json!({ "position": { "kind": "chess" }, "from": "a1", "to": "a5" }), "chess_obstacle.blocked"),
        (json!({ "position": { "kind": "chess", "moves": ["e4"] }, "from": "a2" }), "refusal.other_player"),
        (json!({ "position": { "kind": "cotulenh" }, "from": "g2" }), "refusal.empty"),
        (json!({ "position": { "kind": "tribun" }, "from": "f4", "to": "f6" }), "tribun_obstacle.one_moves"),
    ] {
        let response = server.post("/api/refusal", request.clone()).await;
        assert_eq!(response["refusal"]["detail"]["code"], code, "{request}: {response}");
    }
    let legal = json!({ "position": { "kind": "chess" }, "from": "e2", "to": "e4", "group": [] });
    assert_eq!(server.post("/api/refusal", legal).await, json!({ "refusal": null }));
}
