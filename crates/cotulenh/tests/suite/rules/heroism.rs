use super::*;

#[test]
fn a_piece_that_moves_to_attack_the_commander_becomes_heroic() {
    assert_eq!(on(&after(&red("Tg4 cg8"), "Tg4g6"), "g6"), "+T");
}

#[test]
fn a_piece_that_did_not_move_becomes_heroic_too() {
    // The Infantry leaves the Tank's line.
    let position = after(&red("Te8 If8 cg8 Hd1"), "If8f9");
    assert_eq!((on(&position, "e8"), on(&position, "f9")), ("+T".into(), "I".into()));
}

#[test]
fn pieces_of_the_side_that_did_not_move_do_not_become_heroic() {
    // Red's Tank already attacks in the setup, and Blue moves.
    let position = after(&blue("Tg6 Hd1 cg8 hf12"), "Cg8f8");
    assert_eq!(on(&position, "g6"), "T");
}

#[test]
fn heroism_comes_after_every_step_and_is_used_in_the_same_turn() {
    // The Tank is promoted when the Infantry leaves, then moves three squares.
    let midway = after(&red("(TI)e8 cg8 Hd1"), "Ie8>e9");
    assert_eq!(on(&midway, "e8"), "+T");
    assert!(legal(&midway, "+Te8>e5"));
}

#[test]
fn carrier_only_a_passenger_is_not_promoted() {
    // Of this stack only the Militia attacks g8, diagonally.
    let position = after(&red("(TM)f5 cg8 Hd1"), "(TM)f5f7");
    assert_eq!(on(&position, "f7"), "(TM)");
}

#[test]
fn everyone_a_passenger_is_promoted() {
    let position = after(&club("(TM)f5 cg8 Hd1"), "(TM)f5f7");
    assert_eq!(on(&position, "f7"), "(T+M)");
}

#[test]
fn carrier_only_a_piece_that_becomes_a_passenger_loses_its_heroism() {
    assert_eq!(on(&after(&red("+Ig4 Tg5 Hd1"), "+Ig4&g5"), "g5"), "(TI)");
    assert_eq!(on(&after(&red("Ig4 +Tg5 Hd1"), "Ig4&g5"), "g5"), "(+TI)");
}

#[test]
fn everyone_each_piece_keeps_its_own_heroism() {
    assert_eq!(on(&after(&club("+Ig4 Tg5 Hd1"), "+Ig4&g5"), "g5"), "(T+I)");
    let apart = after(&club("(T+I)g4 Hd1"), "+Ig4>g6 end");
    assert_eq!((on(&apart, "g4"), on(&apart, "g6")), ("T".into(), "+I".into()));
}

#[test]
fn the_last_guard_becomes_heroic() {
    let position = after(&red("Tg4 Ie2 tg5 id9"), "Tg4xg5");
    assert_eq!(on(&position, "d9"), "+i", "Blue has a commander and one piece left");
    assert_eq!(on(&position, "g5"), "T", "Red has two");
}

#[test]
fn the_movers_last_guard_becomes_heroic_too() {
    let position = after(&red("Fg2 gg5 Ie2 id9 hd10"), "Fg2@g5");
    assert_eq!(on(&position, "e2"), "+I");
}

#[test]
fn stacks_are_counted_piece_by_piece_for_the_last_guard() {
    let position = after(&red("Tg4 Ie2 tg5 (ti)d9"), "Tg4xg5");
    assert_eq!(on(&position, "d9"), "(ti)");
}

#[test]
fn a_last_guard_that_carries_its_commander_becomes_heroic() {
    let position = after(&red("Tg4 Ie2 tg5 (hc)d9"), "Tg4xg5");
    assert_eq!(on(&position, "d9"), "(+hc)");
}

#[test]
fn a_capture_that_promotes_the_last_guard_may_be_illegal() {
    // Promoted, the Infantry on g3 would attack the commander on g1.
    assert!(!legal(&red("Cg1 Tc4 nb4 ig3 Hd4"), "Tc4_b4"));
    assert!(legal(&red("Cg1 Tc4 nb4 ig3 Hd4 hd12"), "Tc4_b4"));
}

#[test]
fn heroism_remains_after_the_attack() {
    let position = after(&red("Tg4 cg8 hd9 Hd1"), "Tg4g6 Cg8f8");
    assert_eq!(on(&position, "g6"), "+T");
}
