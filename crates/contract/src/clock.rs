//! The clock of a game: when it runs, the time left, and the times to restore when moves are taken back.

use sandtable::core::{ByPlayer, Clock, Player, TimeControl};
use serde::{Deserialize, Serialize};

/// The time control of a game, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ClockSettings {
    pub(crate) initial: u64,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<u64>", optional))]
    pub(crate) increment: u64,
}

impl ClockSettings {
    const MIN_INITIAL: u64 = 1_000;
    /// 31 days, for the initial time and the increment.
    const MAX: u64 = 31 * 24 * 3_600_000;

    /// Whether both times are within their limits.
    pub(crate) fn is_valid(self) -> bool {
        (Self::MIN_INITIAL..=Self::MAX).contains(&self.initial) && self.increment <= Self::MAX
    }

    const fn time_control(self) -> TimeControl {
        TimeControl { initial: self.initial, buffer: 0, increment: self.increment, max_game: None }
    }
}

/// The clock of a game. It starts with the first move played and stops at the end of the game.
#[derive(Clone, Debug)]
pub(crate) struct GameClock {
    settings: ClockSettings,
    /// The time left after each move that has not been taken back.
    after_moves: Vec<ByPlayer<u64>>,
    state: ClockState,
}

#[derive(Clone, Copy, Debug)]
enum ClockState {
    Stopped(ByPlayer<u64>),
    Running(Clock),
}

impl GameClock {
    /// A clock before the first move.
    pub(crate) fn new(settings: ClockSettings) -> Self {
        let initial = ByPlayer::new(settings.initial, settings.initial);
        Self { settings, after_moves: Vec::new(), state: ClockState::Stopped(initial) }
    }

    pub(crate) const fn settings(&self) -> ClockSettings {
        self.settings
    }

    /// The time left to each player.
    pub(crate) fn left(&self, now: u64) -> ByPlayer<u64> {
        match self.state {
            ClockState::Stopped(left) => left,
            ClockState::Running(clock) => ByPlayer::from_fn(|player| clock.left(player, now)),
        }
    }

    /// The player whose clock runs.
    pub(crate) const fn running(&self) -> Option<Player> {
        match self.state {
            ClockState::Stopped(_) => None,
            ClockState::Running(clock) => Some(clock.turn()),
        }
    }

    /// The player whose time has run out.
    pub(crate) fn expired(&self, now: u64) -> Option<Player> {
        match self.state {
            ClockState::Stopped(_) => None,
            ClockState::Running(clock) => clock.expired(now).map(|_| clock.turn()),
        }
    }

    /// Records a move that was made in time, after which `turn` is to move, and stops the clock.
    pub(crate) fn record_move(&mut self, turn: Player, now: u64) {
        if let ClockState::Running(clock) = &mut self.state
            && clock.turn() != turn
        {
            // Cannot fail: the caller has checked that the time has not run out.
            let _ = clock.complete_turn(now);
        }
        self.restore_move(self.left(now));
    }

    /// Records a move from the database, with the time left after it, and stops the clock.
    pub(crate) fn restore_move(&mut self, left: ByPlayer<u64>) {
        self.after_moves.push(left);
        self.stop(left);
    }

    /// Takes back `count` moves, or a declared end if it is 0: restores the time left when the position arose, and stops the
    /// clock.
    pub(crate) fn take_back(&mut self, count: usize) {
        self.after_moves.truncate(self.after_moves.len().saturating_sub(count));
        let initial = ByPlayer::new(self.settings.initial, self.settings.initial);
        self.stop(*self.after_moves.last().unwrap_or(&initial));
    }

    /// Stops the clock with this time left.
    pub(crate) fn stop(&mut self, left: ByPlayer<u64>) {
        self.state = ClockState::Stopped(left);
    }

    /// Starts the clock of `turn` if a timed move has been played.
    pub(crate) fn start(&mut self, turn: Player, now: u64) {
        if !self.after_moves.is_empty() {
            let clock = Clock::resume(self.settings.time_control(), self.left(now), turn, now);
            self.state = ClockState::Running(clock);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Player::{First, Second};

    const SETTINGS: ClockSettings = ClockSettings { initial: 60_000, increment: 5_000 };

    /// A clock of one minute with an increment of five seconds, after moves at 0, 10 and 30 seconds.
    fn after_three_moves() -> GameClock {
        let mut clock = GameClock::new(SETTINGS);
        for (turn, now) in [(Second, 0), (First, 10_000), (Second, 30_000)] {
            clock.record_move(turn, now);
            clock.start(turn, now);
        }
        clock
    }

    fn left(clock: &GameClock, now: u64) -> (u64, u64) {
        let ByPlayer { first, second } = clock.left(now);
        (first, second)
    }

    #[test]
    fn runs_from_the_first_move() {
        let mut clock = GameClock::new(SETTINGS);
        clock.start(First, 0);
        assert_eq!((clock.running(), left(&clock, 99_000)), (None, (60_000, 60_000)));
        let clock = after_three_moves();
        assert_eq!((clock.running(), left(&clock, 34_000)), (Some(Second), (45_000, 51_000)));
        assert_eq!((clock.expired(85_000), clock.expired(85_001)), (None, Some(Second)));
    }

    #[test]
    fn taking_back_moves_restores_their_time() {
        let mut clock = after_three_moves();
        clock.take_back(1);
        clock.start(First, 70_000);
        assert_eq!((clock.running(), left(&clock, 71_000)), (Some(First), (59_000, 55_000)));
        clock.take_back(1);
        clock.start(Second, 80_000);
        assert_eq!((clock.running(), left(&clock, 80_000)), (Some(Second), (60_000, 60_000)));
        // A game may start with untimed moves; they can be taken back too.
        clock.take_back(2);
        clock.start(Second, 90_000);
        assert_eq!((clock.running(), left(&clock, 99_000)), (None, (60_000, 60_000)));
    }

    #[test]
    fn taking_back_a_declared_end_restores_the_time_of_the_turn() {
        let mut clock = after_three_moves();
        assert_eq!(clock.expired(200_000), Some(Second));
        clock.stop(clock.left(200_000));
        assert_eq!((clock.running(), left(&clock, 0)), (None, (45_000, 0)));
        clock.take_back(0);
        clock.start(Second, 300_000);
        assert_eq!((clock.running(), left(&clock, 300_000)), (Some(Second), (45_000, 55_000)));
    }

    #[test]
    fn restored_moves_can_be_taken_back() {
        let mut clock = GameClock::new(SETTINGS);
        for (first, second) in [(60_000, 60_000), (60_000, 55_000), (45_000, 55_000)] {
            clock.restore_move(ByPlayer::new(first, second));
        }
        clock.start(Second, 7_000);
        assert_eq!((clock.running(), left(&clock, 7_000)), (Some(Second), (45_000, 55_000)));
        clock.take_back(2);
        assert_eq!(left(&clock, 0), (60_000, 60_000));
    }
}
