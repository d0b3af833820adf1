//! Alpha-beta search: iterative deepening on one thread or several.

use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sandtable_core::Game;
use sandtable_core::search::{Evaluate, SearchParameters};
use sandtable_nnue::Network;

use crate::history::History;
use crate::score::MAX_PLY;
use crate::table::Table;
use crate::worker::{RootMove, Shared, Worker};
use crate::{Limits, Report};

/// Selective search techniques that may change the result; each can be switched off.
///
/// With all of them off ([`Selectivity::NONE`]) a search to depth *n* returns the minimax score of depth *n*.
///
/// ```
/// use sandtable_search::Selectivity;
///
/// let without_null_move = Selectivity::FULL.with_null_move(false);
/// assert!(!without_null_move.null_move && without_null_move.pruning);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
#[non_exhaustive]
pub struct Selectivity {
    /// Quiescence search: resolves captures and threats at depth 0 before the static evaluation.
    pub quiescence: bool,
    /// Check extensions: one more ply where the side to move must respond to a check or threat.
    pub extensions: bool,
    /// Late move reductions: a shallower first search of moves that are ordered late.
    pub reductions: bool,
    /// Pruning near the leaves: reverse futility, razoring, futility, late moves, losing captures.
    pub pruning: bool,
    /// Null-move pruning: a cutoff where passing already fails high.
    pub null_move: bool,
    /// Cutoffs from the transposition table, which ignore how a position was reached and thus its repetitions.
    pub transpositions: bool,
}

impl Selectivity {
    /// All techniques: for play.
    pub const FULL: Self = Self {
        quiescence: true,
        extensions: true,
        reductions: true,
        pruning: true,
        null_move: true,
        transpositions: true,
    };
    /// No techniques: plain minimax, for verification.
    pub const NONE: Self = Self {
        quiescence: false,
        extensions: false,
        reductions: false,
        pruning: false,
        null_move: false,
        transpositions: false,
    };

    /// Switches quiescence search on or off.
    #[must_use]
    pub const fn with_quiescence(mut self, on: bool) -> Self {
        self.quiescence = on;
        self
    }

    /// Switches check extensions on or off.
    #[must_use]
    pub const fn with_extensions(mut self, on: bool) -> Self {
        self.extensions = on;
        self
    }

    /// Switches late move reductions on or off.
    #[must_use]
    pub const fn with_reductions(mut self, on: bool) -> Self {
        self.reductions = on;
        self
    }

    /// Switches pruning near the leaves on or off.
    #[must_use]
    pub const fn with_pruning(mut self, on: bool) -> Self {
        self.pruning = on;
        self
    }

    /// Switches null-move pruning on or off.
    #[must_use]
    pub const fn with_null_move(mut self, on: bool) -> Self {
        self.null_move = on;
        self
    }

    /// Switches cutoffs from the transposition table on or off.
    #[must_use]
    pub const fn with_transpositions(mut self, on: bool) -> Self {
        self.transpositions = on;
        self
    }
}

/// Settings of an alpha-beta search.
///
/// ```
/// use sandtable_search::AlphaBetaSettings;
///
/// let settings = AlphaBetaSettings::default().with_threads(2).with_lines(3);
/// assert_eq!((settings.threads, settings.lines), (2, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AlphaBetaSettings {
    /// The number of search threads; 0 counts as 1.
    pub threads: usize,
    /// The number of lines to report (`MultiPV` in UCI); 0 counts as 1.
    pub lines: usize,
    /// The selective search techniques.
    pub selectivity: Selectivity,
    /// The parameters of the selective search; those of the game ([`Evaluate::SEARCH`]) if `None`.
    pub parameters: Option<SearchParameters>,
}

impl AlphaBetaSettings {
    /// Sets the number of search threads.
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the number of lines to report.
    #[must_use]
    pub const fn with_lines(mut self, lines: usize) -> Self {
        self.lines = lines;
        self
    }

    /// Sets the selective search techniques.
    #[must_use]
    pub const fn with_selectivity(mut self, selectivity: Selectivity) -> Self {
        self.selectivity = selectivity;
        self
    }

    /// Sets the parameters of the selective search, for tuning.
    #[must_use]
    pub const fn with_parameters(mut self, parameters: SearchParameters) -> Self {
        self.parameters = Some(parameters);
        self
    }
}

impl Default for AlphaBetaSettings {
    fn default() -> Self {
        Self { threads: 1, lines: 1, selectivity: Selectivity::FULL, parameters: None }
    }
}

/// A transposition table that does not fit into memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not enough memory for a transposition table of {mebibytes} MiB: choose a smaller one")]
#[non_exhaustive]
pub struct TableTooBig {
    /// The requested size.
    pub mebibytes: usize,
}

/// An alpha-beta searcher. Its transposition table and its history survive from one search to the next.
///
/// With one thread, searches are reproducible to the node: the same sequence of searches after [`new`](Self::new) or
/// [`clear`](Self::clear), limited by depth or nodes, returns the same reports.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use sandtable_chess::Chess;
/// use sandtable_core::{Game, Notation as _};
/// use sandtable_search::{AlphaBeta, Limits, Score};
///
/// let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
/// let game = Game::from_position(Chess::from_text(fen, Default::default())?);
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
    /// The [`History`] of each thread, of the game that was searched last.
    histories: Vec<Box<dyn Any + Send>>,
    /// The settings of the next search.
    pub settings: AlphaBetaSettings,
    /// The evaluation network. A search of another game, or without a network, uses the hand-made evaluation.
    pub network: Option<Arc<Network>>,
}

impl AlphaBeta {
    /// Creates a searcher with a transposition table of about `mebibytes` MiB.
    ///
    /// # Panics
    ///
    /// If there is not enough memory. Use [`AlphaBeta::try_new`] for a size that a user chose.
    #[must_use]
    pub fn new(mebibytes: usize, settings: AlphaBetaSettings) -> Self {
        Self::try_new(mebibytes, settings).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a searcher with a transposition table of about `mebibytes` MiB.
    ///
    /// # Errors
    ///
    /// [`TableTooBig`] if there is not enough memory.
    pub fn try_new(mebibytes: usize, settings: AlphaBetaSettings) -> Result<Self, TableTooBig> {
        let table = Table::try_new(mebibytes).map_err(|_| TableTooBig { mebibytes })?;
        Ok(Self { table, histories: Vec::new(), settings, network: None })
    }

    /// Clears the transposition table and the history.
    pub fn clear(&mut self) {
        self.table.clear();
        self.histories.clear();
    }

    /// Searches the current position of a game until a limit is reached or `report` breaks. Calls `report` after every
    /// iteration.
    ///
    /// Unless the game is over, the result has a best move, however early the search is stopped.
    pub fn search<P: Evaluate>(
        &mut self,
        game: &Game<P>,
        limits: &Limits,
        mut report: impl FnMut(&Report<P::Move>) -> ControlFlow<()>,
    ) -> Report<P::Move> {
        self.table.new_generation();
        let helpers = if game.outcome().is_over() { 0 } else { self.settings.threads.max(1) - 1 };
        let mut histories = self.take_histories::<P>(1 + helpers);
        let shared = Shared {
            table: &self.table,
            limits,
            network: self.network.as_ref(),
            selectivity: self.settings.selectivity,
            parameters: self.settings.parameters.unwrap_or(P::SEARCH),
            stop: AtomicBool::new(false),
            helper_nodes: AtomicU64::new(0),
        };
        let lines = self.settings.lines.max(1);
        let (history, helper_histories) = histories.split_first_mut().expect("one for this thread");
        let found = std::thread::scope(|scope| {
            for (number, history) in helper_histories.iter_mut().enumerate() {
                let shared = &shared;
                // Lazy SMP: threads start at different depths to fill the table with different entries.
                let from = 2 - number as u32 % 2;
                scope.spawn(move || {
                    let mut worker = Worker::new(shared, game, history, false);
                    iterate(&mut worker, from, 1, |_, _| ControlFlow::Continue(()))
                });
            }
            let mut worker = Worker::new(&shared, game, history, true);
            let completed = iterate(&mut worker, 1, lines, |worker, depth| {
                let found = summary(&shared, worker, depth, lines);
                report(&found)?;
                if limits.is_mate_found(found.score()) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            shared.stop.store(true, Ordering::Relaxed);
            summary(&shared, &worker, completed, lines)
        });
        self.histories = histories.into_iter().map(|history| history as Box<dyn Any + Send>).collect();
        found
    }

    /// Returns a history for each thread: kept from the last search if it searched the same game, otherwise new.
    #[expect(clippy::vec_box, reason = "they are kept as boxes of `dyn Any`, and go back there")]
    fn take_histories<P: Evaluate>(&mut self, threads: usize) -> Vec<Box<History<P>>> {
        let kept = self.histories.drain(..).filter_map(|history| history.downcast().ok());
        kept.chain(std::iter::repeat_with(|| Box::new(History::new()))).take(threads).collect()
    }
}

/// Iterative deepening. Returns the last completed depth.
fn iterate<'a, P: Evaluate>(
    worker: &mut Worker<'a, P>,
    from: u32,
    lines: usize,
    mut completed: impl FnMut(&Worker<'a, P>, u32) -> ControlFlow<()>,
) -> u32 {
    let max_depth = worker.depth_limit().min(MAX_PLY as u32 / 2);
    let lines = lines.min(worker.root_moves.len());
    if lines == 0 {
        return 0;
    }
    for depth in from..=max_depth {
        for first in 0..lines {
            worker.aspiration_search(first, depth.cast_signed());
            if worker.stopped {
                return depth - 1;
            }
        }
        worker.root_moves[..lines].sort_by_key(|root| std::cmp::Reverse(root.score));
        if completed(worker, depth).is_break() {
            return depth;
        }
    }
    max_depth
}

fn summary<P: Evaluate>(shared: &Shared, worker: &Worker<P>, depth: u32, lines: usize) -> Report<P::Move> {
    let mut found: Vec<_> = worker.root_moves.iter().take(lines).map(RootMove::to_line).collect();
    found.sort_by_key(|line| std::cmp::Reverse(line.score));
    Report {
        depth,
        seldepth: worker.seldepth as u32,
        nodes: worker.total_nodes(),
        hashfull: shared.table.hashfull(),
        lines: found,
    }
}
