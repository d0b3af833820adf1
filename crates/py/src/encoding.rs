//! Many observations at once, and the way back from an observation to a position.

use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use sandtable::core::Layout;
use sandtable::{AnyGame, GAMES, GameKind};

use crate::arrays::{filled, in_order, layout, tuple};
use crate::game::{Game, kind, player, rules_or_default, wrap};
use crate::{value_error, whole};

/// The observations of many games of one kind: an array `(n, rows, columns, planes)`.
///
/// With `out`, they are written into that array, and nothing is allocated for them. Other Python threads run
/// meanwhile.
///
/// >>> import sandtable
/// >>> games = [sandtable.make("chess") for _ in range(3)]
/// >>> sandtable.encode_batch(games).shape
/// (3, 8, 8, 18)
#[pyfunction]
#[pyo3(signature = (positions, out=None, layout="hwc"))]
pub(crate) fn encode_batch<'py>(
    py: Python<'py>,
    positions: Vec<Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    layout: &str,
) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    let order = self::layout(layout)?;
    let mut borrowed = Vec::with_capacity(positions.len());
    for (number, position) in positions.iter().enumerate() {
        let game = position.cast::<Game>().map_err(|_| {
            PyTypeError::new_err(format!("position {number} is {}, not a game", position.get_type()))
        })?;
        borrowed.push(game.try_borrow()?);
    }
    let games: Vec<&dyn AnyGame> = borrowed.iter().map(|game| &*game.game).collect();
    let first = games.first().ok_or_else(|| {
        PyValueError::new_err("there is no position: an empty batch has no game, and so no shape")
    })?;
    if let Some((number, other)) = games.iter().enumerate().find(|(_, game)| game.name() != first.name()) {
        let (first, other) = (first.name(), other.name());
        let message =
            format!("position {number} is of {other}, and position 0 of {first}: a batch has one game");
        return Err(PyValueError::new_err(message));
    }
    let shape = first.shape();
    let mut extents = vec![games.len()];
    extents.extend(shape.extents(order));
    filled(py, out, &extents, |values| {
        py.detach(|| {
            let rows = values.chunks_exact_mut(shape.len());
            games.iter().zip(rows).try_for_each(|(game, row)| game.write_observation(order, row))
        })
        .map_err(value_error)
    })
}

/// The position that an observation shows, and how often it had occurred: `(game, occurrences)`.
///
/// An observation is in the mover's view: `player` says who that is. The game is known by the shape. What an
/// observation does not hold (move counters) has its default. `ValueError` says which value cannot be, and why.
///
/// >>> import sandtable
/// >>> game = sandtable.ChessGame("7k/8/8/8/8/8/8/KR6 b - - 0 1")
/// >>> decoded, occurrences = sandtable.decode_observation(game.observation(), player=1)
/// >>> decoded == game, occurrences
/// (True, 1)
#[pyfunction]
#[pyo3(signature = (array, game=None, player=0, layout="hwc", rules=None))]
pub(crate) fn decode_observation(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    game: Option<&str>,
    #[pyo3(from_py_with = whole)] player: i64,
    layout: &str,
    rules: Option<&str>,
) -> PyResult<(Py<PyAny>, u32)> {
    let order = self::layout(layout)?;
    let array = array
        .cast::<PyArrayDyn<f32>>()
        .map_err(|_| PyTypeError::new_err("an observation is a NumPy array of float32"))?;
    let kind = match game {
        Some(name) => kind(name)?,
        None => of_shape(array.shape(), order)?,
    };
    if array.shape() != kind.shape.extents(order) {
        return Err(value_error(format!(
            "an observation of {} has shape {}, not {}",
            kind.name,
            tuple(&kind.shape.extents(order)),
            tuple(array.shape())
        )));
    }
    let turn = self::player(player)?;
    let array = in_order(array)?.try_readonly().map_err(value_error)?;
    let values = array.as_slice().map_err(value_error)?;
    let decoded = kind.decode(values, order, turn, &rules_or_default(kind, rules)).map_err(value_error)?;
    Ok((wrap(py, decoded.game)?, decoded.occurrences))
}

/// The game whose observations have that shape.
fn of_shape(shape: &[usize], order: Layout) -> PyResult<&'static GameKind> {
    GAMES.iter().find(|kind| kind.shape.extents(order) == shape).ok_or_else(|| {
        let shapes: Vec<_> = GAMES
            .iter()
            .map(|kind| format!("{} of {}", tuple(&kind.shape.extents(order)), kind.name))
            .collect();
        value_error(format!(
            "no game has observations of shape {}; there is {}",
            tuple(shape),
            shapes.join(", ")
        ))
    })
}
