//! JSON types that many messages share.

use sandtable::core::{ByPlayer, Player};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::ApiError;

/// Writes a value of the contract as JSON.
///
/// # Panics
/// If the value cannot be JSON; every type of this crate can.
#[must_use]
pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("the types of the contract have string keys only")
}

/// Reads a request. An error names the field.
pub fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|e| {
        let path = e.path().to_string();
        // A syntax error has its line and column; "." is the request itself.
        let place = if e.inner().is_data() && path != "." { format!("{path}: ") } else { String::new() };
        ApiError::malformed(&format_args!("{place}{}", e.inner()))
    })?;
    json.end().map_err(|e| ApiError::malformed(&e))?;
    Ok(value)
}

/// A player as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Player"))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The player who moves first in the start position.
    First,
    /// The other player.
    Second,
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
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
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ByPlayer"))]
#[serde(deny_unknown_fields)]
pub struct Both<T> {
    /// The first player's value.
    pub first: T,
    /// The second player's value.
    pub second: T,
}

impl<T> Both<T> {
    /// The value of a player.
    pub const fn of(&self, player: Player) -> &T {
        match player {
            Player::First => &self.first,
            Player::Second => &self.second,
        }
    }
}

impl<T> Both<T> {
    /// The value of a side.
    pub const fn side(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }

    /// The value of a side, to change it.
    pub const fn side_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }

    /// The two values with the players swapped.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { first: self.second, second: self.first }
    }

    /// The value of each player mapped by `f`.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Both<U> {
        Both { first: f(self.first), second: f(self.second) }
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
