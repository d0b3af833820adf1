//! Stored games.

use sandtable_contract::{
    Access, Change, Engine, EngineDecision, EngineTask, ErrorCode, GameSummary, GameView, LogEntry, NewGame,
    Session, Timestamps, from_json, to_json,
};
use serde_json::{Value, json};

const TIMES: Timestamps = Timestamps { created: 1, updated: 2 };

fn new_session(request: &Value) -> Session {
    let request: NewGame = from_json(&request.to_string()).unwrap();
    Session::new(request.settings(Access::Open).unwrap()).unwrap()
}

fn change(session: &mut Session, change: &Value, now: u64) -> Vec<LogEntry> {
    let change: Change = from_json(&change.to_string()).unwrap();
    let entries = session.change(&change, now).unwrap_or_else(|e| panic!("{e}"));
    session.start_clock(now);
    entries
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
            let job = session.engine_job("id", 0).unwrap();
            assert!(matches!(job.task, EngineTask::Move { level: 2, time_left: None }));
            let game =
                from_json::<sandtable_contract::EngineJob>(&to_json(&job)).unwrap().position.game().unwrap();
            assert_eq!(game.position_text(), session.game().position_text());
            assert_eq!(game.moves_played(), session.game().moves_played());
            let decision =
                Engine::default().decide(&*game, job.task, job.seed, &|| 0, &|| false).unwrap().unwrap();
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
    assert_eq!(Engine::default().decide(session.game(), task, 0, &|| 0, &|| true).unwrap(), None);
    let decision = Engine::default().decide(session.game(), task, 0, &|| 0, &|| false).unwrap().unwrap();
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
    assert!(Engine::default().decide(session.game(), task, 0, &now, &|| false).unwrap().is_some());
    // A thirtieth of the time left, and the reading at the start.
    assert!((100..=110).contains(&reads.into_inner()), "the search did not stop at its deadline");
}

const MOVE_E4: &str = r#"{ "type": "move", "text": "e4" }"#;

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn every_move_of_a_turn_is_a_version() {
    // A deployment: the tank stays, the navy leaves and the air force captures.
    let position = "5c5/11/11/11/11/11/11/4e6/11/2(NFT)8/11/6C4 r - - 0 1";
    let clock = json!({ "initial": 60_000, "increment": 5_000 });
    let mut session = new_session(&json!({ "kind": "cotulenh", "position": position, "clock": clock }));
    assert_eq!(session.version(), 1);
    change(&mut session, &json!({ "type": "move", "text": "Ch1" }), 0);
    change(&mut session, &json!({ "type": "move", "text": "Ce12" }), 1_000);
    assert_eq!(session.version(), 3);
    let log = change(&mut session, &json!({ "type": "move", "text": "c3:T:N>c5,F>xe5" }), 4_000);
    assert_eq!(session.version(), 3 + log.len() as u64);
    // The increment is added after the last move of the turn.
    let left: Vec<_> = log.iter().map(|entry| parse(&to_json(entry))["left"]["first"].clone()).collect();
    let (last, others) = left.split_last().unwrap();
    assert!(!others.is_empty() && others.iter().all(|left| left.as_u64() < last.as_u64()), "{left:?}");
}

#[test]
fn only_the_side_to_move_of_an_ongoing_game_may_move() {
    let mut session = new_session(&json!({ "kind": "chess", "seats": {
        "first": { "type": "human" }, "second": { "type": "engine", "level": 1 },
    } }));
    change(&mut session, &parse(MOVE_E4), 0);
    let reply = json!({ "type": "move", "text": "e5" });
    assert_eq!(
        rejects(&session, &reply, 0),
        (ErrorCode::Conflict, "Black is played by the engine".to_owned())
    );
    let resign = json!({ "type": "resign", "player": "first" });
    change(&mut session, &resign, 0);
    for event in [reply, resign, json!({ "type": "draw", "player": "first", "action": "offer" })] {
        let (code, message) = rejects(&session, &event, 0);
        assert_eq!(code, ErrorCode::Conflict);
        assert!(message.starts_with("the game is over: "), "{message}");
    }
}

#[test]
fn a_game_has_at_most_5_000_moves() {
    let position = "black:a1=1*,f6=2,f7=1 white:c4=2,g7=1,k11=1* b -";
    let cycle = ["f6-g8", "c4-e5", "g8-f6", "e5-c4"];
    let moves: Vec<_> = cycle.iter().cycle().take(4_999).collect();
    let engine = json!({ "type": "engine", "level": 1 });
    let seats = json!({ "first": engine, "second": { "type": "human" } });
    let request = json!({ "kind": "tribun", "position": position, "moves": moves, "seats": seats });
    let mut session = new_session(&request);
    change(&mut session, &json!({ "type": "move", "text": "e5-c4" }), 0);
    assert_eq!((session.game().ply(), session.game().is_over()), (5_000, false));
    assert!(session.engine_task(0).is_none(), "an engine cannot move either");
    let decision = EngineDecision::Move { text: "f6-g8".to_owned() };
    let error = session.change(&Change::Engine { decision }, 0).unwrap_err();
    assert_eq!((error.code(), error.message()), (ErrorCode::Conflict, "too many moves: 5001, at most 5000"));
}

#[test]
fn the_clock_runs_until_the_end_of_the_game() {
    let timed = json!({ "kind": "chess", "clock": { "initial": 60_000 } });
    let running = |session: &Session| view(session, 10_000)["clock"]["running"].clone();
    let mut session = new_session(&timed);
    assert_eq!((running(&session), session.time_to_flag(0)), (json!(null), None));
    for (now, text) in [(0, "f3"), (1_000, "e5"), (2_000, "g4")] {
        change(&mut session, &json!({ "type": "move", "text": text }), now);
    }
    // The first move starts the clock; Black has used 1 second.
    assert_eq!((running(&session), session.time_to_flag(5_000)), (json!("second"), Some(56_000)));

    let mut drawn = session.clone();
    for (player, action, expected) in [("first", "offer", json!("second")), ("second", "accept", json!(null))]
    {
        change(&mut drawn, &json!({ "type": "draw", "player": player, "action": action }), 6_000);
        assert_eq!(running(&drawn), expected, "{action}");
    }
    change(&mut session, &json!({ "type": "move", "text": "Qh4#" }), 6_000);
    assert_eq!(running(&session), json!(null), "checkmate stops the clock");
    session.start_clock(7_000);
    assert_eq!(running(&session), json!(null), "and it does not start again");
}

#[test]
fn the_clock_of_a_restored_game_starts_when_it_is_told_to() {
    let mut session = new_session(&json!({ "kind": "chess", "clock": { "initial": 60_000 } }));
    let log = change(&mut session, &parse(MOVE_E4), 0);
    let settings = from_json(&to_json(session.settings())).unwrap();
    let mut restored = Session::restore(settings, &log).unwrap();
    assert_eq!(restored.time_to_flag(90_000), None);
    restored.start_clock(100_000);
    assert_eq!(restored.time_to_flag(101_000), Some(59_000));
}

#[test]
fn an_ended_game_has_no_open_draw_offer() {
    let mut session = new_session(&json!({ "kind": "chess" }));
    change(&mut session, &json!({ "type": "draw", "player": "first", "action": "offer" }), 0);
    assert_eq!(view(&session, 0)["draw_offer"], "first");
    change(&mut session, &json!({ "type": "resign", "player": "second" }), 0);
    assert_eq!(view(&session, 0)["draw_offer"], json!(null));
}

#[test]
fn a_job_names_the_first_position() {
    let session = new_session(&json!({ "kind": "chess", "seats": {
        "first": { "type": "engine", "level": 1 }, "second": { "type": "human" },
    } }));
    let job = parse(&to_json(&session.engine_job("id", 0).unwrap()));
    assert_eq!(job["position"]["position"], session.game().first_position_text());
}

#[test]
fn tags_name_the_players_unless_they_are_given() {
    let session = new_session(&json!({
        "kind": "chess",
        "seats": { "first": { "type": "human", "name": "Ann" }, "second": { "type": "engine", "level": 3 } },
        "tags": [["Event", "A test"], ["White", "Bea"]],
    }));
    let expected = json!([["Event", "A test"], ["White", "Bea"], ["Black", "Sandtable, level 3"]]);
    assert_eq!(view(&session, 0)["tags"], expected);
}

/// The answer of an engine to a draw offer of the first player, after these moves.
fn answer(kind: &str, position: Option<&str>, moves: &[&str]) -> (Session, Value) {
    let seats = json!({ "first": { "type": "human" }, "second": { "type": "engine", "level": 1 } });
    let mut session =
        new_session(&json!({ "kind": kind, "position": position, "moves": moves, "seats": seats }));
    change(&mut session, &json!({ "type": "draw", "player": "first", "action": "offer" }), 0);
    let task = session.engine_task(0).unwrap();
    let decision = Engine::default().decide(session.game(), task, 0, &|| 0, &|| false).unwrap().unwrap();
    session.change(&Change::Engine { decision }, 0).unwrap();
    let view = view(&session, 0);
    (session, view)
}

#[test]
fn an_engine_declines_a_draw_at_the_start_and_says_so_until_the_next_move() {
    for (kind, text) in [("chess", "e4"), ("cotulenh", "Ic5c6"), ("tribun", "f4-g5")] {
        let (mut session, declined) = answer(kind, None, &[]);
        assert_eq!(declined["view"]["outcome"]["over"], false, "{kind}");
        assert_eq!((&declined["draw_offer"], &declined["draw_declined"]), (&json!(null), &json!("first")));
        let offer: Change =
            serde_json::from_value(json!({ "type": "draw", "player": "first", "action": "offer" })).unwrap();
        let error = session.clone().change(&offer, 0).unwrap_err();
        assert_eq!(error.detail().code, "game.draw_declined");
        change(&mut session, &json!({ "type": "move", "text": text }), 0);
        assert_eq!(view(&session, 0)["draw_declined"], json!(null));
        change(&mut session, &json!({ "type": "draw", "player": "first", "action": "offer" }), 0);
        assert_eq!(view(&session, 0)["draw_offer"], "first");
    }
}

#[test]
fn an_engine_accepts_a_draw_once_it_has_not_been_better_for_several_moves() {
    // Rooks and pawns on both sides: nobody makes progress.
    let position = "4k2r/5ppp/8/8/8/8/5PPP/4K2R w - - 0 1";
    let shuffle = ["Ke2", "Ke7", "Kd3", "Kd6", "Ke2", "Ke7", "Ke1", "Ke8"];
    let long: Vec<_> = shuffle.iter().chain(&shuffle[..6]).copied().chain(["Kf1", "Kf8"]).collect();
    assert_eq!(answer("chess", Some(position), &shuffle[..6]).1["draw_declined"], "first");
    assert_eq!(answer("chess", Some(position), &long).1["view"]["outcome"]["reason"], "agreement");
}

#[test]
fn levels_vary_by_the_game_and_are_reproducible() {
    for kind in ["chess", "cotulenh", "tribun"] {
        let engine = json!({ "type": "engine", "level": 3 });
        let settings = json!({ "kind": kind, "seats": { "first": engine, "second": engine } });
        let play = |id: &str| {
            let mut session = new_session(&settings);
            for _ in 0..6 {
                let job = session.engine_job(id, 0).unwrap();
                let decision = Engine::default()
                    .decide(session.game(), job.task, job.seed, &|| 0, &|| false)
                    .unwrap()
                    .unwrap();
                session.change(&Change::Engine { decision }, 0).unwrap();
            }
            session.game().moves_played()
        };
        let games: Vec<_> = ["a", "b", "c", "d", "e", "f"].map(play).into();
        assert_eq!(games[0], play("a"));
        assert!(games.iter().any(|game| *game != games[0]), "{kind}: {:?}", games[0]);
    }
}

fn advice(player: &str, kind: &str) -> Value {
    json!({ "type": "advice", "player": player, "kind": kind })
}

#[test]
fn advice_is_counted_and_in_the_record() {
    for (kind, names) in
        [("chess", ["White", "Black"]), ("cotulenh", ["Red", "Blue"]), ("tribun", ["Black", "White"])]
    {
        let mut session = new_session(&json!({ "kind": kind }));
        assert_eq!(view(&session, 0)["advice"]["first"], json!({ "hints": 0, "threats": 0 }));
        assert!(!to_json(&session.record()).contains("Hints"), "{kind}");
        let index = session.game().legal_indices()[0].0;
        let mut log = change(&mut session, &advice("first", "hint"), 0);
        log.extend(change(&mut session, &json!({ "type": "move", "index": index }), 0));
        log.extend(change(&mut session, &advice("second", "threats"), 0));
        log.extend(change(&mut session, &json!({ "type": "undo" }), 0));
        log.extend(change(&mut session, &advice("first", "hint"), 0));
        assert_eq!((log.len(), session.version()), (5, 6), "every entry is a change");
        let log: Vec<LogEntry> = from_json(&to_json(&log)).unwrap();
        let restored = Session::restore(session.settings().clone(), &log).unwrap();
        let shown = view(&restored, 0);
        let expected =
            json!({ "first": { "hints": 2, "threats": 0 }, "second": { "hints": 0, "threats": 1 } });
        assert_eq!(shown["advice"], expected, "taking back a move does not take back advice");
        assert_eq!(shown, view(&session, 0));
        let record = to_json(&restored.record());
        let tags = [format!(r#"[{}Hints \"2\"]"#, names[0]), format!(r#"[{}Threats \"1\"]"#, names[1])];
        assert!(tags.iter().all(|tag| record.contains(tag)), "{record}");
    }
}

#[test]
fn advice_is_for_the_human_to_move() {
    let seats = json!({ "first": { "type": "human" }, "second": { "type": "engine", "level": 1 } });
    let mut session = new_session(&json!({ "kind": "chess", "seats": seats }));
    let conflict = |message: &str| (ErrorCode::Conflict, message.to_owned());
    assert_eq!(rejects(&session, &advice("second", "hint"), 0), conflict("Black is played by the engine"));
    change(&mut session, &json!({ "type": "move", "text": "e4" }), 0);
    let not_now = conflict("only the player to move can ask for advice");
    assert_eq!(rejects(&session, &advice("first", "hint"), 0), not_now);
    change(&mut session, &json!({ "type": "resign", "player": "first" }), 0);
    assert!(rejects(&session, &advice("first", "hint"), 0).1.starts_with("the game is over"));
}

#[test]
fn advice_adds_to_the_tags_of_an_imported_record() {
    let tags = json!([["WhiteHints", "3"], ["BlackThreats", "many"]]);
    let mut session = new_session(&json!({ "kind": "chess", "tags": tags }));
    change(&mut session, &advice("first", "hint"), 0);
    let hints = |session: &Session| view(session, 0)["tags"].clone();
    assert_eq!(hints(&session), json!([["WhiteHints", "4"], ["BlackThreats", "many"]]));
    change(&mut session, &json!({ "type": "resign", "player": "first" }), 0);
    let next = Session::new(session.rematch_settings().unwrap()).unwrap();
    assert_eq!(hints(&next), json!([]), "the next game starts without advice");
}

#[test]
fn a_game_must_not_be_over_before_it_begins() {
    let empty = "11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1";
    for request in [
        json!({ "kind": "cotulenh", "position": empty }),
        json!({ "kind": "chess", "position": "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1" }),
    ] {
        let new_game: NewGame = from_json(&request.to_string()).unwrap();
        let settings = new_game.settings(Access::Open).unwrap();
        let error = Session::new(settings.clone()).err().unwrap_or_else(|| panic!("{request}"));
        assert_eq!((error.code(), error.code().status()), (ErrorCode::InvalidPosition, 422));
        let expected = "a game cannot start from this position: the game is over: ";
        assert!(error.message().starts_with(expected), "{}", error.message());
        // A stored game of an earlier version opens.
        assert!(Session::restore(settings, &[]).unwrap().is_over(), "{request}");
    }
    let finished = new_session(&json!({ "kind": "chess", "moves": ["f3", "e5", "g4", "Qh4"] }));
    assert!(finished.is_over(), "a finished game with its moves");
}
