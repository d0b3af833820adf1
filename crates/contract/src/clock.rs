//! The clock of a game: when it runs, the time left, and the times to restore when moves are taken back.

use sandtable::core::rules::{Clock, Expired, TimeControl};
use sandtable::core::{ByPlayer, Player};
use serde::{Deserialize, Serialize};

use crate::json::{Both, Side};

/// The time control of a game, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ClockSettings {
    pub(crate) initial: u64,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<u64>", optional))]
    pub(crate) increment: u64,
    /// The time at the start of each turn before the player's clock runs.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<u64>", optional))]
    pub(crate) delay: u64,
    /// The time for the whole game: when it has run out, the game is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional = nullable))]
    pub(crate) max_game: Option<u64>,
}

impl ClockSettings {
    const MIN: u64 = 1_000;
    /// 31 days, for every time.
    const MAX: u64 = 31 * 24 * 3_600_000;

    /// Whether all times are within their limits.
    pub(crate) fn is_valid(self) -> bool {
        (Self::MIN..=Self::MAX).contains(&self.initial)
            && self.increment <= Self::MAX
            && self.delay <= Self::MAX
            && self.max_game.is_none_or(|time| (Self::MIN..=Self::MAX).contains(&time))
    }

    const fn time_control(self, max_game: Option<u64>) -> TimeControl {
        TimeControl { initial: self.initial, buffer: self.delay, increment: self.increment, max_game }
    }
}

/// The time left to each player, and for the whole game if it is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeLeft {
    pub(crate) players: ByPlayer<u64>,
    pub(crate) game: Option<u64>,
}

/// The clock of a game. It starts with the first move played and stops at the end of the game.
#[derive(Clone, Debug)]
pub(crate) struct GameClock {
    settings: ClockSettings,
    /// The time left after each move that has not been taken back.
    after_moves: Vec<TimeLeft>,
    state: ClockState,
}

#[derive(Clone, Copy, Debug)]
enum ClockState {
    Stopped(TimeLeft),
    Running(Clock),
    /// Stopped while a change is written: storage delay is charged to nobody.
    Paused {
        clock: Clock,
        at: u64,
    },
}

impl GameClock {
    /// A clock before the first move.
    pub(crate) const fn new(settings: ClockSettings) -> Self {
        Self { settings, after_moves: Vec::new(), state: ClockState::Stopped(Self::initial(settings)) }
    }

    const fn initial(settings: ClockSettings) -> TimeLeft {
        TimeLeft { players: ByPlayer::new(settings.initial, settings.initial), game: settings.max_game }
    }

    /// The time left.
    pub(crate) fn left(&self, now: u64) -> TimeLeft {
        let (clock, now) = match self.state {
            ClockState::Stopped(left) => return left,
            ClockState::Running(clock) => (clock, now),
            ClockState::Paused { clock, at } => (clock, at),
        };
        TimeLeft { players: ByPlayer::from_fn(|player| clock.left(player, now)), game: clock.game_left(now) }
    }

    /// The clock, if it runs.
    const fn running(&self) -> Option<Clock> {
        match self.state {
            ClockState::Running(clock) => Some(clock),
            ClockState::Stopped(_) | ClockState::Paused { .. } => None,
        }
    }

    pub(crate) const fn is_paused(&self) -> bool {
        matches!(self.state, ClockState::Paused { .. })
    }

    /// The limit that has expired.
    pub(crate) fn expired(&self, now: u64) -> Option<Expired> {
        self.running()?.expired(now)
    }

    /// The time until a limit expires, if the clock runs.
    pub(crate) fn time_to_flag(&self, now: u64) -> Option<u64> {
        Some(self.running()?.deadline().saturating_sub(now))
    }

    /// Records a move that was made in time, after which `turn` is to move, and pauses the clock.
    pub(crate) fn record_move(&mut self, turn: Player, now: u64) {
        self.pause(now);
        if let ClockState::Paused { clock, at } = &mut self.state
            && clock.turn() != turn
        {
            // Cannot fail: the caller has checked that the time has not run out.
            let _ = clock.complete_turn(*at);
        }
        self.after_moves.push(self.left(now));
    }

    /// Records a move from the database, with the time left after it, and stops the clock.
    pub(crate) fn restore_move(&mut self, left: TimeLeft) {
        self.after_moves.push(left);
        self.stop(left);
    }

    /// Takes back `count` moves, or a declared end if it is 0: restores the time left when the position arose, and stops the
    /// clock.
    pub(crate) fn take_back(&mut self, count: usize) {
        self.after_moves.truncate(self.after_moves.len().saturating_sub(count));
        let left = self.after_moves.last().copied().unwrap_or(Self::initial(self.settings));
        self.stop(left);
    }

    /// Stops the clock with this time left.
    pub(crate) const fn stop(&mut self, left: TimeLeft) {
        self.state = ClockState::Stopped(left);
    }

    /// Pauses a running clock. A moment before the clock started counts as its start.
    pub(crate) fn pause(&mut self, now: u64) {
        if let ClockState::Running(clock) = self.state {
            self.state = ClockState::Paused { clock, at: now.max(clock.turn_began()) };
        }
    }

    /// Starts the clock of `turn` if a timed move has been played, or resumes it after a pause.
    pub(crate) fn start(&mut self, turn: Player, now: u64) {
        match self.state {
            ClockState::Stopped(left) if !self.after_moves.is_empty() => {
                let control = self.settings.time_control(left.game);
                self.state = ClockState::Running(Clock::resume(control, left.players, turn, now));
            }
            ClockState::Paused { clock, at } => {
                self.state = ClockState::Running(clock.after_pause(now.saturating_sub(at)));
            }
            ClockState::Stopped(_) | ClockState::Running(_) => {}
        }
    }

    /// The clock as JSON. The clock of an engine that waits for a worker is shown as running: usually it waits for no time.
    pub(crate) fn view(&self, now: u64, is_engine_to_move: bool) -> ClockView {
        let ClockSettings { initial, increment, delay, max_game } = self.settings;
        let left = self.left(now);
        let running = self.running();
        ClockView {
            initial,
            increment,
            delay,
            max_game,
            left: left.players.into(),
            delay_left: running.map_or(0, |clock| clock.buffer_left(now)),
            game_left: left.game,
            running: match self.state {
                ClockState::Running(clock) => Some(clock.turn().into()),
                ClockState::Paused { clock, .. } if is_engine_to_move => Some(clock.turn().into()),
                ClockState::Paused { .. } | ClockState::Stopped(_) => None,
            },
        }
    }
}

/// The clock of a game, in milliseconds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Clock"))]
pub(crate) struct ClockView {
    initial: u64,
    increment: u64,
    /// The time at the start of each turn before the player's clock runs.
    delay: u64,
    /// The limit for the whole game.
    max_game: Option<u64>,
    left: Both<u64>,
    /// The rest of the delay of the running clock.
    delay_left: u64,
    /// The time left for the whole game.
    game_left: Option<u64>,
    running: Option<Side>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use Player::{First, Second};

    const SETTINGS: ClockSettings =
        ClockSettings { initial: 60_000, increment: 5_000, delay: 0, max_game: None };

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
        let ByPlayer { first, second } = clock.left(now).players;
        (first, second)
    }

    fn running(clock: &GameClock) -> Option<Player> {
        clock.running().map(|clock| clock.turn())
    }

    #[test]
    fn runs_from_the_first_move() {
        let mut clock = GameClock::new(SETTINGS);
        clock.start(First, 0);
        assert_eq!((running(&clock), left(&clock, 99_000)), (None, (60_000, 60_000)));
        let clock = after_three_moves();
        assert_eq!((running(&clock), left(&clock, 34_000)), (Some(Second), (45_000, 51_000)));
        assert_eq!((clock.expired(85_000), clock.expired(85_001)), (None, Some(Expired::Player(Second))));
    }

    #[test]
    fn taking_back_moves_restores_their_time() {
        let mut clock = after_three_moves();
        clock.take_back(1);
        clock.start(First, 70_000);
        assert_eq!((running(&clock), left(&clock, 71_000)), (Some(First), (59_000, 55_000)));
        clock.take_back(1);
        clock.start(Second, 80_000);
        assert_eq!((running(&clock), left(&clock, 80_000)), (Some(Second), (60_000, 60_000)));
        // A game may start with untimed moves; they can be taken back too.
        clock.take_back(2);
        clock.start(Second, 90_000);
        assert_eq!((running(&clock), left(&clock, 99_000)), (None, (60_000, 60_000)));
    }

    #[test]
    fn taking_back_a_declared_end_restores_the_time_of_the_turn() {
        let mut clock = after_three_moves();
        assert_eq!(clock.expired(200_000), Some(Expired::Player(Second)));
        clock.stop(clock.left(200_000));
        assert_eq!((running(&clock), left(&clock, 0)), (None, (45_000, 0)));
        clock.take_back(0);
        clock.start(Second, 300_000);
        assert_eq!((running(&clock), left(&clock, 300_000)), (Some(Second), (45_000, 55_000)));
    }

    #[test]
    fn restored_moves_can_be_taken_back() {
        let mut clock = GameClock::new(SETTINGS);
        for (first, second) in [(60_000, 60_000), (60_000, 55_000), (45_000, 55_000)] {
            clock.restore_move(TimeLeft { players: ByPlayer::new(first, second), game: None });
        }
        clock.start(Second, 7_000);
        assert_eq!((running(&clock), left(&clock, 7_000)), (Some(Second), (45_000, 55_000)));
        clock.take_back(2);
        assert_eq!(left(&clock, 0), (60_000, 60_000));
    }

    #[test]
    fn writing_a_change_is_charged_to_nobody() {
        let mut clock = after_three_moves();
        // A move at 40 s takes 18 s to write.
        clock.record_move(First, 40_000);
        assert_eq!((running(&clock), left(&clock, 58_000)), (None, (45_000, 50_000)));
        clock.start(First, 58_000);
        assert_eq!((running(&clock), left(&clock, 59_000)), (Some(First), (44_000, 50_000)));
        // So does a draw offer of the opponent at 60 s.
        clock.pause(60_000);
        clock.start(First, 78_000);
        assert_eq!((running(&clock), left(&clock, 79_000)), (Some(First), (42_000, 50_000)));
    }

    #[test]
    fn a_request_from_before_the_start_of_the_clock_is_free() {
        let mut clock = after_three_moves();
        clock.record_move(First, 29_000);
        assert_eq!(left(&clock, 0), (45_000, 60_000));
        clock.start(First, 31_000);
        assert_eq!(left(&clock, 32_000), (44_000, 60_000));
    }

    #[test]
    fn a_pause_does_not_renew_the_delay() {
        let mut clock = GameClock::new(ClockSettings { delay: 3_000, ..SETTINGS });
        clock.record_move(Second, 0);
        clock.start(Second, 0);
        clock.pause(2_000);
        clock.start(Second, 10_000);
        assert_eq!((clock.view(10_000, false).delay_left, left(&clock, 11_000)), (1_000, (60_000, 60_000)));
        assert_eq!(left(&clock, 13_000), (60_000, 58_000));
        assert_eq!(clock.time_to_flag(13_000), Some(58_000));
    }

    #[test]
    fn the_limit_for_the_game_survives_a_restart() {
        let mut clock = GameClock::new(ClockSettings { max_game: Some(40_000), ..SETTINGS });
        clock.record_move(Second, 0);
        clock.start(Second, 0);
        clock.record_move(First, 10_000);
        let saved = clock.left(10_000);
        assert_eq!(saved.game, Some(30_000));
        clock.restore_move(saved);
        clock.start(First, 500_000);
        assert_eq!((clock.expired(530_000), clock.expired(530_001)), (None, Some(Expired::Game)));
        assert_eq!(clock.time_to_flag(500_000), Some(30_000));
    }
}
