//! Findings: oddities of a readable mesh.

use crate::give::Triple;
use navmap::Finding as Found;
use pyo3::prelude::*;

/// One thing that is odd but readable.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Finding(pub(crate) Found);

#[pymethods]
impl Finding {
    /// 'info', 'deviation', 'warning' or 'error'.
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.severity.name()
    }

    /// The stable name of what was found: 'dangling-connection'.
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code
    }

    /// What it is, in words.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    /// The sort of record: 'area'.
    #[getter]
    fn record(&self) -> Option<&'static str> {
        self.0.at.record.map(|(record, _)| record)
    }

    /// The number of the record.
    #[getter]
    fn index(&self) -> Option<u64> {
        self.0.at.record.map(|(_, index)| index)
    }

    /// The id that commands take after `#`, of the node that it is about, else of the record; None if neither has one.
    #[getter]
    fn id(&self) -> Option<u64> {
        self.0.at.typed()
    }

    /// The offset in the file.
    #[getter]
    fn byte(&self) -> Option<u64> {
        self.0.at.offset
    }

    /// Where in the world it is.
    #[getter]
    fn at(&self) -> Option<Triple> {
        self.0.place.map(|[x, y, z]| (x, y, z))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}>", self.0)
    }
}
