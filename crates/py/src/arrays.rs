//! `NumPy` arrays: new ones, and the caller's own, which are checked before they are written.

use numpy::ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyReadwriteArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use sandtable::core::learn::Layout;

use crate::Int;

/// Parses the name of a layout.
pub(crate) fn layout(name: &str) -> PyResult<Layout> {
    match name {
        "hwc" => Ok(Layout::Hwc),
        "chw" => Ok(Layout::Chw),
        _ => Err(PyValueError::new_err(format!(
            "unknown layout `{name}`: expected hwc (rows, columns, planes) or chw (planes, rows, columns)"
        ))),
    }
}

/// Fills the caller's array, or a new one if `out` is `None`, and returns it.
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
    fill(as_slice_mut(&mut borrowed(&array)?)?)?;
    Ok(array)
}

/// Borrows an array for writing. An error if it is read-only, already borrowed, or no longer of its dtype: the owner of
/// an array can change the dtype, and then the memory is shorter than the length says.
pub(crate) fn borrowed<'py, T: Element>(
    array: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let (expected, found) = (T::get_dtype(array.py()), array.dtype());
    if !found.is_equiv_to(&expected) {
        return Err(PyTypeError::new_err(format!(
            "the dtype of an array was changed from {expected} to {found}"
        )));
    }
    array.try_readwrite().map_err(|error| PyValueError::new_err(format!("out cannot be written: {error}")))
}

/// The values of a C-contiguous array.
pub(crate) fn as_slice_mut<'a, T: Element>(
    array: &'a mut PyReadwriteArrayDyn<'_, T>,
) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(|_| PyValueError::new_err(NOT_CONTIGUOUS))
}

const NOT_CONTIGUOUS: &str = "out must be C-contiguous: see numpy.ascontiguousarray";

/// A C-contiguous, aligned version of an array: the array itself, or a copy made by `NumPy`, which reads every layout.
pub(crate) fn contiguous<'py, T: Element, D: Dimension>(
    array: &Bound<'py, PyArray<T, D>>,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    if array.is_c_contiguous() && array.is_aligned() {
        return Ok(array.clone());
    }
    let py = array.py();
    let copy = py.import("numpy")?.call_method1("require", (array, T::get_dtype(py), ["C", "A"]))?;
    Ok(copy.cast_into()?)
}

/// Checks type, dtype, shape and memory layout of the caller's array.
fn checked<'py, T: Element>(out: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let py = out.py();
    let untyped = out.cast::<PyUntypedArray>().map_err(|_| {
        PyTypeError::new_err(format!("out must be a NumPy array or None, not {}", out.get_type()))
    })?;
    let (expected, found) = (T::get_dtype(py), untyped.dtype());
    if !found.is_equiv_to(&expected) {
        return Err(PyTypeError::new_err(format!("out must have dtype {expected}, not {found}")));
    }
    if untyped.shape() != shape {
        return Err(PyValueError::new_err(format!(
            "out must have shape {}, not {}",
            tuple(shape),
            tuple(untyped.shape())
        )));
    }
    if !untyped.is_c_contiguous() {
        return Err(PyValueError::new_err(NOT_CONTIGUOUS));
    }
    if !untyped.is_aligned() {
        return Err(PyValueError::new_err("out must be aligned: see numpy.require"));
    }
    Ok(out.cast::<PyArrayDyn<T>>()?.clone())
}

/// Formats a shape as a Python tuple.
pub(crate) fn tuple(shape: &[usize]) -> String {
    let extents: Vec<_> = shape.iter().map(ToString::to_string).collect();
    let comma = if extents.len() == 1 { "," } else { "" };
    format!("({}{comma})", extents.join(", "))
}

/// An array of zeros, allocated by `NumPy`, which raises `MemoryError` where the crate `numpy` would panic.
pub(crate) fn zeros<T: Element>(py: Python<'_>, shape: &[usize]) -> PyResult<Py<PyArrayDyn<T>>> {
    let made = py.import("numpy")?.call_method1("zeros", (PyTuple::new(py, shape)?, T::get_dtype(py)))?;
    Ok(made.cast_into::<PyArrayDyn<T>>()?.unbind())
}

/// Numbers that a caller or an evaluator gave, as an array of this shape: any array or list, also with a further dimension
/// of 1.
pub(crate) fn floats<'py>(
    numbers: &Bound<'py, PyAny>,
    name: &str,
    shape: &[usize],
) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    let py = numbers.py();
    let array = py.import("numpy")?.call_method1("ascontiguousarray", (numbers, f32::get_dtype(py)))?;
    let array = array.cast::<PyArrayDyn<f32>>()?.try_readonly().map_err(crate::value_error)?;
    let found = array.shape();
    let is_column = found.len() == shape.len() + 1 && found.starts_with(shape) && found.ends_with(&[1]);
    if found != shape && !is_column {
        return Err(PyValueError::new_err(format!(
            "{name} must have shape {}, not {}",
            tuple(shape),
            tuple(found)
        )));
    }
    Ok(array)
}

/// The largest number of visits of one search.
pub(crate) const MAX_VISITS: u32 = i32::MAX as u32;

/// Checks a number of visits.
pub(crate) fn visits(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    let Int(number) = value.extract()?;
    let number = u32::try_from(number).ok().filter(|number| *number <= MAX_VISITS);
    number.ok_or_else(|| PyValueError::new_err(format!("visits must be 0 to {MAX_VISITS}, not {value}")))
}

/// Numbers for all trees or environments: one for each, or the same for all.
pub(crate) fn per_item<T: Element + Copy>(
    value: &Bound<'_, PyAny>,
    name: &str,
    kinds: &[u8],
    expected: &str,
    count: usize,
) -> PyResult<Vec<T>> {
    let py = value.py();
    let array = py.import("numpy")?.call_method1("asarray", (value,))?.cast_into::<PyUntypedArray>()?;
    if !kinds.contains(&array.dtype().kind()) {
        return Err(PyTypeError::new_err(format!("{name} must be {expected}, not {}", array.dtype())));
    }
    if array.ndim() > 1 || (array.ndim() == 1 && array.len() != count) {
        return Err(PyValueError::new_err(format!(
            "{name} must be one number or have shape ({count},), not shape {}",
            tuple(array.shape())
        )));
    }
    let is_scalar = array.ndim() == 0;
    let array = array.call_method1("astype", (T::get_dtype(py),))?.call_method0("ravel")?;
    let array = array.cast_into::<PyArray1<T>>()?;
    let array = array.try_readonly().map_err(crate::value_error)?;
    let numbers = array.as_slice().map_err(crate::value_error)?;
    Ok(if is_scalar { vec![numbers[0]; count] } else { numbers.to_vec() })
}

/// The first `len` rows of an array, as a view.
pub(crate) fn view<T: Element>(py: Python<'_>, array: &Py<PyArrayDyn<T>>, len: usize) -> PyResult<Py<PyAny>> {
    let stop = isize::try_from(len).map_err(crate::value_error)?;
    Ok(array.bind(py).as_any().get_item(PySlice::new(py, 0, stop, 1))?.unbind())
}

/// The first `len` numbers of an array.
pub(crate) fn first<'a, T: Element>(
    array: &'a mut PyReadwriteArrayDyn<'_, T>,
    len: usize,
) -> PyResult<&'a mut [T]> {
    let resized = || PyValueError::new_err("an array of this object was resized");
    as_slice_mut(array)?.get_mut(..len).ok_or_else(resized)
}

/// Replaces an array that has fewer than `len` rows.
pub(crate) fn grown<T: Element>(py: Python<'_>, array: &mut Py<PyArrayDyn<T>>, len: usize) -> PyResult<()> {
    if array.bind(py).shape()[0] < len {
        *array = zeros(py, &[len.next_power_of_two()])?;
    }
    Ok(())
}
