//! Arguments from Python: paths, points, ids.

use navmap::graph::Point;
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyKeyError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A path: `str` or `os.PathLike`.
#[derive(Debug, Clone)]
pub(crate) struct Named(pub(crate) PathBuf);

impl<'py> FromPyObject<'_, 'py> for Named {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let wrong = |found: &Bound<'_, PyAny>| {
            let kind = found.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
            PyTypeError::new_err(format!("a path is a str or an os.PathLike of str, not {kind}"))
        };
        let object: &Bound<'_, PyAny> = &object;
        let text = match object.cast::<PyString>() {
            Ok(text) => text.clone(),
            Err(_) if object.hasattr("__fspath__")? => {
                let text = object.call_method0("__fspath__")?;
                text.cast::<PyString>().map_err(|_| wrong(&text))?.clone()
            }
            Err(_) => return Err(wrong(object)),
        };
        let path: OsString = text.extract()?;
        if path.as_encoded_bytes().contains(&0) {
            return Err(PyValueError::new_err("a path must not contain a NUL character"));
        }
        // The library takes a single dash for standard input.
        Ok(Self(if path == "-" { Path::new(".").join(path) } else { path.into() }))
    }
}

/// One path, or several.
#[derive(Debug, Clone)]
pub(crate) struct Several(pub(crate) Vec<PathBuf>);

impl<'py> FromPyObject<'_, 'py> for Several {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let one = object.is_instance_of::<PyString>() || object.hasattr("__fspath__")?;
        let raw = object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>();
        if one || raw {
            return Ok(Self(vec![object.extract::<Named>()?.0]));
        }
        let paths = object.try_iter().map_err(|_| {
            let kind = object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
            PyTypeError::new_err(format!(
                "paths are a str, an os.PathLike or an iterable of them, not {kind}"
            ))
        })?;
        paths.map(|path| Ok(path?.extract::<Named>()?.0)).collect::<PyResult<Vec<_>>>().map(Self)
    }
}

fn no_point(object: &Bound<'_, PyAny>) -> PyErr {
    let kind = object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("a point is three numbers, (x, y, z), not {kind}"))
}

fn three(count: usize) -> PyErr {
    PyValueError::new_err(format!("a point is three numbers, (x, y, z), not {count}"))
}

#[inline]
fn number(object: &Bound<'_, PyAny>) -> PyResult<f32> {
    // The common case first: a float needs no look at its type's methods.
    if let Ok(float) = object.cast_exact::<PyFloat>() {
        return Ok(float.value() as f32);
    }
    let whole: PyResult<f64> = object.extract();
    whole.map(|value| value as f32).map_err(|_| no_point(object))
}

/// A point: any three numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot(pub(crate) Point);

impl<'py> FromPyObject<'_, 'py> for Spot {
    type Error = PyErr;

    #[inline]
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        point(&object).map(Self)
    }
}

#[inline]
pub(crate) fn point(object: &Bound<'_, PyAny>) -> PyResult<Point> {
    if let Ok(tuple) = object.cast::<PyTuple>() {
        if tuple.len() != 3 {
            return Err(three(tuple.len()));
        }
        let at = |index| number(&*tuple.get_borrowed_item(index)?);
        return Ok(Point::new(at(0)?, at(1)?, at(2)?));
    }
    point_of_any(object)
}

fn point_of_any(object: &Bound<'_, PyAny>) -> PyResult<Point> {
    let text = object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>();
    if text || object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyDict>() {
        return Err(no_point(object));
    }
    let mut values = [0.0; 3];
    let mut count = 0usize;
    for item in object.try_iter().map_err(|_| no_point(object))? {
        let value = number(&item?)?;
        if let Some(slot) = values.get_mut(count) {
            *slot = value;
        }
        count += 1;
        if count > 3 {
            return Err(PyValueError::new_err("a point is three numbers, (x, y, z), not more"));
        }
    }
    if count == 3 { Ok(values.into()) } else { Err(three(count)) }
}

/// Many points: an array of shape (n, 3), a data frame of three columns or with x, y and z among them, or an iterable of points.
#[derive(Debug)]
pub(crate) struct Spots(pub(crate) Vec<Point>);

impl<'py> FromPyObject<'_, 'py> for Spots {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        points(&object).map(Self)
    }
}

fn points(object: &Bound<'_, PyAny>) -> PyResult<Vec<Point>> {
    // Its buffer has the values that it leaves out.
    let masked = object.getattr("mask").is_ok() && object.getattr("fill_value").is_ok();
    if masked && object.getattr("dtype").is_ok() {
        let filled = object.py().import("navmap._frames")?.call_method1("unmasked", (object,))?;
        return points(&filled);
    }
    if let Ok(buffer) = PyUntypedBuffer::get(object) {
        return of_buffer(object.py(), buffer);
    }
    // A buffer that cannot be exported, such as an array of Python objects, has a dtype.
    if let Ok(kind) = object.getattr("dtype") {
        let spelled = kind.str()?;
        let spelled = spelled.to_str()?;
        if NUMBERS.contains(&spelled) {
            let shape = object.getattr("shape")?.str()?;
            return Err(PyValueError::new_err(format!("points have the shape (n, 3), not {shape}")));
        }
        return Err(PyTypeError::new_err(format!("points are numbers of 32 or 64 bits, not {kind}")));
    }
    // A table of Arrow names its columns, and goes through them, not through rows.
    let frame = object.hasattr("to_numpy")? || object.hasattr("column_names")?;
    if frame && !object.is_instance_of::<PyList>() {
        return of_frame(object);
    }
    if object.is_instance_of::<PyString>() || object.cast::<PyMapping>().is_ok() {
        return Err(no_points(object));
    }
    let points = object.try_iter().map_err(|_| no_points(object))?;
    points.map(|item| point(&item?)).collect()
}

/// Element types of arrays of points, as NumPy spells them.
const NUMBERS: &[&str] =
    &["float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"];

/// The columns x, y and z of a data frame, or all of one that has three. Errors name the frame.
fn of_frame(frame: &Bound<'_, PyAny>) -> PyResult<Vec<Point>> {
    let kind = frame.get_type();
    let kind = match kind.module().and_then(|module| module.extract::<String>()) {
        Ok(module) => format!("{}.{}", module.split('.').next().unwrap_or_default(), kind.name()?),
        Err(_) => kind.name()?.to_string(),
    };
    // What is called `columns` in Arrow is their values. In pandas a column may be called `column_names`.
    let names = frame.getattr("column_names").ok().filter(|names| names.is_instance_of::<PyList>());
    let names = names.map_or_else(|| frame.getattr("columns"), Ok).and_then(|names| names.try_iter());
    let names: Vec<Bound<'_, PyAny>> = names.into_iter().flatten().collect::<PyResult<_>>()?;
    let spelled: Vec<String> = names.iter().map(ToString::to_string).collect();
    let axes = ["x", "y", "z"];
    let chosen = match names.len() {
        _ if axes.iter().all(|axis| spelled.iter().any(|name| name == axis)) => {
            PyList::new(frame.py(), axes)?
        }
        0 | 3 => PyList::new(frame.py(), &names)?,
        _ => {
            let names = spelled.join(", ");
            let why = "points are its columns x, y and z, or all of a frame of three";
            return Err(PyValueError::new_err(format!("{kind} has the columns {names}: {why}")));
        }
    };
    let array = if chosen.is_empty() {
        frame.call_method0("to_numpy")
    } else {
        frame.py().import("navmap._frames")?.call_method1("stacked", (frame, chosen))
    };
    array.and_then(|array| points(&array)).map_err(|error| {
        let words = format!("{kind}: {}", error.value(frame.py()));
        match error.is_instance_of::<PyTypeError>(frame.py()) {
            true => PyTypeError::new_err(words),
            false => PyValueError::new_err(words),
        }
    })
}

fn no_points(object: &Bound<'_, PyAny>) -> PyErr {
    let kind = object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "points are an array of shape (n, 3) or an iterable of (x, y, z), not {kind}"
    ))
}

fn of_buffer(py: Python<'_>, buffer: PyUntypedBuffer) -> PyResult<Vec<Point>> {
    let (shape, format) = (buffer.shape().to_vec(), buffer.format().to_string_lossy().into_owned());
    let number = format.trim_start_matches(['@', '=', '<']);
    let number = matches!(number, "f" | "d" | "b" | "B" | "h" | "H" | "i" | "I" | "l" | "L" | "q" | "Q");
    // Bytes and byte arrays are text, or a file.
    if !number
        || (format.starts_with('<') && cfg!(target_endian = "big"))
        || (format == "B" && shape.len() == 1)
    {
        return Err(PyTypeError::new_err(format!(
            "points are numbers of 32 or 64 bits, not of format {format:?}"
        )));
    }
    if !matches!(shape.as_slice(), [_, 3]) {
        return Err(PyValueError::new_err(format!("points have the shape (n, 3), not {}", spelled(&shape))));
    }
    macro_rules! of_type {
        ($($number:ty),*) => {$(
            if let Ok(buffer) = buffer.as_typed::<$number>() {
                let values = buffer.to_vec(py)?;
                return Ok(values.as_chunks::<3>().0.iter().map(|p| p.map(|v| v as f32).into()).collect());
            }
        )*};
    }
    of_type!(f32, f64, i32, i64, u32, u64, i16, u16, i8, u8);
    Err(PyTypeError::new_err(format!("points are numbers of 32 or 64 bits, not of format {format:?}")))
}

/// A shape as Python writes it.
fn spelled(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        shape => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// One name, or several.
#[derive(Debug, FromPyObject)]
pub(crate) enum Names {
    One(String),
    More(Vec<String>),
}

impl From<Names> for Vec<String> {
    fn from(names: Names) -> Self {
        match names {
            Names::One(name) => vec![name],
            Names::More(names) => names,
        }
    }
}

/// The id of an area. Ids of 64 bits may come back from an array as negative numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Id(pub(crate) u64);

impl<'py> FromPyObject<'_, 'py> for Id {
    type Error = PyErr;

    #[inline]
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let wrong = || {
            let kind = object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
            PyTypeError::new_err(format!("an id is an int, not {kind}"))
        };
        let index = object.is_instance_of::<PyInt>() || object.hasattr("__index__")?;
        if !index {
            return Err(wrong());
        }
        let signed = || object.extract::<i64>().map(i64::cast_unsigned);
        let id = object.extract::<u64>().or_else(|_| signed()).map(Self);
        id.map_err(|error| match error.is_instance_of::<PyOverflowError>(object.py()) {
            true => PyKeyError::new_err(format!("there is no #{}: ids have 64 bits", &*object)),
            false => error,
        })
    }
}

/// Several ids: any iterable of them.
#[derive(Debug)]
pub(crate) struct Ids(pub(crate) Vec<u64>);

impl<'py> FromPyObject<'_, 'py> for Ids {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let items = object.try_iter()?;
        items.map(|item| Ok(item?.extract::<Id>()?.0)).collect::<PyResult<Vec<_>>>().map(Self)
    }
}
