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
mod game;
mod mcts;
mod review;
mod search;
mod tribun;
mod vector_env;

use pyo3::exceptions::PyOverflowError;
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
    use super::game::{Game, make};
    #[pymodule_export]
    use super::mcts::{Mcts, RootMove, restore_tree};
    #[pymodule_export]
    use super::review::{Assessed, Review, ReviewedTurn, review};
    #[pymodule_export]
    use super::search::{Line, SearchResult, search};
    #[pymodule_export]
    use super::tribun::{Tile, TribunGame, Unit};
    #[pymodule_export]
    use super::vector_env::{VectorEnv, restore_env};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let names: Vec<_> = sandtable::GAMES.iter().map(|kind| kind.name).collect();
        module.add("GAMES", pyo3::types::PyTuple::new(module.py(), names)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// An integer argument, saturated to the range of `i64`.
///
/// Values beyond `i64` then fail the range check, which names the argument, instead of raising `OverflowError`.
struct Int(i64);

impl FromPyObject<'_, '_> for Int {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        match object.extract() {
            Ok(value) => Ok(Self(value)),
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Self(if object.lt(0)? { i64::MIN } else { i64::MAX }))
            }
            Err(error) => Err(error),
        }
    }
}

/// Extracts an [`Int`] as a plain `i64`: `PyO3` shows defaults in a signature only for plain numbers.
fn int(object: &Bound<'_, PyAny>) -> PyResult<i64> {
    object.extract().map(|Int(value)| value)
}

/// Extracts the seed of a random generator; `not_an_int` maps the error for a value that is not an integer.
fn seed(object: &Bound<'_, PyAny>, not_an_int: impl FnOnce(PyErr) -> PyErr) -> PyResult<u64> {
    object.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(object.py()) {
            value_error(format!("seed must be 0 to {}, not {object}", u64::MAX))
        } else {
            not_an_int(error)
        }
    })
}

/// Checks that the argument `name` is in `min..=max`.
fn within(name: &str, value: i64, min: u32, max: u32) -> PyResult<u32> {
    let checked = u32::try_from(value).ok().filter(|value| (min..=max).contains(value));
    checked.ok_or_else(|| value_error(format!("{name} must be {min} to {max}, not {value}")))
}

/// Checks that the argument `name` is at least `min`.
fn at_least(name: &str, value: i64, min: usize) -> PyResult<usize> {
    let checked = usize::try_from(value).ok().filter(|value| *value >= min);
    checked.ok_or_else(|| value_error(format!("{name} must be at least {min}, not {value}")))
}

/// Checks a number of threads.
fn threads(value: i64) -> PyResult<usize> {
    within("threads", value, 1, 256).map(|threads| threads as usize)
}

/// Converts an error of the facade to a `ValueError` with the same message.
fn value_error(error: impl std::fmt::Display) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(error.to_string())
}
