//! Alpha-beta search: iterative deepening on one thread or several.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sandtable_core::{Evaluate, Game};

use crate::score::MAX_PLY;
use crate::table::Table;
use crate::worker::{Shared, Worker};
use crate::{Limits, Report};

/// Which means that are not exact a search may use.
///
/// Without any ([`Selectivity::NONE`]) the score of a search to depth *n* is that of minimax to depth *n*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selectivity {
    /// At depth 0, go on with loud moves.
    pub quiescence: bool,
    /// Look one ply deeper where the player to move is in check.
    pub extensions: bool,
    /// Look less deep at moves that come late.
    pub reductions: bool,
    /// Leave out what looks hopeless, near the leaves; trust what deeper searches have found.
    pub pruning: bool,
    /// Where even doing nothing is good enough, do not look for something better.
    pub null_move: bool,
}

impl Selectivity {
    /// Everything: for play.
    pub const FULL: Self =
        Self { quiescence: true, extensions: true, reductions: true, pruning: true, null_move: true };
    /// Nothing: for proofs.
    pub const NONE: Self =
        Self { quiescence: false, extensions: false, reductions: false, pruning: false, null_move: false };
}

/// An alpha-beta searcher. It keeps what it has learnt from one search to the next.
///
/// With one thread, the same searches after [`new`](Self::new) or [`clear`](Self::clear) with the same limits in
/// depth or nodes find the same, to the node.
#[derive(Debug)]
pub struct AlphaBeta {
    table: Table,
    /// How many threads search; at least one does.
    pub threads: usize,
    /// How many lines to find; at least one.
    pub lines: usize,
    /// Which means may be used.
    pub selectivity: Selectivity,
}

impl AlphaBeta {
    /// A searcher with one thread, one line, and a table of about that many MiB.
    #[must_use]
    pub fn new(mebibytes: usize) -> Self {
        Self { table: Table::new(mebibytes), threads: 1, lines: 1, selectivity: Selectivity::FULL }
    }

    /// Forgets everything learnt so far.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches the current position of a game until a limit is reached or `report`, which hears of every iteration,
    /// breaks.
    ///
    /// If the game is not over there is a best move, however soon the search is stopped.
    pub fn search<P: Evaluate>(
        &mut self,
        game: &Game<P>,
        limits: &Limits,
        mut report: impl FnMut(&Report<P::Move>) -> ControlFlow<()>,
    ) -> Report<P::Move> {
        self.table.age();
        let shared = Shared {
            table: &self.table,
            limits,
            selectivity: self.selectivity,
            stop: AtomicBool::new(false),
            helpers_nodes: AtomicU64::new(0),
        };
        let lines = self.lines.max(1);
        let helpers = if game.outcome().is_over() { 0 } else { self.threads.max(1) - 1 };
        std::thread::scope(|scope| {
            for number in 0..helpers {
                let shared = &shared;
                // Helpers are a depth apart from each other, so that they fill the table with different things.
                scope.spawn(move || {
                    deepen(&mut Worker::new(shared, game, false), 1 + number as u32 % 2, 1, |_, _| {
                        ControlFlow::Continue(())
                    })
                });
            }
            let mut worker = Worker::new(&shared, game, true);
            let completed = deepen(&mut worker, 1, lines, |worker, depth| {
                report(&summary(&shared, worker, depth, lines))
            });
            shared.stop.store(true, Ordering::Relaxed);
            summary(&shared, &worker, completed, lines)
        })
    }
}

/// Searches deeper and deeper; says which depth was completed last.
fn deepen<'a, P: Evaluate>(
    worker: &mut Worker<'a, P>,
    from: u32,
    lines: usize,
    mut completed: impl FnMut(&Worker<'a, P>, u32) -> ControlFlow<()>,
) -> u32 {
    let deepest = worker.depth_limit().min(MAX_PLY as u32 / 2);
    let lines = lines.min(worker.roots.len());
    if lines == 0 {
        return 0;
    }
    for depth in from..=deepest {
        for first in 0..lines {
            worker.aspire(first, depth.cast_signed());
            if worker.stopped {
                return depth - 1;
            }
        }
        worker.roots[..lines].sort_by_key(|root| std::cmp::Reverse(root.score));
        if completed(worker, depth).is_break() {
            return depth;
        }
    }
    deepest
}

fn summary<P: Evaluate>(shared: &Shared, worker: &Worker<P>, depth: u32, lines: usize) -> Report<P::Move> {
    let mut found: Vec<_> = worker.roots.iter().take(lines).map(|root| root.to_line()).collect();
    found.sort_by_key(|line| std::cmp::Reverse(line.score));
    Report {
        depth,
        longest: worker.longest as u32,
        nodes: worker.all_nodes(),
        per_mille_full: shared.table.per_mille_full(),
        lines: found,
    }
}
