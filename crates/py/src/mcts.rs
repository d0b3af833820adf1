//! Monte Carlo tree search with a Python function as its network.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sandtable::core::{Layout, Shape};
use sandtable::search::{Limits, MctsSettings};
use sandtable::{EncodedBatch, Network, NetworkOutput, Tree};

use crate::arrays::tuple;
use crate::game::{Game, index, wrap};
use crate::search::Watch;
use crate::{Int, at_least, int, value_error};

/// The statistics of a move at the root of the tree.
#[pyclass(frozen, get_all, eq, module = "sandtable")]
#[derive(PartialEq)]
pub(crate) struct RootMove {
    /// The action.
    action: u32,
    /// The number of visits.
    visits: u32,
    /// The prior probability, noise included. The priors of all root moves add up to 1.
    prior: f32,
    /// The mean value for the side to move; 0 without visits.
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

/// Monte Carlo tree search (PUCT) with a network.
///
/// `evaluator(observations, masks)` takes float32 `(n, rows, columns, planes)` and bool `(n, num_actions)`, with n up to
/// `batch_size`, and returns `(priors, values)`. Priors have shape `(n, num_actions)` and are at least 0; illegal actions
/// are ignored and the others normalised. Values have shape `(n,)`: the expected result for the side to move, -1 to 1.
///
/// `exploration` is the exploration constant of PUCT; an unvisited move is valued at its parent's value minus
/// `fpu_reduction` (first-play urgency). The same seed, settings and network outputs give the same tree. If the
/// evaluator raises, the search raises the same error and the tree is reset. The tree owns a copy of the game: `advance`
/// plays a move and keeps its subtree.
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

/// The Python function as a network. Acquires the global interpreter lock for each batch.
struct Evaluator<'a> {
    function: &'a Py<PyAny>,
    shape: Shape,
    policy_size: usize,
    watch: &'a Watch,
}

impl Network for Evaluator<'_> {
    fn evaluate(&self, batch: EncodedBatch) -> Option<NetworkOutput> {
        if self.watch.has_raised() {
            return None;
        }
        Python::attach(|py| self.call(py, batch)).map_err(|error| self.watch.raise(error)).ok()
    }
}

impl Evaluator<'_> {
    fn call(&self, py: Python<'_>, batch: EncodedBatch) -> PyResult<NetworkOutput> {
        let [rows, cols, planes] = self.shape.extents(Layout::Hwc);
        let count = batch.count;
        let observations = PyArray1::from_vec(py, batch.observations).reshape([count, rows, cols, planes])?;
        let masks = PyArray1::from_vec(py, batch.masks).reshape([count, self.policy_size])?;
        let output = self.function.call1(py, (observations, masks))?.into_bound(py);
        let output = output.cast_into::<PyTuple>().map_err(|_| not_a_pair())?;
        if output.len() != 2 {
            return Err(not_a_pair());
        }
        let priors = floats(&output.get_item(0)?, "priors", &[count, self.policy_size])?;
        let values = floats(&output.get_item(1)?, "values", &[count])?;
        if let Some(prior) = priors.iter().find(|prior| !(prior.is_finite() && **prior >= 0.0)) {
            return Err(value_error(format!("evaluator: priors must be finite and at least 0, not {prior}")));
        }
        if let Some(value) = values.iter().find(|value| !(-1.0..=1.0).contains(*value)) {
            return Err(value_error(format!("evaluator: values must be -1 to 1, not {value}")));
        }
        Ok(NetworkOutput { priors, values })
    }
}

fn not_a_pair() -> PyErr {
    PyTypeError::new_err("evaluator must return a tuple of two arrays: (priors, values)")
}

/// Converts an array of the evaluator's output and checks its shape.
fn floats(output: &Bound<'_, PyAny>, name: &str, shape: &[usize]) -> PyResult<Vec<f32>> {
    let py = output.py();
    let float32 = numpy::dtype::<f32>(py);
    let array = py.import("numpy")?.call_method1("ascontiguousarray", (output, float32))?;
    let array: PyReadonlyArrayDyn<'_, f32> =
        array.cast::<PyArrayDyn<f32>>()?.try_readonly().map_err(value_error)?;
    if array.shape() != shape {
        return Err(value_error(format!(
            "evaluator: {name} must have shape {}, not {}",
            tuple(shape),
            tuple(array.shape())
        )));
    }
    Ok(array.as_slice().map_err(value_error)?.to_vec())
}

impl Mcts {
    /// Runs `work` on the tree without the global interpreter lock. An error resets the tree.
    fn run(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn Tree, &Evaluator<'_>) + Send,
    ) -> PyResult<()> {
        let watch = Watch::new(None);
        let evaluator = Evaluator {
            function: &self.evaluator,
            shape: self.shape,
            policy_size: self.policy_size,
            watch: &watch,
        };
        let tree = &mut *self.tree;
        py.detach(|| work(tree, &evaluator));
        watch.finish().inspect_err(|_| self.tree = self.tree.game().search_tree(self.settings, self.seed))
    }
}

/// Extracts the argument `seed` as a plain number, for the same reason as [`int`].
fn seed(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    crate::seed(object, std::convert::identity)
}

#[pymethods]
impl Mcts {
    #[new]
    #[pyo3(signature = (game, evaluator, *, exploration=1.6, fpu_reduction=0.25, batch_size=16, seed=0))]
    fn new(
        game: &Bound<'_, Game>,
        evaluator: Py<PyAny>,
        exploration: f32,
        fpu_reduction: f32,
        #[pyo3(from_py_with = int)] batch_size: i64,
        #[pyo3(from_py_with = seed)] seed: u64,
    ) -> PyResult<Self> {
        if !evaluator.bind(game.py()).is_callable() {
            return Err(PyTypeError::new_err("evaluator must be callable with (observations, masks)"));
        }
        if !(exploration.is_finite() && exploration >= 0.0) {
            return Err(value_error(format!("exploration must be at least 0, not {exploration}")));
        }
        if !fpu_reduction.is_finite() {
            return Err(value_error(format!("fpu_reduction must be finite, not {fpu_reduction}")));
        }
        let settings = MctsSettings::default()
            .with_exploration(exploration)
            .with_fpu_reduction(fpu_reduction)
            .with_batch_size(at_least("batch_size", batch_size, 1)?);
        let game = game.try_borrow()?;
        Ok(Self {
            tree: game.game.search_tree(settings, seed),
            evaluator,
            settings,
            seed,
            shape: game.game.shape(),
            policy_size: game.game.policy_size(),
        })
    }

    /// Searches for `visits` more visits. Does nothing if the game is over.
    fn search(&mut self, py: Python<'_>, visits: Int) -> PyResult<()> {
        let visits = at_least("visits", visits.0, 0)? as u64;
        self.run(py, |tree, evaluator| {
            let stop = || evaluator.watch.should_stop();
            tree.search(evaluator, &Limits::nodes(visits).with_stop(&stop));
        })
    }

    /// Mixes Dirichlet noise into the priors of the root: `(1 - fraction) * prior + fraction * noise`.
    #[pyo3(signature = (alpha=0.3, fraction=0.25))]
    fn add_noise(&mut self, py: Python<'_>, alpha: f64, fraction: f32) -> PyResult<()> {
        if !(alpha.is_finite() && alpha > 0.0 && (0.0..=1.0).contains(&fraction)) {
            return Err(value_error(format!(
                "alpha must be more than 0 and fraction 0 to 1, not {alpha} and {fraction}"
            )));
        }
        self.run(py, |tree, evaluator| tree.add_noise(evaluator, alpha, fraction))
    }

    /// The statistics of the root moves. Empty before the first search or if the game is over.
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

    /// The share of visits of each action at the root, the training target of a policy: `num_actions` float32. All zero
    /// before the first search.
    fn policy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let root = self.tree.root();
        #[expect(clippy::cast_precision_loss, reason = "shares are approximate")]
        let total = root.iter().map(|root| root.visits).sum::<u32>().max(1) as f32;
        crate::arrays::filled(py, None, &[self.policy_size], |policy: &mut [f32]| {
            for root in &root {
                #[expect(clippy::cast_precision_loss, reason = "shares are approximate")]
                let share = root.visits as f32 / total;
                policy[root.m.index()] = share;
            }
            Ok(())
        })
    }

    /// Chooses an action by its visits: the most visited one at temperature 0, in proportion to the visits at
    /// temperature 1. None before the first search or if the game is over.
    #[pyo3(signature = (temperature=0.0))]
    fn choose(&mut self, temperature: f32) -> PyResult<Option<u32>> {
        if !(temperature.is_finite() && temperature >= 0.0) {
            return Err(value_error(format!("temperature must be at least 0, not {temperature}")));
        }
        Ok(self.tree.choose(temperature).map(|index| index.0))
    }

    /// Plays an action and keeps its subtree.
    fn advance(&mut self, action: Int) -> PyResult<()> {
        self.tree.advance(index(action, self.policy_size)?).map_err(value_error)
    }

    /// The principal variation: the most visited move at each node.
    fn line(&self) -> Vec<String> {
        self.tree.line()
    }

    /// A copy of the game at the root.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        wrap(py, self.tree.game())
    }

    /// The number of visits of the root.
    #[getter]
    fn visits(&self) -> u32 {
        self.tree.visits()
    }

    /// The number of nodes.
    #[getter]
    fn size(&self) -> usize {
        self.tree.size()
    }

    /// Lets the garbage collector visit the evaluator, which may belong to an object that holds the tree: a reference
    /// cycle.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.evaluator)
    }

    fn __repr__(&self) -> String {
        format!("MCTS({}, visits={}, size={})", self.tree.game().name(), self.tree.visits(), self.tree.size())
    }
}
