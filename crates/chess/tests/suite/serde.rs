//! The serde forms (feature `serde`).

use std::fmt::Debug;

use sandtable_chess::notation::uci::Uci;
use sandtable_chess::{BLACK, Chess, ChessGame, DrawRules, Ending, Reason, Square};
use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::{Outcome, Position};
use serde::Serialize;
use serde::de::DeserializeOwned;

#[track_caller]
fn round_trips<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), json);
    assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
}

fn error<T: DeserializeOwned + Debug>(json: &str) -> String {
    serde_json::from_str::<T>(json).unwrap_err().to_string()
}

#[test]
fn golden_forms() {
    round_trips(
        &Chess::start(DrawRules::CLAIMS),
        r#"{"rules":"claims","position":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}"#,
    );
    round_trips(&"e4".parse::<Square>().unwrap(), r#""e4""#);
    round_trips(&"e7e8q".parse::<Uci>().unwrap(), r#""e7e8q""#);
    round_trips(
        &Outcome::Win { winner: BLACK, reason: Reason::Rule(Ending::Checkmate) },
        r#"{"result":"win","winner":"second","reason":"checkmate"}"#,
    );
    for reason in Reason::all() {
        round_trips(&reason, &format!("\"{reason}\""));
    }
}

#[test]
fn positions_and_moves_of_random_games_round_trip() {
    let mut game = ChessGame::default();
    let mut rng = Rng::new(5);
    while play_random_moves(&mut game, &mut rng, 1) == 1 {
        let position = game.position();
        let json = serde_json::to_string(position).unwrap();
        assert_eq!(&serde_json::from_str::<Chess>(&json).unwrap(), position);
        for m in position.legal_moves() {
            let uci: Uci = serde_json::from_str(&serde_json::to_string(&m).unwrap()).unwrap();
            assert_eq!(uci.to_move(position), Ok(m));
        }
    }
}

#[test]
fn invalid_values_are_rejected() {
    let position = |rules, fen| format!(r#"{{"rules":"{rules}","position":"{fen}"}}"#);
    assert!(error::<Chess>(&position("standard", "8/8 w")).starts_with("expected 6 FEN fields"));
    let kings = "8/8/8/8/8/8/8/8 w - - 0 1";
    assert!(error::<Chess>(&position("standard", kings)).starts_with("White has no king; Black has no king"));
    assert!(error::<Chess>(&position("blitz", kings)).starts_with("unknown rules `blitz` for chess"));
    assert!(error::<Square>(r#""e9""#).starts_with("invalid square `e9`"));
    assert!(error::<Uci>(r#""O-O""#).starts_with("invalid UCI move `O-O`"));
    assert!(error::<Reason>(r#""boredom""#).starts_with("unknown reason `boredom`"));
}
