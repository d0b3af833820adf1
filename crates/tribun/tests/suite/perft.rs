//! Perft: the counts of `docs/tribun-perft.md`.

use sandtable_core::rules::perft;
use sandtable_core::{Notation, Position};
use sandtable_tribun::{Rules, Tribun};

const PAGE: &str = include_str!("../../../../docs/tribun-perft.md");

/// The positions of the table with their counts from depth 1 on.
fn published() -> Vec<(Tribun, Vec<u64>)> {
    let count = |cell: &str| cell.replace(',', "").parse().unwrap();
    PAGE.lines()
        .filter_map(|line| {
            let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
            let rules = <Rules as sandtable_core::Rules>::named(cells[0])?;
            let position = match cells[1] {
                "start" => Tribun::start(rules),
                text => Tribun::from_text(text.trim_matches('`'), rules).unwrap(),
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
    assert!(checked > 1, "the page has a table");
}

#[test]
fn published_counts_to_depth_3() {
    check(1..=3);
    let start = Tribun::start(Rules::STANDARD);
    assert_eq!((1..=3).map(|depth| perft(&start, depth)).collect::<Vec<_>>(), [265, 70_223, 17_783_949]);
}

#[test]
#[ignore = "takes minutes"]
fn published_counts_of_depth_4() {
    check(4..=4);
}

#[test]
fn an_attack_on_the_tribun_ends_the_line() {
    let position = Tribun::from_text("black:a1=1*,f8=1 white:g8=8*,k11=1 b", Rules::STANDARD).unwrap();
    let attack = position.parse_move("f8#g8").unwrap();
    let others = position.legal_moves().into_iter().filter(|&action| action != attack);
    let below: u64 = others.map(|action| position.after(action).count_legal()).sum();
    assert_eq!(perft(&position, 2), below);
    assert_eq!(perft(&position, 1), position.legal_moves().len() as u64);
}

/// Computed by another program from the seed and the layout of the keys.
#[test]
fn golden_hashes() {
    assert_eq!(Tribun::start(Rules::STANDARD).hash64(), 0xC1B5_A50B_E244_9E9B);
    for (text, hash) in [
        ("black:a1=1*,f6=3/2 white:k11=4*,g8=4/6 b -", 0xD2D8_EFDC_2E94_8CB1),
        ("black:a1=1*,f6=3/2 white:k11=4*,g8=4/6 w -", 0xCCEF_9546_B39D_5452),
        ("black:a1=1*,i9=2 white:k10=1*,a6=2 w - #", 0xBC9D_F3EB_F3DC_FBF7),
    ] {
        assert_eq!(Tribun::from_text(text, Rules::STANDARD).unwrap().hash64(), hash, "{text}");
    }
}
