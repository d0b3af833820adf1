use super::*;

fn in_check(position: &CoTuLenh) -> bool {
    position.in_check() == Some(true)
}

#[test]
fn a_commander_is_attacked_by_pieces_that_could_capture_it() {
    assert!(in_check(&red("Cg1 tg3")));
    assert!(!in_check(&red("Cg1 tg4")));
    assert!(!in_check(&red("Cg1 Hg2 tg3")));
    assert!(in_check(&red("Cg1 Hg2 ag4")));
}

#[test]
fn each_carried_piece_attacks_by_itself() {
    // The Tank does not attack diagonally, but its passenger, the Militia, does.
    assert!(in_check(&red("Cg5 (tm)f6")) && !in_check(&red("Cg5 tf6")));
    assert!(in_check(&red("Ch2 (eg)h3")));
}

#[test]
fn a_stay_capture_attacks() {
    // The Navy on c6 could not stand on f6.
    assert!(in_check(&red("Cf6 nc6")));
}

#[test]
fn a_suicide_capture_attacks() {
    // One Anti-Air does not stop the Air Force, two do.
    assert!(in_check(&red("Cg1 Gg2 fg5")));
    assert!(!in_check(&red("Cg1 Gg2 Gh2 fg5")));
}

#[test]
fn a_missile_two_squares_away_diagonally_gives_no_check() {
    assert!(!in_check(&red("Cg1 si3")));
    assert!(in_check(&red("Cg1 sg3")) && in_check(&red("Cg1 sh2")));
}

#[test]
fn a_navy_attacks_a_commander_on_a_navy_from_four_squares() {
    assert!(in_check(&red("(NC)a3 na7")));
    assert!(!in_check(&red("Cc3 nc7")));
    assert!(in_check(&red("Cc4 nc7")));
}

#[test]
fn commanders_may_not_face_each_other_on_an_open_rank_or_file() {
    // The Infantry between them may not leave the file.
    let position = red("Cg1 Ig5 cg12");
    assert_moves(&position, "g5", "g6 g4");
    assert_moves(&red("Cc6 Ig6 ck6"), "g6", "f6 h6");
}

#[test]
fn carried_commanders_face_each_other_too() {
    assert_moves(&red("(HC)g1 Ig5 (hc)g12"), "g5", "g6 g4");
}

#[test]
fn facing_commanders_are_not_in_check() {
    assert!(!in_check(&red("Cg1 cg12")));
}

#[test]
fn a_turn_may_not_end_with_the_commander_attacked() {
    // Only moves that capture the Tank, block it or evade.
    let position = red("Cg1 tg3 Ie1 Mf3 hd12");
    assert!(in_check(&position));
    let legal: BTreeSet<_> =
        position.legal_moves().into_iter().map(|step| position.move_text(step)).collect();
    assert_eq!(legal, words("Cg1f1 Cg1h1 Cg1i1 Cg1j1 Mf3g2 Mf3xg3"));
}

#[test]
fn a_pinned_piece_may_not_leave_the_line() {
    assert_moves(&red("Cg1 Ig2 tg3"), "g2", "xg3");
}

#[test]
fn an_attack_by_artillery_cannot_be_blocked() {
    let position = red("Cg1 ag4 Mf3");
    assert_moves(&position, "f3", "xg4");
}

#[test]
fn air_defence_protects_the_commander() {
    // Two Anti-Airs cover g2; one alone would not prevent a suicide capture on g1.
    let position = red("Cg1 Gg2 Gh2 fg5 hd12");
    assert!(!in_check(&position));
    assert!(!legal(&position, "Gh2i2"));
    assert!(legal(&position, "Gg2f2") && legal(&position, "Gh2h3"));
}

#[test]
fn a_defender_promoted_by_the_step_protects_the_commander() {
    // The Navy on b5 attacks c4 but is not heroic yet. Promoted, it covers d5, on the Air Force's path to g8.
    let position = blue("(FTC)c4 (ntm)b5 cg10 hk1");
    assert!(legal(&position, "Cg10g8"));
    assert!(!legal(&blue("(FTC)c4 (ntm)b6 cg10 hk1"), "Cg10g8"));
}

#[test]
fn carrying_a_defender_exposes_the_commander() {
    // Carried by the Engineer, the Anti-Air on h2 no longer defends.
    assert!(!legal(&red("Cg1 Gg2 Gh2 Ei2 fg5 hd12"), "Ei2&h2"));
    assert!(legal(&red("Cg1 Gg2 Gh2 Ei2"), "Ei2&h2"));
}

#[test]
fn a_commander_by_itself_may_not_enter_a_square_that_the_enemy_commander_faces() {
    assert!(!legal(&red("Cf1 cg12"), "Cf1g1"));
    assert!(legal(&red("Cf1 cg12 hg6"), "Cf1g1"));
}

#[test]
fn a_commander_by_itself_may_not_slide_across_a_square_that_the_enemy_commander_faces() {
    assert!(!legal(&red("Cf1 cg12"), "Cf1h1"));
    assert!(legal(&red("Cf1 cg12 hg6"), "Cf1h1"));
}

#[test]
fn the_enemy_commander_also_faces_the_first_occupied_square() {
    // Even though the Air Force could block the file afterwards, by flying to g4.
    assert!(!legal(&red("(FC)f3 ig3 cg12"), "Cf3>xg3"));
    assert!(!legal(&red("(FC)f3 Hg3 cg12"), "Cf3>&g3"));
    // The enemy commander does not face the squares behind the first occupied one.
    for blocked in ["(FC)f3 ig3 hg4 cg12", "(FC)f3 ig3 hg11 cg12"] {
        assert!(legal(&red(blocked), "Cf3>xg3"), "{blocked}");
    }
    assert!(legal(&red("(FC)f3 Hg3 hg4 cg12"), "Cf3>&g3"));
    // A commander that moves as a whole may not capture there either.
    assert!(!legal(&red("Cf3 ig3 cg12"), "Cf3xg3") && legal(&red("Cf3 ig3 hg11 cg12"), "Cf3xg3"));
}

#[test]
fn the_rest_of_the_stack_that_a_commander_leaves_blocks_the_line() {
    // The Headquarters stays on g3, between the enemy commander and g2.
    let position = red("(HC)g3 cg12 Hh3 Hf3");
    assert!(!legal(&position, "Cg3>g4"));
    assert!(legal(&position, "Cg3>g2"));
}

#[test]
fn a_carried_commander_may_cross_the_view_of_the_enemy_commander() {
    assert!(legal(&red("(TC)f1 cg12"), "(TC)f1h1"));
    assert!(!legal(&red("(TC)f1 cg12"), "(TC)f1g1"));
}

#[test]
fn commanders_that_face_each_other_alone_capture_at_any_distance() {
    let position = red("Cg1 cg12");
    assert!(legal(&position, "Cg1xg12"));
    assert!(!legal(&red("Cg1 (hc)g12"), "Cg1xg12"));
    assert!(!legal(&red("(HC)g1 cg12"), "Cg1>xg12"));
    assert!(!legal(&red("Cg1 hg5 cg12"), "Cg1xg12"));
}

#[test]
fn commanders_that_face_each_other_may_also_evade_or_be_blocked() {
    let position = red("Cg1 cg12 Ih5");
    assert!(legal(&position, "Cg1f1") && legal(&position, "Ih5g5"));
    assert!(!legal(&position, "Ih5h6"));
}

#[test]
fn adjacent_commanders_attack_each_other() {
    assert!(in_check(&red("Cg1 (hc)g2")));
}

/// The position of a FEN under both presets.
fn set_up(fen: &str) -> [CoTuLenh; 2] {
    [Rules::STANDARD, Rules::CLUB].map(|rules| CoTuLenh::from_text(fen, rules).unwrap())
}

#[test]
fn a_last_guard_promoted_by_a_suicide_can_let_an_air_force_through() {
    // The Anti-Air on e5 shoots down the Air Force from c5, which enters its zone and leaves it again. As the last guard it
    // would be heroic, with a zone that the Air Force does not leave before it reaches the commander.
    for position in set_up("3c7/10i/9i1/8t2/11/11/11/2f1G1C4/10g/11/11/10F r - - 0 1") {
        assert!(!legal(&position, "Fk1@k4"));
        assert!(legal(&position, "Fk1k2"));
    }
    for position in set_up("10f/11/11/10G/2F1g1c4/11/11/11/8T2/9I1/10I/3C7 b - - 0 1") {
        assert!(!legal(&position, "Fk12@k9"));
    }
}

#[test]
fn a_deployed_suicide_that_promotes_the_last_guard_needs_a_continuation() {
    for position in set_up("3c7/10i/9i1/8t2/6g4/11/11/2f1G1(FC)4/10i/11/11/11 r - - 0 1") {
        let after = after(&position, "Fg5>@g8");
        assert!(!legal(&after, "end"), "the commander is attacked");
        assert!(after.has_legal_move(), "but it can still move");
    }
}

#[test]
fn an_ordinary_last_guard_of_a_setup_is_promoted_by_every_step() {
    // Promoted, the Anti-Air stops an Air Force on its way to g7 …
    for position in set_up("3c7/10i/9i1/8t2/11/2f8/6C4/4G6/11/11/11/11 r - - 0 1") {
        assert!(legal(&position, "Cg6g7"));
    }
    // … and lets one through to g5.
    for position in set_up("3c7/10i/9i1/8t2/11/11/6C4/2f1G6/11/11/11/11 r - - 0 1") {
        assert!(!legal(&position, "Cg6g5"));
    }
}

#[test]
fn an_ordinary_attacker_of_a_setup_is_promoted_by_every_step() {
    for position in set_up("11/10i/9i1/8t2/11/11/4c6/2f1G1C4/11/11/11/3I6I r - - 0 1") {
        assert!(!legal(&position, "Id1d2"));
    }
}
