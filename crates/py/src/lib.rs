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

/// A number of threads, if it is one that a machine could be asked for.
fn threads(number: usize) -> PyResult<usize> {
    if (1..=256).contains(&number) {
        Ok(number)
    } else {
        Err(value_error(format!("threads is {number}, and may be 1 to 256")))
    }
}

/// An error of the facade as a `ValueError`: its text says what is wrong and why.
fn value_error(error: impl std::fmt::Display) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(error.to_string())
}
