//! `BatchMCTS`: search trees of many games, whose leaves are evaluated together.

use std::sync::{Mutex, MutexGuard};

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use sandtable::core::Player;
use sandtable::core::learn::{Layout, Shape};
use sandtable::search::MctsSettings;
use sandtable::training::{
    BoxedTreeBatch, GameStatus, LeafArrays, PolicyForm, RootArrays, Selection, TreeBatchError,
    TreeBatchSettings, tree_batch,
};
use sandtable::{AnyGame, GameKind};

use crate::arrays::{MAX_VISITS, borrowed, first, floats, grown, per_item, view, visits, zeros};
use crate::game::{Game, kind, rules_or_default};
use crate::game_class::wrap;
use crate::mcts::{lock, number};
use crate::{Int, at_least, int, seed, value_error, within};

type Array<T> = Py<PyArrayDyn<T>>;

/// The leaves of one batch. The arrays are valid until the next call of `select`, `expand`, `cancel` or `search`: copy
/// what you need longer.
#[pyclass(frozen, get_all, module = "sandtable")]
pub(crate) struct LeafBatch {
    /// The observations of the sides to move: float32, `(n, rows, columns, planes)`.
    observations: Py<PyAny>,
    /// The legal actions of all leaves, one leaf after the other: int32, `(m,)`.
    actions: Py<PyAny>,
    /// Leaf i has the actions `actions[offsets[i]:offsets[i + 1]]`: int64, `(n + 1,)`.
    offsets: Py<PyAny>,
    /// The tree of each leaf: int32, `(n,)`.
    trees: Py<PyAny>,
}

#[pymethods]
impl LeafBatch {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.trees.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (leaves, actions) = (self.trees.bind(py).len()?, self.actions.bind(py).len()?);
        Ok(format!("LeafBatch({leaves} leaves, {actions} actions)"))
    }
}

/// The root moves of all trees. Tree i has the entries `offsets[i]:offsets[i + 1]` of the other arrays; none before its
/// first search.
#[pyclass(frozen, get_all, module = "sandtable")]
pub(crate) struct Roots {
    /// The first entry of each tree, and the number of all entries: int64, `(count + 1,)`.
    offsets: Py<PyArray1<i64>>,
    /// The legal actions: int32.
    actions: Py<PyArray1<i32>>,
    /// The number of visits of each action: int32.
    visits: Py<PyArray1<i32>>,
    /// The prior of each action, noise included: float32.
    priors: Py<PyArray1<f32>>,
    /// The mean result of each action for the side to move; 0 without visits, 1 or -1 if the result is proven: float32.
    values: Py<PyArray1<f32>>,
    /// The policy that the search found, the training target: float32. The share of visits or, with `gumbel=True`, the
    /// improved policy. A move that is proven to lose has no share, and moves that are proven to win have all.
    policy: Py<PyArray1<f32>>,
}

#[pymethods]
impl Roots {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.offsets.bind(py).as_any().len()? - 1)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Roots({} trees, {} actions)", self.__len__(py)?, self.actions.bind(py).as_any().len()?))
    }
}

/// Monte Carlo tree search in many games at once, for self-play.
///
/// There are `count` games with a tree each. The leaves of all trees are evaluated in one batch. `search` calls an
/// evaluator; with `begin`, `select` and `expand` any server, queue or event loop can evaluate the batches. Actions are
/// sparse: a batch lists the legal actions of each leaf, and the answer is one prior, or logit, for each.
///
/// Settings:
///
/// - `rules`: the rule set; `seed`: determines noise, choices and openings; `threads`: the threads that share the work,
///   which change no result.
/// - `leaves`: the leaves of one tree in a batch. More than one fills a batch with few trees, but changes which leaves are
///   selected.
/// - `exploration`: the exploration constant of PUCT. `fpu_reduction`: an unvisited move is valued at its parent's value
///   minus this times the square root of the priors of the visited moves. `root_fpu_reduction`: the same at the root.
/// - `noise_alpha`, `noise_fraction`: Dirichlet noise at the root, with `alpha = noise_alpha / number of legal moves`; the
///   new prior is `(1 - fraction) * prior + fraction * noise`.
/// - `gumbel`: instead of noise and PUCT at the root, `gumbel_moves` moves sampled by Gumbel noise compete by sequential
///   halving. Better with few visits and many moves.
/// - `max_nodes`: the number of nodes and edges at which a tree stops growing.
/// - `max_plies`: the number of moves after which a game is truncated, by default `Game.ply_limit`; such a game counts as a
///   draw in the tree. `opening_plies`: the number of random moves at the start of every game.
///
/// A result that is proven is used: a move that wins by force is played, and one that loses by force is avoided.
///
/// The same seed, settings and evaluations give the same games. A call that raises changes nothing; an evaluator that
/// raises leaves the trees with the results so far. Pickling keeps the trees and the random state. One thread at a time
/// may use the object; calls release the global interpreter lock.
///
/// >>> import numpy as np, sandtable
/// >>> def evaluator(batch):
/// ...     return np.ones(len(batch.actions), np.float32), np.zeros(len(batch), np.float32)
/// >>> trees = sandtable.BatchMCTS("tribun", 4, seed=1)
/// >>> trees.search(evaluator, 32)
/// >>> roots = trees.roots()
/// >>> len(roots), int(roots.visits.sum())
/// (4, 128)
/// >>> trees.advance(trees.choose(temperature=1.0))
/// >>> trees.plies
/// array([1, 1, 1, 1], dtype=int32)
#[pyclass(name = "BatchMCTS", frozen, module = "sandtable")]
pub(crate) struct BatchMcts {
    kind: &'static GameKind,
    rules: String,
    settings: TreeBatchSettings,
    state: Mutex<State>,
}

/// What calls change.
struct State {
    trees: BoxedTreeBatch,
    /// The arrays of the leaves, with room for the largest batch so far. Callers get views: an array that owns its memory could
    /// be resized.
    observations: Array<f32>,
    actions: Array<i32>,
    offsets: Array<i64>,
    numbers: Array<i32>,
    shape: Shape,
    /// The policy and values of the last batch: copies, which no other thread can change.
    policy: Vec<f32>,
    values: Vec<f32>,
}

/// Visits: an integer, or an array of integers, 0 to [`MAX_VISITS`].
fn visits_per_tree(value: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<u32>> {
    if value.extract::<Int>().is_ok() {
        return Ok(vec![visits(value)?; count]);
    }
    let numbers = per_item::<i64>(value, "visits", b"iu", "integers", count)?;
    let checked = numbers.iter().map(|&number| within("visits", number, 0, MAX_VISITS));
    checked.collect()
}

fn batch_error(error: TreeBatchError) -> PyErr {
    match error {
        TreeBatchError::UnknownTree { .. } => PyIndexError::new_err(error.to_string()),
        TreeBatchError::OtherGame { .. } => PyTypeError::new_err(error.to_string()),
        TreeBatchError::Selected | TreeBatchError::NotSelected => PyRuntimeError::new_err(error.to_string()),
        _ => value_error(error),
    }
}

impl BatchMcts {
    /// The state, if no other call uses it.
    fn lock(&self) -> PyResult<MutexGuard<'_, State>> {
        lock(&self.state, "BatchMCTS")
    }

    fn count(&self) -> usize {
        self.settings.trees
    }

    /// Selects a batch and writes it to the arrays; `None` if all trees have their visits.
    fn select_batch(&self, py: Python<'_>) -> PyResult<Option<LeafBatch>> {
        let mut state = self.lock()?;
        let state = &mut *state;
        let Selection { leaves, actions, .. } = loop {
            let trees = &mut state.trees;
            let selection = py.detach(|| trees.select()).map_err(batch_error)?;
            if selection.is_done {
                return Ok(None);
            }
            if selection.leaves > 0 {
                break selection;
            }
            py.check_signals()?;
        };
        let written = state.write_leaves(py, leaves, actions);
        written.inspect_err(|_| state.trees.cancel())?;
        Ok(Some(LeafBatch {
            observations: view(py, &state.observations, leaves)?,
            actions: view(py, &state.actions, actions)?,
            offsets: view(py, &state.offsets, leaves + 1)?,
            trees: view(py, &state.numbers, leaves)?,
        }))
    }

    fn expand_batch(
        &self,
        py: Python<'_>,
        policy: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        logits: bool,
    ) -> PyResult<()> {
        let mut state = self.lock()?;
        let State { trees, policy: priors, values: results, .. } = &mut *state;
        let (leaves, actions) = trees.selected();
        if leaves == 0 {
            return Err(batch_error(TreeBatchError::NotSelected));
        }
        let name = if logits { "logits" } else { "priors" };
        let (policy, values) = (floats(policy, name, &[actions])?, floats(values, "values", &[leaves])?);
        priors.clear();
        priors.extend_from_slice(policy.as_slice().map_err(value_error)?);
        results.clear();
        results.extend_from_slice(values.as_slice().map_err(value_error)?);
        let form = if logits { PolicyForm::Logits } else { PolicyForm::Priors };
        py.detach(|| trees.expand(priors, results, form)).map_err(batch_error)
    }

    /// The state of each game.
    fn statuses<T>(&self, f: impl Fn(GameStatus) -> T) -> PyResult<Vec<T>> {
        let state = self.lock()?;
        Ok((0..self.count()).map(|tree| f(state.trees.status(tree))).collect())
    }
}

impl State {
    fn write_leaves(&mut self, py: Python<'_>, leaves: usize, actions: usize) -> PyResult<()> {
        grown(py, &mut self.actions, actions)?;
        let mut observations = borrowed(self.observations.bind(py))?;
        let mut listed = borrowed(self.actions.bind(py))?;
        let mut offsets = borrowed(self.offsets.bind(py))?;
        let mut numbers = borrowed(self.numbers.bind(py))?;
        let arrays = LeafArrays {
            observations: first(&mut observations, leaves * self.shape.len())?,
            actions: first(&mut listed, actions)?,
            offsets: first(&mut offsets, leaves + 1)?,
            trees: first(&mut numbers, leaves)?,
        };
        let trees = &mut self.trees;
        py.detach(|| trees.write_leaves(arrays)).map_err(batch_error)
    }
}

#[pymethods]
impl BatchMcts {
    #[new]
    #[pyo3(signature = (
        game, count, *, rules=None, seed=0, threads=1, leaves=1, exploration=1.6, fpu_reduction=0.25,
        root_fpu_reduction=0.0, noise_alpha=10.0, noise_fraction=0.25, gumbel=false, gumbel_moves=16,
        max_nodes=1_000_000, max_plies=None, opening_plies=0
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn new(
        py: Python<'_>,
        game: &str,
        count: Int,
        rules: Option<&str>,
        #[pyo3(from_py_with = seed)] seed: u64,
        #[pyo3(from_py_with = int)] threads: i64,
        #[pyo3(from_py_with = int)] leaves: i64,
        exploration: f32,
        fpu_reduction: f32,
        root_fpu_reduction: f32,
        noise_alpha: f32,
        noise_fraction: f32,
        gumbel: bool,
        #[pyo3(from_py_with = int)] gumbel_moves: i64,
        #[pyo3(from_py_with = int)] max_nodes: i64,
        max_plies: Option<Int>,
        #[pyo3(from_py_with = int)] opening_plies: i64,
    ) -> PyResult<Self> {
        let kind = kind(game)?;
        let count = within("count", count.0, 1, 1 << 20)? as usize;
        let leaves = within("leaves", leaves, 1, 1 << 16)? as usize;
        let max_plies = match max_plies {
            Some(Int(max_plies)) => at_least("max_plies", max_plies, 1)?,
            None => kind.ply_limit,
        };
        let opening_plies = at_least("opening_plies", opening_plies, 0)?;
        if opening_plies >= max_plies {
            return Err(value_error(format!(
                "opening_plies must be less than max_plies ({max_plies}), not {opening_plies}"
            )));
        }
        if !(noise_alpha.is_finite() && noise_alpha > 0.0) {
            return Err(value_error(format!("noise_alpha must be more than 0, not {noise_alpha}")));
        }
        if !(0.0..=1.0).contains(&noise_fraction) {
            return Err(value_error(format!("noise_fraction must be 0 to 1, not {noise_fraction}")));
        }
        let gumbel_moves = within("gumbel_moves", gumbel_moves, 1, 1 << 20)? as usize;
        let max_nodes = within("max_nodes", max_nodes, 1, MctsSettings::MAX_NODES)?;
        let search = MctsSettings::default()
            .with_exploration(number("exploration", exploration)?)
            .with_fpu_reduction(number("fpu_reduction", fpu_reduction)?)
            .with_root_fpu_reduction(number("root_fpu_reduction", root_fpu_reduction)?)
            .with_batch_size(leaves)
            .with_noise(noise_alpha, noise_fraction)
            .with_gumbel_moves(if gumbel { gumbel_moves } else { 0 })
            .with_max_nodes(max_nodes)
            .with_max_plies(max_plies);
        let settings = TreeBatchSettings::new(count)
            .with_threads(crate::threads(threads)?)
            .with_opening_plies(opening_plies)
            .with_seed(seed)
            .with_search(search);
        let rules = rules_or_default(kind, rules);
        let rows = count * leaves;
        let mut extents = vec![rows];
        extents.extend(kind.shape.extents(Layout::Hwc));
        // Allocate the arrays first: they are the largest allocations and may fail.
        let state = State {
            observations: zeros(py, &extents)?,
            actions: zeros(py, &[rows])?,
            offsets: zeros(py, &[rows + 1])?,
            numbers: zeros(py, &[rows])?,
            shape: kind.shape,
            policy: Vec::new(),
            values: Vec::new(),
            trees: tree_batch(kind, &rules, &settings).map_err(value_error)?,
        };
        Ok(Self { kind, rules, settings, state: Mutex::new(state) })
    }

    /// Starts a search. `visits` is the number of new visits: an integer for all trees, or one for each. `noise` says whether
    /// the roots get noise: a bool for all, or one for each. Both as arrays make playout-cap randomisation possible: few
    /// visits without noise for most moves, many with noise for those that a network learns from.
    ///
    /// Games that are over are not searched.
    #[pyo3(signature = (visits, *, noise=None))]
    fn begin(
        &self,
        py: Python<'_>,
        visits: &Bound<'_, PyAny>,
        noise: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let visits = visits_per_tree(visits, self.count())?;
        let noise = match noise {
            None => vec![true; self.count()],
            Some(noise) => per_item::<bool>(noise, "noise", b"b", "bool", self.count())?,
        };
        let mut state = self.lock()?;
        let trees = &mut state.trees;
        py.detach(|| trees.begin(&visits, &noise)).map_err(batch_error)
    }

    /// Selects the leaves of the next batch; None if every tree has its visits. `RuntimeError` if the last batch has been
    /// neither expanded nor cancelled.
    fn select(&self, py: Python<'_>) -> PyResult<Option<LeafBatch>> {
        self.select_batch(py)
    }

    /// Expands the selected leaves. `policy` has a prior for each legal action, at least 0 and normalised for each leaf here, or
    /// with `logits=True` a logit. `values` has the expected result of each leaf for its side to move, -1 to 1. Both are
    /// arrays or lists.
    ///
    /// `ValueError` if a number is not valid; the batch can then be expanded again.
    #[pyo3(signature = (policy, values, *, logits=false))]
    fn expand(
        &self,
        py: Python<'_>,
        policy: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        logits: bool,
    ) -> PyResult<()> {
        self.expand_batch(py, policy, values, logits)
    }

    /// Gives up the selected leaves. Their visits remain to be made by the same search.
    fn cancel(&self) -> PyResult<()> {
        self.lock()?.trees.cancel();
        Ok(())
    }

    /// Searches: `begin`, then `select` and `expand` until every tree has its visits. `evaluator(batch)` takes a `LeafBatch`
    /// and returns `(policy, values)` as `expand` takes them.
    ///
    /// If the evaluator raises, or on Ctrl-C, the search ends and the trees keep the results so far.
    #[pyo3(signature = (evaluator, visits, *, noise=None, logits=false))]
    fn search(
        &self,
        py: Python<'_>,
        evaluator: &Bound<'_, PyAny>,
        visits: &Bound<'_, PyAny>,
        noise: Option<&Bound<'_, PyAny>>,
        logits: bool,
    ) -> PyResult<()> {
        if !evaluator.is_callable() {
            return Err(PyTypeError::new_err("evaluator must be callable with a LeafBatch"));
        }
        self.begin(py, visits, noise)?;
        let searched = self.search_on(py, evaluator, logits);
        searched.inspect_err(|_| {
            if let Ok(mut state) = self.lock() {
                state.trees.stop();
            }
        })
    }

    /// The root moves of all trees, in new arrays.
    fn roots(&self, py: Python<'_>) -> PyResult<Roots> {
        let state = self.lock()?;
        let moves = state.trees.count_root_moves();
        let mut offsets = vec![0; self.count() + 1];
        let (mut actions, mut visits) = (vec![0; moves], vec![0; moves]);
        let (mut priors, mut values, mut policy) = (vec![0.0; moves], vec![0.0; moves], vec![0.0; moves]);
        let arrays = RootArrays {
            offsets: &mut offsets,
            actions: &mut actions,
            visits: &mut visits,
            priors: &mut priors,
            values: &mut values,
            policy: &mut policy,
        };
        state.trees.write_roots(arrays).map_err(batch_error)?;
        Ok(Roots {
            offsets: PyArray1::from_vec(py, offsets).unbind(),
            actions: PyArray1::from_vec(py, actions).unbind(),
            visits: PyArray1::from_vec(py, visits).unbind(),
            priors: PyArray1::from_vec(py, priors).unbind(),
            values: PyArray1::from_vec(py, values).unbind(),
            policy: PyArray1::from_vec(py, policy).unbind(),
        })
    }

    /// The value of each root for the side to move: the mean of all results of the search, or the result of a finished game:
    /// float32, `(count,)`.
    #[getter]
    fn root_values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let mut values = vec![0.0; self.count()];
        self.lock()?.trees.write_root_values(&mut values).map_err(batch_error)?;
        Ok(PyArray1::from_vec(py, values))
    }

    /// Chooses an action for each tree: int64, `(count,)`; -1 where the game is over or truncated. `temperature` is a number for
    /// all trees, or one for each: 0 chooses the best action, 1 samples in proportion to the policy of `roots`, and t in
    /// proportion to its power 1 / t.
    #[pyo3(signature = (temperature=None))]
    fn choose<'py>(
        &self,
        py: Python<'py>,
        temperature: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let temperatures = match temperature {
            None => vec![0.0; self.count()],
            Some(temperature) => {
                per_item::<f32>(temperature, "temperature", b"iuf", "numbers", self.count())?
            }
        };
        if let Some(bad) = temperatures.iter().find(|number| !(number.is_finite() && **number >= 0.0)) {
            return Err(value_error(format!("temperature must be at least 0, not {bad}")));
        }
        let mut actions = vec![-1; self.count()];
        self.lock()?.trees.choose(&temperatures, &mut actions).map_err(batch_error)?;
        Ok(PyArray1::from_vec(py, actions))
    }

    /// Plays an action in each game and keeps its subtree; -1 leaves a game as it is. Ends the search.
    ///
    /// `ValueError` if an action is illegal; no game is changed then.
    fn advance(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = crate::vector_env::actions(actions, self.count(), "tree")?;
        let actions = actions.try_readonly().map_err(value_error)?.as_slice().map_err(value_error)?.to_vec();
        let mut state = self.lock()?;
        let trees = &mut state.trees;
        py.detach(|| trees.advance(&actions)).map_err(batch_error)
    }

    /// Whether each game is over: bool, `(count,)`.
    #[getter]
    fn over<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(PyArray1::from_vec(py, self.statuses(|status| status.over)?))
    }

    /// Whether each game was truncated: it is not over, but has had `max_plies` moves: bool, `(count,)`.
    #[getter]
    fn truncated<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(PyArray1::from_vec(py, self.statuses(|status| status.truncated)?))
    }

    /// The side to move in each game, 0 or 1: int8, `(count,)`.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        Ok(PyArray1::from_vec(py, self.statuses(|status| i8::from(status.turn == Player::Second))?))
    }

    /// The number of moves played in each game: int32, `(count,)`.
    #[getter]
    fn plies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        Ok(PyArray1::from_vec(py, self.statuses(|status| i32::try_from(status.ply).unwrap_or(i32::MAX))?))
    }

    /// The results of players 0 and 1 in each game, 0 unless it is over: float32, `(count, 2)`.
    fn returns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let returns = self.statuses(|status| status.returns)?.concat();
        PyArray1::from_vec(py, returns).reshape(vec![self.count(), 2])
    }

    /// Restarts all games, or those of a mask: bool, `(count,)`.
    #[pyo3(signature = (mask=None))]
    fn reset(&self, mask: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mask = match mask {
            None => vec![true; self.count()],
            Some(mask) => per_item::<bool>(mask, "mask", b"b", "bool", self.count())?,
        };
        self.lock()?.trees.reset(&mask).map_err(batch_error)
    }

    /// Replaces the game of a tree by a copy of `game`.
    fn set_game(&self, index: Int, game: &Bound<'_, Game>) -> PyResult<()> {
        let index = self.index(index)?;
        let game = game.try_borrow()?;
        self.lock()?.trees.set_game(index, &*game.game).map_err(batch_error)
    }

    /// A copy of the game of a tree.
    fn game(&self, py: Python<'_>, index: Int) -> PyResult<Py<PyAny>> {
        let index = self.index(index)?;
        let game = self.lock()?.trees.game(index).map_err(batch_error)?;
        wrap(py, game)
    }

    /// The name of the game.
    #[getter]
    const fn name(&self) -> &'static str {
        self.kind.name
    }

    /// The name of the rule set.
    #[getter]
    fn rules(&self) -> &str {
        &self.rules
    }

    /// The number of trees.
    #[getter(count)]
    fn tree_count(&self) -> usize {
        self.count()
    }

    /// The number of nodes of all trees.
    #[getter]
    fn size(&self) -> PyResult<usize> {
        Ok(self.lock()?.trees.size())
    }

    fn __len__(&self) -> usize {
        self.count()
    }

    fn __repr__(&self) -> String {
        format!("BatchMCTS('{}', {}, rules='{}')", self.kind.name, self.count(), self.rules)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let TreeBatchSettings { threads, opening_plies, seed, search, .. } = self.settings;
        let settings = PyDict::new(py);
        settings.set_item("rules", &self.rules)?;
        settings.set_item("seed", seed)?;
        settings.set_item("threads", threads)?;
        settings.set_item("leaves", search.batch_size)?;
        settings.set_item("exploration", search.exploration)?;
        settings.set_item("fpu_reduction", search.fpu_reduction)?;
        settings.set_item("root_fpu_reduction", search.root_fpu_reduction)?;
        settings.set_item("noise_alpha", search.noise_alpha)?;
        settings.set_item("noise_fraction", search.noise_fraction)?;
        settings.set_item("gumbel", search.gumbel_moves > 0)?;
        settings.set_item("gumbel_moves", search.gumbel_moves.max(1))?;
        settings.set_item("max_nodes", search.max_nodes)?;
        settings.set_item("max_plies", search.max_plies)?;
        settings.set_item("opening_plies", opening_plies)?;
        let state = self.lock()?;
        let bytes = PyBytes::new(py, &state.trees.save().map_err(batch_error)?);
        let games = (0..self.count()).map(|tree| wrap(py, state.trees.game(tree).map_err(batch_error)?));
        let games = PyList::new(py, games.collect::<PyResult<Vec<_>>>()?)?;
        let restore = py.import("sandtable._sandtable")?.getattr("_restore_batch")?;
        Ok((restore, (self.kind.name, settings, games, bytes).into_pyobject(py)?))
    }
}

impl BatchMcts {
    fn index(&self, Int(index): Int) -> PyResult<usize> {
        let last = self.count() - 1;
        let found = usize::try_from(index).ok().filter(|index| *index <= last);
        found.ok_or_else(|| PyIndexError::new_err(format!("unknown tree {index}: expected 0 to {last}")))
    }

    fn search_on(&self, py: Python<'_>, evaluator: &Bound<'_, PyAny>, logits: bool) -> PyResult<()> {
        let not_a_pair =
            || PyTypeError::new_err("evaluator must return a tuple of two arrays: (policy, values)");
        while let Some(batch) = self.select_batch(py)? {
            let output = evaluator.call1((batch,))?;
            let (policy, values) =
                output.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>().map_err(|_| not_a_pair())?;
            self.expand_batch(py, &policy, &values, logits)?;
            py.check_signals()?;
        }
        Ok(())
    }
}

/// Rebuilds a pickled batch from its settings, its games and the bytes of its trees.
#[pyfunction]
#[pyo3(name = "_restore_batch")]
pub(crate) fn restore_batch<'py>(
    py: Python<'py>,
    game: &str,
    settings: &Bound<'py, PyDict>,
    games: Vec<Bound<'py, Game>>,
    trees: &Bound<'py, PyBytes>,
) -> PyResult<Bound<'py, PyAny>> {
    let batch = py.get_type::<BatchMcts>().call((game, games.len()), Some(settings))?;
    let borrowed = games.iter().map(Bound::try_borrow).collect::<Result<Vec<_>, _>>()?;
    let games: Vec<&dyn AnyGame> = borrowed.iter().map(|game| &*game.game).collect();
    let restored = batch.cast::<BatchMcts>()?.get().lock()?.trees.restore(&games, trees.as_bytes());
    restored.map_err(batch_error)?;
    Ok(batch)
}
