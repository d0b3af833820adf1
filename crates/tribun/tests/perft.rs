//! The published counts.

use sandtable_core::{Notation, Position as _, perft};
use sandtable_tribun::{Position, Rules};

const DOCUMENT: &str = include_str!("../../../docs/tribun-perft.md");

/// The rows of the document's table: rules, position, and the counts from depth 1 on.
fn published() -> Vec<(Position, Vec<u64>)> {
    let count = |cell: &str| cell.replace(',', "").parse().unwrap();
    DOCUMENT
        .lines()
        .filter_map(|line| {
            let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
            let rules = <Rules as sandtable_core::Rules>::named(cells[0])?;
            let position = match cells[1] {
                "start" => Position::start(rules),
                text => Position::from_text(text.trim_matches('`'), rules).unwrap(),
            };
            Some((position, cells[2..].iter().copied().filter(|cell| !cell.is_empty()).map(count).collect()))
        })
        .collect()
}

fn check(depths: std::ops::RangeInclusive<usize>) {
    let mut checked = 0;
    for (position, counts) in published() {
        for (depth, &count) in (1..).zip(&counts).filter(|(depth, _)| depths.contains(depth)) {
            assert_eq!(perft(&position, depth as u32), count, "depth {depth}: {}", position.to_text());
            checked += 1;
        }
    }
    assert!(checked > 1, "the document has a table");
}

#[test]
fn published_counts_to_depth_3() {
    check(1..=3);
    let start = Position::start(Rules::STANDARD);
    assert_eq!((1..=3).map(|depth| perft(&start, depth)).collect::<Vec<_>>(), [265, 70_223, 17_783_949]);
}

#[test]
#[ignore = "a minute and more even when optimised"]
fn published_counts_of_depth_4() {
    check(4..=4);
}

/// An attack on the tribun ends its line: it is a leaf of depth 1 and of no other.
#[test]
fn an_action_against_the_tribun_counts_at_depth_one_only() {
    let position = Position::from_text("black:a1=1*,f8=1 white:g8=8*,k11=1 b", Rules::STANDARD).unwrap();
    let attack = position.parse_move("f8#g8").unwrap();
    let others = position.legal_moves().into_iter().filter(|&action| action != attack);
    let below: u64 = others
        .map(|action| {
            let mut next = position;
            next.play_unchecked(action);
            next.count_legal()
        })
        .sum();
    assert_eq!(perft(&position, 2), below);
    assert_eq!(perft(&position, 1), position.legal_moves().len() as u64);
}

#[test]
fn the_hash_of_the_start_never_changes() {
    assert_eq!(Position::start(Rules::STANDARD).hash64(), 0xC1B5_A50B_E244_9E9B);
}
