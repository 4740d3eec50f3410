//! Results for Python: arrays of the standard library, which NumPy, pandas and polars take without copying.

use navmap::graph::Point;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView};
use zerocopy::{Immutable, IntoBytes};

/// A coordinate tuple.
pub(crate) type Triple = (f32, f32, f32);

pub(crate) fn triple(p: Point) -> Triple {
    (p.x, p.y, p.z)
}

/// An `array.array` of one dimension: of `q` (64 bits, signed) or `f` (float of 32 bits).
pub(crate) fn array<'py, T>(py: Python<'py>, code: &str, values: &[T]) -> PyResult<Bound<'py, PyAny>>
where
    T: IntoBytes + Immutable,
{
    py.import("array")?.getattr("array")?.call1((code, PyBytes::new(py, values.as_bytes())))
}

/// A `memoryview` of floats in rows. There is at least one.
pub(crate) fn rows<'py>(py: Python<'py>, values: &[f32], shape: [usize; 2]) -> PyResult<Bound<'py, PyAny>> {
    let held = PyByteArray::new(py, values.as_bytes());
    PyMemoryView::from(held.as_any())?.call_method1("cast", ("f", shape.to_vec()))
}
