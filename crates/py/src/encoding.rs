//! Batches of observations, and decoding an observation back to a position.

use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use sandtable::core::learn::Layout;
use sandtable::training::decode;
use sandtable::{AnyGame, GAMES, GameKind};

use crate::arrays::{contiguous, filled, layout, tuple};
use crate::game::{Game, kind, player, rules_or_default, shared};
use crate::game_class::wrap;
use crate::{int, value_error};

/// The observations of several games of one kind: an array `(n, rows, columns, planes)`.
///
/// With `out`, the observations are written to that array and nothing is allocated for them. Releases the global
/// interpreter lock.
///
/// >>> import sandtable
/// >>> games = [sandtable.make("chess") for _ in range(3)]
/// >>> sandtable.encode_batch(games).shape
/// (3, 8, 8, 18)
#[pyfunction]
#[pyo3(signature = (games, out=None, layout="hwc"))]
pub(crate) fn encode_batch<'py>(
    py: Python<'py>,
    games: Vec<Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    layout: &str,
) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    let order = self::layout(layout)?;
    let mut borrowed = Vec::with_capacity(games.len());
    for (index, game) in games.iter().enumerate() {
        let game = game.cast::<Game>().map_err(|_| {
            PyTypeError::new_err(format!("games[{index}] must be a Game, not {}", game.get_type()))
        })?;
        borrowed.push(shared(game)?);
    }
    let games: Vec<&dyn AnyGame> = borrowed.iter().map(|game| &*game.game).collect();
    let first = games.first().ok_or_else(|| {
        PyValueError::new_err("games must not be empty: an empty batch has no observation shape")
    })?;
    if let Some((index, other)) = games.iter().enumerate().find(|(_, game)| game.name() != first.name()) {
        return Err(PyValueError::new_err(format!(
            "games must all be of one kind: games[0] is {}, games[{index}] is {}",
            first.name(),
            other.name()
        )));
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

/// Decodes an observation: `(game, occurrences)`, a game at the observed position and how often it had occurred.
///
/// An observation is from the mover's perspective: `player` is the side to move. The game is inferred from the shape
/// unless given. Values that an observation does not contain, such as move counters, get their defaults. `ValueError`
/// names the first invalid value.
///
/// >>> import sandtable
/// >>> game = sandtable.ChessGame("7k/8/8/8/8/8/8/KR6 b - - 0 1")
/// >>> decoded, occurrences = sandtable.decode_observation(game.observe(), player=1)
/// >>> decoded == game, occurrences
/// (True, 1)
#[pyfunction]
#[pyo3(signature = (observation, game=None, player=0, layout="hwc", rules=None))]
pub(crate) fn decode_observation(
    py: Python<'_>,
    observation: &Bound<'_, PyAny>,
    game: Option<&str>,
    #[pyo3(from_py_with = int)] player: i128,
    layout: &str,
    rules: Option<&str>,
) -> PyResult<(Py<PyAny>, u32)> {
    let order = self::layout(layout)?;
    let array = observation
        .cast::<PyArrayDyn<f32>>()
        .map_err(|_| PyTypeError::new_err("observation must be a NumPy array of float32"))?;
    let kind = match game {
        Some(name) => kind(name)?,
        None => kind_of_shape(array.shape(), order)?,
    };
    if array.shape() != kind.shape.extents(order) {
        return Err(value_error(format!(
            "observation of {} must have shape {}, not {}",
            kind.name,
            tuple(&kind.shape.extents(order)),
            tuple(array.shape())
        )));
    }
    let turn = self::player(player)?;
    let array = contiguous(array)?.try_readonly().map_err(value_error)?;
    let values = array.as_slice().map_err(value_error)?;
    let decoded = decode(kind, values, order, turn, &rules_or_default(kind, rules)).map_err(value_error)?;
    Ok((wrap(py, decoded.game)?, decoded.occurrences))
}

/// The game whose observations have this shape.
fn kind_of_shape(shape: &[usize], order: Layout) -> PyResult<&'static GameKind> {
    GAMES.iter().find(|kind| kind.shape.extents(order) == shape).ok_or_else(|| {
        let shapes: Vec<_> = GAMES
            .iter()
            .map(|kind| format!("{} ({})", tuple(&kind.shape.extents(order)), kind.name))
            .collect();
        value_error(format!(
            "no game has observations of shape {}: expected {}",
            tuple(shape),
            shapes.join(", ")
        ))
    })
}
