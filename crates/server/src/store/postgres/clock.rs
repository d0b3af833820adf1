//! The clock of the database, which all instances share.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A slower answer says too little about the time.
const MAX_ROUND_TRIP: Duration = Duration::from_millis(100);

/// The database's clock, read without asking it: its distance to the monotonic clock is measured with every renewal of the
/// lease.
#[derive(Debug)]
pub(super) struct DatabaseClock {
    epoch: Instant,
    /// The database's time at the epoch, in milliseconds since 1970.
    at_epoch: AtomicI64,
    /// The last time read: the clock never goes back.
    last: AtomicU64,
}

impl DatabaseClock {
    /// A clock from an answer of the database: its time, and when it was asked.
    pub(super) fn new(asked: Instant, time: i64) -> Self {
        let clock = Self { epoch: asked, at_epoch: AtomicI64::new(time), last: AtomicU64::new(0) };
        clock.set(asked, time);
        clock
    }

    /// Takes a new measurement into account.
    pub(super) fn measured(&self, asked: Instant, time: i64) {
        if asked.elapsed() <= MAX_ROUND_TRIP {
            self.set(asked, time);
        }
    }

    fn set(&self, asked: Instant, time: i64) {
        let middle = (asked - self.epoch) + asked.elapsed() / 2;
        self.at_epoch.store(time - middle.as_millis() as i64, Ordering::Relaxed);
    }

    /// The time, in milliseconds since 1970.
    pub(super) fn now(&self) -> u64 {
        let elapsed = self.epoch.elapsed().as_millis() as i64;
        let now = self.at_epoch.load(Ordering::Relaxed).saturating_add(elapsed).max(0).cast_unsigned();
        self.last.fetch_max(now, Ordering::Relaxed).max(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_database_and_never_goes_back() {
        let clock = DatabaseClock::new(Instant::now(), 5_000_000);
        let first = clock.now();
        assert!((5_000_000..5_060_000).contains(&first), "{first}");
        clock.measured(Instant::now(), 4_000_000);
        assert!(clock.now() >= first);
        clock.set(Instant::now(), 9_000_000);
        assert!(clock.now() >= 9_000_000 - 1);
        let late = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
        clock.measured(late, 20_000_000);
        assert!(clock.now() < 20_000_000, "a slow answer is ignored");
    }
}
