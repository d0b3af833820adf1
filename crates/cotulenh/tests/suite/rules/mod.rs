//! One test per rule, named after it.

mod air_defence;
mod board;
mod captures;
mod commanders;
mod deployment;
mod ends;
mod heroes;
mod heroism;
mod movement;
mod river;
mod stacks;

use std::collections::BTreeSet;

use sandtable_core::{FromSetup, Notation, Player, Position};
use sandtable_cotulenh::{Board, CoTuLenh, Kind, KindSet, Piece, Rules, Setup, Square, Stack, Step};

/// The position with pieces given as `Te4 (ti)d9 +Fk3`, uppercase for Red. Commanders that are not given stand on j1 and
/// k12, out of the way. `turn` is `r` or `b`.
fn by_rules(rules: Rules, turn: char, pieces: &str) -> CoTuLenh {
    let mut board = Board::EMPTY;
    let put = |board: &mut Board, word: &str| {
        let (stack, square) = word.split_at(word.rfind(|c: char| c.is_ascii_lowercase()).unwrap());
        let square: Square = square.parse().unwrap_or_else(|e| panic!("{word}: {e}"));
        let mut pieces = Vec::new();
        let mut heroic = false;
        for letter in stack.chars().filter(|c| !matches!(c, '(' | ')')) {
            if letter == '+' {
                heroic = true;
                continue;
            }
            let owner = if letter.is_ascii_uppercase() { Player::First } else { Player::Second };
            pieces.push(Piece { owner, kind: Kind::from_letter(letter).unwrap(), heroic });
            heroic = false;
        }
        board.set(square, Some(Stack::of(&pieces).unwrap_or_else(|e| panic!("{word}: {e}"))));
    };
    pieces.split_whitespace().for_each(|word| put(&mut board, word));
    for (owner, word) in [(Player::First, "Cj1"), (Player::Second, "ck12")] {
        if board.commander(owner).is_none() {
            put(&mut board, word);
        }
    }
    let turn = if turn == 'r' { Player::First } else { Player::Second };
    let setup = Setup { placement: board.all_pieces().collect(), turn, ..Setup::default() };
    CoTuLenh::from_setup(&setup, rules).unwrap_or_else(|e| panic!("{pieces}: {e}"))
}

fn red(pieces: &str) -> CoTuLenh {
    by_rules(Rules::STANDARD, 'r', pieces)
}

fn blue(pieces: &str) -> CoTuLenh {
    by_rules(Rules::STANDARD, 'b', pieces)
}

fn club(pieces: &str) -> CoTuLenh {
    by_rules(Rules::CLUB, 'r', pieces)
}

fn words(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(String::from).collect()
}

/// Asserts the legal moves of the whole stack on a square: `e5` move, `xe5` capture, `_e5` stay capture, `@e5` suicide
/// capture, `&e5` combination.
#[track_caller]
fn assert_moves(position: &CoTuLenh, from: &str, expected: &str) {
    let from: Square = from.parse().unwrap();
    let found: BTreeSet<String> = position
        .legal_moves()
        .into_iter()
        .filter_map(|step| match step {
            Step::Whole { from: f, to, kind } if f == from => Some(format!("{}{to}", kind.separator())),
            _ => None,
        })
        .collect();
    assert_eq!(found, words(expected), "{}", position.to_text());
}

/// Asserts the legal deployment steps of the stack on a square (`T>c4`), and `end`.
#[track_caller]
fn assert_deploys(position: &CoTuLenh, from: &str, expected: &str) {
    let from: Square = from.parse().unwrap();
    let text = |step| position.move_text(step).replacen(&from.to_string(), "", 1);
    let found: BTreeSet<String> = position
        .legal_moves()
        .into_iter()
        .filter(|step| !matches!(step, Step::Whole { .. }) && step.origin() == from)
        .map(text)
        .collect();
    assert_eq!(found, words(expected), "{}", position.to_text());
}

/// Whether a step in LAN is legal.
fn legal(position: &CoTuLenh, lan: &str) -> bool {
    position.legal_moves().into_iter().any(|step| position.move_text(step) == lan)
}

/// The position after steps in LAN or SAN.
#[track_caller]
fn after(position: &CoTuLenh, steps: &str) -> CoTuLenh {
    let mut position = *position;
    for text in steps.split_whitespace() {
        let step = position.parse_move(text).unwrap_or_else(|e| panic!("{}: {e}", position.to_text()));
        position.play(step).unwrap();
    }
    position
}

/// The stack on a square as a FEN writes it; `-` if there is none.
fn on(position: &CoTuLenh, square: &str) -> String {
    let stack = position.board().get(square.parse().unwrap());
    stack.map_or_else(|| "-".into(), |stack| stack.to_string())
}

fn kinds(letters: &str) -> KindSet {
    letters.chars().map(|letter| Kind::from_letter(letter).unwrap()).collect()
}
