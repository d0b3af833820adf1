//! Limits of an engine's search: depth, nodes or time.

use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sandtable::AnyGame;
use sandtable::search::{AlphaBeta, Limits, Report};

/// The limit of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Budget {
    /// A depth.
    Depth(u32),
    /// A number of nodes.
    Nodes(u64),
    /// A time.
    Time(Duration),
    /// No limit: until stopped.
    Infinite,
}

impl Budget {
    /// Searches within the budget, or until `stop` is set.
    pub(crate) fn search(
        self,
        game: &dyn AnyGame,
        engine: &mut AlphaBeta,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Report<String>),
    ) -> Report<String> {
        let deadline = match self {
            Self::Time(time) => Instant::now().checked_add(time),
            _ => None,
        };
        let should_stop =
            || stop.load(Ordering::Relaxed) || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let limits = match self {
            Self::Depth(depth) => Limits::depth(depth).with_stop(&should_stop),
            Self::Nodes(nodes) => Limits::nodes(nodes).with_stop(&should_stop),
            Self::Time(_) | Self::Infinite => Limits::until(&should_stop),
        };
        game.search(engine, &limits, &mut |found| {
            report(found);
            ControlFlow::Continue(())
        })
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
            Some(("depth", value)) => number(value).and_then(|n| u32::try_from(n).ok()).map(Self::Depth),
            Some(("nodes", value)) => number(value).map(Self::Nodes),
            Some(("time", value)) => return parse_time(value).map(Self::Time),
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
        assert_eq!("depth:4".parse(), Ok(Budget::Depth(4)));
        assert_eq!("nodes:5000".parse(), Ok(Budget::Nodes(5000)));
        assert_eq!("time:100ms".parse(), Ok(Budget::Time(Duration::from_millis(100))));
        assert_eq!("time:1.5s".parse(), Ok(Budget::Time(Duration::from_millis(1500))));
        assert_eq!("time:2".parse(), Ok(Budget::Time(Duration::from_secs(2))));
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
}
