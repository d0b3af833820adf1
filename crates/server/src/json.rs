//! JSON types that many messages share.

use sandtable::core::{ByPlayer, Player};
use serde::{Deserialize, Serialize};

use crate::error::ApiError;

/// Serialises a response.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, ApiError> {
    serde_json::to_string(value).map_err(|e| ApiError::internal("a response cannot be serialised", &e))
}

/// A player as JSON: `first` moves first in the start position.
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

/// One value per player, as JSON.
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
