//! The clock of a game: a pure value that is told the time. It starts no timer and asks no system.

use sandtable_core::{ByPlayer, Player};

use crate::event::End;

/// How much time a game gives, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TimeControl {
    /// What each player has at the beginning.
    pub initial: u64,
    /// Thinking time that costs nothing, each turn anew.
    pub buffer: u64,
    /// What a player gets back after a completed turn.
    pub increment: u64,
    /// What the whole game may take, if there is a limit.
    pub max_game: Option<u64>,
}

/// A running clock. Times are milliseconds since any fixed moment; one that lies before an earlier one counts as equal to
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Clock {
    control: TimeControl,
    /// What each player had when the current turn began.
    bank: ByPlayer<u64>,
    turn: Player,
    turn_began: u64,
    game_began: u64,
}

impl Clock {
    /// Starts the clock of `turn` at the time `now`.
    #[must_use]
    pub const fn start(control: TimeControl, turn: Player, now: u64) -> Self {
        let bank = ByPlayer::new(control.initial, control.initial);
        Self { control, bank, turn, turn_began: now, game_began: now }
    }

    /// Whose clock runs.
    #[must_use]
    pub const fn turn(&self) -> Player {
        self.turn
    }

    /// What a player has left at the time `now`, beyond the buffer.
    #[must_use]
    pub fn left(&self, player: Player, now: u64) -> u64 {
        let used = if player == self.turn {
            now.saturating_sub(self.turn_began).saturating_sub(self.control.buffer)
        } else {
            0
        };
        self.bank[player].saturating_sub(used)
    }

    /// What has run out at the time `now`. The last millisecond may be used; of two limits that have both been passed, the
    /// earlier one counts, and the player's own if they fell together.
    #[must_use]
    pub fn expired(&self, now: u64) -> Option<End> {
        let own = self.turn_began.saturating_add(self.control.buffer).saturating_add(self.bank[self.turn]);
        let game = self.control.max_game.map(|limit| self.game_began.saturating_add(limit));
        match game {
            Some(game) if game < own => (now > game).then_some(End::GameTime),
            _ => (now > own).then_some(End::PlayerTime { loser: self.turn }),
        }
    }

    /// The player to move has completed a turn at the time `now`. Too late, it changes nothing and says what ran out.
    pub fn complete_turn(&mut self, now: u64) -> Result<(), End> {
        if let Some(end) = self.expired(now) {
            return Err(end);
        }
        self.bank[self.turn] = self.left(self.turn, now).saturating_add(self.control.increment);
        self.turn = !self.turn;
        self.turn_began = self.turn_began.max(now);
        Ok(())
    }
}
