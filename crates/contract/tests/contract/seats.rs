//! Seats, roles, requests to take back a move, claims, rematches and the shared JSON of a game.

use sandtable_contract::{
    Access, Action, Both, Change, Denied, GameJson, GameView, LiveView, LogEntry, NewGame, Presence, Role,
    Seat, Session, Side, Timestamps, from_json, may, to_json,
};
use serde_json::{Value, json};

const TIMES: Timestamps = Timestamps { created: 1, updated: 2 };

fn session(request: &Value) -> Session {
    let request: NewGame = from_json(&request.to_string()).unwrap();
    Session::new(request.settings(Access::Seats).unwrap()).unwrap()
}

fn human(name: &str) -> Value {
    json!({ "type": "human", "name": name })
}

fn between_two() -> Session {
    session(&json!({ "kind": "chess", "seats": { "first": human("An"), "second": human("Bình") } }))
}

fn change(session: &mut Session, change: &Value) -> Vec<LogEntry> {
    let change: Change = from_json(&change.to_string()).unwrap();
    session.change(&change, 0).unwrap_or_else(|e| panic!("{e}"))
}

fn rejects(session: &Session, change: &Value) -> String {
    let change: Change = from_json(&change.to_string()).unwrap();
    session.clone().change(&change, 0).unwrap_err().message().to_owned()
}

fn view(session: &Session) -> Value {
    serde_json::from_str(&to_json(&GameView::of(session, "id", TIMES, 3, 0))).unwrap()
}

fn play(session: &mut Session, texts: &str) {
    for text in texts.split(' ') {
        change(session, &json!({ "type": "move", "text": text }));
    }
}

fn take_back(player: &str, action: &str) -> Value {
    json!({ "type": "take_back", "player": player, "action": action })
}

/// Every role with every action, as one line per action: `y` if the role may do it.
#[test]
fn every_role_has_its_actions() {
    let roles =
        [Role::Spectator, Role::Host(Side::First), Role::Player(Side::First), Role::Sole, Role::Server];
    let (own, other) = (Side::First, Side::Second);
    let table = [
        (Action::Read, "yyyyy"),
        (Action::Record, "yyyyy"),
        (Action::Watch, "yyyyy"),
        (Action::TakeSeat, "y----"),
        (Action::Move, "-yyy-"),
        (Action::Undo, "-y-y-"),
        (Action::Resign(own), "-yyy-"),
        (Action::Resign(other), "---y-"),
        (Action::Draw(own), "-yyy-"),
        (Action::Draw(other), "---y-"),
        (Action::TakeBack(own), "-yyy-"),
        (Action::TakeBack(other), "---y-"),
        (Action::ClaimDraw(own), "-yyy-"),
        (Action::ClaimDraw(other), "---y-"),
        (Action::ClaimVictory(own), "-yyy-"),
        (Action::ClaimVictory(other), "---y-"),
        (Action::Advice(own), "-y-y-"),
        (Action::Advice(other), "---y-"),
        (Action::Abort, "-yyy-"),
        (Action::Rematch, "-yyy-"),
        (Action::Chat, "-yy--"),
        (Action::Invite, "-yyy-"),
        (Action::Transfer(own), "-yyy-"),
        (Action::Transfer(other), "---y-"),
        (Action::Delete, "-y-y-"),
        (Action::Engine, "----y"),
        (Action::Flag, "----y"),
        (Action::StoreReview, "----y"),
    ];
    for (action, expected) in table {
        let found: String =
            roles.map(|role| if may(role, action).is_ok() { 'y' } else { '-' }).iter().collect();
        assert_eq!(found, expected, "{action:?}");
    }
    assert_eq!(may(Role::Player(own), Action::Undo), Err(Denied::NeedsConsent));
    assert_eq!(may(Role::Player(own), Action::Advice(own)), Err(Denied::NoAdvice));
    assert_eq!(may(Role::Spectator, Action::Move), Err(Denied::Spectator));
}

#[test]
fn roles_follow_from_the_seats_that_a_guest_holds() {
    let seats = |first: Seat, second: Seat| Both { first, second };
    let human = || Seat::Human { name: None };
    let engine = || Seat::Engine { level: 1 };
    let holds = |first, second| Both { first, second };
    for (seats, holds, role) in [
        (seats(human(), human()), holds(false, false), Role::Spectator),
        (seats(human(), human()), holds(true, false), Role::Player(Side::First)),
        (seats(human(), human()), holds(false, true), Role::Player(Side::Second)),
        (seats(human(), human()), holds(true, true), Role::Sole),
        (seats(human(), engine()), holds(true, false), Role::Sole),
        (seats(engine(), engine()), holds(true, true), Role::Sole),
        (seats(Seat::Open, human()), holds(false, true), Role::Host(Side::Second)),
    ] {
        assert_eq!(Role::of(Access::Seats, &seats, holds), role, "{seats:?}");
        assert_eq!(Role::of(Access::Open, &seats, holds), Role::Sole);
    }
    assert_eq!(Role::Sole.sides(&seats(engine(), human())), [Side::Second]);
    assert_eq!(Role::Sole.sides(&seats(human(), human())), [Side::First, Side::Second]);
}

#[test]
fn nobody_moves_before_the_open_seat_is_taken() {
    let request = json!({ "kind": "chess", "seats": { "first": human("An"), "second": { "type": "open" } }, "lobby": true });
    let mut session = session(&request);
    assert!(session.in_lobby());
    for request in [
        json!({ "type": "move", "text": "e4" }),
        json!({ "type": "resign", "player": "first" }),
        json!({ "type": "draw", "player": "first", "action": "offer" }),
        json!({ "type": "abandon", "player": "second" }),
    ] {
        assert_eq!(rejects(&session, &request), "your opponent has not taken the seat yet", "{request}");
    }
    let join = json!({ "type": "join", "player": "second", "name": " Bình " });
    let log = change(&mut session, &join);
    assert_eq!(rejects(&session, &join), "the seat is taken");
    assert_eq!((session.open_side(), session.in_lobby()), (None, false));
    let restored = Session::restore(session.settings().clone(), &log).unwrap();
    assert_eq!(view(&restored), view(&session));
    assert_eq!(view(&restored)["seats"]["second"], human("Bình"));
    play(&mut session, "e4 e5");
    assert!(to_json(&session.record()).contains(r#"[Black \"Bình\"]"#), "{:?}", session.record());
}

#[test]
fn open_seats_need_a_human_and_a_host_with_seats() {
    let settings = |access, request: Value| {
        let request: NewGame = from_json(&request.to_string()).unwrap();
        request.settings(access).map_err(|e| e.message().to_owned())
    };
    let open = json!({ "type": "open" });
    let with_open = json!({ "kind": "chess", "seats": { "first": human("An"), "second": open } });
    assert!(settings(Access::Open, with_open).unwrap_err().contains("--seats"));
    for field in ["public", "lobby", "chat"] {
        assert!(settings(Access::Open, json!({ "kind": "chess", (field): true })).is_err(), "{field}");
    }
    assert!(settings(Access::Seats, json!({ "kind": "chess", "lobby": true })).is_err());
    let nobody =
        json!({ "kind": "chess", "seats": { "first": { "type": "engine", "level": 1 }, "second": open } });
    assert!(Session::new(settings(Access::Seats, nobody).unwrap()).is_err());
}

#[test]
fn moves_are_taken_back_with_consent() {
    let mut session = between_two();
    assert_eq!(rejects(&session, &take_back("first", "offer")), "no move to take back");
    play(&mut session, "e4");
    assert_eq!(rejects(&session, &take_back("second", "offer")), "no move to take back");
    play(&mut session, "e5");
    assert!(rejects(&session, &take_back("second", "accept")).starts_with("no request"));
    change(&mut session, &take_back("first", "offer"));
    assert_eq!(view(&session)["take_back_offer"], "first");
    assert!(rejects(&session, &take_back("second", "offer")).contains("already open"));
    assert!(rejects(&session, &take_back("first", "accept")).contains("your own"));
    assert!(rejects(&session, &take_back("second", "retract")).contains("your opponent's"));
    change(&mut session, &json!({ "type": "draw", "player": "first", "action": "offer" }));
    assert_eq!(view(&session)["take_back_offer"], "first", "a draw offer leaves it open");
    let before = session.version();
    change(&mut session, &take_back("second", "accept"));
    let shown = view(&session);
    assert_eq!((&shown["view"]["turn"], &shown["take_back_offer"]), (&json!("first"), &json!(null)));
    assert_eq!((session.plies(), session.version()), (0, before + 1), "the first player is to move again");
    for answer in [take_back("first", "retract"), take_back("second", "decline")] {
        play(&mut session, "d4");
        change(&mut session, &take_back("first", "offer"));
        change(&mut session, &answer);
        assert_eq!((view(&session)["take_back_offer"].clone(), session.plies()), (json!(null), 1));
        change(&mut session, &json!({ "type": "undo" }));
    }
    play(&mut session, "d4");
    change(&mut session, &take_back("first", "offer"));
    play(&mut session, "d5");
    assert_eq!(view(&session)["take_back_offer"], json!(null), "a move lets the request lapse");
    change(&mut session, &json!({ "type": "resign", "player": "first" }));
    assert!(rejects(&session, &take_back("first", "offer")).starts_with("the game is over"));
}

#[test]
fn a_flag_stays_fallen_where_guests_hold_seats() {
    let clock = json!({ "initial": 1_000 });
    let mut session = session(&json!({ "kind": "chess", "clock": clock }));
    play(&mut session, "e4");
    session.start_clock(0);
    session.change(&Change::FlagFall, 1_001).unwrap();
    assert_eq!(view(&session)["view"]["outcome"]["winner"], "first");
    let check = |access| session.check_role(access, Role::Sole, &Change::Undo);
    assert!(check(Access::Open).is_ok());
    assert!(check(Access::Seats).unwrap_err().message().contains("loss on time"));
}

#[test]
fn a_player_moves_on_their_own_turn_only() {
    let session = between_two();
    let change: Change = from_json(r#"{"type":"move","text":"e4"}"#).unwrap();
    let check = |role| session.check_role(Access::Seats, role, &change).map_err(|e| e.code().status());
    assert_eq!(check(Role::Player(Side::First)), Ok(()));
    assert_eq!(check(Role::Player(Side::Second)), Err(409));
    assert_eq!(check(Role::Spectator), Err(403));
}

#[test]
fn the_time_of_the_whole_game_ends_it_with_a_draw() {
    for kind in ["chess", "cotulenh", "tribun"] {
        let clock = json!({ "initial": 60_000, "delay": 1_000, "max_game": 5_000 });
        let mut session = session(&json!({ "kind": kind, "clock": clock }));
        let text = session.game().legal_moves()[0].text.clone();
        play(&mut session, &text);
        session.start_clock(0);
        assert_eq!(session.time_to_flag(1_000), Some(4_000));
        let log = session.change(&Change::FlagFall, 5_001).unwrap();
        let outcome = &view(&session)["view"]["outcome"];
        assert_eq!((&outcome["winner"], &outcome["reason"]), (&json!(null), &json!("game time")), "{kind}");
        assert!(to_json(&log).contains(r#""game_left":0"#), "{}", to_json(&log));
    }
}

#[test]
fn draws_are_claimed_by_the_side_to_move() {
    let mut session = between_two();
    let claim = |player: &str| json!({ "type": "claim_draw", "player": player });
    assert!(rejects(&session, &claim("first")).starts_with("no draw can be claimed"));
    play(&mut session, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_eq!(view(&session)["claims"], json!(["threefold repetition"]));
    assert!(rejects(&session, &claim("second")).starts_with("only the player to move"));
    change(&mut session, &claim("first"));
    let shown = view(&session);
    assert_eq!(shown["view"]["outcome"]["reason"], "threefold repetition");
    assert_eq!(shown["claims"], json!([]));
    let mut tribun = self::session(&json!({ "kind": "tribun" }));
    assert!(rejects(&tribun, &claim("first")).starts_with("no draw can be claimed"));
    change(&mut tribun, &json!({ "type": "abandon", "player": "second" }));
    let outcome = &view(&tribun)["view"]["outcome"];
    assert_eq!((&outcome["winner"], &outcome["reason"]), (&json!("first"), &json!("abandonment")));
    let record: Value = serde_json::from_str(&to_json(&tribun.record())).unwrap();
    let read = sandtable_contract::respond(
        sandtable_contract::Route::ReadRecord,
        &json!({ "kind": "tribun", "record": record["record"] }).to_string(),
    );
    assert!(read.unwrap().contains("abandonment"));
}

#[test]
fn a_game_can_be_aborted_before_its_second_move() {
    let mut session = session(&json!({ "kind": "chess", "moves": ["e4", "e5"] }));
    assert!(session.check_abortable().is_ok());
    play(&mut session, "Nf3");
    assert!(session.check_abortable().is_ok());
    play(&mut session, "Nc6");
    assert!(session.check_abortable().is_err());
}

#[test]
fn a_rematch_swaps_the_players() {
    let request = json!({ "kind": "chess", "clock": { "initial": 60_000 }, "chat": true, "public": true,
        "tags": [["White", "An"], ["Event", "Friday"]], "seats": { "first": human("An"), "second": human("Bình") } });
    let mut session = session(&request);
    assert!(session.rematch_settings().is_err());
    let rematch = json!({ "type": "rematch", "rematch": { "id": "next", "by": "second" } });
    assert!(rejects(&session, &rematch).starts_with("the game is not over"));
    change(&mut session, &json!({ "type": "resign", "player": "first" }));
    let next = Session::new(session.rematch_settings().unwrap()).unwrap();
    change(&mut session, &rematch);
    assert_eq!(view(&session)["rematch"], json!({ "id": "next", "by": "second" }));
    assert!(rejects(&session, &rematch).contains("already"));
    let shown = view(&next);
    assert_eq!(shown["seats"], json!({ "first": human("Bình"), "second": human("An") }));
    assert_eq!(shown["tags"], json!([["Event", "Friday"], ["White", "Bình"], ["Black", "An"]]));
    assert_eq!((&shown["clock"]["initial"], &shown["chat_enabled"]), (&json!(60_000), &json!(true)));
}

#[test]
fn the_shared_json_with_the_requesters_part_is_the_view() {
    for kind in ["chess", "cotulenh", "tribun"] {
        let mut session = session(&json!({ "kind": kind }));
        let mut live = LiveView::of(&session, Access::Open, Role::Sole, Presence::ALL, 3, 0);
        for plies in 0..4 {
            let whole = view(&session);
            let shared = GameJson::of(&session, "id", TIMES);
            assert_eq!(serde_json::from_str::<Value>(&shared.with(&live, 0)).unwrap(), whole);
            for kept in 0..=plies + 1 {
                let part: Value = serde_json::from_str(&shared.with(&live, kept)).unwrap();
                let moves = whole["view"]["moves_played"].as_array().unwrap();
                assert_eq!(
                    part["view"]["moves_played"],
                    json!(moves[kept.min(plies)..]),
                    "{kept} of {plies}"
                );
            }
            let text = session.game().legal_moves()[0].text.clone();
            play(&mut session, &text);
            live = LiveView::of(&session, Access::Open, Role::Sole, Presence::ALL, 3, 0);
        }
    }
}

#[test]
fn games_of_earlier_versions_replay() {
    let settings = r#"{"position":{"kind":"chess","moves":[]},"seats":{"first":{"type":"human","name":"An"},"second":{"type":"human"}},
        "clock":{"initial":60000,"increment":1000},"tags":[]}"#;
    let log = r#"[{"event":{"move":"e2e4"},"left":{"first":60000,"second":60000}},
        {"event":{"move":"e7e5"},"left":{"first":60000,"second":59000}},{"event":{"draw":["first","offer"]},"left":{"first":60000,"second":59000}},
        {"event":{"undo":1},"left":{"first":60000,"second":60000}},{"event":{"flag_fall":"second"},"left":{"first":60000,"second":0}},
        {"event":"undo_end","left":{"first":60000,"second":60000}},{"event":{"resign":"first"},"left":{"first":60000,"second":58000}}]"#;
    let log: Vec<LogEntry> = from_json(log).unwrap();
    let session = Session::restore(from_json(settings).unwrap(), &log).unwrap();
    let shown = view(&session);
    assert_eq!((session.version(), &shown["view"]["outcome"]["winner"]), (8, &json!("second")));
    assert_eq!(shown["clock"]["left"], json!({ "first": 60_000, "second": 58_000 }));
    assert_eq!((&shown["public"], &shown["clock"]["delay"]), (&json!(false), &json!(0)));
}
