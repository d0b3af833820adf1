//! Monte Carlo tree search with a Python function as its network.

use std::sync::{Mutex, MutexGuard, TryLockError};

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use sandtable::core::learn::{Layout, Shape};
use sandtable::engine::WrongOutput;
use sandtable::search::{Limits, MctsSettings};
use sandtable::training::{EncodedBatch, Network, NetworkOutput, Tree, search_tree};

use crate::arrays::{floats, visits};
use crate::game::{Game, index};
use crate::game_class::wrap;
use crate::search::Watch;
use crate::{Int, at_least, int, seed, value_error, within};

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
/// `batch_size`, and returns `(priors, values)`, arrays or lists. Priors have shape `(n, num_actions)` and are at least 0;
/// illegal actions may have any prior, which is ignored, and the others are normalised. Values have shape `(n,)` or
/// `(n, 1)`: the expected result for the side to move, -1 to 1.
///
/// `exploration` is the exploration constant of PUCT. First-play urgency: an unvisited move is valued at its parent's value
/// minus `fpu_reduction` times the square root of the priors of the visited moves; at the root, `root_fpu_reduction`
/// takes its place. A tree stops growing at `max_nodes` nodes and edges. A result that is proven is used: a move that
/// wins by force is chosen, and one that loses by force is avoided.
///
/// The same seed, settings and network outputs give the same tree. If the evaluator raises, the search raises the same
/// error and the tree keeps the results so far. The tree owns a copy of the game: `advance` plays a move and keeps its
/// subtree. Pickling keeps the tree and its random state, if the evaluator can be pickled. One thread at a time may use
/// the object. `BatchMCTS` searches many games at once, with sparse policies.
///
/// >>> import numpy as np, sandtable
/// >>> def evaluator(observations, masks):
/// ...     return masks.astype(np.float32), np.zeros(len(masks), np.float32)
/// >>> game = sandtable.ChessGame("7k/8/6K1/8/8/8/8/R7 w - - 0 1")
/// >>> tree = sandtable.MCTS(game, evaluator, batch_size=4)
/// >>> tree.search(200)
/// >>> game.action_to_string(tree.choose())
/// 'a1a8'
#[pyclass(name = "MCTS", frozen, module = "sandtable")]
pub(crate) struct Mcts {
    tree: Mutex<Box<dyn Tree>>,
    evaluator: Py<PyAny>,
    settings: MctsSettings,
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
        let EncodedBatch { count, observations, masks, legal, .. } = batch;
        let observations = PyArray1::from_vec(py, observations).reshape([count, rows, cols, planes])?;
        let masks = PyArray1::from_vec(py, masks).reshape([count, self.policy_size])?;
        let output = self.function.call1(py, (observations, masks))?.into_bound(py);
        let output = output.cast_into::<PyTuple>().map_err(|_| not_a_pair())?;
        if output.len() != 2 {
            return Err(not_a_pair());
        }
        let priors = floats(&output.get_item(0)?, "evaluator: priors", &[count, self.policy_size])?;
        let priors = priors.as_slice().map_err(value_error)?;
        let values = floats(&output.get_item(1)?, "evaluator: values", &[count])?;
        let mut values = values.as_slice().map_err(value_error)?.to_vec();
        for (row, legal) in priors.chunks_exact(self.policy_size).zip(&legal) {
            // Illegal actions may have any prior.
            let is_valid = |prior: f32| prior.is_finite() && prior >= 0.0;
            if let Some(action) = legal.iter().find(|action| !is_valid(row[action.index()])) {
                let (prior, action) = (row[action.index()], action.0);
                return Err(value_error(format!(
                    "evaluator: priors must be finite and at least 0, not {prior} (action {action})"
                )));
            }
        }
        for value in &mut values {
            *value = sandtable::training::checked_value(*value)
                .ok_or_else(|| value_error(format!("evaluator: values must be -1 to 1, not {value}")))?;
        }
        Ok(NetworkOutput { priors: priors.to_vec(), values })
    }
}

fn not_a_pair() -> PyErr {
    PyTypeError::new_err("evaluator must return a tuple of two arrays: (priors, values)")
}

impl Mcts {
    /// The tree, if no other call uses it.
    fn lock(&self) -> PyResult<MutexGuard<'_, Box<dyn Tree>>> {
        lock(&self.tree, "MCTS")
    }

    /// Runs `work` on the tree without the global interpreter lock.
    fn run(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn Tree, &Evaluator<'_>) -> Result<(), WrongOutput> + Send,
    ) -> PyResult<()> {
        let watch = Watch::new(None);
        let evaluator = Evaluator {
            function: &self.evaluator,
            shape: self.shape,
            policy_size: self.policy_size,
            watch: &watch,
        };
        let mut tree = self.lock()?;
        let tree = &mut **tree;
        let searched = py.detach(|| work(tree, &evaluator));
        watch.finish()?;
        searched.map_err(value_error)
    }
}

/// Locks the state of an object that one thread at a time may use.
pub(crate) fn lock<'a, T>(state: &'a Mutex<T>, class: &str) -> PyResult<MutexGuard<'a, T>> {
    state.try_lock().map_err(|error| {
        PyRuntimeError::new_err(match error {
            TryLockError::WouldBlock => format!(
                "this {class} is in use, by another thread or by the search that calls the evaluator: use a lock, or one \
                 {class} for each thread"
            ),
            TryLockError::Poisoned(_) => format!("an earlier call failed: create a new {class}"),
        })
    })
}

#[pymethods]
impl Mcts {
    #[new]
    #[pyo3(signature = (
        game, evaluator, *, exploration=1.6, fpu_reduction=0.25, root_fpu_reduction=0.0, batch_size=16, max_nodes=67_108_864,
        seed=0
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn new(
        game: &Bound<'_, Game>,
        evaluator: Py<PyAny>,
        exploration: f32,
        fpu_reduction: f32,
        root_fpu_reduction: f32,
        #[pyo3(from_py_with = int)] batch_size: i64,
        #[pyo3(from_py_with = int)] max_nodes: i64,
        #[pyo3(from_py_with = seed)] seed: u64,
    ) -> PyResult<Self> {
        if !evaluator.bind(game.py()).is_callable() {
            return Err(PyTypeError::new_err("evaluator must be callable with (observations, masks)"));
        }
        let settings = MctsSettings::default()
            .with_exploration(number("exploration", exploration)?)
            .with_fpu_reduction(number("fpu_reduction", fpu_reduction)?)
            .with_root_fpu_reduction(number("root_fpu_reduction", root_fpu_reduction)?)
            .with_max_nodes(within("max_nodes", max_nodes, 1, MctsSettings::MAX_NODES)?)
            .with_batch_size(at_least("batch_size", batch_size, 1)?);
        let game = game.try_borrow()?;
        Ok(Self {
            tree: Mutex::new(search_tree(&*game.game, settings, seed).map_err(value_error)?),
            evaluator,
            settings,
            shape: game.game.shape(),
            policy_size: game.game.policy_size(),
        })
    }

    /// Searches for `visits` more visits. Does nothing if the game is over.
    fn search(&self, py: Python<'_>, visits: &Bound<'_, PyAny>) -> PyResult<()> {
        let visits = u64::from(self::visits(visits)?);
        self.run(py, |tree, evaluator| {
            let stop = || evaluator.watch.should_stop();
            tree.search(evaluator, &Limits::nodes(visits).with_stop(&stop))
        })
    }

    /// Mixes Dirichlet noise into the priors of the root: `(1 - fraction) * prior + fraction * noise`.
    #[pyo3(signature = (alpha=0.3, fraction=0.25))]
    fn add_noise(&self, py: Python<'_>, alpha: f64, fraction: f32) -> PyResult<()> {
        if !(alpha.is_finite() && alpha > 0.0 && (0.0..=1.0).contains(&fraction)) {
            return Err(value_error(format!(
                "alpha must be more than 0 and fraction 0 to 1, not {alpha} and {fraction}"
            )));
        }
        self.run(py, |tree, evaluator| tree.add_noise(evaluator, alpha, fraction))
    }

    /// The statistics of the root moves. Empty before the first search or if the game is over.
    fn root(&self) -> PyResult<Vec<RootMove>> {
        let moves = self.lock()?.root().into_iter();
        let moves = moves.map(|root| RootMove {
            action: root.root_move.0,
            visits: root.visits,
            prior: root.prior,
            value: root.value,
        });
        Ok(moves.collect())
    }

    /// The policy that the search found, the training target of a network: `num_actions` float32. The share of visits of each
    /// action at the root; a move that is proven to lose has no share, and moves that are proven to win have all. All
    /// zero before the first search.
    fn policy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let tree = self.lock()?;
        let (root, shares) = (tree.root(), tree.policy());
        crate::arrays::filled(py, None, &[self.policy_size], |policy: &mut [f32]| {
            for (root, share) in root.iter().zip(shares) {
                policy[root.root_move.index()] = share;
            }
            Ok(())
        })
    }

    /// Chooses an action: the best one at temperature 0, in proportion to the `policy` at temperature 1. None before the
    /// first search or if the game is over.
    #[pyo3(signature = (temperature=0.0))]
    fn choose(&self, temperature: f32) -> PyResult<Option<u32>> {
        if !(temperature.is_finite() && temperature >= 0.0) {
            return Err(value_error(format!("temperature must be at least 0, not {temperature}")));
        }
        Ok(self.lock()?.choose(temperature).map(|index| index.0))
    }

    /// Plays an action and keeps its subtree.
    fn advance(&self, action: Int) -> PyResult<()> {
        self.lock()?.advance(index(action, self.policy_size)?).map_err(value_error)
    }

    /// The principal variation: the most visited move at each node.
    fn line(&self) -> PyResult<Vec<String>> {
        Ok(self.lock()?.line())
    }

    /// A copy of the game at the root.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        wrap(py, self.lock()?.game())
    }

    /// The number of visits of the root.
    #[getter]
    fn visits(&self) -> PyResult<u32> {
        Ok(self.lock()?.visits())
    }

    /// The number of nodes.
    #[getter]
    fn size(&self) -> PyResult<usize> {
        Ok(self.lock()?.size())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let tree = self.lock()?;
        let settings = PyDict::new(py);
        settings.set_item("exploration", self.settings.exploration)?;
        settings.set_item("fpu_reduction", self.settings.fpu_reduction)?;
        settings.set_item("root_fpu_reduction", self.settings.root_fpu_reduction)?;
        settings.set_item("batch_size", self.settings.batch_size)?;
        settings.set_item("max_nodes", self.settings.max_nodes)?;
        let bytes = PyBytes::new(py, &tree.save().map_err(value_error)?);
        let restore = py.import("sandtable._sandtable")?.getattr("_restore_tree")?;
        let arguments = (wrap(py, tree.game())?, self.evaluator.clone_ref(py), settings, bytes);
        Ok((restore, arguments.into_pyobject(py)?))
    }

    /// Lets the garbage collector visit the evaluator, which may belong to an object that holds the tree: a reference
    /// cycle.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.evaluator)
    }

    fn __repr__(&self) -> PyResult<String> {
        let tree = self.lock()?;
        Ok(format!("MCTS({}, visits={}, size={})", tree.game().name(), tree.visits(), tree.size()))
    }
}

/// Rebuilds a pickled tree from its game, its evaluator, its settings and its bytes.
#[pyfunction]
#[pyo3(name = "_restore_tree")]
pub(crate) fn restore_tree<'py>(
    game: &Bound<'py, Game>,
    evaluator: &Bound<'py, PyAny>,
    settings: &Bound<'py, PyDict>,
    tree: &Bound<'py, PyBytes>,
) -> PyResult<Bound<'py, PyAny>> {
    let restored = game.py().get_type::<Mcts>().call((game, evaluator), Some(settings))?;
    restored.cast::<Mcts>()?.get().lock()?.restore(tree.as_bytes()).map_err(value_error)?;
    Ok(restored)
}

/// Checks that a setting is a finite number of at least 0.
pub(crate) fn number(name: &str, value: f32) -> PyResult<f32> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(value_error(format!("{name} must be at least 0, not {value}")))
    }
}
