//! Stored games.

use sandtable_contract::{
    Change, EngineDecision, EngineTask, ErrorCode, GameSummary, GameView, LogEntry, NewGame, Session,
    Timestamps, decide, from_json, to_json,
};
use serde_json::{Value, json};

const TIMES: Timestamps = Timestamps { created: 1, updated: 2 };

fn new_session(request: &Value) -> Session {
    let request: NewGame = from_json(&request.to_string()).unwrap();
    Session::new(request.settings().unwrap()).unwrap()
}

fn change(session: &mut Session, change: &Value, now: u64) -> Vec<LogEntry> {
    let change: Change = from_json(&change.to_string()).unwrap();
    session.change(&change, now).unwrap_or_else(|e| panic!("{e}"))
}

fn rejects(session: &Session, change: &Value, now: u64) -> (ErrorCode, String) {
    let change: Change = from_json(&change.to_string()).unwrap();
    let error = session.clone().change(&change, now).unwrap_err();
    (error.code(), error.message().to_owned())
}

fn view(session: &Session, now: u64) -> Value {
    serde_json::from_str(&to_json(&GameView::of(session, "id", TIMES, 3, now))).unwrap()
}

#[test]
fn a_session_is_restored_from_its_settings_and_log() {
    let request = json!({ "kind": "chess", "clock": { "initial": 60_000, "increment": 1_000 } });
    let mut session = new_session(&request);
    let mut log = Vec::new();
    for (now, event) in [
        (0, json!({ "type": "move", "text": "e4" })),
        (2_000, json!({ "type": "move", "text": "e7e5" })),
        (3_000, json!({ "type": "draw", "player": "first", "action": "offer" })),
        (4_000, json!({ "type": "move", "text": "Nf3" })),
        (9_000, json!({ "type": "undo" })),
        (9_500, json!({ "type": "resign", "player": "second" })),
    ] {
        log.extend(change(&mut session, &event, now));
    }
    let settings = from_json(&to_json(session.settings())).unwrap();
    let log: Vec<LogEntry> = from_json(&to_json(&log)).unwrap();
    let restored = Session::restore(settings, &log).unwrap();
    let shown = view(&restored, 0);
    assert_eq!(shown, view(&session, 9_500));
    assert_eq!(shown["version"], 7);
    assert_eq!(shown["view"]["outcome"]["winner"], "first");
    // The second player used 2 seconds for a move and got 1 back.
    assert_eq!(shown["clock"]["left"]["second"], 59_000);
    assert_eq!(
        to_json(&GameSummary::of(&restored, "id", TIMES)),
        to_json(&GameSummary::of(&session, "id", TIMES))
    );
    assert!(to_json(&restored.record()).contains("1. e4 e5"), "{:?}", restored.record());
}

#[test]
fn changes_are_checked() {
    let session = new_session(&json!({ "kind": "chess", "seats": {
        "first": { "type": "human" }, "second": { "type": "engine", "level": 1 },
    } }));
    let both = json!({ "type": "move", "text": "e4", "index": 1 });
    assert_eq!(
        rejects(&session, &both, 0),
        (ErrorCode::BadRequest, "expected either `text` or `index`".to_owned())
    );
    assert_eq!(rejects(&session, &json!({ "type": "move", "text": "e5" }), 0).0, ErrorCode::IllegalMove);
    assert_eq!(rejects(&session, &json!({ "type": "undo" }), 0).1, "no move to take back");
    let resign = json!({ "type": "resign", "player": "second" });
    assert_eq!(rejects(&session, &resign, 0).1, "Black is played by the engine");
    assert_eq!(rejects(&session, &json!({ "type": "flag_fall" }), 0).1, "no clock has run out");
    assert!(session.check_version(Some(1)).is_ok() && session.check_version(None).is_ok());
    let stale = session.check_version(Some(2)).unwrap_err();
    assert_eq!(stale.message(), "stale version 2: the game is at version 1");
}

#[test]
fn the_job_of_an_engine_carries_the_whole_game() {
    for kind in ["chess", "cotulenh", "tribun"] {
        let engine = json!({ "type": "engine", "level": 2 });
        let mut session =
            new_session(&json!({ "kind": kind, "seats": { "first": engine, "second": engine } }));
        for _ in 0..4 {
            let job = session.engine_job(0).unwrap();
            assert!(matches!(job.task, EngineTask::Move { level: 2, time_left: None }));
            let game =
                from_json::<sandtable_contract::EngineJob>(&to_json(&job)).unwrap().position.game().unwrap();
            assert_eq!(game.position_text(), session.game().position_text());
            assert_eq!(game.moves_played(), session.game().moves_played());
            let decision = decide(&*game, job.task, 0, &|| 0, &|| false).unwrap().unwrap();
            session.change(&Change::Engine { decision }, 0).unwrap();
        }
    }
}

#[test]
fn an_engine_answers_a_draw_offer_unless_it_is_stopped() {
    let seats = json!({ "first": { "type": "human" }, "second": { "type": "engine", "level": 9 } });
    // White has an extra queen, so Black, to answer, accepts.
    let position = "3qk3/8/8/8/8/8/8/QQ2K3 w - - 0 1";
    let mut session = new_session(&json!({ "kind": "chess", "position": position, "seats": seats }));
    change(&mut session, &json!({ "type": "draw", "player": "first", "action": "offer" }), 0);
    let task = session.engine_task(0).unwrap();
    assert_eq!(decide(session.game(), task, 0, &|| 0, &|| true).unwrap(), None);
    let decision = decide(session.game(), task, 0, &|| 0, &|| false).unwrap().unwrap();
    assert!(matches!(decision, EngineDecision::Draw { .. }));
    session.change(&Change::Engine { decision }, 0).unwrap();
    let outcome = &view(&session, 0)["view"]["outcome"];
    assert_eq!((&outcome["over"], &outcome["winner"]), (&json!(true), &json!(null)));
}

#[test]
fn an_engine_moves_within_its_time() {
    let session = new_session(&json!({ "kind": "chess", "seats": {
        "first": { "type": "engine", "level": 9 }, "second": { "type": "human" },
    } }));
    let task = EngineTask::Move { level: 9, time_left: Some(3_000) };
    let reads = std::sync::atomic::AtomicU64::new(0);
    // A clock that advances by a millisecond with every reading.
    let now = || reads.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    assert!(decide(session.game(), task, 0, &now, &|| false).unwrap().is_some());
    // A thirtieth of the time left, and the reading at the start.
    assert!((100..=110).contains(&reads.into_inner()), "the search did not stop at its deadline");
}
