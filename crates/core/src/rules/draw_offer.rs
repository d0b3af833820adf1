//! Draw offers: a small state machine beside the game.

use crate::{Describe, Player, Position};

/// The state of the draw offer between the two players.
///
/// The states exclude each other: an offer clears a declined offer of the opponent, and a player whose last offer was
/// declined cannot offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DrawOffer {
    /// No offer is open; both players may offer.
    #[default]
    None,
    /// This player's offer is open.
    Open(Player),
    /// This player's offer was declined: only the opponent may offer next.
    Declined(Player),
}

/// A player's action on the draw offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawAction {
    /// Offers a draw.
    Offer,
    /// Retracts one's own open offer.
    Retract,
    /// Accepts the opponent's offer: the game is drawn.
    Accept,
    /// Declines the opponent's offer.
    Decline,
}

impl DrawAction {
    /// All actions, in the order of their numbers on the wire.
    pub const ALL: [Self; 4] = [Self::Offer, Self::Retract, Self::Accept, Self::Decline];
}

/// The reason why a draw action is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("draw_offer")]
#[non_exhaustive]
pub enum DrawError {
    /// There can be one open offer at a time.
    #[error("a draw offer is already open")]
    AlreadyOpen,
    /// The player's last offer was declined and the opponent has not offered since.
    #[error("your last draw offer was declined: you may offer again after your opponent has offered")]
    Declined,
    /// There is no offer to retract, accept or decline.
    #[error("no draw offer is open")]
    NoOffer,
    /// Only the offering player can retract.
    #[error("the open draw offer is your opponent's: accept or decline it")]
    OpponentsOffer,
    /// Only the opponent can accept or decline.
    #[error("the open draw offer is your own: only your opponent can accept or decline it")]
    OwnOffer,
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
}

/// The result of a draw action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawUpdate {
    /// The game continues with this draw offer.
    Changed(DrawOffer),
    /// Both players agree: the game is drawn.
    Agreed,
}

impl DrawOffer {
    /// Applies an action of `actor`.
    pub fn apply(self, actor: Player, action: DrawAction) -> Result<DrawUpdate, DrawError> {
        let offer = match (action, self) {
            (DrawAction::Offer, Self::Open(_)) => return Err(DrawError::AlreadyOpen),
            (DrawAction::Offer, Self::Declined(blocked)) if blocked == actor => {
                return Err(DrawError::Declined);
            }
            (DrawAction::Offer, _) => Self::Open(actor),
            (_, Self::None | Self::Declined(_)) => return Err(DrawError::NoOffer),
            (DrawAction::Retract, Self::Open(offerer)) if offerer == actor => Self::None,
            (DrawAction::Retract, _) => return Err(DrawError::OpponentsOffer),
            (_, Self::Open(offerer)) if offerer == actor => return Err(DrawError::OwnOffer),
            (DrawAction::Accept, _) => return Ok(DrawUpdate::Agreed),
            (DrawAction::Decline, Self::Open(offerer)) => Self::Declined(offerer),
        };
        Ok(DrawUpdate::Changed(offer))
    }

    /// The state after a move of `mover`. In games where offers lapse, the move clears an open offer of the opponent.
    #[must_use]
    pub fn after_move<P: Position>(self, mover: Player) -> Self {
        if P::DRAW_OFFERS_LAPSE && self == Self::Open(!mover) { Self::None } else { self }
    }

    /// The same state with the players swapped.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::None => Self::None,
            Self::Open(player) => Self::Open(!player),
            Self::Declined(player) => Self::Declined(!player),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Player = Player::First;
    const B: Player = Player::Second;

    #[test]
    fn every_state_answers_every_action() {
        use DrawAction::{Accept, Decline, Offer, Retract};
        use DrawError::{AlreadyOpen, Declined, NoOffer, OpponentsOffer, OwnOffer};
        let changed = |offer| Ok(DrawUpdate::Changed(offer));
        let table = [
            (DrawOffer::None, A, Offer, changed(DrawOffer::Open(A))),
            (DrawOffer::None, A, Retract, Err(NoOffer)),
            (DrawOffer::None, B, Accept, Err(NoOffer)),
            (DrawOffer::None, B, Decline, Err(NoOffer)),
            (DrawOffer::Open(A), A, Offer, Err(AlreadyOpen)),
            (DrawOffer::Open(A), B, Offer, Err(AlreadyOpen)),
            (DrawOffer::Open(A), A, Retract, changed(DrawOffer::None)),
            (DrawOffer::Open(A), B, Retract, Err(OpponentsOffer)),
            (DrawOffer::Open(A), A, Accept, Err(OwnOffer)),
            (DrawOffer::Open(A), A, Decline, Err(OwnOffer)),
            (DrawOffer::Open(A), B, Accept, Ok(DrawUpdate::Agreed)),
            (DrawOffer::Open(A), B, Decline, changed(DrawOffer::Declined(A))),
            (DrawOffer::Declined(A), A, Offer, Err(Declined)),
            (DrawOffer::Declined(A), B, Offer, changed(DrawOffer::Open(B))),
            (DrawOffer::Declined(A), A, Retract, Err(NoOffer)),
            (DrawOffer::Declined(A), B, Accept, Err(NoOffer)),
        ];
        for (offer, actor, action, expected) in table {
            assert_eq!(offer.apply(actor, action), expected, "{offer:?} {actor:?} {action:?}");
            let mirrored = expected.map(|update| match update {
                DrawUpdate::Changed(offer) => DrawUpdate::Changed(offer.mirrored()),
                DrawUpdate::Agreed => DrawUpdate::Agreed,
            });
            assert_eq!(offer.mirrored().apply(!actor, action), mirrored);
        }
    }
}
