//! Serde forms.

use sandtable_core::{Notation, Outcome, Player, Position};
use sandtable_cotulenh::{CoTuLenh, Reason, Rules, Square, Step};

#[test]
fn positions_round_trip() {
    let text = "6c4/11/11/11/11/11/11/11/11/2(NT)8/11/5C5 r - - 0 1 c3:T:N>c5...";
    let position = CoTuLenh::from_text(text, Rules::CLUB).unwrap();
    let json = serde_json::to_string(&position).unwrap();
    assert_eq!(json, format!(r#"{{"rules":"club","position":"{text}"}}"#));
    assert_eq!(serde_json::from_str::<CoTuLenh>(&json).unwrap(), position);
    let error = serde_json::from_str::<CoTuLenh>(&json.replace("club", "house")).unwrap_err();
    assert!(error.to_string().contains("unknown rules `house`"), "{error}");
    let error = serde_json::from_str::<CoTuLenh>(&json.replace("N>c5", "N>d5")).unwrap_err();
    assert!(error.to_string().contains("step 1 is not legal"), "{error}");
}

#[test]
fn moves_squares_and_outcomes_round_trip() {
    let position = CoTuLenh::start(Rules::STANDARD);
    for step in position.legal_moves() {
        let json = serde_json::to_string(&step).unwrap();
        assert_eq!(json, format!("\"{step}\""));
        assert_eq!(serde_json::from_str::<Step>(&json).unwrap(), step);
    }
    assert_eq!(serde_json::to_string(&Square::E6).unwrap(), r#""e6""#);
    assert_eq!(serde_json::from_str::<Square>(r#""e6""#).unwrap(), Square::E6);
    for reason in Reason::all() {
        let outcome = Outcome::Win { winner: Player::First, reason };
        let json = serde_json::to_string(&outcome).unwrap();
        assert_eq!(serde_json::from_str::<Outcome<Reason>>(&json).unwrap(), outcome);
    }
}
