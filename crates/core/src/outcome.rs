//! How a game stands: going on, won by somebody, or drawn, and why.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use crate::Player;

/// Why a game ended. Each game has its own list; three reasons exist in all of them.
pub trait EndReason: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static {
    /// A player gave up.
    const RESIGNATION: Self;
    /// The players agreed to a draw.
    const AGREEMENT: Self;
    /// A player's time ran out.
    const TIME: Self;
}

/// The state of a game, with the winner named and the reason given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome<R> {
    /// Nobody has won and nothing is drawn yet.
    Ongoing,
    /// `winner` has won.
    Win {
        /// Who won.
        winner: Player,
        /// Why.
        reason: R,
    },
    /// Nobody won.
    Draw {
        /// Why.
        reason: R,
    },
}

impl<R> Outcome<R> {
    /// Is the game over?
    #[must_use]
    pub const fn is_over(&self) -> bool {
        !matches!(self, Self::Ongoing)
    }

    /// Who won, if anybody did.
    #[must_use]
    pub const fn winner(&self) -> Option<Player> {
        match self {
            Self::Win { winner, .. } => Some(*winner),
            _ => None,
        }
    }

    /// The result for `player`: 1 won, 0 drawn, −1 lost; nothing while the game goes on.
    #[must_use]
    pub fn value_for(&self, player: Player) -> Option<f32> {
        match self {
            Self::Ongoing => None,
            Self::Draw { .. } => Some(0.0),
            Self::Win { winner, .. } => Some(if *winner == player { 1.0 } else { -1.0 }),
        }
    }

    /// The same outcome with its reason put another way.
    pub fn map<S>(self, f: impl FnOnce(R) -> S) -> Outcome<S> {
        match self {
            Self::Ongoing => Outcome::Ongoing,
            Self::Win { winner, reason } => Outcome::Win { winner, reason: f(reason) },
            Self::Draw { reason } => Outcome::Draw { reason: f(reason) },
        }
    }
}

impl<R: Copy> Outcome<R> {
    /// Why the game ended, if it did.
    #[must_use]
    pub const fn reason(&self) -> Option<R> {
        match self {
            Self::Win { reason, .. } | Self::Draw { reason } => Some(*reason),
            Self::Ongoing => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_is_the_other_players_loss() {
        let won = Outcome::Win { winner: Player::Second, reason: "mate" };
        assert_eq!(won.value_for(Player::Second), Some(1.0));
        assert_eq!(won.value_for(Player::First), Some(-1.0));
        assert_eq!((won.winner(), won.reason()), (Some(Player::Second), Some("mate")));
        assert_eq!(Outcome::Draw { reason: "peace" }.value_for(Player::First), Some(0.0));
        assert_eq!(Outcome::<&str>::Ongoing.value_for(Player::First), None);
    }
}
