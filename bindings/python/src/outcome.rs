//! What became of one mesh of a scan.

use crate::fault::raised;
use crate::finding::Finding;
use navmap::scan::{Outcome as Scanned, path_text};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// One mesh of a scan, or one file, folder or member that could not be read.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Outcome(pub(crate) Scanned);

#[pymethods]
impl Outcome {
    /// The file.
    #[getter]
    fn path(&self) -> String {
        path_text(&self.0.path).into_owned()
    }

    /// The path inside an archive, or None.
    #[getter]
    fn member(&self) -> Option<&str> {
        self.0.member.as_deref()
    }

    /// What `navmap.open` opens it by: the path, or `archive!member`.
    #[getter]
    fn location(&self) -> String {
        let path = self.path();
        self.member().map_or_else(|| path.clone(), |member| format!("{path}!{member}"))
    }

    /// The family of formats, if the bytes were recognised.
    #[getter]
    fn family(&self) -> Option<&'static str> {
        self.0.kind.map(|kind| kind.family().name())
    }

    /// The form: 'nav', 'navjson', 'plugin' ...
    #[getter]
    fn form(&self) -> Option<&'static str> {
        self.0.kind.map(|kind| kind.form())
    }

    /// The game as the best guess.
    #[getter]
    fn game(&self) -> Option<&'static str> {
        self.0.summary?.game
    }

    /// Version of the format.
    #[getter]
    fn version(&self) -> Option<u32> {
        self.0.summary?.version
    }

    /// Sub-version, where the format has one.
    #[getter]
    fn subversion(&self) -> Option<u32> {
        self.0.summary?.subversion
    }

    /// Bytes of the mesh.
    #[getter]
    fn bytes(&self) -> u64 {
        self.0.bytes
    }

    /// 'ok', 'warning' (read to the end, with findings) or 'error'.
    #[getter]
    fn status(&self) -> &'static str {
        self.0.status().name()
    }

    /// What is wrong and where, without the path.
    #[getter]
    fn message(&self) -> Option<String> {
        self.0.message()
    }

    /// Why it could not be read, or not to its end: the exception, which is not raised.
    #[getter]
    fn error(&self, py: Python<'_>) -> Option<PyErr> {
        self.0.error.as_ref().map(|error| raised(py, error))
    }

    /// How many findings count.
    #[getter]
    fn finding_count(&self) -> u64 {
        self.0.counted
    }

    /// The findings: all of them after a check, else the first that counts.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        self.0.findings.iter().cloned().map(Finding).collect()
    }

    /// How many records of each sort were read.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        if let Some(summary) = &self.0.summary {
            summary.counts.iter().try_for_each(|(name, count)| dict.set_item(name, count))?;
        }
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("<Outcome {:?}: {}>", self.location(), self.status())
    }
}
