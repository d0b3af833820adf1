//! The extension module behind the Python package `sandtable`.
//!
//! Thin wrappers: every class holds a value of the facade, every method converts its arguments, calls one function of
//! plain Rust and converts what it gives. Rules, encodings and searches are tested where they live; what is tested in
//! Python is that they come through unchanged.
//!
//! The doc comments of classes and methods are their docstrings, and the examples in them run.

#![expect(clippy::doc_link_with_quotes, reason = "lists in the examples are Python's, and no links")]
#![expect(
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref,
    reason = "PyO3 hands converted arguments over by value, and an object to its methods by reference"
)]

mod arrays;
mod chess;
mod cotulenh;
mod encoding;
mod game;
mod mcts;
mod search;
mod tribun;
mod vector_env;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

/// Sandtable's games, encodings and searches. Use it through the package `sandtable`.
#[pymodule]
mod _sandtable {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::chess::{ChessGame, Move};
    #[pymodule_export]
    use super::cotulenh::{CoTuLenhGame, Piece, Square, Stack};
    #[pymodule_export]
    use super::encoding::{decode_observation, encode_batch};
    #[pymodule_export]
    use super::game::{Game, Outcome, make, restore};
    #[pymodule_export]
    use super::mcts::{Mcts, RootMove};
    #[pymodule_export]
    use super::search::{Line, SearchResult, search};
    #[pymodule_export]
    use super::tribun::{Tile, TribunGame, Unit};
    #[pymodule_export]
    use super::vector_env::VectorEnv;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let names: Vec<_> = sandtable::GAMES.iter().map(|kind| kind.name).collect();
        module.add("GAMES", pyo3::types::PyTuple::new(module.py(), names)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// A whole number of the caller's, whatever its size: one that an `i64` cannot hold becomes the nearest that it can. So it
/// is refused like any other that is too large or too small, where it is known what it stands for.
struct Whole(i64);

impl FromPyObject<'_, '_> for Whole {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        match object.extract() {
            Ok(number) => Ok(Self(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Self(if object.lt(0)? { i64::MIN } else { i64::MAX }))
            }
            Err(error) => Err(error),
        }
    }
}

/// [`Whole`] for an argument whose default is shown: `PyO3` shows those that are plain numbers.
fn whole(object: &Bound<'_, PyAny>) -> PyResult<i64> {
    object.extract().map(|Whole(number)| number)
}

/// What random numbers begin with; `wrong` is said of what is no whole number.
fn seed(object: &Bound<'_, PyAny>, wrong: impl FnOnce(PyErr) -> PyErr) -> PyResult<u64> {
    object.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(object.py()) {
            value_error(format!("seed is {object}, and may be 0 to {}", u64::MAX))
        } else {
            wrong(error)
        }
    })
}

/// A number from `least` to `most`.
fn within(what: &str, number: i64, least: u32, most: u32) -> PyResult<u32> {
    let found = u32::try_from(number).ok().filter(|number| (least..=most).contains(number));
    found.ok_or_else(|| value_error(format!("{what} is {number}, and may be {least} to {most}")))
}

/// A number without an upper bound of its own.
fn at_least(what: &str, number: i64, least: usize) -> PyResult<usize> {
    let found = usize::try_from(number).ok().filter(|number| *number >= least);
    found.ok_or_else(|| value_error(format!("{what} is {number}, and has to be at least {least}")))
}

/// A number of threads, if it is one that a machine could be asked for.
fn threads(number: i64) -> PyResult<usize> {
    within("threads", number, 1, 256).map(|number| number as usize)
}

/// An error of the facade as a `ValueError`: its text says what is wrong and why.
fn value_error(error: impl std::fmt::Display) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(error.to_string())
}
