//! Reviews of games: searched, stored with a game, and in records.

use std::sync::atomic::{AtomicU64, Ordering};

use sandtable_contract::{
    Access, AnalysisLimits, Change, ErrorCode, LogEntry, NewGame, Route, SearchRequest, Session, from_json,
    respond, search, to_json,
};
use serde_json::{Value, json};

const LIMITS: AnalysisLimits = AnalysisLimits { max_time: 60_000, hash_mib: 1 };
/// White's third move allows mate.
const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

/// The messages of a search whose clock advances by `tick` milliseconds each time it is read.
fn messages_with(request: &Value, tick: u64, stop: &(dyn Fn() -> bool + Sync)) -> Vec<Value> {
    let request: SearchRequest = from_json(&request.to_string()).unwrap();
    let time = AtomicU64::new(0);
    let now = || time.fetch_add(tick, Ordering::Relaxed);
    let mut messages = Vec::new();
    search(&request, LIMITS, None, &now, stop, &mut |message| {
        messages.push(serde_json::from_str(&to_json(&message)).unwrap());
        true
    });
    messages
}

fn messages(request: &Value) -> Vec<Value> {
    messages_with(request, 0, &|| false)
}

fn review(kind: &str, moves: &[&str]) -> Value {
    json!({ "type": "review", "id": 7, "position": { "kind": kind, "moves": moves }, "nodes": 1_000 })
}

/// The message with the result.
fn reviewed(request: &Value) -> Value {
    let messages = messages(request);
    let [.., reviewed, done] = &messages[..] else { panic!("{messages:?}") };
    assert_eq!(*done, json!({ "type": "done", "id": 7, "reason": "complete" }));
    assert_eq!((&reviewed["type"], &reviewed["id"]), (&json!("reviewed"), &json!(7)), "{reviewed}");
    reviewed.clone()
}

fn session(request: &Value) -> Session {
    let request: NewGame = from_json(&request.to_string()).unwrap();
    Session::new(request.settings(Access::Open).unwrap()).unwrap()
}

fn change(session: &mut Session, change: &Value) -> Vec<LogEntry> {
    let change: Change = from_json(&change.to_string()).unwrap();
    session.change(&change, 0).unwrap_or_else(|e| panic!("{e}"))
}

fn stored_review(session: &Session) -> Value {
    serde_json::from_str(&to_json(&session.review())).unwrap()
}

#[test]
fn a_blunder_is_found_with_a_better_turn() {
    let messages = messages(&review("chess", &FOOLS_MATE));
    assert_eq!(messages[0], json!({ "type": "started", "id": 7 }));
    let progress: Vec<_> = messages.iter().filter(|message| message["type"] == "progress").collect();
    assert_eq!(progress.last().unwrap()["done"], progress.last().unwrap()["total"]);
    assert!(progress.is_sorted_by_key(|message| message["done"].as_u64()));

    let review = &reviewed(&review("chess", &FOOLS_MATE))["review"];
    let turns = review["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 4);
    let blunder = &turns[2];
    assert_eq!(
        [&blunder["number"], &blunder["player"], &blunder["from"], &blunder["to"], &blunder["text"]],
        [&json!(2), &json!("first"), &json!(2), &json!(3), &json!("g4")]
    );
    assert_eq!(blunder["judgement"], "blunder");
    assert_eq!(blunder["after"]["score"], json!({ "centipawns": null, "mate": -1, "text": "#-1" }));
    let better = &blunder["better"];
    let first = better["line"][0]["moves"][0].as_str().unwrap();
    let arrow = &better["arrows"][0];
    assert_eq!(
        format!("{}{}", arrow["from"].as_str().unwrap(), arrow["to"].as_str().unwrap()),
        first[..4].to_owned()
    );
    assert_ne!(first, "g2g4");
    // The game is over: the result, not a mate in 0 turns.
    assert_eq!(turns[3]["after"]["score"]["text"], "0–1");
    assert_eq!((&turns[3]["loss"], &turns[3]["judgement"]), (&json!(0.0), &Value::Null));
    assert_eq!(review["errors"]["first"]["blunders"], 1);
    assert!(review["accuracy"]["first"].as_f64() < review["accuracy"]["second"].as_f64());
}

#[test]
fn a_deployment_is_one_turn() {
    let position = "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 7";
    let moves = ["c3:T:N>c5,F>e5", "+Tf8"];
    let request = json!({
        "type": "review", "id": 7, "nodes": 300,
        "position": { "kind": "cotulenh", "position": position, "moves": moves },
    });
    let reviewed = reviewed(&request);
    let turns = reviewed["review"]["turns"].as_array().unwrap();
    let plies: Vec<_> = turns.iter().map(|turn| (turn["from"].as_u64(), turn["to"].as_u64())).collect();
    assert_eq!(plies, [(Some(0), Some(3)), (Some(3), Some(4))]);
}

#[test]
fn a_review_can_be_stopped_and_has_a_time_limit() {
    let mut endless = review("chess", &FOOLS_MATE);
    endless["nodes"] = json!(1_000_000);
    let last = messages_with(&endless, 0, &|| true).pop().unwrap();
    assert_eq!(last, json!({ "type": "done", "id": 7, "reason": "stopped" }));
    let last = messages_with(&endless, LIMITS.max_time, &|| false).pop().unwrap();
    assert_eq!(
        (&last["type"], &last["error"]["detail"]["code"]),
        (&json!("error"), &json!("request.review_too_long"))
    );
}

#[test]
fn requests_that_cannot_be_carried_out_get_an_error() {
    let position = json!({ "kind": "chess", "moves": ["f2f3", "e7e5"] });
    let attempt = |moves: Value| json!({ "type": "try", "id": 7, "position": position, "moves": moves, "better": ["e2e4"] });
    let mut many = review("chess", &FOOLS_MATE);
    many["nodes"] = json!(1_000_001);
    for (request, code) in [
        (review("chess", &[]), "request.nothing_to_review"),
        (review("chess", &["e2e5"]), "request.at_move"),
        (many, "request.out_of_range"),
        (attempt(json!([])), "request.not_one_turn"),
        (attempt(json!(["e2e4", "d7d5"])), "request.not_one_turn"),
    ] {
        let last = messages(&request).pop().unwrap();
        assert_eq!(last["error"]["detail"]["code"], code, "{last}");
    }
}

#[test]
fn a_second_attempt_is_compared_with_the_better_turn() {
    let tried = |moves: &[&str]| {
        let position = json!({ "kind": "chess", "moves": ["f2f3", "e7e5"] });
        let request = json!({
            "type": "try", "id": 7, "position": position, "moves": moves, "better": ["e2e4"], "nodes": 1_000,
        });
        let messages = messages(&request);
        assert_eq!(messages.last().unwrap()["reason"], "complete", "{messages:?}");
        messages[messages.len() - 2].clone()
    };
    let same = tried(&["e2e4"]);
    assert_eq!(
        (&same["type"], &same["loss"], &same["judgement"]),
        (&json!("tried"), &json!(0.0), &Value::Null)
    );
    let worse = tried(&["g2g4"]);
    assert_eq!((&worse["judgement"], &worse["after"]["score"]["mate"]), (&json!("blunder"), &json!(-1)));
}

#[test]
fn only_a_finished_game_is_reviewed_and_keeps_its_review() {
    let mut session = session(&json!({ "kind": "chess", "moves": FOOLS_MATE[..3] }));
    let annotations = reviewed(&review("chess", &FOOLS_MATE))["annotations"].clone();
    let store = json!({ "type": "review", "annotations": annotations });
    let conflict = session.review_request(7, None).unwrap_err();
    assert_eq!((conflict.code(), &*conflict.detail().code), (ErrorCode::Conflict, "game.review_before_end"));
    let early: Change = from_json(&store.to_string()).unwrap();
    assert_eq!(session.clone().change(&early, 0).unwrap_err().code(), ErrorCode::Conflict);

    let mut log = change(&mut session, &json!({ "type": "move", "text": "Qh4" }));
    let request = session.review_request(7, Some(1_000)).unwrap();
    let mut request: Value = serde_json::from_str(&to_json(&request)).unwrap();
    request["type"] = json!("review");
    let result = reviewed(&request);
    log.extend(change(&mut session, &json!({ "type": "review", "annotations": result["annotations"] })));
    let settings = from_json(&to_json(session.settings())).unwrap();
    let log: Vec<LogEntry> = from_json(&to_json(&log)).unwrap();
    let mut restored = Session::restore(settings, &log).unwrap();
    assert!(restored.is_reviewed());
    let stored = stored_review(&restored);
    assert_eq!(stored["annotations"], result["annotations"]);
    assert_eq!(stored["review"]["turns"][2]["better"], result["review"]["turns"][2]["better"]);
    let record: Value = serde_json::from_str(&to_json(&restored.record())).unwrap();
    let text = record["record"].as_str().unwrap().replace('\n', " ");
    assert!(text.contains("2. g4 $4 {[%eval #-1] [%loss "), "{text}");

    // Someone who takes the move back plays on without the engine's words.
    change(&mut restored, &json!({ "type": "undo" }));
    assert_eq!(stored_review(&restored), Value::Null);
}

#[test]
fn a_review_must_fit_the_game() {
    let session = session(&json!({ "kind": "chess", "moves": FOOLS_MATE }));
    for annotations in [
        json!({}),
        json!({ "notes": [{ "ply": 1, "comment": "[%eval 0.10]" }] }),
        json!({ "variations": [{ "ply": 9, "moves": ["e2e4"] }] }),
    ] {
        let change = json!({ "type": "review", "annotations": annotations }).to_string();
        let error = session.clone().change(&from_json(&change).unwrap(), 0).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidRecord, "{annotations}");
    }
}

#[test]
fn a_stored_review_that_no_longer_fits_is_dropped() {
    let session = session(&json!({ "kind": "chess", "moves": FOOLS_MATE }));
    let log: Vec<LogEntry> = from_json(&json!([{ "event": { "review": {} } }]).to_string()).expect("a log");
    let restored = Session::restore(session.settings().clone(), &log).expect("a readable game");
    assert!(!restored.is_reviewed() && restored.version() == session.version() + 1);
}

#[test]
fn records_keep_a_review_and_the_annotations_of_others() {
    let result = reviewed(&review("chess", &FOOLS_MATE));
    let read = |record: &str| -> Value {
        let request = json!({ "kind": "chess", "record": record }).to_string();
        serde_json::from_str(&respond(Route::ReadRecord, &request).unwrap()).unwrap()
    };
    let imported = read("1. f3 {why} (1. e4) e5 2. g4 Qh4# 0-1");
    assert_eq!(imported["review"], Value::Null);
    let request = json!({
        "kind": "chess", "moves": FOOLS_MATE,
        "annotations": imported["annotations"], "review": result["annotations"],
    });
    let written: Value =
        serde_json::from_str(&respond(Route::WriteRecord, &request.to_string()).unwrap()).unwrap();
    let again = read(written["record"].as_str().unwrap());
    assert_eq!(again["review"]["turns"][2]["judgement"], "blunder");
    assert_eq!(again["review"]["turns"][2]["better"]["line"], result["review"]["turns"][2]["better"]["line"]);
    assert!(written["record"].as_str().unwrap().contains("why} (1. e4"), "{written}");
    let other = json!({ "kind": "chess", "moves": ["e2e4"], "review": json!({}) }).to_string();
    assert_eq!(respond(Route::WriteRecord, &other).unwrap_err().code(), ErrorCode::InvalidRecord);
}
