//! Limits of an engine's search: depth, nodes and time.

use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sandtable::AnyGame;
use sandtable::engine::PolicyEngine;
use sandtable::search::{AlphaBeta, Limits, Report, TreeReport};

/// The limits of a search, which ends at the first one reached. Without limits it ends when it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Budget {
    /// A depth.
    pub(crate) depth: Option<u32>,
    /// A number of nodes.
    pub(crate) nodes: Option<u64>,
    /// A time.
    pub(crate) time: Option<Duration>,
}

impl Budget {
    const UNLIMITED: Self = Self { depth: None, nodes: None, time: None };

    /// A depth alone.
    pub(crate) const fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::UNLIMITED }
    }

    /// A number of nodes alone.
    pub(crate) const fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::UNLIMITED }
    }

    /// A time alone.
    pub(crate) const fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::UNLIMITED }
    }

    /// Adds the limits of `other`, which replace those of the same kind.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            depth: other.depth.or(self.depth),
            nodes: other.nodes.or(self.nodes),
            time: other.time.or(self.time),
        }
    }

    /// The limits for the search, except time, which `stop` has to check.
    pub(crate) fn limits(self, stop: &(dyn Fn() -> bool + Sync)) -> Limits<'_> {
        let mut limits = Limits::until(stop);
        (limits.depth, limits.nodes) = (self.depth, self.nodes);
        limits
    }

    /// Searches within the budget, or until `stop` is set.
    pub(crate) fn search(
        self,
        game: &dyn AnyGame,
        engine: &mut AlphaBeta,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Report<String>),
    ) -> Report<String> {
        self.within(stop, |limits| {
            game.search(engine, limits, &mut |found| {
                report(found);
                ControlFlow::Continue(())
            })
        })
    }

    /// Searches a tree with a network within the budget, or until `stop` is set. Nodes are visits.
    pub(crate) fn search_tree(
        self,
        game: &dyn AnyGame,
        engine: &PolicyEngine,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&TreeReport<String>),
    ) -> Result<TreeReport<String>, String> {
        let found = self.within(stop, |limits| {
            engine.search(game, limits, &mut |found| {
                report(found);
                ControlFlow::Continue(())
            })
        });
        found.map_err(|e| e.to_string())
    }

    /// Runs a search with the limits of the budget, which starts now.
    fn within<T>(self, stop: &AtomicBool, search: impl FnOnce(&Limits<'_>) -> T) -> T {
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        let should_stop =
            || stop.load(Ordering::Relaxed) || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        search(&self.limits(&should_stop))
    }
}

/// Parses a time: `100ms`, `2s`, `1.5s`, or seconds without a unit.
pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.parse::<f64>().ok().map(|number| number * unit);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| format!("invalid time `{text}`: expected a positive time such as 100ms or 2s"))
}

impl FromStr for Budget {
    type Err = String;

    /// Parses `depth:4`, `nodes:5000` or `time:100ms`.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |value: &str| value.parse::<u64>().ok().filter(|&n| n > 0);
        match text.split_once(':') {
            Some(("depth", value)) => number(value).and_then(|n| u32::try_from(n).ok()).map(Self::depth),
            Some(("nodes", value)) => number(value).map(Self::nodes),
            Some(("time", value)) => return parse_time(value).map(Self::time),
            _ => None,
        }
        .ok_or_else(|| format!("invalid limit `{text}`: expected depth:N, nodes:N or time:TIME"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_budgets() {
        assert_eq!("depth:4".parse(), Ok(Budget::depth(4)));
        assert_eq!("nodes:5000".parse(), Ok(Budget::nodes(5000)));
        assert_eq!("time:100ms".parse(), Ok(Budget::time(Duration::from_millis(100))));
        assert_eq!("time:1.5s".parse(), Ok(Budget::time(Duration::from_millis(1500))));
        assert_eq!("time:2".parse(), Ok(Budget::time(Duration::from_secs(2))));
        for bad in [
            "",
            "depth",
            "depth:0",
            "depth:x",
            "nodes:-1",
            "time:0",
            "time:-1s",
            "time:NaN",
            "time:1e300",
            "level:3",
        ] {
            assert!(bad.parse::<Budget>().is_err(), "{bad}");
        }
    }

    #[test]
    fn budgets_are_combined() {
        let budget = Budget::depth(4).and(Budget::nodes(10)).and(Budget::depth(5));
        assert_eq!(budget, Budget { depth: Some(5), nodes: Some(10), time: None });
    }

    #[test]
    fn the_first_limit_ends_the_search() {
        let game = sandtable::GAMES[0].start("standard").unwrap();
        let search = |budget: Budget| {
            let mut engine = AlphaBeta::new(1, sandtable::search::AlphaBetaSettings::default());
            budget.search(&*game, &mut engine, &AtomicBool::new(false), &mut |_| ())
        };
        assert_eq!(search(Budget::depth(3).and(Budget::nodes(1_000_000))).depth, 3);
        assert_eq!(search(Budget::depth(50).and(Budget::nodes(700))).nodes, 700);
        let report = search(Budget::depth(100).and(Budget::time(Duration::from_millis(20))));
        assert!(report.depth < 100);
    }
}
