//! What comes out of a scan, one outcome a mesh, and where it goes.

use navmap_core::Finding;
use navmap_core::error::Error;
use navmap_core::format::Summary;
use navmap_core::graph::Stats;
use navmap_formats::Kind;
use std::any::Any;
use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// One mesh, or one file, folder or member that could not be read.
#[derive(Debug)]
pub struct Outcome {
    /// The file.
    pub path: PathBuf,
    /// The path inside an archive: `inner.bsp!maps/a.nav`.
    pub member: Option<String>,
    /// Bytes of the mesh; 0 where the file could not even be opened.
    pub bytes: u64,
    /// What kind of file it is, if the bytes were recognised.
    pub kind: Option<Kind>,
    /// What the mesh says of itself. Its counts are those of the records that were visited; after an error, up to there.
    pub summary: Option<Summary>,
    /// Findings in the order of the file. A [survey](super::Task::Survey) keeps the first of those that
    /// [count](navmap_core::Severity::counts), a [check](super::Task::Check) keeps all.
    pub findings: Vec<Finding>,
    /// How many findings count.
    pub counted: u64,
    /// The mesh as a graph, where the task was [`Task::Graph`](super::Task::Graph); after an error, what came before.
    pub graph: Option<Box<Stats>>,
    /// What [`Scan::each`](super::Scan::each) has made of the mesh.
    pub made: Option<Box<dyn Any + Send + Sync>>,
    /// Why the mesh could not be read, or not to its end.
    pub error: Option<Error>,
}

/// The status of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Read to the end, nothing odd.
    Ok,
    /// Read to the end, with findings.
    Warning,
    /// Not read, or not to the end.
    Error,
}

impl Status {
    /// `ok`, `warning`, `error`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Outcome {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            member: None,
            bytes: 0,
            kind: None,
            summary: None,
            findings: Vec::new(),
            counted: 0,
            graph: None,
            made: None,
            error: None,
        }
    }

    /// The outcome of a file or folder that could not be read at all. The path comes from the error.
    pub(super) fn failed(error: Error) -> Self {
        let path = error.file().map_or_else(PathBuf::new, PathBuf::from);
        Self { error: Some(error), ..Self::new(path) }
    }

    /// `error` where reading ended early, else `warning` where a finding counts.
    pub fn status(&self) -> Status {
        match (&self.error, self.counted) {
            (Some(_), _) => Status::Error,
            (None, 0) => Status::Ok,
            (None, _) => Status::Warning,
        }
    }

    /// What is wrong and where, without the path: the error, else the first finding that counts.
    pub fn message(&self) -> Option<String> {
        let finding =
            || self.findings.iter().find(|finding| finding.severity.counts()).map(ToString::to_string);
        self.error.as_ref().map(|error| error.without_file().to_string()).or_else(finding)
    }
}

/// Takes the outcomes of a scan, one after the other, from whichever worker has them ready.
pub trait Sink: Send {
    /// Takes one outcome. `Break` ends the scan: the files that workers are at are finished and dropped.
    fn outcome(&mut self, outcome: Outcome) -> ControlFlow<()>;
}

impl<F: FnMut(Outcome) -> ControlFlow<()> + Send> Sink for F {
    fn outcome(&mut self, outcome: Outcome) -> ControlFlow<()> {
        self(outcome)
    }
}
