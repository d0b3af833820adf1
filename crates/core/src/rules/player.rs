//! The two players, and tables with one entry per player.

use std::ops::{Index, IndexMut, Not};

/// One of the two players, named by the order of moves in the start position.
///
/// Each game has its own names for them, such as White and Black: [`crate::Position::PLAYERS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// The player who moves first in the start position.
    First,
    /// The opponent of [`Player::First`].
    Second,
}

impl Player {
    /// Both players, [`Player::First`] first.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// The opponent.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The index in a table: 0 or 1.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Player {
    type Output = Self;

    fn not(self) -> Self {
        self.opponent()
    }
}

/// A table with one value per player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByPlayer<T> {
    /// The value of [`Player::First`].
    pub first: T,
    /// The value of [`Player::Second`].
    pub second: T,
}

impl<T> ByPlayer<T> {
    /// A table of these two values.
    pub const fn new(first: T, second: T) -> Self {
        Self { first, second }
    }

    /// A table filled by calling `f` for each player.
    pub fn from_fn(mut f: impl FnMut(Player) -> T) -> Self {
        Self { first: f(Player::First), second: f(Player::Second) }
    }
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;

    fn index(&self, player: Player) -> &T {
        match player {
            Player::First => &self.first,
            Player::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    fn index_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::First => &mut self.first,
            Player::Second => &mut self.second,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponent_is_an_involution() {
        for player in Player::ALL {
            assert_ne!(!player, player);
            assert_eq!(!!player, player);
            assert_eq!(Player::ALL[player.index()], player);
        }
    }

    #[test]
    fn table_entries_are_independent() {
        let mut table = ByPlayer::from_fn(Player::index);
        table[Player::Second] += 10;
        assert_eq!(table, ByPlayer::new(0, 11));
    }
}
