//! The contract of a family: how its files are told and opened ([`NavFormat`]), and what an opened file can do
//! ([`NavFile`]). Everything above the formats rests on these two.

#![forbid(unsafe_code)]

use crate::bytes::Scratch;
use crate::counts::Counts;
use crate::error::Result;
use crate::finding::Finding;
use crate::graph::NavGraph;
use crate::limits::Limits;
use std::io;

/// What a file says of itself before it is walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
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

/// How a file is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// What the file may cost.
    pub limits: Limits,
}

/// What the table of families asks of a view, beside [`NavFile`]: how its files are told, opened and seen as a graph.
pub trait NavFormat<'a>: NavFile + Sized {
    /// The names of the counts that [`NavFile::survey`] adds to, in the order of the columns of a table.
    const COUNTS: &'static [&'static str];

    /// Whether a file that begins with these bytes (a page of them, or the whole of a shorter file) is one of these,
    /// readable or not.
    fn recognise(head: &[u8]) -> bool;

    /// Whether a file that only its extension gives away may be one: then its parser says what is wrong with it.
    /// Asked when no kind recognises the bytes.
    fn may_be(_head: &[u8]) -> bool {
        false
    }

    /// What the first page of a file of `file_len` bytes tells.
    ///
    /// # Errors
    /// As [`open`](Self::open), as far as the page shows it.
    fn head(page: &[u8], file_len: u64) -> Result<Summary>;

    /// Opens a file.
    ///
    /// # Errors
    /// Those of the view's own `parse`.
    fn open(bytes: &'a [u8], options: &ReadOptions) -> Result<Self>;

    /// The mesh as a graph. Families differ in what that costs: nothing for Quake, a walk over the areas for Source, the
    /// heads of groups for Fox. The compressed meshes of a Bethesda plugin are inflated at every visit.
    fn graph(&self) -> impl NavGraph;
}
