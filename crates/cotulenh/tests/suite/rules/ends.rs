use super::*;
use sandtable_core::{Game, Outcome};
use sandtable_cotulenh::{Ending, Reason};

#[test]
fn a_side_without_its_commander_has_lost() {
    let position = after(&red("Tg6 cg8 hf8"), "Tg6xg8");
    let won = Outcome::Win { winner: Player::First, reason: Reason::Rule(Ending::CommanderCaptured) };
    assert_eq!(position.outcome(1), won);
    assert!(position.legal_moves().is_empty());
}

#[test]
fn attacked_without_a_legal_turn_is_checkmate() {
    // Artillery attacks k12 and both escape squares, and cannot be blocked.
    let position = blue("Ak9 Aj9 Ah12 Hd1");
    assert_eq!(position.in_check(), Some(true));
    let mated = Outcome::Win { winner: Player::First, reason: Reason::Rule(Ending::Checkmate) };
    assert_eq!(position.outcome(1), mated);
}

#[test]
fn no_legal_turn_and_not_attacked_is_stalemate() {
    // Red's commander faces j12, and the Headquarters on k11 is protected by the Artillery.
    let position = blue("Hk11 Ah11");
    assert_eq!(position.in_check(), Some(false));
    assert_eq!(position.outcome(1), Outcome::Draw { reason: Reason::Rule(Ending::Stalemate) });
}

fn shuffle(game: &mut Game<CoTuLenh>, times: usize) {
    for text in ["Ie2e3", "Id9d8", "Ie3e2", "Id8d9"].repeat(times) {
        game.play(game.position().parse_move(text).unwrap()).unwrap();
    }
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let mut game = Game::from_position(red("Ie2 id9 Hd1 hf12"));
    shuffle(&mut game, 1);
    assert_eq!((game.occurrences(), game.outcome()), (2, Outcome::Ongoing));
    shuffle(&mut game, 1);
    assert_eq!(game.outcome(), Outcome::Draw { reason: Reason::Rule(Ending::Threefold) });
}

#[test]
fn a_position_is_placement_side_to_move_and_deployment() {
    let position = red("(TI)g4 Hd1 hf12");
    let midway = after(&position, "Tg4>g6");
    assert!(!midway.same_position(&by_rules(Rules::STANDARD, 'r', "Tg6 Ig4 Hd1 hf12")));
    assert!(!position.same_position(&blue("(TI)g4 Hd1 hf12")));
    assert!(!position.same_position(&red("(+TI)g4 Hd1 hf12")));
    let mut later = position.to_setup();
    (later.halfmoves, later.fullmoves) = (7, 40);
    assert!(position.same_position(&CoTuLenh::from_setup(&later, Rules::STANDARD).unwrap()));
}

#[test]
fn a_hundred_turns_without_a_capture_are_a_draw() {
    let mut setup = red("Ie2 id9 Hd1 hf12 hd8").to_setup();
    setup.halfmoves = 99;
    let position = CoTuLenh::from_setup(&setup, Rules::STANDARD).unwrap();
    assert_eq!(position.outcome(1), Outcome::Ongoing);
    assert_eq!(
        after(&position, "Ie2e3").outcome(1),
        Outcome::Draw { reason: Reason::Rule(Ending::HundredTurns) }
    );
}

#[test]
fn a_capture_of_any_kind_resets_the_half_move_clock() {
    let cases = [("Tg4 ig5", "Tg4xg5"), ("Ic4 nb4", "Ic4_b4"), ("Fg2 gg5", "Fg2@g5")];
    for (pieces, capture) in cases {
        let mut setup = red(&format!("{pieces} Hd1 He1 hd12 he12")).to_setup();
        setup.halfmoves = 99;
        let position = CoTuLenh::from_setup(&setup, Rules::STANDARD).unwrap();
        assert_eq!(after(&position, capture).halfmoves(), 0, "{capture}");
    }
}

#[test]
fn half_moves_count_turns_and_full_moves_increase_after_blue() {
    let position = red("(FTI)g4 id9 Hd1 hf12");
    let midway = after(&position, "Fg4>g7 Tg4>g6");
    assert_eq!((midway.halfmoves(), midway.fullmoves()), (0, 1));
    let red_done = after(&midway, "end");
    assert_eq!((red_done.halfmoves(), red_done.fullmoves()), (1, 1));
    let blue_done = after(&red_done, "Id9d8");
    assert_eq!((blue_done.halfmoves(), blue_done.fullmoves()), (2, 2));
}

#[test]
fn a_capture_within_a_deployment_resets_the_half_move_clock() {
    let mut setup = red("(FTI)g4 ig6 Hd1 hf12 hd12").to_setup();
    setup.halfmoves = 50;
    let position = CoTuLenh::from_setup(&setup, Rules::STANDARD).unwrap();
    assert_eq!(after(&position, "Tg4>xg6 Fg4>g8 end").halfmoves(), 0);
    assert_eq!(after(&position, "Fg4>g8 Ig4>g5 end").halfmoves(), 51);
}
