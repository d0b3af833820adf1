//! Draws and ends.

use sandtable_core::{Game, Outcome, PlayError, Player, Position as _};
use sandtable_tribun::{
    Answer, Conduct, DrawAct, DrawError, DrawTalk, End, Event, EventError, Position, Reason, Rules,
    TribunGame,
};

use crate::{actions, position};

const BLACK: Player = Player::First;
const WHITE: Player = Player::Second;

/// A game in which the given things were said about a draw.
fn talked(said: &[(Player, DrawAct)]) -> TribunGame {
    let mut game = Game::new(Rules::STANDARD);
    for &(actor, act) in said {
        game.happen(Event::Draw { actor, act }).unwrap();
    }
    game
}

fn says(game: &mut TribunGame, actor: Player, act: DrawAct) -> Result<(), EventError> {
    game.happen(Event::Draw { actor, act })
}

#[test]
fn one_offer_is_open_at_a_time() {
    for offerer in Player::ALL {
        let mut game = talked(&[(offerer, DrawAct::Offer)]);
        for player in Player::ALL {
            assert_eq!(says(&mut game, player, DrawAct::Offer), Err(DrawError::AlreadyOpen.into()));
        }
        assert_eq!(game.position().talk(), DrawTalk::Offered(offerer));
    }
}

#[test]
fn the_offerer_may_retract_and_the_other_may_not() {
    let mut game = talked(&[(WHITE, DrawAct::Offer)]);
    assert_eq!(says(&mut game, BLACK, DrawAct::Retract), Err(DrawError::NotYours.into()));
    assert_eq!(says(&mut game, WHITE, DrawAct::Retract), Ok(()));
    assert_eq!(game.position().talk(), DrawTalk::Silent);
    assert_eq!(says(&mut game, WHITE, DrawAct::Offer), Ok(()));
}

#[test]
fn the_other_may_accept_which_is_a_tie_and_the_offerer_may_not() {
    let mut game = talked(&[(BLACK, DrawAct::Offer)]);
    assert_eq!(says(&mut game, BLACK, DrawAct::Accept), Err(DrawError::YourOwn.into()));
    assert_eq!(says(&mut game, WHITE, DrawAct::Accept), Ok(()));
    let tie = Outcome::Draw { reason: Reason::Agreement };
    assert_eq!(game.outcome(), tie);
    assert_eq!(says(&mut game, BLACK, DrawAct::Retract), Err(PlayError::Over(tie).into()));
}

#[test]
fn the_other_may_decline_and_the_offerer_may_not() {
    let mut game = talked(&[(BLACK, DrawAct::Offer)]);
    assert_eq!(says(&mut game, BLACK, DrawAct::Decline), Err(DrawError::YourOwn.into()));
    assert_eq!(says(&mut game, WHITE, DrawAct::Decline), Ok(()));
    assert_eq!(game.position().talk(), DrawTalk::Declined(BLACK));
}

#[test]
fn nothing_can_be_answered_before_an_offer() {
    for said in [&[][..], &[(BLACK, DrawAct::Offer), (WHITE, DrawAct::Decline)]] {
        for act in [DrawAct::Retract, DrawAct::Accept, DrawAct::Decline] {
            for player in Player::ALL {
                assert_eq!(says(&mut talked(said), player, act), Err(DrawError::NoneOpen.into()));
            }
        }
    }
}

#[test]
fn who_was_declined_may_not_offer_again_until_the_other_has_offered() {
    let mut game = talked(&[(BLACK, DrawAct::Offer), (WHITE, DrawAct::Decline)]);
    assert_eq!(says(&mut game, BLACK, DrawAct::Offer), Err(DrawError::Blocked.into()));
    let action = game.position().legal_moves()[0];
    game.play(action).unwrap();
    assert_eq!(
        says(&mut game, BLACK, DrawAct::Offer),
        Err(DrawError::Blocked.into()),
        "a turn changes nothing"
    );
    assert_eq!(says(&mut game, WHITE, DrawAct::Offer), Ok(()));
    assert_eq!(says(&mut game, WHITE, DrawAct::Retract), Ok(()));
    assert_eq!(says(&mut game, BLACK, DrawAct::Offer), Ok(()));
}

/// Which is why a record may go from any of them to any other between two actions.
#[test]
fn whatever_was_said_anything_else_can_be_said_before_the_next_action() {
    let mut all = vec![DrawTalk::Silent];
    all.extend(Player::ALL.into_iter().flat_map(|p| [DrawTalk::Offered(p), DrawTalk::Declined(p)]));
    for &talk in &all {
        let mut reached = vec![talk];
        let mut next = 0;
        while let Some(&talk) = reached.get(next) {
            next += 1;
            for (actor, act) in Player::ALL.into_iter().flat_map(|p| DrawAct::ALL.map(|act| (p, act))) {
                if let Ok(Answer::Talk(after)) = talk.after(actor, act)
                    && !reached.contains(&after)
                {
                    reached.push(after);
                }
            }
        }
        assert_eq!(reached.len(), all.len(), "from {talk:?}");
    }
}

#[test]
fn offers_change_neither_board_nor_turn() {
    let quiet = TribunGame::new(Rules::STANDARD);
    let game = talked(&[(WHITE, DrawAct::Offer)]);
    assert_eq!(game.position().board(), quiet.position().board());
    assert_eq!(game.turn(), BLACK);
    assert_eq!(actions(game.position()), actions(quiet.position()));
    assert_eq!(game.position().hash64(), quiet.position().hash64());
    assert!(game.position().same_position(quiet.position()));
    assert_ne!(game.position(), quiet.position());
}

#[test]
fn an_offer_stays_open_over_moves_and_comes_back_with_undo() {
    let mut game = talked(&[(BLACK, DrawAct::Offer)]);
    let action = game.position().legal_moves()[0];
    game.play(action).unwrap();
    assert_eq!(game.position().talk(), DrawTalk::Offered(BLACK));
    says(&mut game, WHITE, DrawAct::Decline).unwrap();
    game.undo();
    assert_eq!(game, talked(&[(BLACK, DrawAct::Offer)]));
}

#[test]
fn resigning_loses_whoever_is_to_move() {
    for loser in Player::ALL {
        let mut game = TribunGame::new(Rules::STANDARD);
        game.happen(Event::End(End::Resign { loser })).unwrap();
        assert_eq!(game.outcome(), Outcome::Win { winner: !loser, reason: Reason::Resignation });
    }
}

/// Black's 1s have all gone up to the corner; nothing of Black's can move, attack, combine or split.
const STUCK: &str = "black:k11=2*,i9=1,i10=1,i11=1,j9=1,j10=1,j11=1,k9=1,k10=1 \
                     white:a1=1*,h8=1,h9=1,h10=1,h11=1,i8=1,j8=1,k8=1";

#[test]
fn no_board_action_at_ones_turn_loses() {
    let stuck = position(&format!("{STUCK} b"));
    assert_eq!((actions(&stuck).len(), stuck.count_legal(), stuck.has_legal_move()), (0, 0, false));
    let lost = Outcome::Win { winner: WHITE, reason: Reason::NoAction };
    assert_eq!(stuck.outcome(1), lost);
    let mut game = TribunGame::from_position(stuck);
    assert_eq!(game.happen(Event::End(End::NoAction { loser: BLACK })), Ok(()));
    assert_eq!(game.happen(Event::End(End::NoAction { loser: WHITE })), Err(EventError::HasAction));
    // It is only a loss at one's own turn.
    assert_eq!(position(&format!("{STUCK} w")).outcome(1), Outcome::Ongoing);
}

#[test]
fn nobody_can_claim_that_a_player_with_actions_has_none() {
    let mut game = TribunGame::new(Rules::STANDARD);
    assert_eq!(game.happen(Event::End(End::NoAction { loser: BLACK })), Err(EventError::HasAction));
    assert_eq!(game.outcome(), Outcome::Ongoing);
}

#[test]
fn ones_own_clock_running_out_loses_and_the_games_time_running_out_ties() {
    let mut game = TribunGame::new(Rules::STANDARD);
    game.happen(Event::End(End::PlayerTime { loser: WHITE })).unwrap();
    assert_eq!(game.outcome(), Outcome::Win { winner: BLACK, reason: Reason::PlayerTime });
    let mut game = TribunGame::new(Rules::STANDARD);
    game.happen(Event::End(End::GameTime)).unwrap();
    assert_eq!(game.outcome(), Outcome::Draw { reason: Reason::GameTime });
}

#[test]
fn there_is_no_repetition_rule() {
    let start = Position::start(Rules::STANDARD);
    assert_eq!(start.outcome(100), Outcome::Ongoing);
}

#[test]
fn nothing_happens_after_the_end() {
    let mut game = TribunGame::new(Rules::STANDARD);
    let action = game.position().legal_moves()[0];
    game.happen(Event::End(End::Resign { loser: BLACK })).unwrap();
    let over = Err(PlayError::Over(game.outcome()).into());
    let ended = game.clone();
    assert_eq!(game.happen(Event::Board(action)), over);
    assert_eq!(game.happen(Event::Draw { actor: BLACK, act: DrawAct::Offer }), over);
    assert_eq!(game.happen(Event::End(End::GameTime)), over);
    assert_eq!(game, ended);
}
