//! Errors describe themselves: their codes are listed, and their parameters are those of the English text.

use std::collections::{BTreeMap, BTreeSet};

use sandtable::core::Player;
use sandtable::core::view::{Arrangement, Codes, Message, Param};
use sandtable::find;
use sandtable::games::complete_games;

/// The codes that the games can return, with the names of their parameters.
pub(crate) fn listed() -> BTreeMap<String, Vec<&'static str>> {
    let mut codes = Codes::default();
    sandtable::games::collect_codes(&mut codes);
    codes.iter().map(|(code, params)| (code.to_owned(), params.to_vec())).collect()
}

/// Checks a message, and adds its code and those in it to `seen`.
pub(crate) fn check(
    message: &Message,
    text: &str,
    listed: &BTreeMap<String, Vec<&'static str>>,
    seen: &mut BTreeSet<String>,
) {
    let names: Vec<_> = message.params.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed.get(&*message.code), Some(&names), "{}: {text}", message.code);
    seen.insert(message.code.clone().into_owned());
    for (name, param) in &message.params {
        check_param(name, param, text, listed, seen);
    }
}

fn check_param(
    name: &str,
    param: &Param,
    text: &str,
    listed: &BTreeMap<String, Vec<&'static str>>,
    seen: &mut BTreeSet<String>,
) {
    match param {
        Param::Text(part) | Param::Term(part) => assert!(text.contains(part), "{name} = {part}: {text}"),
        Param::Number(number) => assert!(text.contains(&number.to_string()), "{name} = {number}: {text}"),
        Param::Message(message) => check(message, text, listed, seen),
        Param::List(list) => list.iter().for_each(|param| check_param(name, param, text, listed, seen)),
    }
}

/// Reads malformed and invalid texts, and returns the codes of the errors.
fn provoke(name: &str, positions: &[&str], moves: &[&str], records: &[&str]) -> BTreeSet<String> {
    let kind = find(name).unwrap();
    let rules = kind.rules[0];
    let listed = listed();
    let mut seen = BTreeSet::new();
    let mut errors = Vec::new();
    errors.extend(positions.iter().map(|text| kind.parse(text, rules).map(|_| ()).unwrap_err()));
    let mut game = kind.start(rules).unwrap();
    errors.extend(moves.iter().map(|text| game.play(text).unwrap_err()));
    errors.extend(records.iter().map(|text| kind.load_record(text, rules).map(|_| ()).unwrap_err()));
    errors.push(game.play_index(sandtable::core::learn::PolicyIndex(u32::MAX)).unwrap_err());
    game.resign(Player::First);
    errors.push(game.play_index(sandtable::core::learn::PolicyIndex(0)).unwrap_err());
    errors.push(kind.start("unknown").map(|_| ()).unwrap_err());
    for error in errors {
        check(&error.message(), &error.to_string(), &listed, &mut seen);
    }
    let text = |text: &&str| (*text).to_owned();
    for (cells, fields) in [
        (&[("zz", "x"), ("a1", "x"), ("e4", "")][..], &[("unknown", "x")][..]),
        (
            &[("a1", "P"), ("e5", "(TT)"), ("a5", "T"), ("f6", "b1/4"), ("g7", "b9")],
            &[("halfmoves", "x"), ("draw", "x")],
        ),
        (&[], &[]),
    ] {
        let arrangement = Arrangement {
            cells: cells.iter().map(|(cell, letters)| (text(cell), text(letters))).collect(),
            turn: Player::First,
            fields: fields.iter().map(|(field, value)| (text(field), text(value))).collect(),
        };
        for fault in kind.compose(&arrangement, rules).unwrap().err().unwrap_or_default() {
            check(&fault.message, &fault.text, &listed, &mut seen);
        }
    }
    for code in [
        "action.out_of_range",
        "game_over",
        "outcome.win",
        "unknown_name",
        "named.rules",
        "arrangement.unknown_field",
    ] {
        assert!(seen.contains(code), "{name}: {code}");
    }
    seen
}

fn provoke_chess() -> BTreeSet<String> {
    provoke(
        "chess",
        &[
            "",
            "8/8 w - - 0 1",
            "9/8/8/8/8/8/8/8 w - - 0 1",
            "44/8/8/8/8/8/8/8 w - - 0 1",
            "7/8/8/8/8/8/8/8 w - - 0 1",
            "8/8/8/8/8/8/8/8 x - - 0 1",
            "8/8/8/8/8/8/8/8 w X - 0 1",
            "8/8/8/8/8/8/8/8 w - e9 0 1",
            "8/8/8/8/8/8/8/8 w - - -1 1",
            "8/8/8/8/8/8/8/8 w - - 0 x",
            "kk6/PPPPPPPP/P7/8/8/4r3/8/QQ2K2P b KQ e3 3 0",
            "4k3/8/8/8/8/8/8/R3KR2 w KQ e6 0 1",
            "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1",
        ],
        &["", "e2", "e9e4", "e7e5", "e2e5", "e3e4", "a1a2", "e2e4q", "O-O", "Ke5", "exd3", "e1e8"],
        &["", "[x", "1. e4 {", "1. e4 (", "1. e4 )", "1. e4 $999", "1. e5", "[FEN \"x\"]\n\n*"],
    )
}

fn provoke_cotulenh() -> BTreeSet<String> {
    provoke(
        "cotulenh",
        &[
            "",
            "11/11 r - - 0 1",
            "12/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
            "T11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
            "x10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
            "(T(F))10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
            "(TF/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
            "(TT)10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
            "(Tt)10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
            "(TF)10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
            "(T)10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
            "()10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
            "+10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
            "11/11/11/11/11/11/11/11/11/11/11/11 x - - 0 1",
            "11/11/11/11/11/11/11/11/11/11/11/11 r x - 0 1",
            "11/11/11/11/11/11/11/11/11/11/11/11 r - - x 1",
            "11/11/11/11/11/11/11/11/11/11/11/11 r - - 0",
            "11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1 c3:N c4",
            "T9N/6C4/6C4/11/11/11/11/11/11/11/11/11 r - - 0 0",
        ],
        &["", "x", "T", "Tz9", "Tc99", "Tc3", "Fc4?e6", "c3:N:F>e6", "z9:N:F", "c4:F:z", "F"],
        &[
            "",
            "[x",
            "{",
            "[Rules \"x\"]",
            "[FEN \"x\"]",
            "1. Txx",
            "1. c3:N:F>z9",
            "[Termination \"x\"]\n\n*",
        ],
    )
}

fn provoke_tribun() -> BTreeSet<String> {
    provoke(
        "tribun",
        &[
            "",
            "black:",
            "black:a1=1* x",
            "black:a1 white: b",
            "black:z9=1 white: b",
            "black:(9,9)=1 white: b",
            "black:a1=9 white: b",
            "black:a1=1/4 white: b",
            "black:a1=1,a1=1 white: b",
            "black:a1=1 white:k11=1* b",
            "black:a1=1* white:k11=1* x",
            "black:a1=1* white:k11=1* b offer:x",
            "black:a1=1* white:k11=1* b - x",
            "black:a1=1* white:k11=1* b - #",
            "AAAA b",
        ],
        &[
            "",
            "f6",
            "f6-z9",
            "f6-f7",
            "f6-k1",
            "9f6+1e5>f6",
            "f6>9g7",
            "f6>1g7+1g7",
            "0xFFFFFFFF",
            "0x0",
            "0xA0000000",
        ],
        &[
            "[x",
            "[Rules \"x\"]",
            "[Position \"x\"]",
            "[Result \"x\"]",
            "1. hello",
            "{x",
            "(f6-g7)",
            "[Result \"draw: agreement\"]\n\n1. x",
        ],
    )
}

/// Whether a code belongs to one game.
fn is_of(code: &str, game: &str) -> bool {
    code.starts_with(&format!("{game}_")) || code.starts_with(&format!("field.{game}."))
}

/// Asserts that the codes which `filter` selects were seen, except those of `without`, which were not.
fn assert_complete(seen: &BTreeSet<String>, filter: impl Fn(&str) -> bool, without: &[&str]) {
    let listed = listed();
    // The tests in `refusals.rs` cover the reasons why a figure cannot act.
    let is_refusal = |code: &str| code.contains("_obstacle.") || code.starts_with("refusal.");
    let expected = listed.keys().map(String::as_str).filter(|code| filter(code) && !is_refusal(code));
    let missing: Vec<_> = expected.filter(|code| !seen.contains(*code)).collect();
    assert_eq!(missing, without);
}

#[test]
fn chess_messages_have_the_parameters_of_their_text() {
    assert_complete(&provoke_chess(), |code| is_of(code, "chess"), &[]);
}

#[test]
fn cotulenh_messages_have_the_parameters_of_their_text() {
    assert_complete(&provoke_cotulenh(), |code| is_of(code, "cotulenh"), &[]);
}

#[test]
fn tribun_messages_have_the_parameters_of_their_text() {
    assert_complete(&provoke_tribun(), |code| is_of(code, "tribun"), &[]);
}

#[test]
fn shared_messages_have_the_parameters_of_their_text() {
    let seen = &(&provoke_chess() | &provoke_cotulenh()) | &provoke_tribun();
    let is_shared = |code: &str| complete_games().all(|kind| !is_of(code, kind.name));
    assert_complete(&seen, is_shared, &[]);
}
