use super::*;

#[test]
fn sealed_artillery_at_f8_cannot_move_to_f5() {
    assert!(!legal(&red("Af8"), "Af8f5"));
    assert!(!legal(&red("Af8"), "Af8f6"));
    assert!(legal(&red("Af8"), "Af8f7"));
}

#[test]
fn sealed_no_heavy_piece_stands_in_the_other_zone_by_its_own_movement() {
    for piece in ["A", "G", "S"] {
        for file in ["d", "f", "g", "h"] {
            assert!(
                !legal(&red(&format!("{piece}{file}6")), &format!("{piece}{file}6{file}7")),
                "{piece}{file}"
            );
        }
    }
    assert!(legal(&red("Tg6"), "Tg6g7"));
}

#[test]
fn sealed_a_capture_across_is_a_stay_capture() {
    assert_moves(&red("Gg6 ig7"), "g6", "g5 f6 h6 _g7");
    assert!(legal(&red("Ag5 ig8"), "Ag5_g8") && !legal(&red("Ag5 ig8"), "Ag5xg8"));
}

#[test]
fn sealed_a_combination_across_is_impossible() {
    assert!(!legal(&red("Ag6 Eg7"), "Ag6&g7"));
    assert!(legal(&red("Ag6 Eg7"), "Eg7&g6"));
}

#[test]
fn bridged_a_heavy_piece_crosses_vertically_on_the_f_and_h_files() {
    for (file, crosses) in [("e", false), ("f", true), ("g", false), ("h", true), ("i", false)] {
        assert_eq!(legal(&club(&format!("A{file}6")), &format!("A{file}6{file}8")), crosses, "{file}");
    }
    assert!(!legal(&club("Af6"), "Af6g7") && !legal(&club("Ag6"), "Ag6h7"));
    assert!(legal(&club("Af6 Ef7"), "Af6&f7") && !legal(&club("Ag6 Eg7"), "Ag6&g7"));
}

#[test]
fn bridged_a_capture_carries_a_heavy_piece_across_anywhere() {
    assert!(legal(&club("Ag5 ig8"), "Ag5xg8") && !legal(&club("Ag5 ig8"), "Ag5_g8"));
}

#[test]
fn carried_by_another_piece_a_heavy_piece_crosses_freely_in_both() {
    for position in [red("(EA)g6"), club("(EA)g6")] {
        assert!(legal(&position, "(EA)g6g7"));
    }
}
