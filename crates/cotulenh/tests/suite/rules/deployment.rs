use sandtable_core::Outcome;
use sandtable_cotulenh::{Deployment, Ending, Reason};

use super::*;

#[test]
fn groups_leave_one_after_another_and_the_rest_stays() {
    let position = after(&red("(FTI)g4"), "Ig4>g5 Tg4>e4 end");
    assert_eq!(["g4", "g5", "e4"].map(|square| on(&position, square)), ["F", "I", "T"].map(String::from));
    assert_eq!(position.turn(), Player::Second);
}

#[test]
fn each_group_moves_as_its_own_carrier() {
    let expected = "T>g5 T>g6 T>g3 T>g2 T>f4 T>e4 T>h4 T>i4 I>g5 I>g3 I>f4 I>h4";
    assert_deploys(&red("(TI)g4"), "g4", expected);
}

#[test]
fn groups_are_any_subsets() {
    let position = red("(FTI)g4");
    for group in ["F", "T", "I", "(FT)", "(FI)", "(TI)"] {
        assert!(legal(&position, &format!("{group}g4>g5")), "{group}");
    }
}

#[test]
fn steps_take_effect_at_once_and_the_side_to_move_changes_at_the_end() {
    let midway = after(&red("(TI)g4"), "Tg4>g6");
    assert_eq!((on(&midway, "g4"), on(&midway, "g6")), ("I".into(), "T".into()));
    assert_eq!(midway.turn(), Player::First);
    assert_eq!(after(&midway, "end").turn(), Player::Second);
}

#[test]
fn the_first_step_is_made_by_a_proper_subset() {
    assert!(!legal(&red("(TI)g4"), "(TI)g4>g5"));
    assert!(legal(&red("(TI)g4"), "(TI)g4g5"));
}

#[test]
fn later_steps_are_made_by_any_pending_pieces_of_the_same_stack() {
    let midway = after(&red("(FTI)g4 Me1"), "Fg4>g8");
    let steps: BTreeSet<_> = midway.legal_moves().into_iter().map(|step| midway.move_text(step)).collect();
    for step in ["(TI)g4>g6", "Tg4>g6", "Ig4>g5", "end"] {
        assert!(steps.contains(step), "{step}");
    }
    assert!(steps.iter().all(|step| step.contains("g4>") || step == "end"), "{steps:?}");
}

#[test]
fn a_group_that_stay_captured_has_acted_though_it_is_still_there() {
    let midway = after(&red("(NT)c4 ie4"), "Nc4>_e4");
    assert_eq!(on(&midway, "c4"), "(NT)");
    assert_eq!(midway.deployment().map(Deployment::pending), Some(kinds("T")));
    assert!(legal(&midway, "Tc4>c5") && !legal(&midway, "Nc4>c5"));
}

#[test]
fn a_later_group_may_combine_with_one_that_left_before() {
    let midway = after(&red("(FTI)g4"), "Tg4>g5");
    assert!(legal(&midway, "Ig4>&g5"));
    assert_eq!(on(&after(&midway, "Ig4>&g5 end"), "g5"), "(TI)");
}

#[test]
fn the_player_may_end_the_turn_after_any_step() {
    assert!(legal(&after(&red("(FTI)g4"), "Fg4>g8"), "end"));
    assert!(legal(&after(&red("(FTI)g4"), "Fg4>g8 Tg4>g6"), "end"));
    assert!(!legal(&red("(FTI)g4"), "end"));
}

#[test]
fn a_turn_may_not_end_while_pieces_wait_where_they_may_not_stand() {
    let midway = after(&red("(NF)a4"), "Na4>a5");
    assert!(!legal(&midway, "end"));
    assert!(legal(&midway, "Fa4>c4"));
}

#[test]
fn a_step_that_strands_pieces_is_not_legal() {
    // The Infantry on a4 is surrounded by water.
    assert_deploys(&red("(NI)a4"), "a4", "");
    // From b4 it can reach c4 before or after the Navy leaves.
    assert!(legal(&red("(NI)b4"), "Nb4>b6") && legal(&red("(NI)b4"), "Ib4>c4"));
}

#[test]
fn a_piece_that_waits_at_sea_may_not_stay_there_by_a_stay_capture() {
    // After the Navy has left, the Militia could capture the Navy on a1, but would stay at sea.
    let position = red("(NM)a2 na1");
    assert!(!legal(&position, "Na2>a3"));
    assert!(legal(&position, "Ma2>_a1"));
}

#[test]
fn the_turn_ends_by_itself_when_nothing_is_pending() {
    let position = after(&red("(TI)g4"), "Tg4>g6 Ig4>g5");
    assert_eq!((position.turn(), position.deployment()), (Player::Second, None));
}

#[test]
fn a_sequence_may_pass_through_a_danger_that_it_resolves() {
    // The commander on g1 is in check by the Tank on g3. The Infantry can block, before or after its Tank leaves.
    let position = red("Cg1 (TI)f2 tg3 Hf1 Hh1");
    assert!(!legal(&position, "Tf2f4"));
    assert!(legal(&position, "If2>g2"));
    // The Tank's step alone leaves the commander in check; it is legal because the Infantry can block afterwards.
    assert!(legal(&position, "Tf2>f4"));
    let midway = after(&position, "Tf2>f4");
    assert_eq!(midway.in_check(), Some(true));
    let steps: Vec<_> = midway.legal_moves().into_iter().map(|step| midway.move_text(step)).collect();
    assert_eq!(steps, ["If2>g2"]);
}

#[test]
fn no_player_is_stuck_inside_a_deployment() {
    // No sequence of steps of the stack ends the check, so none is legal.
    let position = red("Cg1 (TI)c9 tg3");
    assert_deploys(&position, "c9", "");
}

#[test]
fn a_commander_may_leave_a_stack() {
    let position = after(&red("(TC)g1 Hd1"), "Cg1>f1 end");
    assert_eq!((on(&position, "g1"), on(&position, "f1")), ("T".into(), "C".into()));
}

#[test]
fn a_capture_of_the_commander_ends_the_turn_at_once() {
    let position = after(&red("(FTI)g4 cg6 hf6"), "Tg4>xg6");
    assert_eq!((position.deployment(), position.turn()), (None, Player::Second));
    assert!(position.legal_moves().is_empty());
    let won = Outcome::Win { winner: Player::First, reason: Reason::Rule(Ending::CommanderCaptured) };
    assert_eq!(position.outcome(1), won);
}

#[test]
fn a_capture_of_the_commander_is_legal_only_if_the_turn_may_end_there() {
    // The Air Force would be left at sea.
    let position = red("(NF)a6 cc8 hd12");
    assert!(!legal(&position, "Na6>xc8"));
    assert!(legal(&position, "(NF)a6xc8"));
    // The mover's commander would stay in check.
    assert!(!legal(&red("Cg1 tg3 (FTI)e8 ce10 hd12"), "Te8>xe10"));
    assert!(legal(&red("Cg1 tg4 (FTI)e8 ce10 hd12"), "Te8>xe10"));
}
