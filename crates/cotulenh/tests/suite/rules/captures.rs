use super::*;

#[test]
fn a_commander_captures_one_square_away() {
    assert!(legal(&red("Ce4 ie5"), "Ce4xe5"));
    // e6 is out of range, and e5 is attacked.
    assert_moves(&red("Ce4 ie6 Hd4 Hf4 He3"), "e4", "&d4 &f4 &e3");
}

#[test]
fn infantry_engineer_and_anti_air_capture_one_square_away() {
    for piece in ["I", "E", "G"] {
        assert_moves(&red(&format!("{piece}g4 ig5 ih5 ig2")), "g4", "xg5 g3 f4 h4");
    }
}

#[test]
fn militia_captures_in_eight_directions() {
    assert_moves(&red("Mg4 ih5 if3"), "g4", "f4 f5 g3 g5 h3 h4 xh5 xf3");
}

#[test]
fn a_tank_captures_two_squares_away_if_nothing_is_between() {
    assert_moves(&red("Tg4 ig6 ii4 Hh4"), "g4", "g5 xg6 g3 g2 f4 e4");
}

#[test]
fn a_capturing_artillery_is_not_blocked() {
    let position = red("Ad2 Hd3 He3 He2 He1 Hc3 Hc2 Hc1 id5 ig2 if4");
    assert_moves(&position, "d2", "d1 xd5 xg2 xf4");
}

#[test]
fn a_capturing_missile_is_not_blocked() {
    let position = red("Sg4 Hg5 Hh5 ig6 ii4 Hh4 ii6");
    assert_moves(&position, "g4", "xg6 xi4 g3 g2 f4 e4 f5 f3 h3");
}

#[test]
fn a_missile_captures_one_square_away_diagonally() {
    assert!(legal(&red("Sg4 ih5"), "Sg4xh5"));
    assert!(!legal(&red("Sg4 ii6"), "Sg4xi6"));
}

#[test]
fn an_air_force_captures_four_squares_away_over_pieces() {
    assert!(legal(&red("Fg4 Hh4 hi4 ik4"), "Fg4xk4"));
    assert!(!legal(&red("Ff4 ik4"), "Ff4xk4"));
}

#[test]
fn a_navy_captures_four_squares_away_against_a_navy_carried_stack() {
    assert!(legal(&red("Na6 na10"), "Na6xa10"));
    assert!(legal(&red("Na6 (ni)a10"), "Na6xa10"));
    assert!(legal(&red("Nc6 nc10 Hc7 hc8"), "Nc6xc10"));
}

#[test]
fn a_navy_captures_three_squares_away_against_anything_else() {
    assert!(legal(&red("Nc6 ic9"), "Nc6xc9"));
    assert!(!legal(&red("Nc6 ic10"), "Nc6xc10"));
}

#[test]
fn a_capturing_navy_is_not_blocked() {
    assert!(legal(&red("Na6 Na7 na8 na9"), "Na6xa9"));
}

#[test]
fn terrain_in_between_does_not_block_a_capture() {
    // There is land between e7 and c9 and between c6 and f9, and a Navy may not stand on f9.
    assert!(legal(&red("Ne7 ic9"), "Ne7xc9"));
    assert!(legal(&red("Nc6 if9"), "Nc6_f9"));
    // There is water between c4 and a4.
    assert!(legal(&red("Tc4 na4"), "Tc4_a4"));
}

#[test]
fn a_capture_may_cross_a_strait() {
    assert!(legal(&red("Nc5 id6"), "Nc5xd6"));
}

#[test]
fn a_capturer_that_may_stand_there_moves_there() {
    let position = after(&red("Tg4 ig5 Hd1"), "Tg4xg5");
    assert_eq!((on(&position, "g4"), on(&position, "g5")), ("-".into(), "T".into()));
}

#[test]
fn a_capturer_that_may_not_stand_there_stays() {
    assert_moves(&red("Ic4 nb4"), "c4", "c5 c3 d4 _b4");
    let position = after(&red("Ic4 nb4 Hd1"), "Ic4_b4");
    assert_eq!((on(&position, "c4"), on(&position, "b4")), ("I".into(), "-".into()));
    assert_moves(&red("Nc4 ie4"), "c4", "a4 b4 c5 c6 c7 c8 c3 c2 c1 b5 a6 b3 a2 _e4");
}

#[test]
fn an_air_force_that_may_land_may_also_bomb_and_return() {
    let position = red("Fg4 ig6 Hd1");
    assert!(legal(&position, "Fg4xg6") && legal(&position, "Fg4_g6"));
    assert_eq!(on(&after(&position, "Fg4_g6"), "g4"), "F");
    let led = red("(FTI)g4 ig6");
    assert!(legal(&led, "(FTI)g4xg6") && legal(&led, "(FTI)g4_g6"));
}

#[test]
fn an_air_force_that_may_not_land_only_bombs() {
    // Heroic, so that the Navy does not shoot it down.
    let position = red("+Fe4 nb4");
    assert!(!legal(&position, "+Fe4xb4") && legal(&position, "+Fe4_b4"));
}

#[test]
fn during_a_deployment_an_air_force_that_may_land_does_not_return() {
    let position = red("(FT)g4 ig6");
    assert!(legal(&position, "Fg4>xg6") && !legal(&position, "Fg4>_g6"));
}

#[test]
fn the_entire_target_stack_is_removed() {
    let position = after(&red("Tg4 (fti)g5"), "Tg4xg5");
    assert_eq!(position.board().piece_count(Player::Second), 1);
}

#[test]
fn a_blocked_piece_stops() {
    assert_moves(&red("Tg4 ig5 ig6"), "g4", "xg5 g3 g2 f4 e4 h4 i4");
}
