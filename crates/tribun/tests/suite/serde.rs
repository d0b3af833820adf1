//! The serde forms (feature `serde`).

use sandtable_core::{Notation as _, Outcome, Player, Position};
use sandtable_tribun::{Action, End, Event, Reason, Rules, Tribun};

#[test]
fn positions_are_rules_and_text() {
    let text = "black:a1=1*,f6=3/2 white:k11=4* w -";
    let position = Tribun::from_text(text, Rules::NINETY).unwrap();
    let json = serde_json::to_string(&position).unwrap();
    assert_eq!(json, format!(r#"{{"rules":"ninety","position":"{text}"}}"#));
    assert_eq!(serde_json::from_str::<Tribun>(&json).unwrap(), position);
    let error = serde_json::from_str::<Tribun>(r#"{"rules":"standard","position":"x b"}"#).unwrap_err();
    assert!(error.to_string().contains("expected 164 base64 characters, found 1"), "{error}");
}

#[test]
fn actions_and_events_are_action_words() {
    for action in Tribun::start(Rules::STANDARD).legal_moves() {
        let json = serde_json::to_string(&action).unwrap();
        assert_eq!(json, action.word().to_string());
        assert_eq!(serde_json::from_str::<Action>(&json).unwrap(), action);
    }
    let end = Event::End(End::GameTime);
    let json = serde_json::to_string(&end).unwrap();
    assert_eq!(serde_json::from_str::<Event>(&json).unwrap(), end);
    let error = serde_json::from_str::<Action>(&json).unwrap_err();
    assert!(error.to_string().contains("the word of a board action"), "{error}");
}

#[test]
fn outcomes_have_the_text_of_their_reason() {
    for reason in Reason::all() {
        let outcome = Outcome::Win { winner: Player::Second, reason };
        let json = serde_json::to_string(&outcome).unwrap();
        assert_eq!(json, format!(r#"{{"result":"win","winner":"second","reason":"{reason}"}}"#));
        assert_eq!(serde_json::from_str::<Outcome<Reason>>(&json).unwrap(), outcome);
    }
}
