//! Errors describe themselves: their codes are listed, and their parameters are those of the English text.

use std::collections::{BTreeMap, BTreeSet};

use sandtable::chess::ChessGame;
use sandtable::core::learn::PolicyIndex;
use sandtable::core::record::{Annotations, MAX_NESTED_VARIATIONS, Tags, Variation};
use sandtable::core::rules::DrawAction;
use sandtable::core::view::{Arrangement, Codes, Fault, Message, Param};
use sandtable::core::{Describe, Player};
use sandtable::games::complete_games;
use sandtable::{BoxedGame, Error, GameKind, find};

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

/// Malformed and invalid texts of a game.
struct Texts<'a> {
    positions: &'a [&'a str],
    /// Moves in a position, or from the start position if its text is empty.
    moves: &'a [(&'a str, &'a [&'a str])],
    records: &'a [&'a str],
}

/// Reads malformed and invalid texts under all rules, and returns the codes of the errors.
fn provoke(name: &str, texts: &Texts<'_>) -> BTreeSet<String> {
    let kind = find(name).unwrap();
    let listed = listed();
    let mut seen = BTreeSet::new();
    for rules in kind.rules {
        let mut errors = Vec::new();
        errors.extend(texts.positions.iter().filter_map(|text| kind.parse(text, rules).err()));
        for (position, moves) in texts.moves {
            let game = if position.is_empty() { kind.start(rules) } else { kind.parse(position, rules) };
            let mut game = game.unwrap_or_else(|e| panic!("{position}: {e}"));
            errors.extend(moves.iter().map(|text| game.play(text).expect_err(text)));
        }
        errors.extend(texts.records.iter().map(|text| kind.load_record(text, rules).expect_err(text)));
        errors.extend(errors_of_indices(kind, rules));
        errors.extend(errors_of_variations(kind, rules));
        errors.push(kind.start("unknown").err().unwrap());
        for error in errors {
            check(&error.message(), &error.to_string(), &listed, &mut seen);
        }
        for fault in faults(kind, rules) {
            check(&fault.message, &fault.text, &listed, &mut seen);
        }
    }
    seen
}

/// The errors of policy indices, also after the end of the game.
fn errors_of_indices(kind: &GameKind, rules: &str) -> Vec<Error> {
    let mut errors = Vec::new();
    let ends: [fn(&mut BoxedGame); 3] = [|_| (), |game| game.resign(Player::First), |game| game.agree_draw()];
    for end in ends {
        let mut game = kind.start(rules).unwrap();
        end(&mut game);
        let legal = game.legal_indices();
        let illegal = (0..u32::MAX).map(PolicyIndex).find(|index| !legal.contains(index)).unwrap();
        errors.extend([illegal, PolicyIndex(u32::MAX)].map(|index| game.play_index(index).unwrap_err()));
    }
    errors
}

/// The errors of variations that a record cannot have.
fn errors_of_variations(kind: &GameKind, rules: &str) -> Vec<Error> {
    let mut game = kind.start(rules).unwrap();
    let legal = game.legal_moves().swap_remove(0).text;
    game.play(&legal).unwrap();
    let annotated = |ply, moves: &[&str], nested: usize| {
        let mut annotations = Annotations::default();
        for _ in 0..=nested {
            let moves = moves.iter().map(|&text| text.to_owned()).collect();
            let variation = Variation { moves, annotations: std::mem::take(&mut annotations) };
            annotations.add_variation(ply, variation);
        }
        game.annotated_record(&Tags::new(), &annotations).unwrap_err()
    };
    vec![
        annotated(1, &[&legal], 0),
        annotated(0, &[&legal], MAX_NESTED_VARIATIONS),
        annotated(0, &["c3:T:N>c5"], 0),
    ]
}

/// The faults of arrangements, in which each game finds something that it does not know.
fn faults(kind: &GameKind, rules: &str) -> Vec<Fault> {
    let text = |text: &&str| (*text).to_owned();
    let arrangements = [
        (&[("zz", "x"), ("a1", "x"), ("e4", ""), ("e6", "TT")][..], &[("unknown", "x")][..]),
        (
            &[("a1", "P"), ("e5", "(TT)"), ("a5", "T"), ("f6", "b1/4"), ("g7", "b9")],
            &[
                ("castling", "x"),
                ("en-passant", "x"),
                ("halfmoves", "x"),
                ("fullmoves", "x"),
                ("draw", "x"),
                ("attacked", "x"),
            ],
        ),
        (&[], &[]),
    ];
    let faults = arrangements.iter().flat_map(|(cells, fields)| {
        let arrangement = Arrangement {
            cells: cells.iter().map(|(cell, letters)| (text(cell), text(letters))).collect(),
            turn: Player::First,
            fields: fields.iter().map(|(field, value)| (text(field), text(value))).collect(),
        };
        kind.compose(&arrangement, rules).unwrap().err().unwrap_or_default()
    });
    faults.collect()
}

fn provoke_chess() -> BTreeSet<String> {
    let nested = format!("1. e4 {}", "(1. d4 ".repeat(MAX_NESTED_VARIATIONS + 1));
    let texts = Texts {
        positions: &[
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
            "4k3/8/8/8/8/8/8/R2K3R w K - 0 1",
            "R3k3/8/8/8/4P3/8/8/6K1 b - e3 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - e4 0 1",
            "4r3/8/8/8/1b5b/8/8/4K2k w - - 0 1",
        ],
        moves: &[
            (
                "",
                &[
                    "", "e2", "e9e4", "e7e5", "e2e5", "e3e4", "a1a2", "e2e4q", "O-O", "Ke5", "exd3", "e1e8",
                    "Nxf3",
                ],
            ),
            ("4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1", &["e2d3"]),
            ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", &["O-O"]),
            ("8/P6k/8/8/8/8/8/K7 w - - 0 1", &["a7a8"]),
            ("k7/8/8/8/8/8/K7/R6R w - - 0 1", &["Rd1"]),
        ],
        records: &[
            "",
            "[x",
            "1. e4 {",
            "1. e4 (",
            "1. e4 )",
            "1. e4 $999",
            "1. e5",
            "[FEN \"x\"]\n\n*",
            "(1. e4)",
            &nested,
        ],
    };
    provoke("chess", &texts)
}

fn provoke_cotulenh() -> BTreeSet<String> {
    let empty = "11/11/11/11/11/11/11/11/11/11/11/11";
    let (to_move, third) = (empty, format!("{empty} r"));
    let fourth = format!("{empty} r -");
    let deploying = |text| format!("6c4/11/11/11/11/11/11/11/11/2(NT)8/11/5C5 r - - 0 1 {text}");
    let deployments =
        ["c3:T:*x...", "c3:T:N>c5", "c3:-:N>c5,T>c4...", "c3:(NT):T>c9...", "c3:(NT):*F...", "e5:T:*T..."]
            .map(deploying);
    let mut positions = vec![
        "",
        "11/11 r - - 0 1",
        "12/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "T11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "x10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "(T(F))10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "(TF/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "4T)5/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "(TT)10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "(TA)10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "(Tt)10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "(TF)10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "(NTI)10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "(N+T)10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "(T)10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "()10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "+10/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1",
        "11/11/11/11/11/11/11/11/11/11/11/11 x - - 0 1",
        "11/11/11/11/11/11/11/11/11/11/11/11 r x - 0 1",
        "11/11/11/11/11/11/11/11/11/11/11/11 r - - x 1",
        "11/11/11/11/11/11/11/11/11/11/11/11 r - - 0",
        "11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1 c3:N c4",
        "T9N/6C4/6C4/11/11/11/11/11/11/11/11/11 r - - 0 0",
        "6c4/11/11/11/11/11/11/11/11/2(NT)8/5t5/5C5 r - - 0 1 c3:(NT):*T...",
        to_move,
        &third,
        &fourth,
    ];
    positions.extend(deployments.iter().map(String::as_str));
    let texts = Texts {
        positions: &positions,
        moves: &[
            (
                "",
                &[
                    "",
                    "x",
                    "T",
                    "Tz9",
                    "Tc99",
                    "Tc",
                    "Tc03",
                    "Tc3",
                    "Fc4?e6",
                    "c3:N:F>e6",
                    "z9:N:F",
                    "c4:F:z",
                    "F",
                    "end",
                ],
            ),
            ("6c4/11/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1", &["Te5"]),
            ("6c4/11/11/11/11/11/11/11/11/3T1T5/11/5C5 r - - 0 1", &["Te3"]),
            (
                "10c/11/11/11/11/11/11/4i6/11/2(NFT)8/11/6C4 r - - 0 1",
                &[
                    "(NFT)c5 Ce2",
                    "c3:T",
                    "Nc3>c5 Fc3>xe5",
                    "c3:T:N>c5,F>e5",
                    "c3:N:N>c5,F>xe5",
                    "c3:-:N>c5,F>xe5,T>c4,T>c4",
                ],
            ),
            ("10c/11/11/11/11/11/11/4i6/11/2(NFT)8/11/6C4 r - - 0 1 c3:(FT):N>c5...", &["c3:T:F>e3"]),
        ],
        records: &[
            "",
            "[x",
            "{",
            "[Rules \"x\"]",
            "[FEN \"x\"]",
            "1. Txx",
            "1. c3:N:F>z9",
            "[Termination \"x\"]\n\n*",
            "[Termination \"checkmate\"]\n\n1. Ic6 1/2-1/2",
            "[Termination \"checkmate\"]\n\n1. Ic6 *",
            "[FEN \"10c/7A2H/11/11/11/11/11/11/11/11/11/9C1 b - - 0 1\"] 0-1",
        ],
    };
    provoke("cotulenh", &texts)
}

fn provoke_tribun() -> BTreeSet<String> {
    let base64 =
        |start: &str, end: &str| format!("{start}{}{end}== b", "A".repeat(162 - start.len() - end.len()));
    let boards = [
        // A character outside the alphabet; bits after the last byte; a unit on a cid without a tile.
        base64("!", ""),
        base64("", "B"),
        base64("AAAAAAAAAAAAAAEA", ""),
        // Units: a height that does not exist, a slave without a primary, a tribun with a slave.
        base64("Bw", ""),
        base64("CA", ""),
        base64("ig", ""),
    ];
    let mut positions = vec![
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
        "black:a1=1* white:k11=1*",
        "black:a1=1* white:k11=1* b offer:x",
        "black:a1=1* white:k11=1* b - x",
        "black:a1=1* white:k11=1* b - #",
        "AAAA b",
    ];
    positions.extend(boards.iter().map(String::as_str));
    let moves = [
        "",
        "f6",
        "f6-z9",
        "f6-f7",
        "f6-k1",
        "9f6+1e5>f6",
        "1f8+1f6+1e6>f7",
        "f6>9g7",
        "f6>5g7+1f7",
        "f6>1g7+1g7",
        "0xFFFFFFFF",
        "0x0",
        "0xA0000000",
        // A cid that is reserved; unused bits; directions; donors of a symmetric combination; a split height; the loser of a tie.
        "0x00000079",
        "0x200000BC",
        "0x8000033C",
        "0x5000053C",
        "0x600001BC",
        "0x6000063C",
        "0x700002BC",
        "0xB0000007",
    ];
    let texts = Texts {
        positions: &positions,
        moves: &[("", &moves)],
        records: &[
            "[x",
            "[Rules \"x\"]",
            "[Position \"x\"]",
            "[Result \"x\"]",
            "1. hello",
            "{x",
            "(f6-g7)",
            "[Result \"draw: agreement\"]\n\n1. x",
            "[Result \"Black: tribun attacked\"]\n\n1. b3-e5",
            "[Position \"black:a1=1*,f8=1 white:g8=8* b\"]\n\n1. f8#g8 g8-g9",
        ],
    };
    provoke("tribun", &texts)
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
    let without = [
        // No text and no arrangement has a deployment without steps, an empty stack, or heroes outside a stack.
        "cotulenh_setup.no_step",
        "cotulenh_stack.empty",
        "cotulenh_stack.heroes_missing",
    ];
    assert_complete(&provoke_cotulenh(), |code| is_of(code, "cotulenh"), &without);
}

#[test]
fn tribun_messages_have_the_parameters_of_their_text() {
    // The cid of an action word has seven bits.
    let without = ["tribun_tile.too_large"];
    assert_complete(&provoke_tribun(), |code| is_of(code, "tribun"), &without);
}

#[test]
fn shared_messages_have_the_parameters_of_their_text() {
    use DrawAction::{Accept, Decline, Offer, Retract};
    let mut seen = &(&provoke_chess() | &provoke_cotulenh()) | &provoke_tribun();
    let mut add = |error: &dyn Describe| check(&error.message(), &error.to_string(), &listed(), &mut seen);
    add(&find("unknown").err().unwrap());
    add(&"unknown".parse::<sandtable::chess::Reason>().unwrap_err());
    let mut game = ChessGame::default();
    for (player, action) in [
        (Player::First, Accept),
        (Player::First, Offer),
        (Player::First, Offer),
        (Player::First, Accept),
        (Player::Second, Retract),
        (Player::Second, Decline),
        (Player::First, Offer),
    ] {
        game.draw_action(player, action).err().iter().for_each(|error| add(error));
    }
    game.resign(Player::First);
    add(&game.draw_action(Player::First, Offer).unwrap_err());
    add(&game.play_text("e4").unwrap_err());
    let is_shared = |code: &str| complete_games().all(|kind| !is_of(code, kind.name));
    // The outcome of a game that is over is never `ongoing`.
    assert_complete(&seen, is_shared, &["outcome.ongoing"]);
}
