//! `VectorEnv`: many games stepped together, over arrays that are made once.

use numpy::{
    Element, PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sandtable::core::Rng;
use sandtable::{Arrays, BoxedEnv, StepError, VectorSettings};

use crate::arrays::{borrowed, filled, in_order, layout, values};
use crate::game::{kind, rules_or_default, wrap};
use crate::{Whole, at_least, value_error, whole};

type Array<T> = Py<PyArrayDyn<T>>;

/// Many games of one kind, stepped together.
///
/// `reset` and `step` write into arrays that the object owns and always the same: copy what has to outlive the next
/// step. Rewards have a column for each player. Actions are indices of the policy. Masks are read-only.
///
/// A game that ends begins anew within the same step (*same-step* autoreset): `terminated` or `truncated` is true,
/// `rewards` has the result, `final_observations` what the player to move saw at the end, and `observations`, `masks`
/// and `players` are those of the new game. So every environment always has a legal action, and no step is spent on a
/// game that is over.
///
/// A game is truncated after `max_plies` moves; without it, at the limit of its kind. Every game begins with
/// `opening_plies` random moves. `seed` is a number, from which each environment gets a seed of its own, or one number
/// for each environment; without one it is 0. The same seeds and actions give the same games, whatever the number of
/// threads; other Python threads run meanwhile.
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
    observations: Array<f32>,
    masks: Array<bool>,
    /// The masks as they are shown: not to be written, as a step changes only what has to be changed.
    shown_masks: Py<PyAny>,
    players: Array<i8>,
    rewards: Array<f32>,
    terminated: Array<bool>,
    truncated: Array<bool>,
    final_observations: Array<f32>,
    num_actions: usize,
    /// The actions of a step, out of reach of whoever else has the caller's array.
    chosen: Vec<i64>,
}

/// What a step gives: observations, rewards, terminated, truncated, masks.
type Stepped<'py> = Bound<'py, PyTuple>;

/// One seed for each environment.
fn seeds(seed: Option<&Bound<'_, PyAny>>, envs: usize) -> PyResult<Vec<u64>> {
    let Some(seed) = seed else { return Ok(spread(0, envs)) };
    let wrong = |_| PyTypeError::new_err("a seed is a number of at least 0, or one for each environment");
    let Ok(each) = seed.extract::<Vec<Bound<'_, PyAny>>>() else {
        return Ok(spread(crate::seed(seed, wrong)?, envs));
    };
    let seeds = each.iter().map(|seed| crate::seed(seed, wrong)).collect::<PyResult<Vec<_>>>()?;
    if seeds.len() == envs {
        Ok(seeds)
    } else {
        Err(value_error(format!("there are {} seeds for {envs} environments", seeds.len())))
    }
}

fn spread(seed: u64, envs: usize) -> Vec<u64> {
    let mut rng = Rng::new(seed);
    (0..envs).map(|_| rng.next_u64()).collect()
}

/// The actions of a step, as int64.
fn actions<'py>(actions: &Bound<'py, PyAny>, envs: usize) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let py = actions.py();
    let array = if let Ok(array) = actions.cast::<PyArray1<i64>>() {
        array.clone()
    } else {
        let numpy = py.import("numpy")?;
        let array = numpy.call_method1("asarray", (actions,))?.cast_into::<PyUntypedArray>()?;
        if !matches!(array.dtype().kind(), b'i' | b'u') {
            let found = array.dtype();
            return Err(PyTypeError::new_err(format!("actions are whole numbers, not {found}")));
        }
        let array = array.call_method1("astype", (numpy::dtype::<i64>(py),))?;
        array.cast_into::<PyArray1<i64>>().map_err(|_| wrong_actions(envs))?
    };
    if array.len() != envs {
        return Err(wrong_actions(envs));
    }
    in_order(&array)
}

fn wrong_actions(envs: usize) -> PyErr {
    PyValueError::new_err(format!("actions have shape ({envs},): one for each environment"))
}

impl VectorEnv {
    /// Lends the arrays, and whatever `work` needs beside them, to `work`, without the interpreter's lock.
    fn run<T: Send, E: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut BoxedEnv, Arrays<'_>) -> Result<T, E> + Send,
    ) -> PyResult<Result<T, E>> {
        let env = &mut self.env;
        let mut observations = borrowed(self.observations.bind(py))?;
        let mut masks = borrowed(self.masks.bind(py))?;
        let mut players = borrowed(self.players.bind(py))?;
        let mut rewards = borrowed(self.rewards.bind(py))?;
        let mut terminated = borrowed(self.terminated.bind(py))?;
        let mut truncated = borrowed(self.truncated.bind(py))?;
        let mut final_observations = borrowed(self.final_observations.bind(py))?;
        let arrays = Arrays {
            observations: values(&mut observations)?,
            masks: values(&mut masks)?,
            players: values(&mut players)?,
            rewards: values(&mut rewards)?,
            terminated: values(&mut terminated)?,
            truncated: values(&mut truncated)?,
            final_observations: values(&mut final_observations)?,
        };
        Ok(py.detach(|| work(env, arrays)))
    }

    /// Copies the actions of a step while the interpreter's lock is held: without it, another thread may write them.
    fn choose(&mut self, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = self::actions(actions, self.env.len())?.try_readonly().map_err(value_error)?;
        self.chosen.clear();
        self.chosen.extend_from_slice(actions.as_slice().map_err(value_error)?);
        Ok(())
    }

    fn begin(&mut self, py: Python<'_>, seeds: Option<&[u64]>) -> PyResult<()> {
        if let Some(seeds) = seeds {
            self.env.seed(seeds).map_err(value_error)?;
        }
        self.run(py, |env, arrays| env.reset(arrays))?.map_err(value_error)
    }
}

#[pymethods]
impl VectorEnv {
    #[new]
    #[pyo3(signature = (
        game, num_envs, *, threads=1, seed=None, rules=None, max_plies=None, opening_plies=0, layout="hwc"
    ))]
    #[expect(clippy::too_many_arguments, reason = "each is an argument in Python, known by its name")]
    fn new(
        py: Python<'_>,
        game: &str,
        num_envs: Whole,
        #[pyo3(from_py_with = whole)] threads: i64,
        seed: Option<&Bound<'_, PyAny>>,
        rules: Option<&str>,
        max_plies: Option<Whole>,
        #[pyo3(from_py_with = whole)] opening_plies: i64,
        layout: &str,
    ) -> PyResult<Self> {
        let kind = kind(game)?;
        let num_envs = at_least("num_envs", num_envs.0, 1)?;
        let threads = crate::threads(threads)?;
        let max_plies = match max_plies {
            Some(Whole(max_plies)) => at_least("max_plies", max_plies, 1)?,
            None => kind.ply_limit,
        };
        let opening_plies = at_least("opening_plies", opening_plies, 0)?;
        if opening_plies >= max_plies {
            return Err(value_error(format!(
                "opening_plies is {opening_plies}, and a game is cut off after {max_plies}"
            )));
        }
        let rules = rules_or_default(kind, rules);
        let order = self::layout(layout)?;
        let settings = VectorSettings {
            envs: num_envs,
            threads,
            max_plies: Some(max_plies),
            opening_plies,
            layout: order,
        };
        // The arrays first: they are what memory may not be enough for.
        let mut boards = vec![num_envs];
        boards.extend(kind.shape.extents(order));
        let masks = zeros(py, &[num_envs, kind.policy_size])?;
        let shown_masks = masks.bind(py).call_method0("view")?;
        shown_masks.call_method1("setflags", (false,))?;
        let mut made = Self {
            observations: zeros(py, &boards)?,
            masks,
            shown_masks: shown_masks.unbind(),
            players: zeros(py, &[num_envs])?,
            rewards: zeros(py, &[num_envs, 2])?,
            terminated: zeros(py, &[num_envs])?,
            truncated: zeros(py, &[num_envs])?,
            final_observations: zeros(py, &boards)?,
            env: kind.vector_env(&rules, &settings).map_err(value_error)?,
            name: kind.name,
            rules,
            threads,
            max_plies,
            opening_plies,
            layout: layout.to_owned(),
            num_actions: kind.policy_size,
            chosen: Vec::new(),
        };
        made.begin(py, Some(&seeds(seed, num_envs)?))?;
        Ok(made)
    }

    /// Begins every game anew: `(observations, masks)`. With a seed, random numbers begin anew too.
    #[pyo3(signature = (seed=None))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let seeds = seed.map(|seed| seeds(Some(seed), self.env.len())).transpose()?;
        self.begin(py, seeds.as_deref())?;
        (&self.observations, &self.shown_masks).into_pyobject(py)
    }

    /// Plays an action in every environment: `(observations, rewards, terminated, truncated, masks)`.
    ///
    /// `ValueError` if an action is not legal where it is played; no environment has then changed.
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        self.choose(actions)?;
        let chosen = std::mem::take(&mut self.chosen);
        let stepped: PyResult<Result<(), StepError>> = self.run(py, |env, arrays| env.step(&chosen, arrays));
        self.chosen = chosen;
        stepped?.map_err(value_error)?;
        (&self.observations, &self.rewards, &self.terminated, &self.truncated, &self.shown_masks)
            .into_pyobject(py)
    }

    /// A legal action for every environment, each equally likely, from the environments' own random numbers.
    #[pyo3(signature = (out=None))]
    fn sample_actions<'py>(
        &mut self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i64>>> {
        let env = &mut self.env;
        filled(py, out, &[env.len()], |actions| env.sample(actions).map_err(value_error))
    }

    /// A copy of one environment's game, to look at.
    fn game(&self, py: Python<'_>, env: Whole) -> PyResult<Py<PyAny>> {
        let Whole(env) = env;
        let game = usize::try_from(env).ok().and_then(|env| self.env.game(env)).ok_or_else(|| {
            PyIndexError::new_err(format!("there is no environment {env}: there are {}", self.env.len()))
        })?;
        wrap(py, game)
    }

    /// The name of the game.
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    /// The name of its rules.
    #[getter]
    fn rules(&self) -> &str {
        &self.rules
    }

    /// How many environments there are.
    #[getter]
    fn num_envs(&self) -> usize {
        self.env.len()
    }

    /// How many actions the policy has.
    #[getter]
    fn num_actions(&self) -> usize {
        self.num_actions
    }

    /// How many threads share a step.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// After how many moves a game is truncated.
    #[getter]
    fn max_plies(&self) -> usize {
        self.max_plies
    }

    /// With how many random moves a game begins.
    #[getter]
    fn opening_plies(&self) -> usize {
        self.opening_plies
    }

    /// The order of an observation's values: 'hwc' or 'chw'.
    #[getter]
    fn layout(&self) -> &str {
        &self.layout
    }

    /// What happens to a game that ends, as Gymnasium calls it.
    #[classattr]
    fn autoreset_mode() -> &'static str {
        "SameStep"
    }

    /// What the players to move see.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Array<f32> {
        self.observations.clone_ref(py)
    }

    /// Which actions the players to move have. This array is read-only.
    #[getter]
    fn masks(&self, py: Python<'_>) -> Py<PyAny> {
        self.shown_masks.clone_ref(py)
    }

    /// Who is to move in each environment: int8, 0 or 1.
    #[getter]
    fn players(&self, py: Python<'_>) -> Array<i8> {
        self.players.clone_ref(py)
    }

    /// The results of the games that the last step ended, a column for each player; 0 where it ended none.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Array<f32> {
        self.rewards.clone_ref(py)
    }

    /// Did the last step end the game by its rules?
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Array<bool> {
        self.terminated.clone_ref(py)
    }

    /// Did the last step cut the game off?
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Array<bool> {
        self.truncated.clone_ref(py)
    }

    /// What the players to move saw at the end of the games that the last step ended; other rows are left as they were.
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
}

/// An array of zeros, made by `NumPy` itself: it says so if there is not enough memory, where the crate would panic.
fn zeros<T: Element>(py: Python<'_>, shape: &[usize]) -> PyResult<Array<T>> {
    let made = py.import("numpy")?.call_method1("zeros", (PyTuple::new(py, shape)?, T::get_dtype(py)))?;
    Ok(made.cast_into::<PyArrayDyn<T>>()?.unbind())
}
