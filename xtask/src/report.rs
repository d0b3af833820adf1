//! Runs steps, and prints a table of their times and of the skipped steps at the end.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::tools::Result;

/// The steps of a command, in order.
pub(crate) struct Report {
    rows: Vec<Row>,
    start: Instant,
}

struct Row {
    step: String,
    status: Status,
}

enum Status {
    Passed(Duration),
    Failed(Duration),
    Skipped(String),
}

impl Report {
    pub(crate) fn new() -> Self {
        Self { rows: Vec::new(), start: Instant::now() }
    }

    /// Runs a program as a step.
    pub(crate) fn step(&mut self, name: &str, command: &mut Command) -> Result {
        self.check(name, || {
            let status = command.status().map_err(|e| format!("{name}: cannot start {command:?}: {e}"))?;
            if status.success() { Ok(()) } else { Err(format!("{name} failed: {command:?}")) }
        })
    }

    /// Runs a function as a step.
    pub(crate) fn check<T>(&mut self, name: &str, f: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("\n── {name}");
        let start = Instant::now();
        let done = f();
        let taken = start.elapsed();
        let status = if done.is_ok() { Status::Passed(taken) } else { Status::Failed(taken) };
        self.rows.push(Row { step: name.to_owned(), status });
        done
    }

    /// Records a step that cannot run here, and the reason.
    pub(crate) fn skip(&mut self, name: &str, reason: &str) {
        println!("\n── {name}: SKIPPED: {reason}");
        self.rows.push(Row { step: name.to_owned(), status: Status::Skipped(reason.to_owned()) });
    }

    /// The number of steps that were skipped.
    pub(crate) fn skipped(&self) -> usize {
        self.rows.iter().filter(|row| matches!(row.status, Status::Skipped(_))).count()
    }

    /// A table of the steps; empty for a command of a single step.
    pub(crate) fn table(&self) -> String {
        if self.rows.len() < 2 {
            return String::new();
        }
        let width = self.rows.iter().map(|row| row.step.chars().count()).max().unwrap_or_default();
        let seconds = |taken: Duration| format!("{:>7.1} s", taken.as_secs_f32());
        let line = |name: &str, text: String| format!("{name:width$}  {text}\n");
        let mut table: String = self
            .rows
            .iter()
            .map(|Row { step, status }| match status {
                Status::Passed(taken) => line(step, seconds(*taken)),
                Status::Failed(taken) => line(step, format!("{}  FAILED", seconds(*taken))),
                Status::Skipped(reason) => line(step, format!("  SKIPPED: {reason}")),
            })
            .collect();
        table += &line("total", seconds(self.start.elapsed()));
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lists_times_failures_and_skips() {
        let mut report = Report::new();
        report.check("tests", || Ok(())).unwrap();
        report.skip("browser", "Chromium is not installed");
        assert_eq!(
            report.check("lints", || Err::<(), _>("3 warnings".to_owned())),
            Err("3 warnings".to_owned())
        );
        assert_eq!(report.skipped(), 1);
        let table = report.table();
        let lines: Vec<_> = table.lines().collect();
        assert!(lines[0].starts_with("tests    ") && lines[0].ends_with(" s"), "{table}");
        assert_eq!(lines[1], "browser    SKIPPED: Chromium is not installed");
        assert!(lines[2].ends_with(" s  FAILED"), "{table}");
        assert!(lines[3].starts_with("total"), "{table}");
    }

    #[test]
    fn a_single_step_needs_no_table() {
        let mut report = Report::new();
        report.check("tests", || Ok(())).unwrap();
        assert_eq!(report.table(), "");
    }
}
