//! The clock of a kept game: when it runs, what is left, and what is given back with a move that is taken back.

use sandtable::core::{ByPlayer, Clock, Player, TimeControl};
use serde::{Deserialize, Serialize};

/// How much time the players get, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Control {
    pub(crate) initial: u64,
    #[serde(default)]
    pub(crate) increment: u64,
}

impl Control {
    /// Nobody thinks longer than a month about a game.
    const LIMIT: u64 = 31 * 24 * 3_600_000;

    /// Has it from one second to one month, and at most as much for each turn?
    pub(crate) fn is_sensible(self) -> bool {
        (1_000..=Self::LIMIT).contains(&self.initial) && self.increment <= Self::LIMIT
    }

    const fn times(self) -> TimeControl {
        TimeControl { initial: self.initial, buffer: 0, increment: self.increment, max_game: None }
    }
}

/// The clock of a kept game. It begins to run with the first move that is played and rests after the end.
#[derive(Clone, Debug)]
pub(crate) struct GameClock {
    control: Control,
    /// What the players had at the beginning.
    first: ByPlayer<u64>,
    /// What they had when each move was made, of the moves that stand.
    marks: Vec<ByPlayer<u64>>,
    time: Time,
}

#[derive(Clone, Copy, Debug)]
enum Time {
    Resting(ByPlayer<u64>),
    Running(Clock),
}

impl GameClock {
    /// A clock before the first move.
    pub(crate) fn new(control: Control) -> Self {
        let first = ByPlayer::new(control.initial, control.initial);
        Self { control, first, marks: Vec::new(), time: Time::Resting(first) }
    }

    pub(crate) const fn control(&self) -> Control {
        self.control
    }

    /// What the players have left.
    pub(crate) fn left(&self, now: u64) -> ByPlayer<u64> {
        match self.time {
            Time::Resting(left) => left,
            Time::Running(clock) => ByPlayer::from_fn(|player| clock.left(player, now)),
        }
    }

    /// Whose time runs.
    pub(crate) const fn running(&self) -> Option<Player> {
        match self.time {
            Time::Resting(_) => None,
            Time::Running(clock) => Some(clock.turn()),
        }
    }

    /// Whose time has run out.
    pub(crate) fn expired(&self, now: u64) -> Option<Player> {
        match self.time {
            Time::Resting(_) => None,
            Time::Running(clock) => clock.expired(now).map(|_| clock.turn()),
        }
    }

    /// A move was made in time, and it is the turn of `turn`. The clock rests.
    pub(crate) fn mark_move(&mut self, turn: Player, now: u64) {
        if let Time::Running(clock) = &mut self.time
            && clock.turn() != turn
        {
            // It was in time.
            let _ = clock.complete_turn(now);
        }
        self.recall_move(self.left(now));
    }

    /// A move was made, after which so much was left. The clock rests.
    pub(crate) fn recall_move(&mut self, left: ByPlayer<u64>) {
        self.marks.push(left);
        self.rest(left);
    }

    /// So many moves were taken back, or an end after them: the players have what they had when the position came about. The
    /// clock rests.
    pub(crate) fn take_back(&mut self, count: usize) {
        self.marks.truncate(self.marks.len().saturating_sub(count));
        self.rest(*self.marks.last().unwrap_or(&self.first));
    }

    /// The clock rests, with so much left.
    pub(crate) fn rest(&mut self, left: ByPlayer<u64>) {
        self.time = Time::Resting(left);
    }

    /// The game goes on with the turn of `turn`: the clock runs if a move stands that was played on it.
    pub(crate) fn go_on(&mut self, turn: Player, now: u64) {
        if !self.marks.is_empty() {
            self.time = Time::Running(Clock::resume(self.control.times(), self.left(now), turn, now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Player::{First, Second};

    /// A clock of a minute with five seconds for each turn, after moves at 0, 10 and 30 seconds.
    fn after_three() -> GameClock {
        let mut clock = GameClock::new(Control { initial: 60_000, increment: 5_000 });
        for (turn, now) in [(Second, 0), (First, 10_000), (Second, 30_000)] {
            clock.mark_move(turn, now);
            clock.go_on(turn, now);
        }
        clock
    }

    fn left(clock: &GameClock, now: u64) -> (u64, u64) {
        let ByPlayer { first, second } = clock.left(now);
        (first, second)
    }

    #[test]
    fn it_runs_from_the_first_move() {
        let mut clock = GameClock::new(Control { initial: 60_000, increment: 5_000 });
        clock.go_on(First, 0);
        assert_eq!((clock.running(), left(&clock, 99_000)), (None, (60_000, 60_000)));
        let clock = after_three();
        assert_eq!((clock.running(), left(&clock, 34_000)), (Some(Second), (45_000, 51_000)));
        assert_eq!((clock.expired(85_000), clock.expired(85_001)), (None, Some(Second)));
    }

    #[test]
    fn what_is_taken_back_gives_its_time_back() {
        let mut clock = after_three();
        clock.take_back(1);
        clock.go_on(First, 70_000);
        assert_eq!((clock.running(), left(&clock, 71_000)), (Some(First), (59_000, 55_000)));
        clock.take_back(1);
        clock.go_on(Second, 80_000);
        assert_eq!((clock.running(), left(&clock, 80_000)), (Some(Second), (60_000, 60_000)));
        // More may be taken back than was played on the clock: a game may begin with moves.
        clock.take_back(2);
        clock.go_on(Second, 90_000);
        assert_eq!((clock.running(), left(&clock, 99_000)), (None, (60_000, 60_000)));
    }

    #[test]
    fn an_end_that_is_taken_back_gives_the_time_of_the_turn_back() {
        let mut clock = after_three();
        assert_eq!(clock.expired(200_000), Some(Second));
        clock.rest(clock.left(200_000));
        assert_eq!((clock.running(), left(&clock, 0)), (None, (45_000, 0)));
        clock.take_back(0);
        clock.go_on(Second, 300_000);
        assert_eq!((clock.running(), left(&clock, 300_000)), (Some(Second), (45_000, 55_000)));
    }

    #[test]
    fn it_is_recalled_as_it_was() {
        let mut clock = GameClock::new(Control { initial: 60_000, increment: 5_000 });
        for (first, second) in [(60_000, 60_000), (60_000, 55_000), (45_000, 55_000)] {
            clock.recall_move(ByPlayer::new(first, second));
        }
        clock.go_on(Second, 7_000);
        assert_eq!((clock.running(), left(&clock, 7_000)), (Some(Second), (45_000, 55_000)));
        clock.take_back(2);
        assert_eq!(left(&clock, 0), (60_000, 60_000));
    }
}
