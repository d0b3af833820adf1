//! The generator and the slow reference agree with every line of the test vectors.

use std::fmt::Write;

use sandtable_core::{Player, Position};
use sandtable_tribun::{Action, Board, Rules, Tribun};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::slow::Slow;

/// Positions of random play, and random boards with many slaves and symmetric combinations.
const VECTORS: [&str; 2] =
    [include_str!("../../vectors/tribun.jsonl"), include_str!("../../vectors/tribun-scatter.jsonl")];

struct Line {
    position: Tribun,
    actions: Vec<u32>,
    next_sha: String,
    next: Option<Vec<String>>,
}

fn lines() -> Vec<Line> {
    let strings = |value: &Value| {
        value.as_array().map(|list| list.iter().map(|s| s.as_str().unwrap().to_owned()).collect())
    };
    let parse = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let board = Board::from_base64(line["board"].as_str().unwrap()).unwrap();
        assert_eq!(board.to_base64(), line["board"].as_str().unwrap());
        let turn = Player::ALL[line["turn"].as_u64().unwrap() as usize];
        Line {
            position: Tribun::new(board, turn, Rules::STANDARD),
            actions: line["actions"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as u32).collect(),
            next_sha: line["next_sha"].as_str().unwrap().to_owned(),
            next: strings(&line["next"]),
        }
    };
    VECTORS.iter().flat_map(|file| file.lines()).map(parse).collect()
}

/// Checks the actions of a line, in order, and the boards after them.
fn compare(line: &Line, actions: &[u32], boards: &[String]) {
    let board = line.position.board().to_base64();
    assert_eq!(actions, line.actions, "{board}");
    if let Some(next) = &line.next {
        assert_eq!(boards, next, "{board}");
    }
    let digest = Sha256::digest(boards.join("\n"));
    let hex = digest.iter().take(8).fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    });
    assert_eq!(hex, line.next_sha, "{board}");
}

#[test]
fn the_generator_agrees_with_every_line() {
    let lines = lines();
    assert_eq!(lines.len(), 200 + 70);
    for line in &lines {
        let actions = line.position.legal_moves();
        let after = |&action: &Action| {
            let position = line.position.after(action);
            if position.is_tribun_attacked() { String::new() } else { position.board().to_base64() }
        };
        let words: Vec<_> = actions.iter().map(|action| action.word()).collect();
        compare(line, &words, &actions.iter().map(after).collect::<Vec<_>>());
        assert_eq!(line.position.count_legal(), actions.len() as u64);
        sandtable_testkit::legal_moves_have_unique_factors(&line.position);
    }
}

#[test]
fn the_slow_reference_agrees_with_every_line() {
    for line in lines() {
        let successors = Slow::new(&line.position).successors();
        let boards: Vec<_> = successors
            .values()
            .map(|after| after.map_or(String::new(), |bytes| Board::from_bytes(&bytes).unwrap().to_base64()))
            .collect();
        compare(&line, &successors.into_keys().collect::<Vec<_>>(), &boards);
    }
}
