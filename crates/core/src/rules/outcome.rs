//! The outcome of a game: ongoing, won or drawn, and why.

use crate::Player;

/// The outcome of a game, with the winner and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome<R> {
    /// The game is not over.
    Ongoing,
    /// `winner` has won.
    Win {
        /// The winner.
        winner: Player,
        /// The reason.
        reason: R,
    },
    /// The game is drawn.
    Draw {
        /// The reason.
        reason: R,
    },
}

impl<R> Outcome<R> {
    /// Whether the game is over.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        !matches!(self, Self::Ongoing)
    }

    /// The winner, if the game is won.
    #[must_use]
    pub const fn winner(&self) -> Option<Player> {
        match self {
            Self::Win { winner, .. } => Some(*winner),
            _ => None,
        }
    }

    /// The result for `player`: 1 for a win, 0 for a draw, −1 for a loss; `None` while the game is ongoing.
    #[must_use]
    pub fn value_for(&self, player: Player) -> Option<f32> {
        match self {
            Self::Ongoing => None,
            Self::Draw { .. } => Some(0.0),
            Self::Win { winner, .. } => Some(if *winner == player { 1.0 } else { -1.0 }),
        }
    }

    /// The same outcome with its reason mapped by `f`.
    pub fn map<S>(self, f: impl FnOnce(R) -> S) -> Outcome<S> {
        match self {
            Self::Ongoing => Outcome::Ongoing,
            Self::Win { winner, reason } => Outcome::Win { winner, reason: f(reason) },
            Self::Draw { reason } => Outcome::Draw { reason: f(reason) },
        }
    }
}

impl<R: Copy> Outcome<R> {
    /// The reason, if the game is over.
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
