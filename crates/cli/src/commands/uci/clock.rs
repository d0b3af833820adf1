//! Time management: how long to think about a move.

use std::time::Duration;

/// The number of moves that a game is expected to last, at least.
const HORIZON: u32 = 25;
/// The overhead of this many moves stays on the clock, for moves that are delayed.
const RESERVED_MOVES: u32 = 20;
/// No search is shorter.
const SHORTEST: Duration = Duration::from_millis(1);

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) remaining: Duration,
    pub(super) increment: Duration,
    /// The number of moves until time is added; `None` if `remaining` is for the rest of the game.
    pub(super) moves_to_go: Option<u32>,
}

/// The time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allotment {
    /// No iteration is started after this time: it would hardly be completed.
    pub(super) soft: Duration,
    /// The search ends at this time.
    pub(super) hard: Duration,
}

/// The time for a move with `movetime`. The GUI does not run a clock for the whole game, so at most a twentieth is
/// reserved.
pub(super) fn within(move_time: Duration, overhead: Duration) -> Duration {
    move_time.saturating_sub(overhead.min(move_time / 20)).max(SHORTEST)
}

impl Clock {
    /// Divides the time among the moves to come, except a reserve for delays. `overhead` is the time that each move
    /// loses between the clock and the engine.
    ///
    /// No move may take more than a third of the remaining time without the reserve, or four fifths if time is added
    /// after the move.
    pub(super) fn allot(self, overhead: Duration) -> Allotment {
        let moves = self.moves_to_go.unwrap_or(HORIZON).clamp(1, HORIZON);
        let pool = self.remaining + self.increment * (moves - 1);
        let reserve = overhead * RESERVED_MOVES;
        let share = pool.saturating_sub(reserve + overhead * moves) / moves;
        let usable = self.remaining.saturating_sub(reserve + overhead);
        let most = if moves == 1 { usable * 4 / 5 } else { usable / 3 };
        let hard = (share * 3).min(most).max(SHORTEST);
        Allotment { soft: (share * 3 / 5).clamp(SHORTEST, hard), hard }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        let milliseconds = Duration::from_millis;
        Clock { remaining: milliseconds(remaining), increment: milliseconds(increment), moves_to_go }
    }

    #[test]
    fn time_is_divided_among_the_moves_to_come() {
        let Allotment { soft, hard } = clock(60_000, 1_000, None).allot(OVERHEAD);
        assert_eq!((soft.as_millis(), hard.as_millis()), (2_005, 10_026));
        let Allotment { soft, hard } = clock(5_000, 0, Some(10)).allot(OVERHEAD);
        assert_eq!((soft.as_millis(), hard.as_millis()), (282, 1_410));
    }

    #[test]
    fn a_time_per_move_is_nearly_used_up() {
        for (time, used) in [(0, 1), (10, 9), (100, 95), (2_000, 1_990)] {
            let within = within(Duration::from_millis(time), OVERHEAD);
            assert_eq!(within.as_millis(), used, "{time}");
        }
    }

    #[test]
    fn every_move_leaves_a_reserve() {
        for remaining in [0, 1, 5, 11, 50, 1_000, 60_000, 10_000_000, i64::MAX.cast_unsigned()] {
            for increment in [0, 10, 5_000, i64::MAX.cast_unsigned()] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let clock = clock(remaining, increment, moves_to_go);
                    let Allotment { soft, hard } = clock.allot(OVERHEAD);
                    assert!(SHORTEST <= soft && soft <= hard, "{clock:?}");
                    let most = clock.remaining.saturating_sub(OVERHEAD * (RESERVED_MOVES + 1)) * 4 / 5;
                    assert!(hard <= most.max(SHORTEST), "{clock:?}: {hard:?}");
                }
            }
        }
    }

    /// Every move takes its hard limit and nearly all of the overhead, and still a delay of ten moves is survived.
    #[test]
    fn the_slowest_moves_never_lose_on_time() {
        for (start, increment) in [(1_000, 10), (1_000, 30), (60_000, 100)] {
            let mut clock = clock(start, increment, None);
            for number in 0..400 {
                let spent = clock.allot(OVERHEAD).hard + Duration::from_millis(9);
                assert!(
                    spent + OVERHEAD * 10 < clock.remaining,
                    "move {number} of {start}+{increment}: {clock:?}"
                );
                clock.remaining = clock.remaining.saturating_sub(spent) + clock.increment;
            }
        }
    }
}
