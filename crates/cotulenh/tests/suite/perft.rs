//! Perft, and the page that publishes its counts.

use sandtable_core::rules::{perft, perft_threaded};
use sandtable_core::{Notation, Position};
use sandtable_cotulenh::{CoTuLenh, Rules};

const PAGE: &str = include_str!("../../../../docs/cotulenh-perft.md");

/// A middlegame with five stacks.
const MIDDLEGAME: &str = "2a3c4/2n2h1h3/6s2a1/4g1(ft)1g1i/2(ni)e2mt1e1/11/3(NI)3T3/3E1(TM)4f/4G1A1G(ES)1/9A1/N4H1H1F1/6C4 \
                          b - - 15 17";

/// The counts in a column of the page, from depth 1 on.
fn published(column: usize) -> Vec<u64> {
    let rows = PAGE
        .lines()
        .filter(|line| line.starts_with("| ") && line[2..].starts_with(|c: char| c.is_ascii_digit()));
    rows.filter_map(|row| row.split('|').nth(column + 1)?.trim().replace(',', "").parse().ok()).collect()
}

fn middlegame() -> CoTuLenh {
    CoTuLenh::from_text(MIDDLEGAME, Rules::STANDARD).unwrap()
}

#[test]
fn depths_1_and_2_of_both_presets() {
    for rules in [Rules::STANDARD, Rules::CLUB] {
        let start = CoTuLenh::start(rules);
        assert_eq!([1, 2].map(|depth| perft(&start, depth)), [116, 13_460]);
    }
}

#[test]
fn depth_3_of_the_standard_rules() {
    assert_eq!(perft(&CoTuLenh::start(Rules::STANDARD), 3), 1_578_791);
}

#[test]
fn counts_of_the_page() {
    let positions = [CoTuLenh::start(Rules::STANDARD), CoTuLenh::start(Rules::CLUB), middlegame()];
    for (column, (position, depths)) in (1..).zip(positions.into_iter().zip([5, 5, 4])) {
        let published = published(column);
        assert_eq!(published.len(), depths, "column {column}: {published:?}");
        for (depth, count) in (1..=3).zip(published) {
            assert_eq!(perft(&position, depth), count, "column {column}, depth {depth}");
        }
    }
}

/// The page names the moves by which the presets differ at depth 4.
#[test]
fn the_presets_differ_where_an_artillery_captures_a_militia_across_the_river() {
    for first in ["Ad3d4", "Aj3j4"] {
        let [standard, club] = [(Rules::STANDARD, "_"), (Rules::CLUB, "x")].map(|(rules, separator)| {
            let mut position = CoTuLenh::start(rules);
            for text in [first, "Mg8g7"] {
                position.play(position.parse_move(text).unwrap()).unwrap();
            }
            let capture = format!("A{}{separator}g7", &first[3..]);
            let after = |text: &str| position.after(position.parse_move(text).unwrap()).count_legal();
            (perft(&position, 2), after(&capture))
        });
        assert_eq!(club.0 - standard.0, 2, "{first}");
        assert_eq!(club.1 - standard.1, 2, "{first}");
    }
}

fn check_page_at_depth(depth: u32) {
    for (column, rules) in [(1, Rules::STANDARD), (2, Rules::CLUB)] {
        let count = perft_threaded(&CoTuLenh::start(rules), depth, 2);
        assert_eq!(count, published(column)[depth as usize - 1], "{rules:?}");
    }
}

#[test]
#[ignore = "counts 367 million sequences: part of the deep run"]
fn counts_of_the_page_at_depth_4() {
    check_page_at_depth(4);
    assert_eq!(perft_threaded(&middlegame(), 4, 2), published(3)[3]);
}

#[test]
#[ignore = "counts 43 billion sequences: part of the deep run"]
fn counts_of_the_page_at_depth_5() {
    check_page_at_depth(5);
}
