//! The classes of the games: typed ones, and classes made from the registry for games without one.

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use sandtable::core::Position;
use sandtable::{BoxedGame, GAMES, GameKind};

use crate::chess::ChessGame;
use crate::cotulenh::CoTuLenhGame;
use crate::game::{Game, extents, kind};
use crate::tribun::TribunGame;

/// The class of a game: `ChessGame`, `CoTuLenhGame`, `TribunGame`, or a subclass of `Game` for a game without a class of its own.
///
/// >>> import sandtable
/// >>> sandtable.game_class("tribun") is sandtable.TribunGame
/// True
#[pyfunction]
pub(crate) fn game_class<'py>(py: Python<'py>, game: &str) -> PyResult<Bound<'py, PyAny>> {
    classes(py)?.as_any().get_item(kind(game)?.name)
}

/// The classes by the names of their games.
fn classes(py: Python<'_>) -> PyResult<&Bound<'_, PyDict>> {
    static CLASSES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let classes = CLASSES.get_or_try_init(py, || {
        let classes = PyDict::new(py);
        for kind in GAMES {
            classes.set_item(kind.name, typed(py, kind.name).map_or_else(|| made(py, kind), Ok)?)?;
        }
        PyResult::Ok(classes.unbind())
    })?;
    Ok(classes.bind(py))
}

/// The class of a game that has one of its own.
fn typed<'py>(py: Python<'py>, name: &str) -> Option<Bound<'py, PyType>> {
    match name {
        <sandtable::chess::Chess as Position>::NAME => Some(py.get_type::<ChessGame>()),
        <sandtable::cotulenh::CoTuLenh as Position>::NAME => Some(py.get_type::<CoTuLenhGame>()),
        <sandtable::tribun::Tribun as Position>::NAME => Some(py.get_type::<TribunGame>()),
        _ => None,
    }
}

/// Makes a subclass of `Game` with the constants that the typed classes have.
fn made<'py>(py: Python<'py>, kind: &GameKind) -> PyResult<Bound<'py, PyType>> {
    let members = PyDict::new(py);
    members.set_item("__module__", "sandtable")?;
    members.set_item("__doc__", format!("A game of {}.", kind.name))?;
    members.set_item("NAME", kind.name)?;
    members.set_item("POLICY_SIZE", kind.policy_size)?;
    members.set_item("OBSERVATION_SHAPE", extents(kind.shape))?;
    members.set_item("HEAD_SHAPE", extents(kind.head.shape))?;
    members.set_item("HEAD_ID", kind.head.id)?;
    members.set_item("MAX_FACTORS", kind.head.max_factors)?;
    members.set_item("SYMMETRIES", kind.head.symmetries)?;
    let bases = PyTuple::new(py, [py.get_type::<Game>()])?;
    let class = py.get_type::<PyType>().call1((class_name(kind.name), bases, members))?;
    Ok(class.cast_into()?)
}

/// The name of the class of a game: `GreedyNimGame` for `greedy-nim`.
fn class_name(game: &str) -> String {
    let capitalized = |word: &str| word[..1].to_uppercase() + &word[1..];
    game.split('-').map(capitalized).collect::<String>() + "Game"
}

/// The kind of game of a class.
pub(crate) fn kind_of_class(class: &Bound<'_, PyType>) -> PyResult<&'static GameKind> {
    match class.getattr_opt(intern!(class.py(), "NAME"))? {
        Some(name) => kind(name.extract()?),
        None => Err(PyTypeError::new_err("Game is abstract: use ChessGame, CoTuLenhGame or TribunGame")),
    }
}

/// Wraps a game in the Python class of its kind.
pub(crate) fn wrap(py: Python<'_>, game: BoxedGame) -> PyResult<Py<PyAny>> {
    let name = game.name();
    let base = |game| PyClassInitializer::from(Game { game });
    Ok(match name {
        <sandtable::chess::Chess as Position>::NAME => {
            Py::new(py, base(game).add_subclass(ChessGame))?.into_any()
        }
        <sandtable::cotulenh::CoTuLenh as Position>::NAME => {
            Py::new(py, base(game).add_subclass(CoTuLenhGame))?.into_any()
        }
        <sandtable::tribun::Tribun as Position>::NAME => {
            Py::new(py, base(game).add_subclass(TribunGame))?.into_any()
        }
        _ => {
            let object = game_class(py, name)?.call0()?;
            object.cast::<Game>()?.borrow_mut().game = game;
            object.unbind()
        }
    })
}
