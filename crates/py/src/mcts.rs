//! Monte-Carlo tree search that asks a Python function about batches of positions.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sandtable::core::{Layout, Shape};
use sandtable::search::{Limits, MctsSettings};
use sandtable::{Encoded, Judged, Network, Tree};

use crate::arrays::tuple;
use crate::game::{Game, index, wrap};
use crate::search::Watch;
use crate::{Whole, at_least, value_error, whole};

/// What a search knows of a first move: how often it was tried, what it promised, the mean result for the mover.
#[pyclass(frozen, get_all, eq, module = "sandtable")]
#[derive(PartialEq)]
pub(crate) struct RootMove {
    /// The action.
    action: u32,
    /// How often it was tried.
    visits: u32,
    /// What it promised, noise included: all priors add up to 1.
    prior: f32,
    /// The mean result for the player to move; 0 if it was never tried.
    value: f32,
}

#[pymethods]
impl RootMove {
    #[new]
    const fn new(action: u32, visits: u32, prior: f32, value: f32) -> Self {
        Self { action, visits, prior, value }
    }

    const fn __getnewargs__(&self) -> (u32, u32, f32, f32) {
        (self.action, self.visits, self.prior, self.value)
    }

    fn __repr__(&self) -> String {
        let Self { action, visits, prior, value } = self;
        format!("RootMove(action={action}, visits={visits}, prior={prior:.4}, value={value:.4})")
    }
}

/// A search tree (PUCT) below a game, grown by asking `evaluator`.
///
/// `evaluator(observations, masks)` gets float32 `(n, rows, columns, planes)` and bool `(n, num_actions)`, with n up to
/// `batch_size`, and answers `(priors, values)`: weights of at least 0 of shape `(n, num_actions)`, of which only the
/// legal ones count and which need not add up to anything, and values of shape `(n,)`, the expected result for the
/// player to move from -1 to 1.
///
/// The same seed, settings and answers grow the same tree. If the evaluator raises, so does the search, and the tree
/// is empty again. The tree has a game of its own: `advance` plays in it and keeps what is known below the move.
///
/// >>> import numpy as np, sandtable
/// >>> def evaluator(observations, masks):
/// ...     return masks.astype(np.float32), np.zeros(len(masks), np.float32)
/// >>> game = sandtable.ChessGame("7k/8/6K1/8/8/8/8/R7 w - - 0 1")
/// >>> tree = sandtable.MCTS(game, evaluator, batch_size=4)
/// >>> tree.search(200)
/// >>> game.action_to_string(tree.choose())
/// 'a1a8'
#[pyclass(name = "MCTS", module = "sandtable")]
pub(crate) struct Mcts {
    tree: Box<dyn Tree>,
    evaluator: Py<PyAny>,
    settings: MctsSettings,
    seed: u64,
    shape: Shape,
    policy_size: usize,
}

/// The Python function, asked from where the interpreter's lock is not held.
struct Asked<'a> {
    evaluator: &'a Py<PyAny>,
    shape: Shape,
    policy_size: usize,
    watch: &'a Watch,
}

impl Network for Asked<'_> {
    fn judge(&self, batch: Encoded) -> Option<Judged> {
        if self.watch.has_raised() {
            return None;
        }
        Python::attach(|py| self.ask(py, batch)).map_err(|error| self.watch.raise(error)).ok()
    }
}

impl Asked<'_> {
    fn ask(&self, py: Python<'_>, batch: Encoded) -> PyResult<Judged> {
        let [rows, cols, planes] = self.shape.extents(Layout::Hwc);
        let count = batch.count;
        let observations = PyArray1::from_vec(py, batch.observations).reshape([count, rows, cols, planes])?;
        let masks = PyArray1::from_vec(py, batch.masks).reshape([count, self.policy_size])?;
        let answer = self.evaluator.call1(py, (observations, masks))?.into_bound(py);
        let answer = answer.cast_into::<PyTuple>().map_err(|_| wrong_answer())?;
        if answer.len() != 2 {
            return Err(wrong_answer());
        }
        let priors = floats(&answer.get_item(0)?, "priors", &[count, self.policy_size])?;
        let values = floats(&answer.get_item(1)?, "values", &[count])?;
        if let Some(wrong) = priors.iter().find(|prior| !(prior.is_finite() && **prior >= 0.0)) {
            return Err(value_error(format!("a prior is at least 0, and the evaluator gave {wrong}")));
        }
        if let Some(wrong) = values.iter().find(|value| !(-1.0..=1.0).contains(*value)) {
            return Err(value_error(format!("a value is from -1 to 1, and the evaluator gave {wrong}")));
        }
        Ok(Judged { priors, values })
    }
}

fn wrong_answer() -> PyErr {
    PyTypeError::new_err("the evaluator answers with a tuple of two arrays: priors, values")
}

/// The values of an answer, if it has the shape it has to have.
fn floats(answer: &Bound<'_, PyAny>, what: &str, shape: &[usize]) -> PyResult<Vec<f32>> {
    let py = answer.py();
    let float32 = numpy::dtype::<f32>(py);
    let array = py.import("numpy")?.call_method1("ascontiguousarray", (answer, float32))?;
    let array: PyReadonlyArrayDyn<'_, f32> =
        array.cast::<PyArrayDyn<f32>>()?.try_readonly().map_err(value_error)?;
    if array.shape() != shape {
        return Err(value_error(format!(
            "the evaluator's {what} have shape {}, and {} is needed",
            tuple(array.shape()),
            tuple(shape)
        )));
    }
    Ok(array.as_slice().map_err(value_error)?.to_vec())
}

impl Mcts {
    /// Lets `work` grow the tree without the interpreter's lock. An error leaves the tree empty.
    fn grow(&mut self, py: Python<'_>, work: impl FnOnce(&mut dyn Tree, &Asked<'_>) + Send) -> PyResult<()> {
        let watch = Watch::new(None);
        let asked = Asked {
            evaluator: &self.evaluator,
            shape: self.shape,
            policy_size: self.policy_size,
            watch: &watch,
        };
        let tree = &mut *self.tree;
        py.detach(|| work(tree, &asked));
        watch.finish().inspect_err(|_| self.tree = self.tree.game().tree(self.settings, self.seed))
    }
}

/// A seed for an argument whose default is shown.
fn seed(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    crate::seed(object, std::convert::identity)
}

#[pymethods]
impl Mcts {
    #[new]
    #[pyo3(signature = (game, evaluator, *, exploration=1.6, first_play=0.25, batch_size=16, seed=0))]
    fn new(
        game: &Bound<'_, Game>,
        evaluator: Py<PyAny>,
        exploration: f32,
        first_play: f32,
        #[pyo3(from_py_with = whole)] batch_size: i64,
        #[pyo3(from_py_with = seed)] seed: u64,
    ) -> PyResult<Self> {
        if !evaluator.bind(game.py()).is_callable() {
            return Err(PyTypeError::new_err("the evaluator is a function of observations and masks"));
        }
        if !(exploration.is_finite() && exploration >= 0.0 && first_play.is_finite()) {
            return Err(value_error(format!(
                "exploration is a number of at least 0 and first_play a number, not {exploration} and {first_play}"
            )));
        }
        let batch = at_least("batch_size", batch_size, 1)?;
        let settings = MctsSettings { exploration, first_play, batch, threads: 1 };
        let game = game.try_borrow()?;
        Ok(Self {
            tree: game.game.tree(settings, seed),
            evaluator,
            settings,
            seed,
            shape: game.game.shape(),
            policy_size: game.game.policy_size(),
        })
    }

    /// Grows the tree by that many visits. Nothing happens if the game is over.
    fn search(&mut self, py: Python<'_>, visits: Whole) -> PyResult<()> {
        let visits = at_least("visits", visits.0, 0)? as u64;
        self.grow(py, |tree, asked| {
            let stop = || asked.watch.stops();
            tree.search(asked, &Limits { nodes: Some(visits), stop: Some(&stop), depth: None });
        })
    }

    /// Mixes noise into the priors of the first moves: a share `fraction` of each becomes that of a symmetric Dirichlet
    /// distribution.
    #[pyo3(signature = (alpha=0.3, fraction=0.25))]
    fn add_noise(&mut self, py: Python<'_>, alpha: f64, fraction: f32) -> PyResult<()> {
        if !(alpha.is_finite() && alpha > 0.0 && (0.0..=1.0).contains(&fraction)) {
            return Err(PyValueError::new_err("alpha is more than 0, and fraction from 0 to 1"));
        }
        self.grow(py, |tree, asked| tree.add_noise(asked, alpha, fraction))
    }

    /// What is known of the first moves; nothing before the first search or if the game is over.
    fn root(&self) -> Vec<RootMove> {
        let moves = self.tree.root().into_iter();
        moves
            .map(|root| RootMove {
                action: root.m.0,
                visits: root.visits,
                prior: root.prior,
                value: root.value,
            })
            .collect()
    }

    /// The share of the visits that each action had: float32 of `num_actions`, to learn from. All zero before the
    /// first search.
    fn policy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let root = self.tree.root();
        #[expect(clippy::cast_precision_loss, reason = "a share is rounded whatever the visits")]
        let total = root.iter().map(|root| root.visits).sum::<u32>().max(1) as f32;
        crate::arrays::filled(py, None, &[self.policy_size], |policy: &mut [f32]| {
            for root in &root {
                #[expect(clippy::cast_precision_loss, reason = "a share is rounded whatever the visits")]
                let share = root.visits as f32 / total;
                policy[root.m.index()] = share;
            }
            Ok(())
        })
    }

    /// A first action by its visits: at temperature 0 the one with the most, at 1 each as likely as its share. None
    /// before the first search or if the game is over.
    #[pyo3(signature = (temperature=0.0))]
    fn choose(&mut self, temperature: f32) -> PyResult<Option<u32>> {
        if !(temperature.is_finite() && temperature >= 0.0) {
            return Err(value_error(format!("temperature is a number of at least 0, not {temperature}")));
        }
        Ok(self.tree.choose(temperature).map(|index| index.0))
    }

    /// Plays an action in the tree's game and keeps what is known below it.
    fn advance(&mut self, action: Whole) -> PyResult<()> {
        self.tree.advance(index(action, self.policy_size)?).map_err(value_error)
    }

    /// The moves that were visited most, one after the other.
    fn line(&self) -> Vec<String> {
        self.tree.line()
    }

    /// A copy of the game that the tree belongs to.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        wrap(py, self.tree.game())
    }

    /// How many times the current position was passed through.
    #[getter]
    fn visits(&self) -> u32 {
        self.tree.visits()
    }

    /// How many nodes the tree has.
    #[getter]
    fn size(&self) -> usize {
        self.tree.size()
    }

    /// An evaluator often belongs to an object that holds the tree: the garbage collector has to see the circle.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.evaluator)
    }

    fn __repr__(&self) -> String {
        format!("MCTS({}, visits={}, size={})", self.tree.game().name(), self.tree.visits(), self.tree.size())
    }
}
