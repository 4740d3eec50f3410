//! What the file view of every family can say of itself: the contract between the formats and everything above.

#![forbid(unsafe_code)]

use crate::bytes::Scratch;
use crate::counts::Counts;
use crate::error::Result;
use crate::finding::Finding;
use std::fmt;
use std::io;

/// What kind of file holds the mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// A binary mesh file: `.nav`, `.nav2`.
    Nav,
    /// The JSON form of a Quake graph.
    NavJson,
    /// A Bethesda plugin with navmeshes among its records.
    Plugin,
    /// One raw NVNM field.
    Payload,
}

impl Form {
    /// `nav`, `navjson`, `plugin`, `payload`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nav => "nav",
            Self::NavJson => "navjson",
            Self::Plugin => "plugin",
            Self::Payload => "payload",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a file says of itself before it is walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// What kind of file it is.
    pub form: Form,
    /// The game, as the best guess that version, sub-version and flags allow; `None` where they allow none.
    pub game: Option<&'static str>,
    /// Version of the format.
    pub version: Option<u32>,
    /// Sub-version, where the format has one.
    pub subversion: Option<u32>,
    /// Counts that the head of the file states. They are claims until [`NavFile::survey`] has counted.
    pub counts: Counts,
}

/// What every file view does: `SourceNav`, `QuakeNav`, `NavJson`, `FoxNav`, `Plugin`, `NavMesh`.
///
/// All of it borrows; `scratch` is what a worker keeps and reuses for what has to be inflated.
pub trait NavFile {
    /// What the head of the file says. Constant time.
    fn summary(&self) -> Summary;

    /// Walks the whole file once, every record visited, and counts. What is odd and was seen in passing (bytes left
    /// over, an experimental layout) goes to `found`; what needs a second look is left to [`check`](Self::check).
    ///
    /// `counts` is complete on success; on an error it holds what was read before. Allocates nothing after the
    /// scratch has warmed up.
    ///
    /// # Errors
    /// The first place at which the file cannot be read on.
    fn survey(
        &self,
        scratch: &mut Scratch,
        counts: &mut Counts,
        found: &mut dyn FnMut(Finding),
    ) -> Result<()>;

    /// Every finding of the format's specification, those of [`survey`](Self::survey) included, in file order as far
    /// as that is natural. May allocate in proportion to the file.
    ///
    /// # Errors
    /// As [`survey`](Self::survey); what was found before has been reported.
    fn check(&self, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()>;

    /// The file for a person, as plain text.
    ///
    /// # Errors
    /// Where the file cannot be read on (what was read before has been printed), or `out` fails.
    fn info(&self, scratch: &mut Scratch, out: &mut dyn io::Write) -> Result<()>;
}
