//! Moves and attacks.
//!
//! In most positions the target is on g8, attacked by a 2 on f6 and a 1 on f8.

use std::collections::HashSet;

use sandtable_core::{Notation, Outcome, Player, Position};
use sandtable_tribun::{Action, Ending, Reason, Rules, Tribun};

use super::{actions_where, after, black_to_move, units};

/// The texts of the attacks.
fn attacks(position: &Tribun) -> Vec<String> {
    let is_damage = |text: &str| text.split_once('-').is_some_and(|(_, loss)| loss.parse::<u8>().is_ok());
    let is_combination = |text: &str| text.contains('>');
    actions_where(position, |text| {
        !is_combination(text) && (is_damage(text) || text.contains(['x', '+', '~', '#']))
    })
}

#[test]
fn a_move_by_the_primary_liberates_the_slave_left_behind() {
    let held = black_to_move("f6=3/2", "");
    assert_eq!(units(&after(&held, "f6-i8")), ["i8=3", "f6=2"]);
}

#[test]
fn a_move_by_the_slave_moves_the_whole_unit() {
    let held = black_to_move("f6=3/2", "");
    assert_eq!(units(&after(&held, "f6s-g8")), ["g8=3/2", ""]);
}

#[test]
fn any_subset_of_the_units_that_reach_a_target_attacks_it() {
    // Sums 1, 2 and 3 leave 3, 2 and 1 of a 4.
    let position = black_to_move("f6=2,f8=1", "g8=4");
    assert_eq!(attacks(&position), ["g8-1", "g8-2", "g8-3"]);
    let alone = black_to_move("f6=2", "g8=4");
    assert_eq!(attacks(&alone), ["g8-2"]);
}

#[test]
fn each_attacker_uses_one_of_its_parts() {
    // The 4 and its slave of height 2 both attack g8, with strength 4 or 2 but never 6.
    let position = black_to_move("f6=4/2", "g8=8");
    assert_eq!(attacks(&position), ["g8-2", "g8-4"]);
}

#[test]
fn damage_only_subtracts() {
    let position = black_to_move("f6=2,f8=1", "g8=4,i9=2");
    assert_eq!(units(&after(&position, "g8-2")), ["f6=2,f8=1", "g8=2,i9=2"]);
    let holder = black_to_move("f8=1", "g8=3/2");
    assert_eq!(units(&after(&holder, "g8-1")), ["f8=1", "g8=2/2"]);
}

#[test]
fn each_different_loss_is_one_action() {
    // 8 - 1 = 7 and 8 - 2 = 6 both leave 6; 8 - 3 = 5 leaves 4.
    let position = black_to_move("f6=2,f8=1", "g8=8");
    assert_eq!(attacks(&position), ["g8-2", "g8-4"]);
}

#[test]
fn a_sum_that_breaks_the_slave_property_liberates() {
    let position = black_to_move("f8=1", "g8=2/4");
    assert_eq!(attacks(&position), ["g8~"]);
    assert_eq!(units(&after(&position, "g8~")), ["f8=1,g8=4", ""]);
}

#[test]
fn a_sum_that_reaches_the_height_of_a_holder_liberates_and_does_not_kill() {
    let position = black_to_move("f6=2", "g8=2/1");
    assert_eq!(attacks(&position), ["g8~"]);
    assert_eq!(units(&after(&position, "g8~")), ["f6=2,g8=1", ""]);
}

#[test]
fn different_subsets_damage_and_liberate_a_holder() {
    let position = black_to_move("f6=2,f8=1", "g8=3/2");
    assert_eq!(attacks(&position), ["g8-1", "g8-2", "g8~"]);
}

#[test]
fn an_attack_below_the_height_does_not_kill() {
    assert_eq!(attacks(&black_to_move("f6=2", "g8=3")), ["g8-2"]);
}

#[test]
fn any_attacker_of_a_sufficient_attack_can_move_in() {
    let position = black_to_move("f6=2,f8=1", "g8=3");
    assert_eq!(attacks(&position), ["f6+g8", "f6xg8", "f8xg8", "g8-1", "g8-2"]);
    assert_eq!(units(&after(&position, "f8xg8")), ["f6=2,g8=1", ""]);
    assert_eq!(units(&after(&position, "f6xg8")), ["f8=1,g8=2", ""]);
    // The 1 is not needed, but can take part and move in.
    assert!(black_to_move("f6=2,f8=1", "g8=2").parse_move("f8xg8").is_ok());
}

#[test]
fn a_killer_needs_a_subset_with_the_part_that_moves_in() {
    // Alone, the 4 kills a 3, but its slave of height 2 does not.
    let position = black_to_move("f6=4/2", "g8=3");
    assert_eq!(attacks(&position), ["f6+g8", "f6xg8", "g8-2"]);
    let supported = black_to_move("f6=4/2,f8=1", "g8=3");
    assert!(supported.parse_move("f6sxg8").is_ok());
}

#[test]
fn a_killer_moves_in_like_a_move_with_its_part() {
    let position = black_to_move("f6=4/2", "g8=2");
    assert_eq!(units(&after(&position, "f6xg8")), ["g8=4", "f6=2"]);
    assert_eq!(units(&after(&position, "f6sxg8")), ["g8=4/2", ""]);
}

#[test]
fn a_tribun_can_kill_and_remains_the_tribun() {
    let position = super::position("black:f6=2* white:k11=1*,g8=2 b");
    assert_eq!(attacks(&position), ["f6xg8"]);
    assert_eq!(units(&after(&position, "f6xg8"))[0], "g8=2*");
}

#[test]
fn an_enslaver_moves_in_with_the_target_as_its_slave() {
    let position = black_to_move("f6=2", "g8=2");
    assert_eq!(units(&after(&position, "f6+g8")), ["g8=2/2", ""]);
}

#[test]
fn an_enslaver_must_be_able_to_hold_the_target() {
    // Their sum is 3. The 2 can hold a 3, the 1 cannot; a 6 cannot hold a slave.
    let position = black_to_move("f6=2,f8=1", "g8=3");
    assert!(position.parse_move("f6+g8").is_ok());
    assert!(position.parse_move("f8+g8").is_err());
    let six = black_to_move("f6=6", "g7=1");
    assert_eq!(attacks(&six), ["f6xg7"]);
}

#[test]
fn a_tribun_cannot_enslave() {
    let position = super::position("black:f6=2* white:k11=1*,g8=2 b");
    assert!(position.parse_move("f6+g8").is_err());
}

#[test]
fn an_enslaver_uses_its_primary() {
    // The slave of height 2 attacks g8, the primary of height 3 does not.
    let position = black_to_move("f6=3/2", "g8=2");
    assert_eq!(attacks(&position), ["f6sxg8"]);
}

#[test]
fn an_enslavers_own_slave_is_liberated() {
    let position = black_to_move("f6=2/1", "g8=2");
    assert_eq!(units(&after(&position, "f6+g8")), ["g8=2/2", "f6=1"]);
}

#[test]
fn a_holder_cannot_be_killed_or_enslaved() {
    let position = black_to_move("f6=4", "g8=1/1");
    assert_eq!(attacks(&position), ["g8~"]);
}

#[test]
fn units_of_any_height_attack_the_tribun() {
    let position = super::position("black:a1=1*,f8=1,f6=3/2 white:g8=8* b");
    assert_eq!(attacks(&position), ["f6#g8", "f8#g8"]);
}

#[test]
fn there_is_no_other_action_against_a_tribun() {
    let position = super::position("black:a1=1*,f6=8,e4=4 white:g8=1* b");
    assert_eq!(attacks(&position), ["f6#g8"]);
}

#[test]
fn attacking_the_tribun_wins_the_game() {
    let position = super::position("black:a1=1*,f8=1 white:g8=8* b");
    let won = after(&position, "f8#g8");
    let win = Outcome::Win { winner: Player::First, reason: Reason::Rule(Ending::TribunAttacked) };
    assert_eq!(won.outcome(1), win);
    assert!(won.is_tribun_attacked());
    assert_eq!((won.count_legal(), won.legal_moves().len()), (0, 0));
    assert_eq!(won.board(), position.board());
    assert!(won.to_text().ends_with("w - #"));
}

#[test]
fn ninety_has_no_enslaving() {
    let text = "black:a1=1*,f6=2 white:k11=1*,g8=2 b";
    let beginners = Tribun::from_text(text, Rules::NINETY).unwrap();
    assert_eq!(attacks(&beginners), ["f6xg8"]);
}

#[test]
fn mirrored_actions_are_the_legal_actions_of_the_mirror() {
    for text in [
        "black:a1=1*,f6=3/2,e5=4/8,d6=1/1,c3=2/4 white:k11=4*,g8=2/3,h7=4/1,i6=6,g5=8 b",
        "black:a1=1*,g7=1,e6=1,f5=1 white:k11=1* b",
        "black:a1=1*,f8=1,f6=3 white:g8=8*,k11=1 b",
    ] {
        let position = super::position(text);
        let mirrored: HashSet<_> = position.legal_moves().into_iter().map(Action::mirrored).collect();
        assert_eq!(mirrored, position.mirrored().legal_moves().into_iter().collect(), "{text}");
    }
}
