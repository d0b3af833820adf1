//! Factored policies and symmetries as arrays.

use numpy::{
    IntoPyArray, PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use sandtable::GameKind;
use sandtable::training::write_factors;

use crate::arrays::{contiguous, filled, tuple};
use crate::game::{index, kind};
use crate::{Int, value_error};

/// The factors of each action: an int32 array (n, `MAX_FACTORS`), the caller's or a new one.
pub(crate) fn action_factors<'py>(
    kind: &GameKind,
    actions: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArrayDyn<i32>>> {
    let py = actions.py();
    let actions = integers(actions)?.try_readonly().map_err(value_error)?;
    let actions = actions.as_slice().map_err(value_error)?;
    let width = kind.head.max_factors;
    filled(py, out, &[actions.len(), width], |factors| {
        for (&action, row) in actions.iter().zip(factors.chunks_exact_mut(width)) {
            let index = index(Int(action.into()), kind.policy_size)?;
            write_factors(kind, index, row).map_err(value_error)?;
        }
        Ok(())
    })
}

/// Converts actions to a contiguous one-dimensional array of int64.
fn integers<'py>(actions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let py = actions.py();
    let array = py.import("numpy")?.call_method1("asarray", (actions,))?.cast_into::<PyUntypedArray>()?;
    // An empty list has the dtype float64.
    if !matches!(array.dtype().kind(), b'i' | b'u') && array.len() > 0 {
        return Err(PyTypeError::new_err(format!("actions must be integers, not {}", array.dtype())));
    }
    let shape = array.shape().to_vec();
    let array = array.call_method1("astype", (numpy::dtype::<i64>(py),))?;
    let array = array
        .cast_into::<PyArray1<i64>>()
        .map_err(|_| PyValueError::new_err(format!("actions must have shape (n,), not {}", tuple(&shape))))?;
    contiguous(&array)
}

/// The permutations of a symmetry, and the planes of the observation that must be 0: see `sandtable.symmetry`.
type Permutations<'py> =
    (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>, Vec<usize>);

/// The permutations of cells, actions and factors by a symmetry of a game, and the planes that it does not keep.
#[pyfunction]
#[pyo3(name = "_permutations")]
pub(crate) fn permutations<'py>(py: Python<'py>, game: &str, symmetry: Int) -> PyResult<Permutations<'py>> {
    let kind = kind(game)?;
    let Int(number) = symmetry;
    let found =
        usize::try_from(number).ok().and_then(|symmetry| sandtable::training::permutations(kind, symmetry));
    let found = found.ok_or_else(|| {
        let known = match kind.head.symmetries {
            1 => "0, the identity".to_owned(),
            symmetries => format!("0 to {}", symmetries - 1),
        };
        value_error(format!("unknown symmetry {number} of {game}: expected {known}"))
    })?;
    // The identity keeps every plane.
    let asymmetric = if number == 0 { &[] } else { kind.head.asymmetric_planes };
    Ok((
        found.cells.into_pyarray(py),
        found.actions.into_pyarray(py),
        found.factors.into_pyarray(py),
        asymmetric.to_vec(),
    ))
}
