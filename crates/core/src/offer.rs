//! Draw offers: who may say what, and what is left of it in the position.

use crate::Player;

/// What the two have said about a draw, as far as it still matters.
///
/// No two of these can be true at once: an offer lifts the block on the other side, and a blocked side cannot offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DrawTalk {
    /// Nothing: both may offer.
    #[default]
    Silent,
    /// This player's offer is open.
    Offered(Player),
    /// This player's offer was declined: only the other may offer next.
    Declined(Player),
}

/// Something to say about a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawAct {
    /// "Shall we call it a draw?"
    Offer,
    /// The offerer takes it back.
    Retract,
    /// The other agrees: the game is drawn.
    Accept,
    /// The other refuses.
    Decline,
}

impl DrawAct {
    /// All acts, in the order of their numbers on the wire.
    pub const ALL: [Self; 4] = [Self::Offer, Self::Retract, Self::Accept, Self::Decline];
}

/// Why something cannot be said now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// There can be one offer at a time.
    #[error("a draw offer is already open")]
    AlreadyOpen,
    /// A declined offer is not repeated.
    #[error("a declined player may not offer a draw again before the other has")]
    Blocked,
    /// There is nothing to retract, accept or decline.
    #[error("no draw offer is open")]
    NoneOpen,
    /// Only the offerer can retract.
    #[error("the open draw offer is the other player's: accept or decline it")]
    NotYours,
    /// Only the other can accept or decline.
    #[error("the open draw offer is the player's own: only the other can answer it")]
    YourOwn,
}

/// What follows from something said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The game goes on with this said.
    Talk(DrawTalk),
    /// The two agree: the game is drawn.
    Agreed,
}

impl DrawTalk {
    /// What follows when `actor` says `act`.
    pub fn after(self, actor: Player, act: DrawAct) -> Result<Answer, DrawError> {
        let talk = match (act, self) {
            (DrawAct::Offer, Self::Offered(_)) => return Err(DrawError::AlreadyOpen),
            (DrawAct::Offer, Self::Declined(blocked)) if blocked == actor => return Err(DrawError::Blocked),
            (DrawAct::Offer, _) => Self::Offered(actor),
            (_, Self::Silent | Self::Declined(_)) => return Err(DrawError::NoneOpen),
            (DrawAct::Retract, Self::Offered(offerer)) if offerer == actor => Self::Silent,
            (DrawAct::Retract, _) => return Err(DrawError::NotYours),
            (_, Self::Offered(offerer)) if offerer == actor => return Err(DrawError::YourOwn),
            (DrawAct::Accept, _) => return Ok(Answer::Agreed),
            (DrawAct::Decline, Self::Offered(offerer)) => Self::Declined(offerer),
        };
        Ok(Answer::Talk(talk))
    }

    /// The same talk with the players swapped.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Silent => Self::Silent,
            Self::Offered(player) => Self::Offered(!player),
            Self::Declined(player) => Self::Declined(!player),
        }
    }
}
