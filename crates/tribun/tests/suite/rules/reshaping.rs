//! Combinations, splits and backstabs.

use sandtable_core::{Notation, Position};
use sandtable_tribun::{Height, Rules, SymCombine, Tribun};

use super::{actions_where, after, black_to_move, position, units};

fn combinations(position: &Tribun) -> Vec<String> {
    actions_where(position, |text| text.ends_with(">f6"))
}

fn splits(position: &Tribun) -> Vec<String> {
    actions_where(position, |text| text.starts_with("f6>"))
}

#[test]
fn two_neighbors_of_an_empty_tile_combine_into_a_valid_height() {
    // 1 + 1 leaves a remainder, 1 + 2 does not.
    let donors = black_to_move("g7=1,e5=2", "");
    assert_eq!(combinations(&donors), ["1g7+1e5>f6", "1g7+2e5>f6"]);
    assert_eq!(units(&after(&donors, "1g7+1e5>f6"))[0], "e5=1,f6=2");
    assert_eq!(units(&after(&donors, "1g7+2e5>f6"))[0], "f6=3");
}

#[test]
fn the_sum_of_a_combination_is_a_valid_height() {
    // 2 + 3 = 5 and 3 + 4 = 7 are not heights, 3 + 3 = 6 is.
    assert!(black_to_move("g7=2,e5=3", "").parse_move("2g7+3e5>f6").is_err());
    assert!(black_to_move("g7=3,e5=3", "").parse_move("3g7+3e5>f6").is_ok());
    assert!(black_to_move("g7=3,e5=4", "").parse_move("3g7+4e5>f6").is_err());
}

#[test]
fn each_remainder_is_0_or_valid() {
    // A 6 cannot give 1, which would leave 5; an 8 can give neither 1 nor 3.
    let found = combinations(&black_to_move("g7=6,e5=1", ""));
    assert_eq!(found, ["2g7+1e5>f6", "3g7+1e5>f6", "5g7+1e5>f6"]);
    let found = combinations(&black_to_move("g7=8,e5=1", ""));
    assert_eq!(found, ["2g7+1e5>f6", "5g7+1e5>f6", "7g7+1e5>f6"]);
}

#[test]
fn a_remainder_with_a_slave_keeps_the_slave_property() {
    // 1/3 would violate it; giving everything is allowed.
    let found = combinations(&black_to_move("g7=2/3,e5=1", ""));
    assert_eq!(found, ["2g7+1e5>f6"]);
    let found = combinations(&black_to_move("g7=2/2,e5=1", ""));
    assert_eq!(found, ["1g7+1e5>f6", "2g7+1e5>f6"]);
}

#[test]
fn a_donor_that_gives_everything_liberates_its_slave() {
    let donors = black_to_move("g7=2/3,e5=1", "");
    assert_eq!(units(&after(&donors, "2g7+1e5>f6")), ["f6=3", "g7=3"]);
}

#[test]
fn a_tribun_gives_everything_and_the_new_unit_is_the_tribun() {
    let donors = position("black:g7=2*,e5=2 white:k11=1* b");
    assert_eq!(combinations(&donors), ["2g7+1e5>f6", "2g7+2e5>f6"]);
    assert_eq!(units(&after(&donors, "2g7+1e5>f6"))[0], "e5=1,f6=3*");
}

#[test]
fn the_center_of_a_combination_is_empty_and_adjacent_to_the_donors() {
    for (black, white) in [("g7=1,e5=1,f6=1", ""), ("g7=1,e5=1", "f6=1"), ("h8=1,e5=1", ""), ("g7=1", "e5=1")]
    {
        assert!(combinations(&black_to_move(black, white)).is_empty(), "{black} {white}");
    }
}

#[test]
fn six_neighbors_can_give_1_each() {
    let donors = black_to_move("g7=1,g6=1,f7=1,e5=1,e6=1,f5=1", "");
    let action = "1g7+1g6+1f7+1e5+1e6+1f5>f6";
    assert_eq!(units(&after(&donors, action))[0], "f6=6");
    let threes = black_to_move("g7=3,g6=3,f7=3,e5=3,e6=3,f5=3", "");
    assert!(units(&after(&threes, action))[0].ends_with("f5=2,f6=6,f7=2,g6=2,g7=2"));
}

#[test]
fn three_alternate_neighbors_can_give_1_or_2_each() {
    let upper = black_to_move("g7=2,e6=2,f5=2", "");
    assert_eq!(units(&after(&upper, "1g7+1e6+1f5>f6"))[0], "e6=1,f5=1,f6=3,g7=1");
    assert_eq!(units(&after(&upper, "2g7+2e6+2f5>f6"))[0], "f6=6");
    let lower = black_to_move("e5=2,g6=2,f7=2", "");
    assert_eq!(units(&after(&lower, "1e5+1g6+1f7>f6"))[0], "e5=1,f6=3,f7=1,g6=1");
    assert_eq!(units(&after(&lower, "2e5+2g6+2f7>f6"))[0], "f6=6");
}

fn sym_combines(position: &Tribun) -> Vec<String> {
    actions_where(position, |text| text.ends_with(">f6") && text.matches('+').count() > 1)
}

#[test]
fn the_donors_of_a_ring_have_equal_heights_and_none_is_a_tribun() {
    assert_eq!(sym_combines(&black_to_move("g7=1,e6=1,f5=1", "")), ["1g7+1e6+1f5>f6"]);
    assert!(sym_combines(&black_to_move("g7=1,e6=1,f5=2", "")).is_empty());
    assert!(sym_combines(&position("black:g7=1,e6=1,f5=1* white:k11=1* b")).is_empty());
    assert!(sym_combines(&black_to_move("g7=1,e6=1", "f5=1")).is_empty());
}

#[test]
fn the_remainders_of_a_ring_are_valid() {
    // 6 - 1 = 5 is not a height, 6 - 2 = 4 is.
    assert_eq!(sym_combines(&black_to_move("g7=6,e6=6,f5=6", "")), ["2g7+2e6+2f5>f6"]);
    // 1/3 would violate the slave property.
    assert_eq!(sym_combines(&black_to_move("g7=2/3,e6=2/3,f5=2/3", "")), ["2g7+2e6+2f5>f6"]);
    let freed = after(&black_to_move("g7=2/3,e6=2/3,f5=2/3", ""), "2g7+2e6+2f5>f6");
    assert_eq!(units(&freed), ["f6=6", "e6=3,f5=3,g7=3"]);
}

#[test]
fn donors_of_a_ring_have_equal_slaves() {
    assert_eq!(sym_combines(&black_to_move("g7=3/1,e6=3/1,f5=3/1", "")).len(), 2);
    for donors in ["g7=2/3,e6=2,f5=2", "g7=3/1,e6=3/2,f5=3/1", "g7=2/2,e6=2/2,f5=2"] {
        assert!(sym_combines(&black_to_move(donors, "")).is_empty(), "{donors}");
    }
    // Three of the six are equal: their combination is legal.
    let mixed = black_to_move("g7=2,e6=2,f5=2,e5=2/1,g6=2/1,f7=2", "");
    assert_eq!(sym_combines(&mixed), ["1g7+1e6+1f5>f6", "2g7+2e6+2f5>f6"]);
}

/// See `docs/tribun-differences.md`.
#[test]
fn three_of_six_donors_combine_where_all_six_cannot() {
    let sixes = black_to_move("g7=6,g6=6,f7=6,e5=6,e6=6,f5=6", "");
    assert_eq!(sym_combines(&sixes), ["2e5+2g6+2f7>f6", "2g7+2e6+2f5>f6"]);
    assert_eq!(units(&after(&sixes, "2g7+2e6+2f5>f6"))[0], "e5=6,e6=4,f5=4,f6=6,f7=6,g6=6,g7=4");
}

#[test]
fn a_unit_splits_onto_empty_neighbors_and_its_remainder_stays() {
    // One neighbour is empty, so a remainder must stay.
    let walled = black_to_move("f6=3", "g6=1,f7=1,e5=1,e6=1,f5=1");
    assert_eq!(splits(&walled), ["f6>1g7", "f6>2g7"]);
    assert_eq!(units(&after(&walled, "f6>2g7"))[0], "f6=1,g7=2");
}

#[test]
fn a_split_fills_at_least_two_tiles() {
    let pair = black_to_move("f6=2", "f7=1,e5=1,e6=1,f5=1");
    assert_eq!(splits(&pair), ["f6>1g6", "f6>1g7", "f6>1g7+1g6"]);
    assert_eq!(units(&after(&pair, "f6>1g7+1g6"))[0], "g6=1,g7=1");
    assert!(splits(&black_to_move("f6=1", "")).is_empty());
}

#[test]
fn a_split_places_1_2_3_4_or_6_and_keeps_a_valid_remainder() {
    let walled = black_to_move("f6=8", "g6=1,f7=1,e5=1,e6=1,f5=1");
    assert_eq!(splits(&walled), ["f6>2g7", "f6>4g7", "f6>6g7"]);
    let walled = black_to_move("f6=6", "g6=1,f7=1,e5=1,e6=1,f5=1");
    assert_eq!(splits(&walled), ["f6>2g7", "f6>3g7", "f6>4g7"]);
}

#[test]
fn a_split_remainder_keeps_the_slave_property_or_is_0_and_liberates() {
    let walled = black_to_move("f6=3/4", "f7=1,e5=1,e6=1,f5=1");
    assert_eq!(splits(&walled), ["f6>1g6", "f6>1g7", "f6>1g7+2g6", "f6>2g7+1g6"]);
    assert_eq!(units(&after(&walled, "f6>1g7"))[0], "f6=2/4,g7=1");
    let freed = after(&walled, "f6>1g7+2g6");
    assert_eq!(units(&freed), ["g6=2,g7=1", "e5=1,e6=1,f5=1,f6=4,f7=1"]);
}

#[test]
fn a_tribun_does_not_split() {
    assert!(splits(&position("black:f6=4* white:k11=1* b")).is_empty());
}

#[test]
fn a_backstabber_moves_to_a_neighbor_and_destroys_its_slave() {
    let holder = black_to_move("f6=3/2,g6=1", "f7=1");
    let backstabs = actions_where(&holder, |text| text.contains('!'));
    assert_eq!(backstabs, ["f6!e5", "f6!e6", "f6!f5", "f6!g7"]);
    assert_eq!(units(&after(&holder, "f6!e5")), ["e5=3,g6=1", "f7=1"]);
    assert!(actions_where(&black_to_move("f6=3", ""), |text| text.contains('!')).is_empty());
}

#[test]
fn a_ring_makes_a_3_or_a_6() {
    let (three, six) = (Height::Three, Height::Six);
    assert_eq!(SymCombine::ALL.map(SymCombine::height), [six, three, three, six, six]);
}

#[test]
fn ninety_has_no_rings_and_no_height_8() {
    let beginners = |text: &str| Tribun::from_text(text, Rules::NINETY).unwrap();
    let donors = beginners("black:a1=1*,g7=1,e6=1,f5=1 white:k11=1* b");
    assert!(sym_combines(&donors).is_empty());
    let fours = "black:a1=1*,g7=4,e5=4 white:k11=1* b";
    assert!(position(fours).parse_move("4g7+4e5>f6").is_ok());
    assert!(beginners(fours).parse_move("4g7+4e5>f6").is_err());
    assert!(beginners(fours).parse_move("3g7+3e5>f6").is_ok());
}

#[test]
fn the_start_has_265_actions_in_ascending_order_of_their_words() {
    for rules in [Rules::STANDARD, Rules::NINETY] {
        let words: Vec<_> = Tribun::start(rules).legal_moves().iter().map(|a| a.word()).collect();
        assert!(words.is_sorted());
        assert_eq!((words.len(), Tribun::start(rules).count_legal()), (265, 265));
    }
}
