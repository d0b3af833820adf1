//! Alpha-beta search: iterative deepening on one thread or several.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sandtable_core::{Evaluate, Game};

use crate::score::MAX_PLY;
use crate::table::Table;
use crate::worker::{RootMove, Shared, Worker};
use crate::{Limits, Report};

/// Which means that are not exact a search may use.
///
/// Without any ([`Selectivity::NONE`]) the score of a search to depth *n* is that of minimax to depth *n*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each can be on or off whatever the others are")]
pub struct Selectivity {
    /// At depth 0, go on with loud moves.
    pub quiescence: bool,
    /// Look one ply deeper where the player to move is in check.
    pub extensions: bool,
    /// Look less deep at moves that come late.
    pub reductions: bool,
    /// Leave out what looks hopeless, near the leaves.
    pub pruning: bool,
    /// Where even doing nothing is good enough, do not look for something better.
    pub null_move: bool,
    /// Trust what was found about a position that was reached by other moves, where other positions would repeat.
    pub transpositions: bool,
}

impl Selectivity {
    /// Everything: for play.
    pub const FULL: Self = Self {
        quiescence: true,
        extensions: true,
        reductions: true,
        pruning: true,
        null_move: true,
        transpositions: true,
    };
    /// Nothing: for proofs.
    pub const NONE: Self = Self {
        quiescence: false,
        extensions: false,
        reductions: false,
        pruning: false,
        null_move: false,
        transpositions: false,
    };
}

/// How an alpha-beta search is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaBetaSettings {
    /// How many threads search; at least one does.
    pub threads: usize,
    /// How many lines to find; at least one.
    pub lines: usize,
    /// Which means may be used.
    pub selectivity: Selectivity,
}

impl Default for AlphaBetaSettings {
    fn default() -> Self {
        Self { threads: 1, lines: 1, selectivity: Selectivity::FULL }
    }
}

/// There is not as much memory as a table was to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no memory for a table of {mebibytes} MiB")]
pub struct TableTooBig {
    /// What was asked for.
    pub mebibytes: usize,
}

/// An alpha-beta searcher. It keeps what it has learnt from one search to the next.
///
/// With one thread, the same searches after [`new`](Self::new) or [`clear`](Self::clear) with the same limits in
/// depth or nodes find the same, to the node.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use sandtable_chess::Position;
/// use sandtable_core::{Game, Notation as _};
/// use sandtable_search::{AlphaBeta, Limits, Score};
///
/// let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
/// let game = Game::from_position(Position::from_text(fen, Default::default())?);
/// let report = AlphaBeta::new(16, Default::default()).search(&game, &Limits::depth(5), |report| {
///     println!("{} {}", report.depth, report.lines[0].score);
///     ControlFlow::Continue(())
/// });
/// assert_eq!(report.best().map(|m| game.position().move_text(m)).as_deref(), Some("d1d8"));
/// assert_eq!(report.score(), Some(Score::Win(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AlphaBeta {
    table: Table,
    /// How the next search is done.
    pub settings: AlphaBetaSettings,
}

impl AlphaBeta {
    /// A searcher with a table of about that many MiB.
    ///
    /// # Panics
    ///
    /// If there is not so much memory. [`AlphaBeta::try_new`] is for a size that somebody else chose.
    #[must_use]
    pub fn new(mebibytes: usize, settings: AlphaBetaSettings) -> Self {
        Self::try_new(mebibytes, settings).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A searcher with a table of about that many MiB, if there is so much memory.
    ///
    /// # Errors
    ///
    /// [`TableTooBig`] if there is not.
    pub fn try_new(mebibytes: usize, settings: AlphaBetaSettings) -> Result<Self, TableTooBig> {
        let table = Table::try_new(mebibytes).map_err(|_| TableTooBig { mebibytes })?;
        Ok(Self { table, settings })
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
            selectivity: self.settings.selectivity,
            stop: AtomicBool::new(false),
            helpers_nodes: AtomicU64::new(0),
        };
        let lines = self.settings.lines.max(1);
        let helpers = if game.outcome().is_over() { 0 } else { self.settings.threads.max(1) - 1 };
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
    let mut found: Vec<_> = worker.roots.iter().take(lines).map(RootMove::to_line).collect();
    found.sort_by_key(|line| std::cmp::Reverse(line.score));
    Report {
        depth,
        longest: worker.longest as u32,
        nodes: worker.all_nodes(),
        per_mille_full: shared.table.per_mille_full(),
        lines: found,
    }
}
