use super::*;

#[test]
fn a_heroic_piece_reaches_one_square_further() {
    assert!(legal(&red("+Tg4 ig7"), "+Tg4xg7"));
    assert!(legal(&red("+Ig4"), "+Ig4g6"));
    assert!(legal(&red("+Ag1 ig5"), "+Ag1xg5"));
    assert!(legal(&red("+Fg4"), "+Fg4g9"));
}

#[test]
fn every_heroic_piece_moves_diagonally() {
    assert_moves(&red("+Ig4"), "g4", "g5 g6 g3 g2 f4 e4 h4 i4 f5 e6 f3 e2 h5 i6 h3 i2");
    assert!(legal(&red("+Tg4"), "+Tg4j7"));
}

#[test]
fn a_heroic_missile_captures_two_squares_away_diagonally() {
    assert!(legal(&red("+Sg3 ii5"), "+Sg3xi5") && !legal(&red("+Sg3 ij6"), "+Sg3xj6"));
    assert!(legal(&red("+Sg3 ig6"), "+Sg3xg6"));
}

#[test]
fn a_heroic_navy_captures_a_navy_five_squares_away_and_others_four() {
    assert!(legal(&red("+Na6 na11"), "+Na6xa11"));
    assert!(legal(&red("+Nc6 ic10"), "+Nc6xc10") && !legal(&red("+Nc6 ic11"), "+Nc6xc11"));
    assert!(legal(&red("+Na6"), "+Na6a11"));
}

#[test]
fn a_heroic_headquarters_moves_and_captures_one_square_in_eight_directions() {
    assert_moves(&red("+Hg4 ih5"), "g4", "f3 f4 f5 g3 g5 h3 h4 xh5");
}

#[test]
fn a_heroic_commander_still_captures_one_square_away() {
    assert!(legal(&red("+Ce4 if5"), "+Ce4xf5"));
    assert!(!legal(&red("+Ce4 ie6"), "+Ce4xe6"));
    assert!(legal(&red("+Ce4"), "+Ce4h7"));
}

#[test]
fn a_heroic_air_force_ignores_air_defence() {
    assert!(!legal(&red("Fg4 gg6"), "Fg4g8"));
    assert!(legal(&red("+Fg4 gg6"), "+Fg4g8") && legal(&red("+Fg4 gg6"), "+Fg4xg6"));
}
