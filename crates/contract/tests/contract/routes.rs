//! Requests that need no stored game.

use sandtable_contract::{ErrorCode, Route, respond};
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
    for route in Route::ALL {
        assert_eq!(Route::find(route.name()).unwrap(), route);
    }
    assert_eq!(Route::find("games").unwrap_err().code(), ErrorCode::NotFound);
}

#[test]
fn answers_for_every_kind_of_game() {
    let kinds = ok(Route::Kinds, &json!(null));
    assert_eq!(kinds.as_array().unwrap().len(), 3);
    for kind in kinds.as_array().unwrap() {
        let request = json!({ "kind": kind["name"] });
        assert!(!ok(Route::Palette, &request)["figures"].as_array().unwrap().is_empty());
        let view = ok(Route::Position, &request);
        let inspection = ok(Route::Inspect, &request);
        assert_eq!(view["position"], inspection["position"]);
        assert_eq!(view["legal_moves"].as_array().unwrap().len(), inspection["policy"]["legal_count"]);

        let mut setup = view["arrangement"].clone();
        setup["kind"] = kind["name"].clone();
        assert_eq!(ok(Route::Setup, &setup), json!({ "position": view["position"], "faults": [] }));

        let moves = json!([view["legal_moves"][0]["text"]]);
        let written = ok(Route::WriteRecord, &json!({ "kind": kind["name"], "moves": moves }));
        assert_eq!(written["extension"], kind["record_extension"]);
        let read = ok(Route::ReadRecord, &json!({ "kind": kind["name"], "record": written["record"] }));
        assert_eq!(read["view"]["moves_played"][0]["text"], moves[0]);
    }
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
