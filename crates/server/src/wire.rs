//! Small things that many messages have in common.

use sandtable::core::{ByPlayer, Player};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// An answer as it goes out.
pub(crate) fn to_json(answer: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(answer).map_err(|e| Refusal::internal("an answer cannot be written as JSON", &e))
}

/// A player, by who moves first in the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    First,
    Second,
}

impl From<Player> for Side {
    fn from(player: Player) -> Self {
        match player {
            Player::First => Self::First,
            Player::Second => Self::Second,
        }
    }
}

impl From<Side> for Player {
    fn from(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }
}

/// Something for each player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Both<T> {
    pub(crate) first: T,
    pub(crate) second: T,
}

impl<T> Both<T> {
    pub(crate) const fn of(&self, player: Player) -> &T {
        match player {
            Player::First => &self.first,
            Player::Second => &self.second,
        }
    }
}

impl<T> From<ByPlayer<T>> for Both<T> {
    fn from(by_player: ByPlayer<T>) -> Self {
        Self { first: by_player.first, second: by_player.second }
    }
}

impl<T> From<Both<T>> for ByPlayer<T> {
    fn from(both: Both<T>) -> Self {
        Self::new(both.first, both.second)
    }
}
