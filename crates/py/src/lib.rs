//! The extension module behind the Python package `sandtable`.
//!
//! Thin wrappers: every class holds a value of the facade; every method converts its arguments, calls one Rust function
//! and converts the result. Rules, encodings and searches are tested in their own crates; the Python tests check that
//! they come through unchanged.
//!
//! Doc comments of classes and methods become docstrings, whose examples run as tests.

#![expect(clippy::doc_link_with_quotes, reason = "the examples contain Python lists, not links")]
#![expect(
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref,
    reason = "PyO3 passes converted arguments by value and `self` by reference"
)]

mod arrays;
mod batch_mcts;
mod chess;
mod cotulenh;
mod encoding;
mod end;
mod factors;
mod game;
mod game_class;
mod level;
mod mcts;
mod review;
mod search;
mod self_play;
mod tribun;
mod vector_env;

use pyo3::exceptions::{PyOverflowError, PyRuntimeError};
use pyo3::prelude::*;

/// The games, encodings and searches of Sandtable. Import them from the package `sandtable`.
#[pymodule]
mod _sandtable {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::batch_mcts::{BatchMcts, LeafBatch, Roots, restore_batch};
    #[pymodule_export]
    use super::chess::{ChessGame, Move};
    #[pymodule_export]
    use super::cotulenh::{CoTuLenhGame, Piece, Square, Stack};
    #[pymodule_export]
    use super::encoding::{decode_observation, encode_batch};
    #[pymodule_export]
    use super::end::{DrawOffer, Outcome, restore};
    #[pymodule_export]
    use super::factors::permutations;
    #[pymodule_export]
    use super::game::{Game, make};
    #[pymodule_export]
    use super::game_class::game_class;
    #[pymodule_export]
    use super::level::{LevelPlayer, level_elo};
    #[pymodule_export]
    use super::mcts::{Mcts, RootMove, restore_tree};
    #[pymodule_export]
    use super::review::{Assessed, Review, ReviewedTurn, review};
    #[pymodule_export]
    use super::search::{Line, SearchResult, search};
    #[pymodule_export]
    use super::self_play::{EngineGame, engine_game};
    #[pymodule_export]
    use super::tribun::{Tile, TribunGame, Unit};
    #[pymodule_export]
    use super::vector_env::{VectorEnv, restore_env};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let names: Vec<_> = sandtable::GAMES.iter().map(|kind| kind.name).collect();
        module.add("GAMES", pyo3::types::PyTuple::new(module.py(), names)?)?;
        let complete: Vec<_> = sandtable::games::complete_games().map(|kind| kind.name).collect();
        module.add("_COMPLETE_GAMES", pyo3::types::PyTuple::new(module.py(), complete)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// An integer argument. Wider than any argument, so that a range check can name the argument and the number given.
struct Int(i128);

impl FromPyObject<'_, '_> for Int {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        object.extract().map(Self).map_err(|error: PyErr| {
            if error.is_instance_of::<PyOverflowError>(object.py()) {
                value_error(format!("{} is out of range: expected an integer of at most 64 bits", &*object))
            } else {
                error
            }
        })
    }
}

/// Extracts an [`Int`] as a plain number: `PyO3` shows defaults in a signature only for plain numbers. An `i64` is
/// saturated.
fn int<T: Saturated>(object: &Bound<'_, PyAny>) -> PyResult<T> {
    object.extract().map(|Int(value)| T::saturated(value))
}

/// The types of integer arguments.
trait Saturated: Into<i128> {
    /// The nearest value of the type.
    fn saturated(value: i128) -> Self;
}

impl Saturated for i128 {
    fn saturated(value: i128) -> Self {
        value
    }
}

impl Saturated for i64 {
    fn saturated(value: i128) -> Self {
        value.clamp(Self::MIN.into(), Self::MAX.into()) as Self
    }
}

/// Extracts the argument `seed` as a plain number, for the same reason as [`int`].
fn seed(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    seed_or(object, std::convert::identity)
}

/// Extracts the seed of a random generator; `not_an_int` maps the error for a value that is not an integer.
fn seed_or(object: &Bound<'_, PyAny>, not_an_int: impl FnOnce(PyErr) -> PyErr) -> PyResult<u64> {
    object.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(object.py()) {
            value_error(format!("seed must be 0 to {}, not {object}", u64::MAX))
        } else {
            not_an_int(error)
        }
    })
}

/// Checks that the argument `name` is in `min..=max`.
fn within(name: &str, value: impl Into<i128>, min: u32, max: u32) -> PyResult<u32> {
    let value = value.into();
    let checked = u32::try_from(value).ok().filter(|value| (min..=max).contains(value));
    checked.ok_or_else(|| value_error(format!("{name} must be {min} to {max}, not {value}")))
}

/// Checks that the argument `name` is at least `min`.
fn at_least(name: &str, value: impl Into<i128>, min: usize) -> PyResult<usize> {
    let value = value.into();
    match usize::try_from(value) {
        Ok(value) if value >= min => Ok(value),
        Err(_) if value > 0 => {
            Err(value_error(format!("{name} must be at most {}, not {value}", usize::MAX)))
        }
        _ => Err(value_error(format!("{name} must be at least {min}, not {value}"))),
    }
}

/// Checks a number of threads.
fn threads(value: impl Into<i128>) -> PyResult<usize> {
    within("threads", value, 1, 256).map(|threads| threads as usize)
}

/// The error for an object that another thread, or a function further up the stack, is using.
fn in_use(what: &str, fix: &str) -> PyErr {
    PyRuntimeError::new_err(format!("the {what} is in use by another thread or call: {fix}"))
}

/// Converts an error of the facade to a `ValueError` with the same message.
fn value_error(error: impl std::fmt::Display) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(error.to_string())
}
