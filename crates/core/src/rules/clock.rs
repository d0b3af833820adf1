//! The clock of a game: a pure value that takes the time as an argument and starts no timers.

use crate::{ByPlayer, Player};

/// A time control, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TimeControl {
    /// The initial time of each player.
    pub initial: u64,
    /// The delay at the start of each turn before the clock runs.
    pub buffer: u64,
    /// The time added after each completed turn.
    pub increment: u64,
    /// The limit for the whole game, if there is one.
    pub max_game: Option<u64>,
}

/// The limit that has expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expired {
    /// The time of this player.
    Player(Player),
    /// The limit for the whole game.
    Game,
}

/// A running clock. Times are milliseconds since a fixed moment; a time earlier than a previous one counts as equal to
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Clock {
    control: TimeControl,
    /// The time each player had when the current turn began.
    bank: ByPlayer<u64>,
    turn: Player,
    turn_began: u64,
    game_began: u64,
}

impl Clock {
    /// Starts the clock of the player to move at the time `now`.
    #[must_use]
    pub const fn start(control: TimeControl, turn: Player, now: u64) -> Self {
        let bank = ByPlayer::new(control.initial, control.initial);
        Self::resume(control, bank, turn, now)
    }

    /// Restarts the clock of the player to move at the time `now`, with the remaining times in `bank`. The limit of the
    /// whole game starts again.
    #[must_use]
    pub const fn resume(control: TimeControl, bank: ByPlayer<u64>, turn: Player, now: u64) -> Self {
        Self { control, bank, turn, turn_began: now, game_began: now }
    }

    /// The player whose clock is running.
    #[must_use]
    pub const fn turn(&self) -> Player {
        self.turn
    }

    /// The remaining time of a player at the time `now`, not counting the buffer.
    #[must_use]
    pub fn left(&self, player: Player, now: u64) -> u64 {
        let used = if player == self.turn {
            now.saturating_sub(self.turn_began).saturating_sub(self.control.buffer)
        } else {
            0
        };
        self.bank[player].saturating_sub(used)
    }

    /// The rest of the buffer of the current turn at the time `now`.
    #[must_use]
    pub const fn buffer_left(&self, now: u64) -> u64 {
        self.control.buffer.saturating_sub(now.saturating_sub(self.turn_began))
    }

    /// The time left for the whole game at the time `now`, if it is limited.
    #[must_use]
    pub fn game_left(&self, now: u64) -> Option<u64> {
        let limit = self.control.max_game?;
        Some(limit.saturating_sub(now.saturating_sub(self.game_began)))
    }

    /// The last millisecond before a limit expires.
    #[must_use]
    pub fn deadline(&self) -> u64 {
        let own = self.turn_began.saturating_add(self.control.buffer).saturating_add(self.bank[self.turn]);
        let game = self.control.max_game.map_or(u64::MAX, |limit| self.game_began.saturating_add(limit));
        own.min(game)
    }

    /// The time when the current turn began.
    #[must_use]
    pub const fn turn_began(&self) -> u64 {
        self.turn_began
    }

    /// The same clock after a pause, which is charged to nobody.
    #[must_use]
    pub const fn after_pause(mut self, pause: u64) -> Self {
        self.turn_began = self.turn_began.saturating_add(pause);
        self.game_began = self.game_began.saturating_add(pause);
        self
    }

    /// The limit that has expired at the time `now`. A player may use the last millisecond. If both limits have expired, the
    /// earlier one counts; at a tie, the player's own.
    #[must_use]
    pub fn expired(&self, now: u64) -> Option<Expired> {
        let own = self.turn_began.saturating_add(self.control.buffer).saturating_add(self.bank[self.turn]);
        let game = self.control.max_game.map(|limit| self.game_began.saturating_add(limit));
        match game {
            Some(game) if game < own => (now > game).then_some(Expired::Game),
            _ => (now > own).then_some(Expired::Player(self.turn)),
        }
    }

    /// Completes the turn of the player to move at the time `now`. If a limit has expired, returns it and changes nothing.
    pub fn complete_turn(&mut self, now: u64) -> Result<(), Expired> {
        if let Some(expired) = self.expired(now) {
            return Err(expired);
        }
        self.bank[self.turn] = self.left(self.turn, now).saturating_add(self.control.increment);
        self.turn = !self.turn;
        self.turn_began = self.turn_began.max(now);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Player = Player::First;
    const WHITE: Player = Player::Second;

    const BLITZ: TimeControl =
        TimeControl { initial: 60_000, buffer: 5_000, increment: 2_000, max_game: None };

    #[test]
    fn only_the_movers_clock_runs() {
        let clock = Clock::start(BLITZ, BLACK, 1_000);
        assert_eq!(
            (clock.turn(), clock.left(BLACK, 1_000), clock.left(WHITE, 1_000)),
            (BLACK, 60_000, 60_000)
        );
        assert_eq!((clock.left(BLACK, 16_000), clock.left(WHITE, 16_000)), (50_000, 60_000));
    }

    #[test]
    fn buffer_delays_the_clock_each_turn() {
        let mut clock = Clock::start(TimeControl { increment: 0, ..BLITZ }, BLACK, 0);
        assert_eq!(clock.left(BLACK, 5_000), 60_000);
        clock.complete_turn(5_000).unwrap();
        clock.complete_turn(9_000).unwrap();
        assert_eq!((clock.left(BLACK, 14_000), clock.left(WHITE, 14_000)), (60_000, 60_000));
        assert_eq!(clock.left(BLACK, 14_001), 59_999);
    }

    #[test]
    fn increment_is_added_after_a_completed_turn() {
        let mut clock = Clock::start(BLITZ, BLACK, 0);
        clock.complete_turn(15_000).unwrap();
        assert_eq!((clock.turn(), clock.left(BLACK, 15_000)), (WHITE, 60_000 - 10_000 + 2_000));
        assert_eq!(clock.left(WHITE, 15_000), 60_000);
    }

    #[test]
    fn flag_falls_after_the_last_millisecond() {
        let mut clock = Clock::start(BLITZ, WHITE, 0);
        assert_eq!(clock.expired(65_000), None);
        let late = Expired::Player(WHITE);
        assert_eq!(clock.expired(65_001), Some(late));
        let before = clock;
        assert_eq!(clock.complete_turn(65_001), Err(late));
        assert_eq!(clock, before);
        assert_eq!(clock.complete_turn(65_000), Ok(()));
        assert_eq!(clock.left(WHITE, 65_000), 2_000);
    }

    #[test]
    fn game_limit_expires_unless_the_player_flagged_first() {
        let control = TimeControl { max_game: Some(30_000), ..BLITZ };
        let clock = Clock::start(control, BLACK, 0);
        assert_eq!((clock.expired(30_000), clock.expired(30_001)), (None, Some(Expired::Game)));
        let short = Clock::start(TimeControl { initial: 10_000, ..control }, BLACK, 0);
        assert_eq!(short.expired(40_000), Some(Expired::Player(BLACK)));
        let same = Clock::start(TimeControl { initial: 25_000, ..control }, BLACK, 0);
        assert_eq!(same.expired(30_001), Some(Expired::Player(BLACK)));
    }

    #[test]
    fn time_never_runs_backwards() {
        let mut clock = Clock::start(BLITZ, BLACK, 10_000);
        clock.complete_turn(4_000).unwrap();
        assert_eq!(clock.left(BLACK, 0), 62_000);
        assert_eq!(clock.left(WHITE, 16_000), 59_000);
    }

    #[test]
    fn a_pause_is_charged_to_nobody() {
        let control = TimeControl { max_game: Some(300_000), ..BLITZ };
        let clock = Clock::start(control, BLACK, 0);
        let resumed = clock.after_pause(20_000);
        for at in [0, 3_000, 10_000, 64_999] {
            assert_eq!(resumed.left(BLACK, at + 20_000), clock.left(BLACK, at));
            assert_eq!(resumed.buffer_left(at + 20_000), clock.buffer_left(at));
            assert_eq!(resumed.game_left(at + 20_000), clock.game_left(at));
        }
        assert_eq!((clock.buffer_left(3_000), clock.game_left(3_000)), (2_000, Some(297_000)));
        assert_eq!((clock.deadline(), resumed.deadline()), (65_000, 85_000));
        assert_eq!(Clock::start(TimeControl { max_game: Some(9), ..BLITZ }, BLACK, 1).deadline(), 10);
    }

    #[test]
    fn extreme_times_do_not_overflow() {
        let all = u64::MAX;
        let control = TimeControl { initial: all, buffer: all, increment: all, max_game: Some(all) };
        let mut clock = Clock::start(control, BLACK, all - 1);
        clock.complete_turn(all).unwrap();
        assert_eq!((clock.left(BLACK, all), clock.expired(all)), (all, None));
    }

    #[test]
    fn resumed_clock_keeps_the_remaining_times() {
        let mut clock = Clock::start(BLITZ, BLACK, 0);
        clock.complete_turn(15_000).unwrap();
        let left = ByPlayer::from_fn(|player| clock.left(player, 15_000));
        let resumed = Clock::resume(BLITZ, left, clock.turn(), 1_000_000);
        assert_eq!(resumed.turn(), WHITE);
        assert_eq!((resumed.left(BLACK, 1_016_000), resumed.left(WHITE, 1_016_000)), (52_000, 49_000));
    }
}
