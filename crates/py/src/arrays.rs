//! `NumPy` arrays: made once and written into, or the caller's own, checked before they are touched.

use numpy::ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use sandtable::core::Layout;

/// The layout of that name.
pub(crate) fn layout(name: &str) -> PyResult<Layout> {
    match name {
        "hwc" => Ok(Layout::Hwc),
        "chw" => Ok(Layout::Chw),
        _ => Err(PyValueError::new_err(format!(
            "there is no layout `{name}`; there is `hwc` (rows, columns, planes) and `chw` (planes, rows, columns)"
        ))),
    }
}

/// The caller's array if there is one, or else a new one; then its values, to be written by `fill`.
pub(crate) fn filled<'py, T: Element>(
    py: Python<'py>,
    out: Option<&Bound<'py, PyAny>>,
    shape: &[usize],
    fill: impl FnOnce(&mut [T]) -> PyResult<()>,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let array = match out {
        Some(out) => checked(out, shape)?,
        None => PyArrayDyn::zeros(py, shape, false),
    };
    fill(values(&mut borrowed(&array)?)?)?;
    Ok(array)
}

/// The array, ready to be written; an error if it is not writeable or being written already.
pub(crate) fn borrowed<'py, T: Element>(
    array: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.try_readwrite().map_err(|error| PyValueError::new_err(format!("out cannot be written: {error}")))
}

pub(crate) fn values<'a, T: Element>(array: &'a mut PyReadwriteArrayDyn<'_, T>) -> PyResult<&'a mut [T]> {
    array
        .as_slice_mut()
        .map_err(|_| PyValueError::new_err("out is not C-contiguous: pass np.ascontiguousarray"))
}

/// An array to be read as one slice: itself, or a copy if its values do not lie side by side, in order and aligned.
/// `NumPy` makes the copy: it reads every layout there is.
pub(crate) fn in_order<'py, T: Element, D: Dimension>(
    array: &Bound<'py, PyArray<T, D>>,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    if array.is_c_contiguous() && array.is_aligned() {
        return Ok(array.clone());
    }
    let py = array.py();
    let copy = py.import("numpy")?.call_method1("require", (array, T::get_dtype(py), ["C", "A"]))?;
    Ok(copy.cast_into()?)
}

/// An array of the caller's, if it is what it has to be.
fn checked<'py, T: Element>(out: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let py = out.py();
    let untyped = out.cast::<PyUntypedArray>().map_err(|_| {
        let found = out.get_type();
        PyTypeError::new_err(format!("out is a NumPy array or None, not {found}"))
    })?;
    let (expected, found) = (T::get_dtype(py), untyped.dtype());
    if !found.is_equiv_to(&expected) {
        return Err(PyTypeError::new_err(format!("out has dtype {found}, and {expected} is needed")));
    }
    if untyped.shape() != shape {
        return Err(PyValueError::new_err(format!(
            "out has shape {}, and {} is needed",
            tuple(untyped.shape()),
            tuple(shape)
        )));
    }
    if !untyped.is_c_contiguous() {
        return Err(PyValueError::new_err("out is not C-contiguous, and has to be"));
    }
    if !untyped.is_aligned() {
        return Err(PyValueError::new_err("out is not aligned, and has to be"));
    }
    Ok(out.cast::<PyArrayDyn<T>>()?.clone())
}

/// A shape as Python writes it.
pub(crate) fn tuple(shape: &[usize]) -> String {
    let extents: Vec<_> = shape.iter().map(ToString::to_string).collect();
    let comma = if extents.len() == 1 { "," } else { "" };
    format!("({}{comma})", extents.join(", "))
}
