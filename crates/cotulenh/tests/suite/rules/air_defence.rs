use super::*;

/// The number of squares that an Air Force on g2 can move along file g.
fn reach(defenders: &str) -> usize {
    let position = red(&format!("Fg2 {defenders}"));
    (3..=6).take_while(|rank| legal(&position, &format!("Fg2g{rank}"))).count()
}

#[test]
fn a_missile_has_level_two() {
    assert_eq!(reach("si5"), 2);
    assert_eq!(reach("sj5"), 4);
}

#[test]
fn a_navy_and_an_anti_air_have_level_one() {
    assert_eq!((reach("gh5"), reach("gi5")), (2, 4));
    let past_navy = red("Fc2 nb5");
    assert!(legal(&past_navy, "Fc2c4") && !legal(&past_navy, "Fc2c5"));
}

#[test]
fn a_heroic_defender_has_one_level_more() {
    assert_eq!((reach("+gi5"), reach("+sj5")), (2, 2));
}

#[test]
fn only_the_carrier_of_a_stack_defends() {
    assert_eq!(reach("(eg)h5"), 4);
    let past_navy = red("Fc2 (nf)b5");
    assert!(!legal(&past_navy, "Fc2c5"));
}

#[test]
fn a_zone_is_round() {
    // At level 2, the zone of i5 contains g5 (two files away), but not g4 (two files and one rank away).
    let position = red("Fg1 si5");
    assert!(legal(&position, "Fg1g4") && !legal(&position, "Fg1g5"));
}

#[test]
fn the_start_square_does_not_count() {
    assert!(legal(&red("Fg4 gg5"), "Fg4g3"));
}

#[test]
fn a_safe_path_allows_everything() {
    let position = red("Fd2 Hd3 He3 He2 He1 Hc3 Hc2 Hc1 ih2");
    assert_moves(&position, "d2", "d1 d4 d5 d6 f2 g2 xh2 _h2 f4 g5 h6");
}

#[test]
fn in_one_zone_only_a_suicide_capture_is_possible() {
    let position = red("Fg2 gg5 hg4");
    // g4 is in the zone of the Anti-Air on g5; both stacks can be captured at the cost of the Air Force.
    assert!(legal(&position, "Fg2g3") && legal(&position, "Fg2@g4") && legal(&position, "Fg2@g5"));
    assert!(!legal(&position, "Fg2xg4") && !legal(&position, "Fg2g6"));
}

#[test]
fn a_suicide_capture_removes_both() {
    let position = after(&red("(FI)g2 gg5 Hd1"), "(FI)g2@g5");
    assert_eq!((on(&position, "g2"), on(&position, "g5")), ("-".into(), "-".into()));
    assert_eq!(position.board().piece_count(Player::First), 2);
}

#[test]
fn an_air_force_that_leaves_a_zone_is_shot_down() {
    // The ray enters the zone of h4 at g4 and leaves it at g5.
    let position = red("Fg2 gh4 ig5");
    assert!(legal(&position, "Fg2g3") && !legal(&position, "Fg2@g5") && !legal(&position, "Fg2xg5"));
}

#[test]
fn an_air_force_in_two_zones_is_shot_down() {
    let position = red("Fg2 gg5 gf4");
    assert!(!legal(&position, "Fg2@g4") && !legal(&position, "Fg2@g5"));
    assert!(legal(&red("Fg2 gg5"), "Fg2@g5"));
}

#[test]
fn an_air_force_that_enters_a_second_zone_is_shot_down() {
    // g4 is in the zone of h4 only, g5 in the zone of h5 only.
    let position = red("Fg2 gh4 gh5");
    assert!(!legal(&position, "Fg2@g5"));
    assert!(legal(&position, "Fg2g3"));
}

#[test]
fn an_air_force_combines_only_along_a_safe_path() {
    assert!(legal(&red("Fg2 Ig4"), "Fg2&g4"));
    assert!(!legal(&red("Fg2 Ig4 gg5"), "Fg2&g4"));
}

#[test]
fn passengers_are_lost_with_the_air_force() {
    let position = red("(FC)g2 gg5");
    assert!(!legal(&position, "(FC)g2@g5"), "a turn may not end without the mover's commander");
}
