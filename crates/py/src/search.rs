//! The engine: what it thinks of a position.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Limits, Score, TableTooBig};

use crate::game::Game;
use crate::{Whole, at_least, whole, within};

/// Ctrl-C ends a search within this time.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// A larger table than this is a slip of the finger.
const MAX_HASH_MB: u32 = 1 << 16;

/// One line of a search: what it is worth, and its moves.
#[pyclass(frozen, get_all, eq, module = "sandtable")]
#[derive(PartialEq, Eq, Clone)]
pub(crate) struct Line {
    /// The score for the player to move in hundredths; None where the line leads to a win or a loss.
    centipawns: Option<i32>,
    /// In how many moves of the winner the line wins; negative if it loses; None if it does neither.
    mate: Option<i32>,
    /// The action of the line's first move.
    action: u32,
    /// The moves, as programs exchange them.
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

/// What a search found. `lines` has the best lines, best first; none if the game is over.
#[pyclass(frozen, get_all, eq, module = "sandtable")]
#[derive(PartialEq, Eq)]
pub(crate) struct SearchResult {
    /// The best lines, best first.
    lines: Vec<Line>,
    /// The deepest iteration that was completed.
    depth: u32,
    /// How many positions were looked at.
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

    /// The action of the best line; None if the game is over.
    #[getter]
    fn action(&self) -> Option<u32> {
        self.lines.first().map(|line| line.action)
    }

    /// The first move of the best line; None if there is none.
    #[getter(r#move)]
    fn first_move(&self) -> Option<&str> {
        self.lines.first()?.moves.first().map(String::as_str)
    }

    fn __repr__(&self) -> String {
        let lines: Vec<_> = self.lines.iter().map(Line::__repr__).collect();
        format!("SearchResult(depth={}, nodes={}, lines=[{}])", self.depth, self.nodes, lines.join(", "))
    }
}

/// The engine's best lines for the player to move.
///
/// The search ends with the first limit that is reached: a depth, a number of nodes, a time in seconds; one second if
/// there is none. With one thread and no time it finds the same every time. Ctrl-C ends it with `KeyboardInterrupt`;
/// other Python threads run meanwhile.
///
/// >>> import sandtable
/// >>> game = sandtable.ChessGame("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
/// >>> result = sandtable.search(game, depth=4)
/// >>> result.move, result.lines[0].mate
/// ('d1d8', 1)
#[pyfunction]
#[pyo3(signature = (game, depth=None, nodes=None, time=None, lines=1, threads=1, hash_mb=16))]
#[expect(
    clippy::too_many_arguments,
    reason = "each is an argument of the Python function, known by its name"
)]
pub(crate) fn search(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    depth: Option<Whole>,
    nodes: Option<Whole>,
    time: Option<f64>,
    #[pyo3(from_py_with = whole)] lines: i64,
    #[pyo3(from_py_with = whole)] threads: i64,
    #[pyo3(from_py_with = whole)] hash_mb: i64,
) -> PyResult<SearchResult> {
    let default = if depth.is_none() && nodes.is_none() { Some(1.0) } else { None };
    let time = match time.or(default) {
        None => None,
        Some(seconds) => Some(
            Duration::try_from_secs_f64(seconds)
                .map_err(|error| PyValueError::new_err(format!("{seconds} is no time: {error}")))?,
        ),
    };
    // No search gets as deep as a number that is cut off here.
    let depth = depth.map(|Whole(depth)| at_least("depth", depth, 1)).transpose()?;
    let depth = depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
    let nodes = nodes.map(|Whole(nodes)| at_least("nodes", nodes, 1)).transpose()?;
    let nodes = nodes.map(|nodes| nodes as u64);
    let lines = at_least("lines", lines, 1)?;
    let hash_mb = within("hash_mb", hash_mb, 1, MAX_HASH_MB)? as usize;
    let threads = crate::threads(threads)?;
    // A copy: the game can be played on with by others while it is being searched.
    let game = game.try_borrow()?.game.clone_box();
    let watch = Watch::new(time);
    let found = py.detach(|| {
        let settings = AlphaBetaSettings { threads, lines, ..AlphaBetaSettings::default() };
        let stop = || watch.stops();
        let limits = Limits { depth, nodes, stop: Some(&stop) };
        let mut engine = AlphaBeta::try_new(hash_mb, settings)?;
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

/// Says when a search that runs without the interpreter's lock has to stop: its time is over, or a signal came.
pub(crate) struct Watch {
    begun: Instant,
    time: Option<Duration>,
    caller: std::thread::ThreadId,
    /// When the caller looked for signals last, in milliseconds after the beginning.
    looked: AtomicU64,
    raised: Mutex<Option<PyErr>>,
}

impl Watch {
    pub(crate) fn new(time: Option<Duration>) -> Self {
        Self {
            begun: Instant::now(),
            time,
            caller: std::thread::current().id(),
            looked: AtomicU64::new(0),
            raised: Mutex::new(None),
        }
    }

    /// Must the search stop?
    pub(crate) fn stops(&self) -> bool {
        let passed = self.begun.elapsed();
        if self.time.is_some_and(|time| passed >= time) {
            return true;
        }
        // Python hears of signals in its main thread; if that called, it is the caller's thread that can ask.
        let now = passed.as_millis() as u64;
        let due = now >= self.looked.load(Ordering::Relaxed) + SIGNAL_INTERVAL.as_millis() as u64;
        if due && std::thread::current().id() == self.caller {
            self.looked.store(now, Ordering::Relaxed);
            if let Some(error) = Python::attach(|py| py.check_signals().err()) {
                self.raise(error);
            }
        }
        self.has_raised()
    }

    /// Lets the search stop with an error.
    pub(crate) fn raise(&self, error: PyErr) {
        self.raised.lock().expect("nobody panics while holding it").get_or_insert(error);
    }

    pub(crate) fn has_raised(&self) -> bool {
        self.raised.lock().expect("nobody panics while holding it").is_some()
    }

    /// The error that stopped the search, if one did.
    pub(crate) fn finish(self) -> PyResult<()> {
        self.raised.into_inner().expect("nobody panics while holding it").map_or(Ok(()), Err)
    }
}
