//! Draw offers and ends of games.

use sandtable_core::learn::Layout;
use sandtable_core::rules::PlayError;
use sandtable_core::{Notation as _, Outcome, Player, Position};
use sandtable_tribun::{
    DrawAction, DrawError, DrawOffer, DrawUpdate, End, Ending, Event, EventError, Reason, Rules, Tribun,
    TribunExt, TribunGame,
};

use super::{actions, position};

const BLACK: Player = Player::First;
const WHITE: Player = Player::Second;

/// A new game after these draw actions.
fn game_after(actions: &[(Player, DrawAction)]) -> TribunGame {
    let mut game = TribunGame::new(Rules::STANDARD);
    for &(actor, action) in actions {
        draw(&mut game, actor, action).unwrap();
    }
    game
}

fn draw(game: &mut TribunGame, actor: Player, action: DrawAction) -> Result<(), EventError> {
    game.apply(Event::Draw { actor, action })
}

#[test]
fn only_one_offer_can_be_open() {
    for offerer in Player::ALL {
        let mut game = game_after(&[(offerer, DrawAction::Offer)]);
        for player in Player::ALL {
            assert_eq!(draw(&mut game, player, DrawAction::Offer), Err(DrawError::AlreadyOpen.into()));
        }
        assert_eq!(game.draw_offer(), DrawOffer::Open(offerer));
    }
}

#[test]
fn only_the_offerer_can_retract() {
    let mut game = game_after(&[(WHITE, DrawAction::Offer)]);
    assert_eq!(draw(&mut game, BLACK, DrawAction::Retract), Err(DrawError::OpponentsOffer.into()));
    assert_eq!(draw(&mut game, WHITE, DrawAction::Retract), Ok(()));
    assert_eq!(game.draw_offer(), DrawOffer::None);
    assert_eq!(draw(&mut game, WHITE, DrawAction::Offer), Ok(()));
}

#[test]
fn only_the_opponent_can_accept_which_draws_the_game() {
    let mut game = game_after(&[(BLACK, DrawAction::Offer)]);
    assert_eq!(draw(&mut game, BLACK, DrawAction::Accept), Err(DrawError::OwnOffer.into()));
    assert_eq!(draw(&mut game, WHITE, DrawAction::Accept), Ok(()));
    let drawn = Outcome::Draw { reason: Reason::Agreement };
    assert_eq!(game.outcome(), drawn);
    assert_eq!(draw(&mut game, BLACK, DrawAction::Retract), Err(PlayError::Over(drawn).into()));
}

#[test]
fn only_the_opponent_can_decline() {
    let mut game = game_after(&[(BLACK, DrawAction::Offer)]);
    assert_eq!(draw(&mut game, BLACK, DrawAction::Decline), Err(DrawError::OwnOffer.into()));
    assert_eq!(draw(&mut game, WHITE, DrawAction::Decline), Ok(()));
    assert_eq!(game.draw_offer(), DrawOffer::Declined(BLACK));
}

#[test]
fn answers_need_an_open_offer() {
    for before in [&[][..], &[(BLACK, DrawAction::Offer), (WHITE, DrawAction::Decline)]] {
        for action in [DrawAction::Retract, DrawAction::Accept, DrawAction::Decline] {
            for player in Player::ALL {
                assert_eq!(draw(&mut game_after(before), player, action), Err(DrawError::NoOffer.into()));
            }
        }
    }
}

#[test]
fn a_declined_player_cannot_offer_again_until_the_opponent_has_offered() {
    let mut game = game_after(&[(BLACK, DrawAction::Offer), (WHITE, DrawAction::Decline)]);
    assert_eq!(draw(&mut game, BLACK, DrawAction::Offer), Err(DrawError::Declined.into()));
    let action = game.position().legal_moves()[0];
    game.play(action).unwrap();
    assert_eq!(
        draw(&mut game, BLACK, DrawAction::Offer),
        Err(DrawError::Declined.into()),
        "an action does not allow a new offer"
    );
    assert_eq!(draw(&mut game, WHITE, DrawAction::Offer), Ok(()));
    assert_eq!(draw(&mut game, WHITE, DrawAction::Retract), Ok(()));
    assert_eq!(draw(&mut game, BLACK, DrawAction::Offer), Ok(()));
}

/// A record may therefore change from any state to any other between two actions.
#[test]
fn every_state_of_the_draw_offer_is_reachable_from_every_other() {
    let mut all = vec![DrawOffer::None];
    all.extend(Player::ALL.into_iter().flat_map(|p| [DrawOffer::Open(p), DrawOffer::Declined(p)]));
    for &first in &all {
        let mut reached = vec![first];
        let mut next = 0;
        while let Some(&offer) = reached.get(next) {
            next += 1;
            for (actor, action) in Player::ALL.into_iter().flat_map(|p| DrawAction::ALL.map(|a| (p, a))) {
                if let Ok(DrawUpdate::Changed(after)) = offer.apply(actor, action)
                    && !reached.contains(&after)
                {
                    reached.push(after);
                }
            }
        }
        assert_eq!(reached.len(), all.len(), "from {first:?}");
    }
}

#[test]
fn offers_belong_to_the_game_and_not_to_the_position() {
    let quiet = TribunGame::new(Rules::STANDARD);
    let game = game_after(&[(WHITE, DrawAction::Offer)]);
    assert_eq!(game.position(), quiet.position());
    assert_eq!(game.draw_offer(), DrawOffer::Open(WHITE));
    // The text and the observation of the game show the offer.
    assert_eq!(game.position_text(), game.position().to_text_with_offer(DrawOffer::Open(WHITE)));
    assert_ne!(game.position_text(), quiet.position_text());
    assert_ne!(game.observe(Layout::Hwc), quiet.observe(Layout::Hwc));
}

#[test]
fn an_offer_stays_open_over_actions_and_undo_restores_it() {
    let mut game = game_after(&[(BLACK, DrawAction::Offer)]);
    let action = game.position().legal_moves()[0];
    game.play(action).unwrap();
    assert_eq!(game.draw_offer(), DrawOffer::Open(BLACK));
    draw(&mut game, WHITE, DrawAction::Decline).unwrap();
    game.undo();
    assert_eq!((game.ply(), game.draw_offer()), (0, DrawOffer::Open(BLACK)));
}

#[test]
fn either_player_can_resign() {
    for loser in Player::ALL {
        let mut game = TribunGame::new(Rules::STANDARD);
        game.apply(Event::End(End::Resign { loser })).unwrap();
        assert_eq!(game.outcome(), Outcome::Win { winner: !loser, reason: Reason::Resignation });
    }
}

/// Black's units are stuck in the corner: none can move, attack, combine or split.
const STUCK: &str = "black:k11=2*,i9=1,i10=1,i11=1,j9=1,j10=1,j11=1,k9=1,k10=1 \
                     white:a1=1*,h8=1,h9=1,h10=1,h11=1,i8=1,j8=1,k8=1";

#[test]
fn a_player_to_move_without_a_legal_action_loses() {
    let stuck = position(&format!("{STUCK} b"));
    assert_eq!((actions(&stuck).len(), stuck.count_legal(), stuck.has_legal_move()), (0, 0, false));
    let lost = Outcome::Win { winner: WHITE, reason: Reason::Rule(Ending::NoAction) };
    assert_eq!(stuck.outcome(1), lost);
    let mut game = TribunGame::from_position(stuck);
    assert_eq!(game.apply(Event::End(End::NoAction { loser: BLACK })), Ok(()));
    assert_eq!(game.apply(Event::End(End::NoAction { loser: WHITE })), Err(EventError::HasAction));
    // Only the player to move loses.
    assert_eq!(position(&format!("{STUCK} w")).outcome(1), Outcome::Ongoing);
}

#[test]
fn a_false_claim_of_no_action_is_rejected() {
    let mut game = TribunGame::new(Rules::STANDARD);
    assert_eq!(game.apply(Event::End(End::NoAction { loser: BLACK })), Err(EventError::HasAction));
    assert_eq!(game.outcome(), Outcome::Ongoing);
}

#[test]
fn a_player_out_of_time_loses_and_a_game_out_of_time_is_drawn() {
    let mut game = TribunGame::new(Rules::STANDARD);
    game.apply(Event::End(End::PlayerTime { loser: WHITE })).unwrap();
    assert_eq!(game.outcome(), Outcome::Win { winner: BLACK, reason: Reason::Time });
    let mut game = TribunGame::new(Rules::STANDARD);
    game.apply(Event::End(End::GameTime)).unwrap();
    assert_eq!(game.outcome(), Outcome::Draw { reason: Reason::GameTime });
}

#[test]
fn there_is_no_repetition_rule() {
    let start = Tribun::start(Rules::STANDARD);
    assert_eq!(start.outcome(100), Outcome::Ongoing);
}

#[test]
fn events_after_the_end_are_rejected() {
    let mut game = TribunGame::new(Rules::STANDARD);
    let action = game.position().legal_moves()[0];
    game.apply(Event::End(End::Resign { loser: BLACK })).unwrap();
    let over = Err(PlayError::Over(game.outcome()).into());
    let ended = game.clone();
    assert_eq!(game.apply(Event::Board(action)), over);
    assert_eq!(game.apply(Event::Draw { actor: BLACK, action: DrawAction::Offer }), over);
    assert_eq!(game.apply(Event::End(End::GameTime)), over);
    assert_eq!(game, ended);
}

#[test]
fn repeated_positions_are_counted_until_height_is_lost() {
    let text = "black:a1=1*,f6=2,f7=1 white:c4=2,g7=1,k11=1* b -";
    let mut game = TribunGame::from_text(text, Rules::STANDARD).unwrap();
    for occurrences in [1, 2, 3] {
        assert_eq!((game.occurrences(), game.outcome()), (occurrences, Outcome::Ongoing));
        for action in ["f6-g8", "c4-e5", "g8-f6", "e5-c4"] {
            game.play_text(action).unwrap();
        }
    }
    // A kill removes height, so no earlier position can occur again.
    game.play_text("f7xg7").unwrap();
    assert_eq!(game.occurrences(), 1);
}

#[test]
fn only_a_loss_of_height_is_irreversible() {
    let before = position("black:a1=1*,f6=3/2,f7=1 white:k11=1*,g7=1 b");
    let lost = |action: &str| before.after(before.parse_move(action).unwrap()).is_irreversible_from(&before);
    assert_eq!(["f7-g8", "f7xg7"].map(lost), [false, true]);
    assert_eq!(before.board().total_height(), 1 + (3 + 2) + 1 + 1 + 1);
}

/// A player may leave the tribun under attack; only the attack itself ends the game.
#[test]
fn there_is_no_check() {
    assert_eq!(position("black:a1=1*,i9=2 white:k10=1*,a6=2 w").in_check(), None);
}
