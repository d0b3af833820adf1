use super::*;

#[test]
fn a_friendly_stack_within_move_range_is_a_combination() {
    let position = after(&red("Tg4 Ig6"), "Tg4&g6");
    assert_eq!((on(&position, "g4"), on(&position, "g6")), ("-".into(), "(TI)".into()));
}

#[test]
fn the_mover_may_end_as_carrier_or_as_passenger() {
    assert_eq!(on(&after(&red("Tg4 Ig5"), "Tg4&g5"), "g5"), "(TI)");
    assert_eq!(on(&after(&red("Tg4 Ig5"), "Ig5&g4"), "g4"), "(TI)");
}

#[test]
fn a_combination_is_reached_like_a_move() {
    assert!(!legal(&red("Tg4 Hg5 Ig6"), "Tg4&g6"));
    assert!(!legal(&red("Tg4 Ig7"), "Tg4&g7"));
    assert!(legal(&red("Fg4 Hg5 Ig7"), "Fg4&g7"));
    // A land piece does not enter water by itself, not even to join a Navy.
    assert!(!legal(&red("Ic4 Nb4"), "Ic4&b4"));
    assert!(legal(&red("Ic4 Nc5"), "Ic4&c5"));
}

#[test]
fn the_carrier_of_the_combination_must_be_able_to_stand_there() {
    assert!(!legal(&red("Nc4 Fd4"), "Nc4&d4"));
    assert!(legal(&red("Nc4 Fd4"), "Fd4&c4"));
    assert!(legal(&red("Fe4 Nb4"), "Fe4&b4"));
}

#[test]
fn only_valid_sets_combine() {
    assert!(!legal(&red("Tg4 Tg5"), "Tg4&g5"));
    assert!(!legal(&red("Tg4 Ag5"), "Tg4&g5"));
    assert!(!legal(&red("(TI)g4 Mg5"), "Mg5&g4"));
    assert!(legal(&red("(TI)g4 Fg5"), "Fg5&g4"));
    assert!(legal(&red("Eg4 Sg5"), "Eg4&g5"));
}

#[test]
fn navy_with_tank_and_soldier_is_a_stack_in_standard_only() {
    assert!(legal(&red("(NT)c4 Ic5"), "Ic5&c4"));
    assert!(!legal(&club("(NT)c4 Ic5"), "Ic5&c4"));
    assert!(legal(&club("(NF)c4 Ic5"), "Ic5&c4"));
}

#[test]
fn a_headquarters_carries_a_commander_only() {
    assert!(legal(&red("Cg1 Hg2"), "Cg1&g2"));
    assert!(!legal(&red("Ig1 Hg2"), "Ig1&g2"));
}

#[test]
fn the_set_determines_the_carrier() {
    let carriers = [("NFT", 'N'), ("FTI", 'F'), ("TI", 'T'), ("ES", 'E'), ("HC", 'H')];
    for (letters, carrier) in carriers {
        assert_eq!(kinds(letters).first().map(Kind::letter), Some(carrier));
    }
}

#[test]
fn a_stack_moves_as_its_carrier_with_the_carriers_heroism() {
    assert_moves(&red("(TM)g4"), "g4", "g5 g6 g3 g2 f4 e4 h4 i4");
    let heroic = "g5 g6 g7 g3 g2 g1 f4 e4 d4 h4 i4 j4 f5 e6 d7 f3 e2 d1 h5 i6 j7 h3 i2";
    assert_moves(&red("(+TM)g4"), "g4", heroic);
}
