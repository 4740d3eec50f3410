//! Opens a mesh: a file, a member of an archive, bytes in memory.

use crate::fault::Fault;
use crate::nav::Nav;
use crate::remote::opened;
use crate::take::Named;
use navmap::Kind;
use navmap::bytes::Backing;
use navmap::format::HullName;
use navmap::open::{Bytes, OpenOptions};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBool, PyBytes, PyMemoryView, PyString};
use std::path::PathBuf;

/// Opens a mesh: a file, a member of an archive (`maps.vpk!maps/de_x.nav`), what lies at an address that fsspec reads
/// (`s3://bucket/maps/de_x.nav`), or a file object that reads bytes.
///
/// The file is read once and its head is parsed; nothing is kept open. `kind` takes the file for a certain kind,
/// `lenient` accepts bytes after the end of a mesh. `hull` is whose ways the links of a node graph are, by name or number
/// (people's if None). A mesh that is damaged further on can be opened: `areas`, `links`,
/// `counts`, `findings` and `index()` then raise NavError, or with `partial` give what comes before the damage, and
/// `damage` is the error.
///
/// Raises NavError if it is no mesh, and OSError if it cannot be read.
///
/// >>> nav = navmap.open("corpus/source/town.nav")
/// >>> nav.family, nav.version, len(nav.areas) > 20
/// ('source', 16, True)
/// >>> navmap.open("corpus/source/nothing.nav")
/// Traceback (most recent call last):
/// FileNotFoundError: [Errno 2] No such file or directory: 'corpus/source/nothing.nav'
#[pyfunction]
#[pyo3(signature = (path, *, kind = None, lenient = false, partial = false, hull = None))]
pub(crate) fn open(
    py: Python<'_>,
    path: &Bound<'_, PyAny>,
    kind: Option<&str>,
    lenient: bool,
    partial: bool,
    hull: Option<Hull>,
) -> PyResult<Nav> {
    let options = options(kind, lenient, hull)?;
    if path.hasattr("read")? && !path.hasattr("__fspath__")? {
        let name = path.getattr("name").and_then(|name| name.extract::<Named>());
        let name = name.unwrap_or_else(|_| Named(PathBuf::from("file")));
        let read = path.call_method0("read")?;
        if read.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("a file is opened for reading bytes: open(path, 'rb')"));
        }
        return of_data(&read, (name, None), &options, partial);
    }
    let path = path.extract::<Named>()?;
    let (bytes, brought) = opened(py, &path.0, |path| Bytes::open(path, &options))?;
    let bytes = match brought.and_then(|brought| brought.original(bytes.path())) {
        Some(address) => bytes.of_original(address),
        None => bytes,
    };
    let held = PyBytes::new(py, &bytes);
    Nav::open(py, bytes.held_by(PyBackedBytes::from(held.clone())), held, &options, partial)
}

/// Opens a mesh that is in memory: bytes, which are not copied, or any other buffer, which is. `name` stands in errors, and tells the kind of file by its
/// extension where the bytes do not. Of a member of an archive it is the archive, and `member` the path in there.
///
/// >>> data = open("corpus/quake/nav3-v6.nav", "rb").read()
/// >>> navmap.from_bytes(data, name="mine.nav").game
/// 'Quake II (2023)'
#[pyfunction]
#[pyo3(signature = (data, *, name = Named(PathBuf::from("bytes")), member = None, kind = None, lenient = false, partial = false, hull = None))]
#[allow(clippy::too_many_arguments)] // each of them is one word in Python
pub(crate) fn from_bytes(
    data: &Bound<'_, PyAny>,
    name: Named,
    member: Option<String>,
    kind: Option<&str>,
    lenient: bool,
    partial: bool,
    hull: Option<Hull>,
) -> PyResult<Nav> {
    of_data(data, (name, member), &options(kind, lenient, hull)?, partial)
}

/// A hull, as `hull` names it.
#[derive(Debug)]
pub(crate) struct Hull(HullName);

impl<'py> FromPyObject<'_, 'py> for Hull {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let number = object.hasattr("__index__")? && !object.is_instance_of::<PyBool>();
        if !number && !object.is_instance_of::<PyString>() {
            let kind = object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
            return Err(PyTypeError::new_err(format!("a hull is a name or a number, not {kind}")));
        }
        let name = object.str()?.to_string_lossy().parse::<HullName>();
        Ok(Self(name.map_err(Fault::from)?))
    }
}

/// A mesh of data that has this name, of an archive or a file, and this path in it.
fn of_data(
    data: &Bound<'_, PyAny>,
    (name, member): (Named, Option<String>),
    options: &OpenOptions,
    partial: bool,
) -> PyResult<Nav> {
    let held = match data.cast::<PyBytes>() {
        Ok(bytes) => bytes.clone(),
        Err(_) => {
            let buffer = PyUntypedBuffer::get(data).map_err(|_| {
                let kind = data.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
                PyTypeError::new_err(format!("data is bytes or another buffer, not {kind}"))
            })?;
            drop(buffer);
            PyMemoryView::from(data)?.call_method0("tobytes")?.cast_into::<PyBytes>()?
        }
    };
    let bytes = Bytes::from_backing(name.0, Backing::from_owner(PyBackedBytes::from(held.clone())));
    let bytes = match member {
        Some(member) => bytes.with_member(member),
        None => bytes,
    };
    Nav::open(data.py(), bytes, held, options, partial)
}

fn options(kind: Option<&str>, lenient: bool, hull: Option<Hull>) -> PyResult<OpenOptions> {
    let known = |name: &str| Kind::ALL.iter().copied().find(|kind| kind.name() == name);
    let kind = kind.map(|name| {
        known(name).ok_or_else(|| {
            let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
            PyValueError::new_err(format!("there is no kind '{name}'; the kinds are {}", names.join(", ")))
        })
    });
    let hull = hull.map(|hull| hull.0);
    Ok(OpenOptions { kind: kind.transpose()?, lenient, hull, ..OpenOptions::new() })
}
