//! Moves and attacks: what they ask and what they do.
//!
//! In most of these positions the target stands on g8, within reach of a 2 on f6 and a 1 on f8.

use sandtable_core::{Notation, Outcome, Player, Position as _};
use sandtable_tribun::{Position, Reason, Rules};

use crate::{actions_where, after, black_to_move, position, units};

/// The actions that attack.
fn assaults(position: &Position) -> Vec<String> {
    let is_damage = |text: &str| text.split_once('-').is_some_and(|(_, loss)| loss.parse::<u8>().is_ok());
    let is_donation = |text: &str| text.contains('>');
    actions_where(position, |text| {
        !is_donation(text) && (is_damage(text) || text.contains(['x', '+', '~', '#']))
    })
}

#[test]
fn move_by_part_0_takes_the_primary_and_liberates_the_slave_left_behind() {
    let held = black_to_move("f6=3/2", "");
    assert_eq!(units(&after(&held, "f6-i8")), ["i8=3", "f6=2"]);
}

#[test]
fn move_by_part_1_takes_the_whole_unit() {
    let held = black_to_move("f6=3/2", "");
    assert_eq!(units(&after(&held, "f6s-g8")), ["g8=3/2", ""]);
}

#[test]
fn any_subset_of_the_units_that_reach_a_target_attacks_it() {
    // Sums 1, 2 and 3 leave 3, 2 and 1 of a 4.
    let siege = black_to_move("f6=2,f8=1", "g8=4");
    assert_eq!(assaults(&siege), ["g8-1", "g8-2", "g8-3"]);
    let alone = black_to_move("f6=2", "g8=4");
    assert_eq!(assaults(&alone), ["g8-2"]);
}

#[test]
fn each_attacker_uses_one_of_its_parts() {
    // The 4's ray and the 3's leap meet on no tile; a 4 and its slave of 2 both reach g8, for 4 or for 2, never for 6.
    let siege = black_to_move("f6=4/2", "g8=8");
    assert_eq!(assaults(&siege), ["g8-2", "g8-4"]);
}

#[test]
fn damage_subtracts_and_does_nothing_else() {
    let siege = black_to_move("f6=2,f8=1", "g8=4,i9=2");
    assert_eq!(units(&after(&siege, "g8-2")), ["f6=2,f8=1", "g8=2,i9=2"]);
    let holder = black_to_move("f8=1", "g8=3/2");
    assert_eq!(units(&after(&holder, "g8-1")), ["f8=1", "g8=2/2"]);
}

#[test]
fn each_different_loss_is_one_action() {
    // 8 - 1 = 7 and 8 - 2 = 6 both leave 6; 8 - 3 = 5 leaves 4.
    let siege = black_to_move("f6=2,f8=1", "g8=8");
    assert_eq!(assaults(&siege), ["g8-2", "g8-4"]);
}

#[test]
fn a_sum_that_breaks_the_slave_property_liberates() {
    let siege = black_to_move("f8=1", "g8=2/4");
    assert_eq!(assaults(&siege), ["g8~"]);
    assert_eq!(units(&after(&siege, "g8~")), ["f8=1,g8=4", ""]);
}

#[test]
fn a_sum_that_reaches_the_height_of_a_holder_liberates_and_does_not_kill() {
    let siege = black_to_move("f6=2", "g8=2/1");
    assert_eq!(assaults(&siege), ["g8~"]);
    assert_eq!(units(&after(&siege, "g8~")), ["f6=2,g8=1", ""]);
}

#[test]
fn a_holder_can_be_damaged_or_freed_of_by_different_subsets() {
    let siege = black_to_move("f6=2,f8=1", "g8=3/2");
    assert_eq!(assaults(&siege), ["g8-1", "g8-2", "g8~"]);
}

#[test]
fn an_attack_short_of_the_height_kills_nobody() {
    assert!(assaults(&black_to_move("f6=2", "g8=3")).iter().all(|text| text == "g8-2"));
}

#[test]
fn whoever_takes_part_in_a_sufficient_attack_can_move_in() {
    let siege = black_to_move("f6=2,f8=1", "g8=3");
    assert_eq!(assaults(&siege), ["f6+g8", "f6xg8", "f8xg8", "g8-1", "g8-2"]);
    assert_eq!(units(&after(&siege, "f8xg8")), ["f6=2,g8=1", ""]);
    assert_eq!(units(&after(&siege, "f6xg8")), ["f8=1,g8=2", ""]);
    // The 1 is not needed, but may join and move in.
    assert!(black_to_move("f6=2,f8=1", "g8=2").parse_move("f8xg8").is_ok());
}

#[test]
fn a_killer_needs_a_subset_with_the_very_part_that_moves_in() {
    // Alone, the 4 kills a 3 and its slave of 2 does not.
    let siege = black_to_move("f6=4/2", "g8=3");
    assert_eq!(assaults(&siege), ["f6+g8", "f6xg8", "g8-2"]);
    let helped = black_to_move("f6=4/2,f8=1", "g8=3");
    assert!(helped.parse_move("f6sxg8").is_ok());
}

#[test]
fn a_killer_moves_in_as_in_a_move_with_that_part() {
    let siege = black_to_move("f6=4/2", "g8=2");
    assert_eq!(units(&after(&siege, "f6xg8")), ["g8=4", "f6=2"]);
    assert_eq!(units(&after(&siege, "f6sxg8")), ["g8=4/2", ""]);
}

#[test]
fn a_tribun_can_kill_and_takes_its_flag_along() {
    let siege = position("black:f6=2* white:k11=1*,g8=2 b");
    assert_eq!(assaults(&siege), ["f6xg8"]);
    assert_eq!(units(&after(&siege, "f6xg8"))[0], "g8=2*");
}

#[test]
fn an_enslaver_stands_on_the_targets_tile_with_the_target_as_its_slave() {
    let siege = black_to_move("f6=2", "g8=2");
    assert_eq!(units(&after(&siege, "f6+g8")), ["g8=2/2", ""]);
}

#[test]
fn an_enslaver_must_be_able_to_hold_the_target() {
    // Together 3: the 2 can hold a 3, the 1 cannot; a 6 holds nobody.
    let siege = black_to_move("f6=2,f8=1", "g8=3");
    assert!(siege.parse_move("f6+g8").is_ok());
    assert!(siege.parse_move("f8+g8").is_err());
    let six = black_to_move("f6=6", "g7=1");
    assert_eq!(assaults(&six), ["f6xg7"]);
}

#[test]
fn a_tribun_cannot_enslave() {
    let siege = position("black:f6=2* white:k11=1*,g8=2 b");
    assert!(siege.parse_move("f6+g8").is_err());
}

#[test]
fn an_enslaver_uses_its_primary() {
    // The slave of 2 reaches g8, the primary of 3 does not.
    let siege = black_to_move("f6=3/2", "g8=2");
    assert_eq!(assaults(&siege), ["f6sxg8"]);
}

#[test]
fn an_enslavers_own_slave_is_liberated() {
    let siege = black_to_move("f6=2/1", "g8=2");
    assert_eq!(units(&after(&siege, "f6+g8")), ["g8=2/2", "f6=1"]);
}

#[test]
fn a_holder_cannot_be_killed_or_enslaved() {
    let siege = black_to_move("f6=4", "g8=1/1");
    assert_eq!(assaults(&siege), ["g8~"]);
}

#[test]
fn any_unit_that_reaches_the_tribun_attacks_it_whatever_its_height() {
    let siege = position("black:a1=1*,f8=1,f6=3/2 white:g8=8* b");
    assert_eq!(assaults(&siege), ["f6#g8", "f8#g8"]);
}

#[test]
fn there_is_no_other_action_against_a_tribun() {
    let siege = position("black:a1=1*,f6=8,e4=4 white:g8=1* b");
    assert_eq!(assaults(&siege), ["f6#g8"]);
}

#[test]
fn attacking_the_tribun_wins_and_leaves_nothing_to_do() {
    let siege = position("black:a1=1*,f8=1 white:g8=8* b");
    let won = after(&siege, "f8#g8");
    let win = Outcome::Win { winner: Player::First, reason: Reason::TribunAttacked };
    assert_eq!(won.outcome(1), win);
    assert!(won.is_tribun_attacked());
    assert_eq!((won.count_legal(), won.legal_moves().len()), (0, 0));
    assert_eq!(won.board(), siege.board());
    assert!(won.to_text().ends_with("w - #"));
}

#[test]
fn ninety_has_no_enslaving() {
    let text = "black:a1=1*,f6=2 white:k11=1*,g8=2 b";
    let beginners = Position::from_text(text, Rules::NINETY).unwrap();
    assert_eq!(assaults(&beginners), ["f6xg8"]);
}
