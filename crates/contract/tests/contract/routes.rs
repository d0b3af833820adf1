//! Requests that need no stored game.

use sandtable::GAMES;
use sandtable_contract::{DetailParam, ErrorCode, Route, respond, to_json};
use serde_json::{Value, json};

fn ok(route: Route, body: &Value) -> Value {
    let answer = respond(route, &body.to_string()).unwrap_or_else(|e| panic!("{route:?} {body}: {e}"));
    serde_json::from_str(&answer).unwrap()
}

fn error(route: Route, body: &str) -> (ErrorCode, String) {
    let error = respond(route, body).expect_err(body);
    (error.code(), error.message().to_owned())
}

#[test]
fn every_route_has_a_name_and_is_found_by_it() {
    for &route in Route::ALL {
        assert_eq!(Route::find(route.name()).unwrap(), route);
    }
    assert_eq!(Route::find("games").unwrap_err().code(), ErrorCode::NotFound);
}

#[test]
fn answers_for_every_kind_of_game() {
    let kinds = ok(Route::Kinds, &json!(null));
    assert_eq!(kinds.as_array().unwrap().len(), GAMES.len());
    for (kind, registered) in kinds.as_array().unwrap().iter().zip(GAMES) {
        let request = json!({ "kind": kind["name"] });
        let palette = ok(Route::Palette, &request);
        assert_eq!(palette["figures"].as_array().unwrap().is_empty(), !registered.complete);
        let view = ok(Route::Position, &request);
        let inspection = ok(Route::Inspect, &request);
        assert_eq!(view["position"], inspection["position"]);
        assert_eq!(view["legal_moves"].as_array().unwrap().len(), inspection["policy"]["legal_count"]);

        let mut setup = view["arrangement"].clone();
        setup["kind"] = kind["name"].clone();
        let expected = json!({ "position": view["position"], "outcome": view["outcome"], "faults": [] });
        assert_eq!(ok(Route::Setup, &setup), expected);

        let moves = json!([view["legal_moves"][0]["text"]]);
        let written = ok(Route::WriteRecord, &json!({ "kind": kind["name"], "moves": moves }));
        assert_eq!(written["extension"], kind["record_extension"]);
        let read = ok(Route::ReadRecord, &json!({ "kind": kind["name"], "record": written["record"] }));
        assert_eq!(read["view"]["moves_played"][0]["text"], moves[0]);
    }
}

#[test]
fn a_set_up_says_that_the_game_is_over() {
    let empty = json!({ "kind": "cotulenh", "turn": "first", "cells": {} });
    let response = ok(Route::Setup, &empty);
    assert_eq!((&response["outcome"]["over"], &response["faults"]), (&json!(true), &json!([])));
    // It can be analysed.
    let view = ok(Route::Position, &json!({ "kind": "cotulenh", "position": response["position"] }));
    assert_eq!((&view["outcome"], &view["legal_moves"]), (&response["outcome"], &json!([])));
    let invalid = json!({ "kind": "chess", "turn": "first", "cells": {} });
    assert_eq!(ok(Route::Setup, &invalid)["outcome"], json!(null));
}

#[test]
fn rejects_what_it_cannot_read() {
    let (code, message) = error(Route::Position, "{");
    assert_eq!(code, ErrorCode::BadRequest);
    assert!(message.starts_with("malformed request: EOF"), "{message}");
    let (code, message) = error(Route::Position, r#"{"kind": "chess", "colour": "red"}"#);
    assert_eq!(code, ErrorCode::BadRequest);
    assert!(message.contains("unknown field `colour`"), "{message}");
    let (_, message) = error(Route::Position, r#"{"kind": "chess", "moves": ["e4", 5]}"#);
    assert!(message.starts_with("malformed request: moves[1]: invalid type: integer `5`"), "{message}");
    let (_, message) = error(Route::Position, r#"{"kind": "chess"} {}"#);
    assert!(message.starts_with("malformed request: trailing characters"), "{message}");
    assert_eq!(error(Route::Position, r#"{"kind": "go"}"#).0, ErrorCode::InvalidPosition);
    assert_eq!(error(Route::Palette, r#"{"kind": "go"}"#).0, ErrorCode::NotFound);
    assert_eq!(error(Route::Palette, r#"{"kind": "chess", "rules": "club"}"#).0, ErrorCode::InvalidPosition);
    assert_eq!(
        error(Route::Position, r#"{"kind": "chess", "moves": ["e4", "Ke5"]}"#),
        (ErrorCode::IllegalMove, "move 2: illegal move `Ke5`: no king can legally move to e5".to_owned())
    );
    assert_eq!(
        error(Route::ReadRecord, r#"{"kind": "chess", "record": "1. e5"}"#).0,
        ErrorCode::InvalidRecord
    );
}

#[test]
fn errors_say_what_a_translation_needs() {
    let request = json!({ "kind": "chess", "moves": ["e4", "Ke5"] });
    let error = respond(Route::Position, &request.to_string()).unwrap_err();
    let body: Value = serde_json::from_str(&to_json(&error)).unwrap();
    let reason = json!({ "code": "chess_illegal.no_such_move", "params": { "piece": { "term": "king" }, "to": "e5" } });
    let illegal = json!({ "code": "chess_move.illegal", "params": { "text": "Ke5", "reason": reason } });
    assert_eq!(
        body,
        json!({
            "code": "illegal_move",
            "message": "move 2: illegal move `Ke5`: no king can legally move to e5",
            "detail": { "code": "request.at_move", "params": { "number": 2, "error": illegal } },
        })
    );
    let error = respond(Route::Position, r#"{"kind": "go"}"#).unwrap_err();
    let what = json!({ "code": "named.game", "params": {} });
    let known: Vec<_> = GAMES.iter().map(|kind| kind.name).collect();
    let params = json!({ "what": what, "name": "go", "known": known });
    assert_eq!(json!(error.detail()), json!({ "code": "unknown_name", "params": params }));

    let setup =
        json!({ "kind": "tribun", "cells": { "a1": "b1*" }, "turn": "first", "fields": { "draw": "x" } });
    let faults = &ok(Route::Setup, &setup)["faults"];
    let expected = json!({ "code": "field.tribun.draw", "params": {} });
    let params = json!({ "field": { "term": "draw" }, "expected": expected, "text": "x" });
    assert_eq!(faults[0]["detail"], json!({ "code": "arrangement.invalid_field", "params": params }));
    let params = json!({ "player": { "term": "White" }, "count": 0 });
    assert_eq!(faults[1]["detail"], json!({ "code": "tribun_setup.tribuns", "params": params }));
}

#[test]
fn details_quote_long_input_in_part() {
    let request = json!({ "kind": "chess", "position": format!("{} w - - 0 1", "x".repeat(3_000)) });
    let error = respond(Route::Position, &request.to_string()).unwrap_err();
    assert_eq!(error.detail().code, "chess_fen.ranks");
    let request =
        json!({ "kind": "chess", "position": format!("8/8/8/8/8/8/8/8 {} - - 0 1", "x".repeat(3_000)) });
    let error = respond(Route::Position, &request.to_string()).unwrap_err();
    let Some(DetailParam::Text(text)) = error.detail().params.get("text") else { panic!("{error:?}") };
    assert_eq!((text.chars().count(), text.ends_with('…')), (1_001, true));
}
