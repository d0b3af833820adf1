use super::*;

#[test]
fn a_commander_moves_any_distance_in_four_directions() {
    // The enemy commander on k12 faces e12 and k4; b4 is water.
    assert_moves(&red("Ce4"), "e4", "e1 e2 e3 e5 e6 e7 e8 e9 e10 e11 c4 d4 f4 g4 h4 i4 j4");
}

#[test]
fn a_commander_is_blocked_by_pieces() {
    assert_moves(&red("Ce4 Ie6 Hf4 Hd4 He3"), "e4", "e5 &f4 &d4 &e3");
}

#[test]
fn infantry_engineer_and_anti_air_move_one_square_in_four_directions() {
    for piece in ["I", "E", "G"] {
        assert_moves(&red(&format!("{piece}g4")), "g4", "g5 g3 f4 h4");
    }
}

#[test]
fn militia_moves_one_square_in_eight_directions() {
    assert_moves(&red("Mg4"), "g4", "f3 f4 f5 g3 g5 h3 h4 h5");
}

#[test]
fn a_tank_moves_two_squares_in_four_directions() {
    assert_moves(&red("Tg4"), "g4", "g5 g6 g3 g2 f4 e4 h4 i4");
}

#[test]
fn a_tank_is_blocked_by_pieces() {
    assert_moves(&red("Tg4 Hg5 ih4"), "g4", "g3 g2 f4 e4 xh4");
}

#[test]
fn artillery_moves_three_squares_in_eight_directions() {
    // The river is beyond g6, e6 and i6; Red's commander is on j1.
    assert_moves(&red("Ag4"), "g4", "f4 e4 d4 h4 i4 j4 g5 g6 g3 g2 g1 f5 e6 f3 e2 d1 h5 i6 h3 i2");
}

#[test]
fn a_moving_artillery_is_blocked() {
    assert_moves(&red("Ad2 Hd3 He3 He2 He1 Hc3 Hc2 Hc1"), "d2", "d1");
}

#[test]
fn a_missile_moves_two_squares_and_one_diagonally() {
    assert_moves(&red("Sg4"), "g4", "g5 g6 g3 g2 f4 e4 h4 i4 f5 f3 h5 h3");
}

#[test]
fn a_moving_missile_is_blocked() {
    assert_moves(&red("Sg4 Hg5 Hf4"), "g4", "g3 g2 h4 i4 f5 f3 h5 h3");
}

#[test]
fn an_air_force_moves_four_squares_in_eight_directions() {
    let straight = "g6 g7 g8 g9 g4 g3 g2 g1 f5 e5 d5 c5 h5 i5 j5 k5";
    let diagonal = "f6 e7 d8 c9 h6 i7 j8 k9 f4 e3 d2 c1 h4 i3 j2 k1";
    assert_moves(&red("Fg5"), "g5", &format!("{straight} {diagonal}"));
}

#[test]
fn an_air_force_is_never_blocked() {
    let ring = "Hf4 Hf5 Hf6 Hg4 Hg6 Hh4 Hh5 Hh6";
    let beyond = "g7 g8 g9 g3 g2 g1 e5 d5 c5 i5 j5 k5 e7 d8 c9 i7 j8 k9 e3 d2 c1 i3 j2 k1";
    assert_moves(&red(&format!("Fg5 {ring}")), "g5", beyond);
}

#[test]
fn a_navy_moves_four_squares_in_eight_directions() {
    assert_moves(&red("Na6"), "a6", "a7 a8 a9 a10 a5 a4 a3 a2 b6 c6 d6 e6 b7 c8 b5 c4");
}

#[test]
fn a_moving_navy_is_blocked_by_navies_of_either_side_only() {
    // It passes the Infantry on c6, but not the Navies on a8 and a4.
    assert_moves(&red("Na6 Na8 na4 ic6"), "a6", "a7 a5 xa4 b6 xc6 d6 e6 b7 c8 b5 c4");
}

#[test]
fn a_headquarters_does_not_move() {
    assert_moves(&red("Hg4 ig5"), "g4", "");
}

#[test]
fn a_ray_ends_at_the_edge_of_the_board() {
    assert_moves(&red("Tk2 Hk1"), "k2", "k3 k4 j2 i2");
    assert_moves(&red("Mk2 Hk1"), "k2", "k3 j2 j3");
}

#[test]
fn a_piece_may_not_move_to_or_past_terrain_where_it_may_not_stand() {
    assert_moves(&red("Tc4"), "c4", "c5 c6 c3 c2 d4 e4");
    // d8 is land, so the Navy cannot pass it to c9.
    assert_moves(&red("Ne7"), "e7", "d7 c7 b7 a7 e6 d6");
}

#[test]
fn a_navy_may_not_pass_diagonally_between_c5_and_d6_nor_between_c8_and_d7() {
    for (from, to) in [("c5", "d6"), ("d6", "c5"), ("c8", "d7"), ("d7", "c8"), ("b4", "d6"), ("e6", "c8")] {
        assert!(!legal(&red(&format!("N{from}")), &format!("N{from}{to}")), "{from}{to}");
    }
    assert!(legal(&red("Nc6"), "Nc6d7"));
    assert!(legal(&red("Nc7"), "Nc7d6"));
}
