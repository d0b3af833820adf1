//! The move and attack patterns of every height.

use std::collections::BTreeSet;

use sandtable_core::{Notation, Position};
use sandtable_tribun::{Height, Tile, Tribun};

use super::{actions_where, black_to_move, position, set};

/// The tiles that a lone unit on f6 can move to; `suffix` is `s` for its slave.
fn moves(unit: &str, suffix: &str) -> BTreeSet<String> {
    let alone = black_to_move(&format!("f6={unit}"), "");
    let prefix = format!("f6{suffix}-");
    let found = actions_where(&alone, |text| text.starts_with(&prefix));
    found.into_iter().map(|text| text[prefix.len()..].to_owned()).collect()
}

/// The tiles on which a unit on f6 attacks a lone enemy of height 1; `suffix` is `s` for its slave.
fn attacks(unit: &str, suffix: &str) -> BTreeSet<String> {
    let is_attacked = |tile: &Tile| {
        let position = black_to_move(&format!("f6={unit}"), &format!("{tile}=1"));
        let is_kill = |text: &str| text.starts_with(&format!("f6{suffix}x"));
        !actions_where(&position, is_kill).is_empty()
    };
    let free = |tile: &Tile| !["a1", "f6", "k11"].contains(&tile.to_string().as_str());
    Tile::all().filter(free).filter(is_attacked).map(|tile| tile.to_string()).collect()
}

const TWOS: &str = "g8 e4 e7 g5 h7 d5";
const THREES: &str = "i8 c4 h9 d3 g9 e3 i7 c5 e8 g4 h5 d7";
const TWO_LINES: &str = "g8 h10 e4 d2 e7 d8 g5 h4 h7 j8 d5 b4";
const NEIGHBORS: &str = "g7 g6 f7 e5 e6 f5";
const TWO_STEPS: &str = "h8 h6 f8 d4 d6 f4";
const NEIGHBOR_LINES: &str =
    "g7 h8 i9 j10 e5 d4 c3 b2 g6 h6 i6 j6 k6 e6 d6 c6 b6 a6 f7 f8 f9 f10 f11 f5 f4 f3 f2 f1";

#[test]
fn a_black_1_moves_up_and_attacks_left_up_and_right_up() {
    assert_eq!(moves("1", ""), set("g7"));
    assert_eq!(attacks("1", ""), set("g6 f7"));
}

#[test]
fn a_white_1_moves_down_and_attacks_left_down_and_right_down() {
    let alone = position("black:a1=1* white:k11=1*,f6=1 w");
    assert_eq!(actions_where(&alone, |text| text.starts_with("f6-")), ["f6-e5"]);
    let among = position("black:a1=1*,g7=1,g6=1,f7=1,e5=1,e6=1,f5=1 white:k11=1*,f6=1 w");
    assert_eq!(actions_where(&among, |text| text.starts_with("f6x")), ["f6xe6", "f6xf5"]);
}

#[test]
fn a_tribun_of_height_1_moves_to_and_attacks_the_6_neighbors() {
    let alone = position("black:f6=1* white:k11=1* b");
    let found = actions_where(&alone, |text| text.starts_with("f6-"));
    assert_eq!(found.iter().map(|text| text[3..].to_owned()).collect::<BTreeSet<_>>(), set(NEIGHBORS));
    let among = position("black:f6=1* white:k11=1*,g7=1,g6=1,f7=1,e5=1,e6=1,f5=1,g8=1 b");
    let found = actions_where(&among, |text| text.starts_with("f6x"));
    assert_eq!(found.iter().map(|text| text[3..].to_owned()).collect::<BTreeSet<_>>(), set(NEIGHBORS));
}

#[test]
fn a_2_moves_and_attacks_by_its_six_leaps() {
    assert_eq!(moves("2", ""), set(TWOS));
    assert_eq!(attacks("2", ""), set(TWOS));
}

#[test]
fn a_3_moves_and_attacks_by_its_twelve_leaps() {
    assert_eq!(moves("3", ""), set(THREES));
    assert_eq!(attacks("3", ""), set(THREES));
}

#[test]
fn a_4_slides_along_the_vectors_of_height_2() {
    assert_eq!(moves("4", ""), set(TWO_LINES));
    assert_eq!(attacks("4", ""), set(TWO_LINES));
}

#[test]
fn a_4_slides_over_empty_tiles_only() {
    for blocked in [black_to_move("f6=4,g8=1", ""), black_to_move("f6=4", "g8=1")] {
        assert!(blocked.parse_move("f6-g8").is_err());
        assert!(blocked.parse_move("f6-h10").is_err());
        assert!(blocked.parse_move("f6-h7").is_ok());
    }
}

#[test]
fn a_4_attacks_the_first_unit_on_each_ray() {
    let clear = black_to_move("f6=4", "h10=1");
    assert!(clear.parse_move("f6xh10").is_ok());
    let behind_enemy = black_to_move("f6=4", "g8=1,h10=1");
    assert_eq!(actions_where(&behind_enemy, |text| text.starts_with("f6x")), ["f6xg8"]);
    let behind_friend = black_to_move("f6=4,g8=1", "h10=1");
    assert!(behind_friend.parse_move("f6xh10").is_err());
}

#[test]
fn a_6_moves_like_a_4_and_attacks_along_the_neighbor_rays() {
    assert_eq!(moves("6", ""), set(TWO_LINES));
    assert_eq!(attacks("6", ""), set(NEIGHBOR_LINES));
    let behind = black_to_move("f6=6,g6=1", "g7=1,h8=1,h6=1");
    assert_eq!(actions_where(&behind, |text| text.starts_with("f6x")), ["f6xg7"]);
}

#[test]
fn an_8_moves_one_or_two_steps_and_also_attacks_by_the_leaps_of_height_2() {
    assert_eq!(moves("8", ""), &set(NEIGHBORS) | &set(TWO_STEPS));
    assert_eq!(attacks("8", ""), &(&set(NEIGHBORS) | &set(TWO_STEPS)) | &set(TWOS));
}

#[test]
fn the_second_step_of_an_8_passes_friends_but_not_enemies() {
    let friend = black_to_move("f6=8,g7=1", "");
    assert!(friend.parse_move("f6-h8").is_ok());
    let friend = black_to_move("f6=8,g7=1", "h8=1");
    assert!(friend.parse_move("f6xh8").is_ok());
    let enemy = black_to_move("f6=8", "g7=1");
    assert!(enemy.parse_move("f6-h8").is_err());
    let enemy = black_to_move("f6=8", "g7=1,h8=1");
    assert!(enemy.parse_move("f6xh8").is_err());
}

#[test]
fn moves_end_on_empty_tiles() {
    for (height, to) in [("1", "g7"), ("2", "g8"), ("3", "i8"), ("8", "g7")] {
        for full in [
            black_to_move(&format!("f6={height},{to}=1"), ""),
            black_to_move(&format!("f6={height}"), &format!("{to}=1")),
        ] {
            assert!(full.parse_move(&format!("f6-{to}")).is_err(), "{height}");
        }
    }
}

#[test]
fn heights_2_and_3_leap() {
    let walled = |height| {
        let wall = "g7=1,g6=1,f7=1,e5=1,e6=1,f5=1";
        let walled = black_to_move(&format!("f6={height}"), wall);
        let found = actions_where(&walled, |text| text.starts_with("f6-"));
        found.into_iter().map(|text| text[3..].to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(walled("2"), set(TWOS));
    assert_eq!(walled("3"), set(THREES));
}

#[test]
fn a_higher_tribun_uses_the_pattern_of_its_height() {
    for height in &Height::ALL[1..] {
        let tribun = position(&format!("black:f6={height}* white:k11=1* b"));
        let found = actions_where(&tribun, |text| text.starts_with("f6-"));
        let found: BTreeSet<_> = found.into_iter().map(|text| text[3..].to_owned()).collect();
        assert_eq!(found, moves(&height.to_string(), ""), "{height}");
    }
}

#[test]
fn each_part_uses_the_pattern_of_its_height() {
    assert_eq!((moves("4/3", ""), moves("4/3", "s")), (set(TWO_LINES), set(THREES)));
    assert_eq!((attacks("4/3", ""), attacks("4/3", "s")), (set(TWO_LINES), set(THREES)));
    assert_eq!(moves("4/8", "s"), &set(NEIGHBORS) | &set(TWO_STEPS));
    assert_eq!(attacks("4/6", "s"), set(NEIGHBOR_LINES));
}

#[test]
fn an_enslaved_1_keeps_the_direction_of_its_original_side() {
    assert_eq!(moves("2/1", "s"), set("e5"));
    assert_eq!(attacks("2/1", "s"), set("e6 f5"));
    let white = position("black:a1=1* white:k11=1*,f6=2/1 w");
    assert_eq!(actions_where(&white, |text| text.starts_with("f6s-")), ["f6s-g7"]);
}

#[test]
fn a_unit_without_a_slave_has_one_part() {
    let start = Tribun::start(sandtable_tribun::Rules::STANDARD);
    assert!(actions_where(&start, |text| text.contains('s')).is_empty());
}
