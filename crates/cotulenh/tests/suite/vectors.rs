//! The test vectors, checked with the move generator and with the reference implementation.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use crate::reference::Reference;
use sandtable_core::rules::for_each_turn;
use sandtable_core::{Notation, Position, Rules as _};
use sandtable_cotulenh::{CoTuLenh, Rules};
use serde_json::Value;
use sha2::{Digest, Sha256};

const FILES: [(&str, &str, &str); 4] = [
    ("standard", "play", include_str!("../vectors/cotulenh-standard.jsonl")),
    ("standard", "scatter", include_str!("../vectors/cotulenh-standard-scatter.jsonl")),
    ("club", "play", include_str!("../vectors/cotulenh-club.jsonl")),
    ("club", "scatter", include_str!("../vectors/cotulenh-club-scatter.jsonl")),
];

/// The facts about a position in a line of a vector file.
#[derive(Debug, PartialEq)]
struct Line {
    check: bool,
    steps: Vec<String>,
    turns: usize,
    turns_sha: String,
}

impl Line {
    fn read(line: &Value) -> Self {
        Self {
            check: line["check"].as_bool().unwrap(),
            steps: line["steps"].as_array().unwrap().iter().map(|s| s.as_str().unwrap().to_owned()).collect(),
            turns: line["turns"].as_u64().unwrap() as usize,
            turns_sha: line["turns_sha"].as_str().unwrap().to_owned(),
        }
    }

    fn new(check: bool, steps: impl Iterator<Item = String>, turns: &BTreeSet<String>) -> Self {
        let mut steps: Vec<_> = steps.collect();
        steps.sort();
        let joined = turns.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
        Self { check, steps, turns: turns.len(), turns_sha: sha_prefix(&joined) }
    }
}

/// The first 16 hexadecimal digits of the SHA-256 digest of a text.
fn sha_prefix(text: &str) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(text).iter().take(8) {
        write!(hex, "{byte:02x}").expect("writing to a String cannot fail");
    }
    hex
}

fn fast(position: &CoTuLenh) -> (Line, BTreeSet<String>) {
    let mut turns = BTreeSet::new();
    for_each_turn(position, &mut |turn| {
        turns.insert(turn.position.to_text());
    });
    let steps = position.legal_moves().into_iter().map(|step| position.move_text(step));
    (Line::new(position.in_check().unwrap(), steps, &turns), turns)
}

fn slow(position: &CoTuLenh) -> (Line, BTreeSet<String>) {
    fn extend(here: &Reference, seen: &mut HashSet<String>, turns: &mut BTreeSet<String>) {
        for step in here.legal_steps() {
            let after = here.after(step);
            if after.deployment.is_none() {
                turns.insert(after.to_position().to_text());
            } else if seen.insert(format!("{after:?}")) {
                extend(&after, seen, turns);
            }
        }
    }
    let reference = Reference::new(position);
    let mut turns = BTreeSet::new();
    extend(&reference, &mut HashSet::new(), &mut turns);
    let steps = reference.legal_steps().into_iter().map(|step| position.move_text(step));
    (Line::new(reference.is_attacked(reference.turn), steps, &turns), turns)
}

/// Checks every `nth` line of a file.
fn check(rules: &str, kind: &str, compute: fn(&CoTuLenh) -> (Line, BTreeSet<String>), nth: usize) {
    let (_, _, text) = FILES.into_iter().find(|file| (file.0, file.1) == (rules, kind)).unwrap();
    let rules = Rules::named(rules).unwrap();
    let mut wrong = 0;
    for line in text.lines().step_by(nth) {
        let line: Value = serde_json::from_str(line).unwrap();
        let fen = line["fen"].as_str().unwrap();
        let position = CoTuLenh::from_text(fen, rules).unwrap_or_else(|e| panic!("{fen}: {e}"));
        assert_eq!(position.to_text(), fen);
        sandtable_testkit::legal_moves_have_unique_factors(&position);
        let expected = Line::read(&line);
        let (found, turns) = compute(&position);
        if found != expected {
            wrong += 1;
            println!("{fen}\n  check {} {}", found.check, expected.check);
            let missing: Vec<_> = expected.steps.iter().filter(|s| !found.steps.contains(s)).collect();
            let extra: Vec<_> = found.steps.iter().filter(|s| !expected.steps.contains(s)).collect();
            println!("  missing steps {missing:?}\n  extra steps {extra:?}");
            println!("  turns {} {} {}", found.turns, expected.turns, found.turns_sha == expected.turns_sha);
            if let Some(fens) = line["turn_fens"].as_array() {
                let fens: BTreeSet<_> = fens.iter().map(|fen| fen.as_str().unwrap().to_owned()).collect();
                println!("  missing turns {:?}", fens.difference(&turns).take(3).collect::<Vec<_>>());
                println!("  extra turns {:?}", turns.difference(&fens).take(3).collect::<Vec<_>>());
            }
        }
    }
    assert_eq!(wrong, 0, "of {} lines", text.lines().step_by(nth).count());
}

const PRESETS_AND_KINDS: [(&str, &str); 4] =
    [("standard", "play"), ("standard", "scatter"), ("club", "play"), ("club", "scatter")];

#[test]
fn the_generator_agrees_with_every_line() {
    for (rules, kind) in PRESETS_AND_KINDS {
        check(rules, kind, fast, 1);
    }
}

#[test]
fn the_reference_agrees_with_some_lines() {
    for (rules, kind) in PRESETS_AND_KINDS {
        check(rules, kind, slow, 12);
    }
}

#[test]
#[ignore = "takes minutes: part of the deep run"]
fn the_reference_agrees_with_every_line() {
    for (rules, kind) in PRESETS_AND_KINDS {
        check(rules, kind, slow, 1);
    }
}
