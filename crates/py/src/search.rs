//! The engine: alpha-beta search.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use sandtable::engine::{Evaluation, engine_for, read_network};
use sandtable::find;
use sandtable::search::{AlphaBetaSettings, Limits, Score, TableTooBig};

use crate::game::{Game, shared};
use crate::{Int, at_least, int, within};

/// The longest delay between Ctrl-C and the end of a search.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// The largest transposition table, in MiB: more is almost certainly a typo.
pub(crate) const MAX_HASH_MB: u32 = 1 << 16;

/// A line of play found by a search, with its score.
#[pyclass(frozen, get_all, eq, module = "sandtable")]
#[derive(PartialEq, Eq, Clone)]
pub(crate) struct Line {
    /// The score for the side to move in centipawns; None if the line ends in a forced win or loss.
    centipawns: Option<i32>,
    /// Turns until the side to move wins, negative if it loses; None if neither is forced.
    mate: Option<i32>,
    /// The first move as an action.
    action: u32,
    /// The moves as texts: UCI in chess.
    moves: Vec<String>,
}

#[pymethods]
impl Line {
    #[new]
    const fn new(centipawns: Option<i32>, mate: Option<i32>, action: u32, moves: Vec<String>) -> Self {
        Self { centipawns, mate, action, moves }
    }

    fn __getnewargs__(&self) -> (Option<i32>, Option<i32>, u32, Vec<String>) {
        (self.centipawns, self.mate, self.action, self.moves.clone())
    }

    fn __repr__(&self) -> String {
        let score = match (self.centipawns, self.mate) {
            (Some(centipawns), _) => format!("{centipawns}"),
            (None, mate) => format!("#{}", mate.unwrap_or_default()),
        };
        format!("Line({score}: {})", self.moves.join(" "))
    }
}

/// The result of a search.
#[pyclass(frozen, get_all, eq, module = "sandtable")]
#[derive(PartialEq, Eq)]
pub(crate) struct SearchResult {
    /// The best lines, best first. Empty if the game is over.
    lines: Vec<Line>,
    /// The depth of the last completed iteration.
    depth: u32,
    /// The number of nodes searched.
    nodes: u64,
}

#[pymethods]
impl SearchResult {
    #[new]
    fn new(lines: Vec<PyRef<'_, Line>>, depth: u32, nodes: u64) -> Self {
        Self { lines: lines.iter().map(|line| (**line).clone()).collect(), depth, nodes }
    }

    fn __getnewargs__(&self) -> (Vec<Line>, u32, u64) {
        (self.lines.clone(), self.depth, self.nodes)
    }

    /// The best move as an action; None if the game is over.
    #[getter]
    fn action(&self) -> Option<u32> {
        self.lines.first().map(|line| line.action)
    }

    /// The best move as a text; None if there is none.
    #[getter(r#move)]
    fn first_move(&self) -> Option<&str> {
        self.lines.first()?.moves.first().map(String::as_str)
    }

    fn __repr__(&self) -> String {
        let lines: Vec<_> = self.lines.iter().map(Line::__repr__).collect();
        format!("SearchResult(depth={}, nodes={}, lines=[{}])", self.depth, self.nodes, lines.join(", "))
    }
}

/// Searches for the best lines of the side to move with the engine.
///
/// The search stops at the first limit it reaches: `depth`, `nodes`, or `time` in seconds; after one second if no limit
/// is given. With one thread and no time limit the result is deterministic. `lines` is the number of lines to report,
/// `hash_mb` the size of the transposition table. `eval` is the evaluation: the network of the game by default, `"hand"` for
/// the hand-made one, or the path of a network file. Ctrl-C stops the search with `KeyboardInterrupt`. Releases the
/// global interpreter lock.
///
/// >>> import sandtable
/// >>> game = sandtable.ChessGame("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
/// >>> result = sandtable.search(game, depth=4)
/// >>> result.move, result.lines[0].mate
/// ('d1d8', 1)
#[pyfunction]
#[pyo3(signature = (game, depth=None, nodes=None, time=None, lines=1, threads=1, hash_mb=16, eval=None))]
#[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
pub(crate) fn search(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    depth: Option<Int>,
    nodes: Option<Int>,
    time: Option<f64>,
    #[pyo3(from_py_with = int)] lines: i128,
    #[pyo3(from_py_with = int)] threads: i128,
    #[pyo3(from_py_with = int)] hash_mb: i128,
    eval: Option<PathBuf>,
) -> PyResult<SearchResult> {
    let default = if depth.is_none() && nodes.is_none() { Some(1.0) } else { None };
    let time = time.or(default).map(seconds).transpose()?;
    let depth = depth.map(|Int(depth)| at_least("depth", depth, 1)).transpose()?;
    // Saturating is safe: no search gets that deep.
    let depth = depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
    let nodes = nodes.map(|Int(nodes)| at_least("nodes", nodes, 1)).transpose()?;
    let nodes = nodes.map(|nodes| nodes as u64);
    let lines = at_least("lines", lines, 1)?;
    let hash_mb = within("hash_mb", hash_mb, 1, MAX_HASH_MB)? as usize;
    let threads = crate::threads(threads)?;
    // Search a copy, so that other threads can use the game meanwhile.
    let game = shared(game)?.game.clone_box();
    let evaluation = evaluation(game.name(), eval.as_deref())?;
    let watch = Watch::new(time);
    let found = py.detach(|| {
        let settings = AlphaBetaSettings::default().with_threads(threads).with_lines(lines);
        let stop = || watch.should_stop();
        let mut limits = Limits::until(&stop);
        (limits.depth, limits.nodes) = (depth, nodes);
        let mut engine = engine_for(game.name(), hash_mb, settings, &evaluation)?;
        Ok(game.search(&mut engine, &limits, &mut |_| ControlFlow::Continue(())))
    });
    watch.finish()?;
    let found = found.map_err(|error: TableTooBig| PyMemoryError::new_err(error.to_string()))?;
    let lines = found.lines.into_iter().map(|line| {
        let (centipawns, mate) = match line.score {
            Score::Centipawns(centipawns) => (Some(centipawns), None),
            Score::Win(_) | Score::Loss(_) => (None, line.score.mate_in()),
        };
        let action = game.index_of(&line.moves[0]).map_err(crate::value_error)?.0;
        Ok(Line { centipawns, mate, action, moves: line.moves })
    });
    Ok(SearchResult { lines: lines.collect::<PyResult<_>>()?, depth: found.depth, nodes: found.nodes })
}

/// Converts the argument `time`.
pub(crate) fn seconds(time: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(time)
        .map_err(|_| PyValueError::new_err(format!("time must be at least 0 seconds, not {time}")))
}

/// The evaluation that the argument `eval` names.
pub(crate) fn evaluation(game: &str, eval: Option<&Path>) -> PyResult<Evaluation> {
    match eval {
        None => Ok(Evaluation::Default),
        Some(name) if name == "hand" => Ok(Evaluation::HandMade),
        Some(path) => {
            let bytes = std::fs::read(path)
                .map_err(|e| PyOSError::new_err(format!("cannot read {}: {e}", path.display())))?;
            let network = read_network(find(game).map_err(crate::value_error)?, &bytes);
            let fail = |e| PyValueError::new_err(format!("cannot use {}: {e}", path.display()));
            Ok(Evaluation::Network(Arc::new(network.map_err(fail)?)))
        }
    }
}

/// Stops a search that runs without the global interpreter lock: when its time is up, on a signal or on an error.
pub(crate) struct Watch {
    start: Instant,
    time: Option<Duration>,
    caller: std::thread::ThreadId,
    /// When signals were last checked, in milliseconds since the start.
    last_check: AtomicU64,
    raised: Mutex<Option<PyErr>>,
}

impl Watch {
    pub(crate) fn new(time: Option<Duration>) -> Self {
        Self {
            start: Instant::now(),
            time,
            caller: std::thread::current().id(),
            last_check: AtomicU64::new(0),
            raised: Mutex::new(None),
        }
    }

    /// Returns whether the search must stop.
    pub(crate) fn should_stop(&self) -> bool {
        let elapsed = self.start.elapsed();
        if self.time.is_some_and(|time| elapsed >= time) {
            return true;
        }
        // Python handles signals in its main thread only, so checking is left to the thread that started the search.
        let now = elapsed.as_millis() as u64;
        let due = now >= self.last_check.load(Ordering::Relaxed) + SIGNAL_INTERVAL.as_millis() as u64;
        if due && std::thread::current().id() == self.caller {
            self.last_check.store(now, Ordering::Relaxed);
            if let Some(error) = Python::attach(|py| py.check_signals().err()) {
                self.raise(error);
            }
        }
        self.has_raised()
    }

    /// Runs `work`, which does not poll this watch itself, on another thread, while this thread checks for signals.
    /// `work` must end soon after its argument, a function, returns true.
    pub(crate) fn run<T: Send>(&self, work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send) -> T {
        std::thread::scope(|scope| {
            // The channel is closed when the work is done.
            let (sender, receiver) = mpsc::channel::<()>();
            let worker = scope.spawn(move || {
                let _open = sender;
                work(&|| self.has_raised())
            });
            while receiver.recv_timeout(SIGNAL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                self.should_stop();
            }
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Stops the search with an error; the first one is kept.
    pub(crate) fn raise(&self, error: PyErr) {
        self.raised.lock().expect("no thread panics while holding the lock").get_or_insert(error);
    }

    /// Returns whether an error has stopped the search.
    pub(crate) fn has_raised(&self) -> bool {
        self.raised.lock().expect("no thread panics while holding the lock").is_some()
    }

    /// Returns the error that stopped the search, if any.
    pub(crate) fn finish(self) -> PyResult<()> {
        self.raised.into_inner().expect("no thread panics while holding the lock").map_or(Ok(()), Err)
    }
}
