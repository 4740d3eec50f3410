//! The contract of a family: how its files are recognised and opened ([`NavFormat`]), and what an opened file can do
//! ([`NavFile`]). Everything above the formats uses only these two.

use crate::bytes::Scratch;
use crate::counts::Counts;
use crate::error::Result;
use crate::finding::{Code, Finding};
use crate::graph::NavGraph;
use crate::limits::Limits;
use std::io;

/// What a file says of itself before it is walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// The game, as the best guess that version, sub-version and flags allow; `None` if they allow none.
    pub game: Option<&'static str>,
    /// Version of the format.
    pub version: Option<u32>,
    /// Sub-version, if the format has one.
    pub subversion: Option<u32>,
    /// Counts that the head of the file states. They are only claims until [`NavFile::survey`] has counted.
    pub counts: Counts,
}

/// What every file view can do: `SourceNav`, `QuakeNav`, `NavJson`, `FoxNav`, `Plugin`, `NavMesh`.
///
/// All views borrow. Data that has to be inflated goes into `scratch`, which a worker keeps and reuses.
pub trait NavFile {
    /// What the head of the file says. Constant time.
    fn summary(&self) -> Summary;

    /// Walks the whole file once, visits every record, and counts. Findings that cost nothing more (bytes left over, an
    /// experimental layout) go to `found`; others are left to [`check`](Self::check).
    ///
    /// If it succeeds, `counts` is complete; if it fails, `counts` holds what was read before the error. Allocates
    /// nothing once the scratch has grown; only tiles of Detour are kept while they are counted, because whether a
    /// portal is a link depends on the tiles around it.
    ///
    /// # Errors
    /// If the file is damaged, the first place at which it cannot be read on.
    fn survey(
        &self,
        scratch: &mut Scratch,
        counts: &mut Counts,
        found: &mut dyn FnMut(Finding),
    ) -> Result<()>;

    /// Reports every finding that the format can have, those of [`survey`](Self::survey) included, mostly in file
    /// order. May allocate in proportion to the file.
    ///
    /// # Errors
    /// Those of [`survey`](Self::survey). Findings before the error have been reported.
    fn check(&self, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()>;

    /// Describes the file to a person, as plain text.
    ///
    /// # Errors
    /// If the file cannot be read on (what was read before has been printed), or if `out` fails.
    fn info(&self, scratch: &mut Scratch, out: &mut dyn io::Write) -> Result<()>;
}

/// How a file is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// What the file may cost.
    pub limits: Limits,
}

/// What the table of families needs of a view besides [`NavFile`]: how its files are recognised, opened and seen as a
/// graph.
pub trait NavFormat<'a>: NavFile + Sized {
    /// The names of the counts that [`NavFile::survey`] adds to, in the order of the columns of a table.
    const COUNTS: &'static [&'static str];

    /// What the codes of its findings mean, in the order of `docs/findings.md`: the table of its family, which other
    /// kinds of the family may share. Codes that every family may have are not in it.
    const CODES: &'static [Code];

    /// Whether a file that begins with these bytes (a page, or the whole of a shorter file) is of this kind, readable
    /// or not.
    fn recognise(head: &[u8]) -> bool;

    /// Whether a file with an extension of this kind may be one, although no kind recognises its bytes. If so, the
    /// parser says what is wrong with it.
    fn may_be(_head: &[u8]) -> bool {
        false
    }

    /// What the first page of a file of `file_len` bytes tells.
    ///
    /// # Errors
    /// Those of [`open`](Self::open) that the page can show.
    fn head(page: &[u8], file_len: u64) -> Result<Summary>;

    /// Opens a file.
    ///
    /// # Errors
    /// Those of the view's own `parse`.
    fn open(bytes: &'a [u8], options: &ReadOptions) -> Result<Self>;

    /// The mesh as a graph. The cost depends on the family: nothing for Quake, a walk over the areas for Source, the
    /// heads of groups for Fox. The compressed meshes of a Bethesda plugin are inflated at every visit.
    fn graph(&self) -> impl NavGraph;
}
