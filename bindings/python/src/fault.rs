//! Errors of the library as exceptions.

use navmap::{Error, ErrorKind};
use pyo3::create_exception;
use pyo3::exceptions::{
    PyFileExistsError, PyFileNotFoundError, PyIsADirectoryError, PyOSError, PyPermissionError, PyValueError,
};
use pyo3::prelude::*;
use std::io;

create_exception!(
    navmap,
    NavError,
    PyValueError,
    "A mesh could not be read, or not to its end.\n\n\
     `path` is the file (`archive!member` in an archive), `record` and `index` the record at fault (`'area'`, 17), `byte` \
     the offset in the file, `kind` the sort of error (`'truncated'`, `'count'`, `'not-a-mesh'` ...), and `message` the words \
     without the path. What does not apply is None. An error of the operating system is an OSError with the same \
     attributes."
);

/// An error on its way into Python.
#[derive(Debug)]
pub(crate) struct Fault(Error);

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        Python::attach(|py| raised(py, &fault.0))
    }
}

/// The exception for an error.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let path = error.file().map(|path| path.to_string_lossy().into_owned());
    let raised = match error.kind() {
        ErrorKind::Io(io) => of_system(io, path.as_deref(), error),
        _ => NavError::new_err(error.to_string()),
    };
    let at = error.position();
    let value = raised.value(py);
    let set = || -> PyResult<()> {
        value.setattr("path", path)?;
        value.setattr("record", at.record.map(|(record, _)| record))?;
        value.setattr("index", at.record.map(|(_, index)| index))?;
        value.setattr("byte", at.offset)?;
        value.setattr("kind", kind(error.kind()))?;
        value.setattr("message", error.without_file().to_string())
    };
    match set() {
        Ok(()) => raised,
        Err(other) => other,
    }
}

/// An OSError with number and file name, so that `except FileNotFoundError` works.
fn of_system(io: &io::Error, path: Option<&str>, error: &Error) -> PyErr {
    let words = io.to_string();
    match io.raw_os_error() {
        Some(number) => {
            let words = words.strip_suffix(&format!(" (os error {number})")).unwrap_or(&words).to_owned();
            PyOSError::new_err((number, words, path.map(str::to_owned)))
        }
        None => match io.kind() {
            io::ErrorKind::IsADirectory => PyIsADirectoryError::new_err(error.to_string()),
            io::ErrorKind::NotFound => PyFileNotFoundError::new_err(error.to_string()),
            io::ErrorKind::AlreadyExists => PyFileExistsError::new_err(error.to_string()),
            io::ErrorKind::PermissionDenied => PyPermissionError::new_err(error.to_string()),
            io::ErrorKind::InvalidInput => PyValueError::new_err(error.to_string()),
            _ => PyOSError::new_err(error.to_string()),
        },
    }
}

fn kind(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Truncated { .. } => "truncated",
        ErrorKind::Count { .. } => "count",
        ErrorKind::NotMesh { .. } | ErrorKind::Instead { .. } => "not-a-mesh",
        ErrorKind::Version { .. } => "version",
        ErrorKind::OutOfRange { .. } => "out-of-range",
        ErrorKind::Trailing { .. } => "trailing",
        ErrorKind::Limit { .. } => "limit",
        ErrorKind::Text { .. } => "text",
        ErrorKind::Io(_) => "io",
        _ => "invalid",
    }
}
