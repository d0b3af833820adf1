//! The numbers of step sequences from the start position.

use sandtable_core::{Position as _, perft};
use sandtable_cotulenh::{Position, Rules};

#[test]
fn the_first_counts_are_those_of_both_presets() {
    for rules in [Rules::STANDARD, Rules::CLUB] {
        let start = Position::start(rules);
        assert_eq!([1, 2].map(|depth| perft(&start, depth)), [116, 13_460]);
    }
}

#[test]
fn three_steps_by_the_standard_rules() {
    assert_eq!(perft(&Position::start(Rules::STANDARD), 3), 1_578_791);
}
