//! `VectorEnv`: many games stepped in lockstep, with arrays that are allocated once.

use numpy::{
    Element, PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use sandtable::core::rules::Rng;
use sandtable::training::{Arrays, BoxedEnv, SetGameError, StepError, VectorSettings, vector_env};

use crate::arrays::{
    as_slice_mut, borrowed, contiguous, filled, first, grown, layout, per_item, view, zeros,
};
use crate::game::{Game, kind, rules_or_default};
use crate::game_class::wrap;
use crate::{Int, at_least, int, value_error};

type Array<T> = Py<PyArrayDyn<T>>;

/// Many games of one kind, stepped in lockstep.
///
/// `reset` and `step` write to arrays that the environment owns and return the same arrays every time: copy what you
/// need beyond the next step. Observations and masks are read-only, because a step writes only the values that change.
/// Actions are policy indices. Rewards have a column for each player.
///
/// With `masks=False` there are no masks, which take 424 MB for 1,024 games of Tribun. `reset` and `step` then return
/// `legal_actions()` in their place: `(actions, offsets)`, where environment i has `actions[offsets[i]:offsets[i + 1]]`.
///
/// A game that ends is reset within the same step (*same-step* autoreset): `terminated` or `truncated` is true, `rewards`
/// holds the result and `final_observations` the last observation, while `observations`, `masks` and `players` belong to
/// the new game. Every environment therefore always has a legal action.
///
/// A game is truncated after `max_plies` moves, by default after `Game.ply_limit`. Every game starts with
/// `opening_plies` random moves. `seed` (default 0) is either one integer, from which each environment derives its own
/// seed, or a sequence with one seed per environment. The same seeds and actions give the same games for any number of
/// threads. Pickling keeps games and random state. Releases the global interpreter lock.
///
/// >>> import sandtable
/// >>> env = sandtable.VectorEnv("chess", 4, threads=2, seed=1)
/// >>> observations, masks = env.reset()
/// >>> observations.shape, masks.shape
/// ((4, 8, 8, 18), (4, 4672))
/// >>> for _ in range(10):
/// ...     observations, rewards, terminated, truncated, masks = env.step(env.sample_actions())
/// >>> rewards.shape, bool(terminated.any())
/// ((4, 2), False)
#[pyclass(module = "sandtable")]
pub(crate) struct VectorEnv {
    env: BoxedEnv,
    name: &'static str,
    rules: String,
    threads: usize,
    max_plies: usize,
    opening_plies: usize,
    layout: String,
    observations: ReadOnly<f32>,
    masks: Option<ReadOnly<bool>>,
    /// The legal actions, with room for the longest list so far, and the index of each environment's first action.
    legal: Array<i32>,
    offsets: Array<i64>,
    players: Array<i8>,
    rewards: Array<f32>,
    terminated: Array<bool>,
    truncated: Array<bool>,
    final_observations: Array<f32>,
    num_actions: usize,
    /// A copy of the actions of a step, which no other thread can change.
    actions: Vec<i64>,
}

/// An array that callers may only read, because a step updates only the entries that change.
struct ReadOnly<T> {
    array: Array<T>,
    /// A view of the array that callers cannot write to.
    view: Py<PyAny>,
}

impl<T: Element> ReadOnly<T> {
    fn new(py: Python<'_>, shape: &[usize]) -> PyResult<Self> {
        let array = zeros(py, shape)?;
        let view = array.bind(py).call_method0("view")?;
        view.call_method1("setflags", (false,))?;
        Ok(Self { array, view: view.unbind() })
    }
}

/// The result of a step: observations, rewards, terminated, truncated, masks.
type StepResult<'py> = Bound<'py, PyTuple>;

/// One seed per environment.
fn seeds(seed: Option<&Bound<'_, PyAny>>, envs: usize) -> PyResult<Vec<u64>> {
    let Some(seed) = seed else { return Ok(spread(0, envs)) };
    let not_an_int =
        |_| PyTypeError::new_err("seed must be an integer or a sequence with one per environment");
    let Ok(each) = seed.extract::<Vec<Bound<'_, PyAny>>>() else {
        return Ok(spread(crate::seed_or(seed, not_an_int)?, envs));
    };
    let seeds = each.iter().map(|seed| crate::seed_or(seed, not_an_int)).collect::<PyResult<Vec<_>>>()?;
    if seeds.len() == envs {
        Ok(seeds)
    } else {
        Err(value_error(format!("expected {envs} seeds, one per environment, found {}", seeds.len())))
    }
}

/// Derives a seed for each environment.
fn spread(seed: u64, envs: usize) -> Vec<u64> {
    let mut rng = Rng::new(seed);
    (0..envs).map(|_| rng.next_u64()).collect()
}

/// Converts actions, one per environment or tree, to a contiguous array of int64.
pub(crate) fn actions<'py>(
    actions: &Bound<'py, PyAny>,
    count: usize,
    each: &str,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let py = actions.py();
    let array = if let Ok(array) = actions.cast::<PyArray1<i64>>() {
        array.clone()
    } else {
        let numpy = py.import("numpy")?;
        let array = numpy.call_method1("asarray", (actions,))?.cast_into::<PyUntypedArray>()?;
        if !matches!(array.dtype().kind(), b'i' | b'u') {
            return Err(PyTypeError::new_err(format!("actions must be integers, not {}", array.dtype())));
        }
        let array = array.call_method1("astype", (numpy::dtype::<i64>(py),))?;
        array.cast_into::<PyArray1<i64>>().map_err(|_| wrong_shape(count, each))?
    };
    if array.len() != count {
        return Err(wrong_shape(count, each));
    }
    contiguous(&array)
}

fn wrong_shape(count: usize, each: &str) -> PyErr {
    PyValueError::new_err(format!("actions must have shape ({count},): one per {each}"))
}

impl VectorEnv {
    /// Runs `work` on the environments and arrays without the global interpreter lock.
    fn run<T: Send, E: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut BoxedEnv, Arrays<'_>) -> Result<T, E> + Send,
    ) -> PyResult<Result<T, E>> {
        let env = &mut self.env;
        let mut observations = borrowed(self.observations.array.bind(py))?;
        let mut masks = self.masks.as_ref().map(|masks| borrowed(masks.array.bind(py))).transpose()?;
        let mut players = borrowed(self.players.bind(py))?;
        let mut rewards = borrowed(self.rewards.bind(py))?;
        let mut terminated = borrowed(self.terminated.bind(py))?;
        let mut truncated = borrowed(self.truncated.bind(py))?;
        let mut final_observations = borrowed(self.final_observations.bind(py))?;
        let arrays = Arrays {
            observations: as_slice_mut(&mut observations)?,
            masks: masks.as_mut().map(as_slice_mut).transpose()?,
            players: as_slice_mut(&mut players)?,
            rewards: as_slice_mut(&mut rewards)?,
            terminated: as_slice_mut(&mut terminated)?,
            truncated: as_slice_mut(&mut truncated)?,
            final_observations: as_slice_mut(&mut final_observations)?,
        };
        Ok(py.detach(|| work(env, arrays)))
    }

    /// Copies the actions of a step while the lock is held: without it, another thread may change them.
    fn copy_actions(&mut self, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions =
            self::actions(actions, self.env.len(), "environment")?.try_readonly().map_err(value_error)?;
        self.actions.clear();
        self.actions.extend_from_slice(actions.as_slice().map_err(value_error)?);
        Ok(())
    }

    /// Resets every game or those of a mask, and the random generators if there are seeds.
    fn restart(&mut self, py: Python<'_>, seeds: Option<&[u64]>, which: Option<&[bool]>) -> PyResult<()> {
        if let Some(seeds) = seeds {
            self.env.seed(seeds).map_err(value_error)?;
        }
        self.run(py, |env, arrays| env.reset(which, arrays))?.map_err(value_error)
    }

    /// The masks, or the lists of legal actions.
    fn legal<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.masks {
            Some(masks) => Ok(masks.view.bind(py).clone()),
            None => Ok(self.legal_actions(py)?.into_any()),
        }
    }

    fn index(&self, Int(env): Int) -> PyResult<usize> {
        let last = self.env.len() - 1;
        let found = usize::try_from(env).ok().filter(|env| *env <= last);
        found.ok_or_else(|| PyIndexError::new_err(format!("unknown environment {env}: expected 0 to {last}")))
    }
}

#[pymethods]
impl VectorEnv {
    #[new]
    #[pyo3(signature = (
        game, num_envs, *, threads=1, seed=None, rules=None, max_plies=None, opening_plies=0, layout="hwc",
        masks=true
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn new(
        py: Python<'_>,
        game: &str,
        num_envs: Int,
        #[pyo3(from_py_with = int)] threads: i64,
        seed: Option<&Bound<'_, PyAny>>,
        rules: Option<&str>,
        max_plies: Option<Int>,
        #[pyo3(from_py_with = int)] opening_plies: i64,
        layout: &str,
        masks: bool,
    ) -> PyResult<Self> {
        let kind = kind(game)?;
        let num_envs = at_least("num_envs", num_envs.0, 1)?;
        let threads = crate::threads(threads)?;
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
        let rules = rules_or_default(kind, rules);
        let order = self::layout(layout)?;
        let settings = VectorSettings::new(num_envs)
            .with_threads(threads)
            .with_max_plies(Some(max_plies))
            .with_opening_plies(opening_plies)
            .with_layout(order);
        // Allocate the arrays first: they are the largest allocations and may fail.
        let mut extents = vec![num_envs];
        extents.extend(kind.shape.extents(order));
        let masks = if masks { Some(ReadOnly::new(py, &[num_envs, kind.policy_size])?) } else { None };
        let mut env = Self {
            observations: ReadOnly::new(py, &extents)?,
            masks,
            legal: zeros(py, &[num_envs])?,
            offsets: zeros(py, &[num_envs + 1])?,
            players: zeros(py, &[num_envs])?,
            rewards: zeros(py, &[num_envs, 2])?,
            terminated: zeros(py, &[num_envs])?,
            truncated: zeros(py, &[num_envs])?,
            final_observations: zeros(py, &extents)?,
            env: vector_env(kind, &rules, &settings).map_err(value_error)?,
            name: kind.name,
            rules,
            threads,
            max_plies,
            opening_plies,
            layout: layout.to_owned(),
            num_actions: kind.policy_size,
            actions: Vec::new(),
        };
        env.restart(py, Some(&seeds(seed, num_envs)?), None)?;
        Ok(env)
    }

    /// Resets every game, and the random generators if there is a seed: `(observations, masks)`.
    ///
    /// With `mask`, bool, `(num_envs,)`, only its environments are reset.
    #[pyo3(signature = (seed=None, *, mask=None))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seed: Option<&Bound<'py, PyAny>>,
        mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let envs = self.env.len();
        let which = mask.map(|mask| per_item::<bool>(mask, "mask", b"b", "bool", envs)).transpose()?;
        let seeds = seed.map(|seed| seeds(Some(seed), envs)).transpose()?;
        self.restart(py, seeds.as_deref(), which.as_deref())?;
        let legal = self.legal(py)?;
        (&self.observations.view, legal).into_pyobject(py)
    }

    /// Plays one action in every environment: `(observations, rewards, terminated, truncated, masks)`.
    ///
    /// `ValueError` if an action is illegal; no environment is changed then.
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<StepResult<'py>> {
        self.copy_actions(actions)?;
        let actions = std::mem::take(&mut self.actions);
        let stepped: PyResult<Result<(), StepError>> = self.run(py, |env, arrays| env.step(&actions, arrays));
        self.actions = actions;
        stepped?.map_err(value_error)?;
        let legal = self.legal(py)?;
        (&self.observations.view, &self.rewards, &self.terminated, &self.truncated, legal).into_pyobject(py)
    }

    /// The legal actions of all environments: `(actions, offsets)`, int32 and int64. Environment i has
    /// `actions[offsets[i]:offsets[i + 1]]`. Both arrays are valid until the next call.
    fn legal_actions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let count = self.env.count_legal();
        grown(py, &mut self.legal, count)?;
        let mut legal = borrowed(self.legal.bind(py))?;
        let mut offsets = borrowed(self.offsets.bind(py))?;
        let (actions, starts) = (first(&mut legal, count)?, as_slice_mut(&mut offsets)?);
        let env = &mut self.env;
        py.detach(|| env.write_legal(actions, starts)).map_err(value_error)?;
        let legal = view(py, &self.legal, count)?;
        (legal, view(py, &self.offsets, self.env.len() + 1)?).into_pyobject(py)
    }

    /// Replaces the game of one environment by a copy of `game`, which is in progress.
    fn set_game(&mut self, py: Python<'_>, env: Int, game: &Bound<'_, Game>) -> PyResult<()> {
        let env = self.index(env)?;
        let game = game.try_borrow()?.game.clone_box();
        self.run(py, |envs, arrays| envs.set_game(env, &*game, arrays))?.map_err(|error| match error {
            SetGameError::OtherGame { .. } => PyTypeError::new_err(error.to_string()),
            _ => value_error(error),
        })
    }

    /// A uniformly random legal action for every environment, drawn from the environments' own generators.
    #[pyo3(signature = (out=None))]
    fn sample_actions<'py>(
        &mut self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i64>>> {
        let env = &mut self.env;
        filled(py, out, &[env.len()], |actions| py.detach(|| env.sample(actions)).map_err(value_error))
    }

    /// A copy of the game of one environment.
    fn game(&self, py: Python<'_>, env: Int) -> PyResult<Py<PyAny>> {
        wrap(py, self.env.game(self.index(env)?).expect("the index was checked"))
    }

    /// The name of the game.
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    /// The name of the rule set.
    #[getter]
    fn rules(&self) -> &str {
        &self.rules
    }

    /// The number of environments.
    #[getter]
    fn num_envs(&self) -> usize {
        self.env.len()
    }

    /// The number of actions: the size of the policy.
    #[getter]
    fn num_actions(&self) -> usize {
        self.num_actions
    }

    /// The number of threads that share a step.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// The number of moves after which a game is truncated.
    #[getter]
    fn max_plies(&self) -> usize {
        self.max_plies
    }

    /// The number of random moves at the start of every game.
    #[getter]
    fn opening_plies(&self) -> usize {
        self.opening_plies
    }

    /// The layout of observations: 'hwc' or 'chw'.
    #[getter]
    fn layout(&self) -> &str {
        &self.layout
    }

    /// The autoreset mode in Gymnasium's terms.
    #[classattr]
    fn autoreset_mode() -> &'static str {
        "SameStep"
    }

    /// The observations of the sides to move, a read-only array.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyAny> {
        self.observations.view.clone_ref(py)
    }

    /// The masks of legal actions, a read-only array; None with `masks=False`.
    #[getter]
    fn masks(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.masks.as_ref().map(|masks| masks.view.clone_ref(py))
    }

    /// The side to move in each environment: int8, 0 or 1.
    #[getter]
    fn players(&self, py: Python<'_>) -> Array<i8> {
        self.players.clone_ref(py)
    }

    /// The results of the games that ended in the last step, a column for each player; 0 for games in progress.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Array<f32> {
        self.rewards.clone_ref(py)
    }

    /// Whether each game ended by its rules in the last step.
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Array<bool> {
        self.terminated.clone_ref(py)
    }

    /// Whether each game was truncated in the last step.
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Array<bool> {
        self.truncated.clone_ref(py)
    }

    /// The last observations of the games that ended in the last step; other rows are stale.
    #[getter]
    fn final_observations(&self, py: Python<'_>) -> Array<f32> {
        self.final_observations.clone_ref(py)
    }

    fn __repr__(&self) -> String {
        let Self { name, rules, threads, .. } = self;
        format!("VectorEnv('{name}', {}, threads={threads}, rules='{rules}')", self.env.len())
    }

    fn __len__(&self) -> usize {
        self.env.len()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let settings = PyDict::new(py);
        settings.set_item("threads", self.threads)?;
        settings.set_item("rules", &self.rules)?;
        settings.set_item("max_plies", self.max_plies)?;
        settings.set_item("opening_plies", self.opening_plies)?;
        settings.set_item("layout", &self.layout)?;
        settings.set_item("masks", self.masks.is_some())?;
        let games =
            (0..self.env.len()).map(|env| wrap(py, self.env.game(env).expect("the index is in range")));
        let games = PyList::new(py, games.collect::<PyResult<Vec<_>>>()?)?;
        let results = (&self.rewards, &self.terminated, &self.truncated, &self.final_observations);
        let restore = py.import("sandtable._sandtable")?.getattr("_restore_env")?;
        Ok((restore, (self.name, settings, games, self.env.random_states(), results).into_pyobject(py)?))
    }
}

/// Rebuilds a pickled environment from its settings, its games, its random states and the results of the last step.
#[pyfunction]
#[pyo3(name = "_restore_env")]
pub(crate) fn restore_env<'py>(
    game: &str,
    settings: &Bound<'py, PyDict>,
    games: Vec<Bound<'py, Game>>,
    seeds: Vec<u64>,
    results: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = settings.py();
    let restored = py.get_type::<VectorEnv>().call((game, games.len()), Some(settings))?;
    let mut env = restored.cast::<VectorEnv>()?.try_borrow_mut()?;
    for (number, game) in games.iter().enumerate() {
        env.set_game(py, Int(i128::try_from(number)?), game)?;
    }
    env.env.seed(&seeds).map_err(value_error)?;
    let arrays: [&Bound<'py, PyAny>; 4] = [
        env.rewards.bind(py).as_any(),
        env.terminated.bind(py).as_any(),
        env.truncated.bind(py).as_any(),
        env.final_observations.bind(py).as_any(),
    ];
    for (array, saved) in arrays.iter().zip(results.iter()) {
        py.import("numpy")?.call_method1("copyto", (array, saved))?;
    }
    drop(env);
    Ok(restored)
}
