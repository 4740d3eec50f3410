//! The contract of a family: how its files are recognised and opened ([`NavFormat`]), and what an opened file can do
//! ([`NavFile`]). Everything above the formats uses only these two.

use super::hull::HullName;
use super::nodes::{LadderRecords, NodeRecords};
use crate::bytes::Scratch;
use crate::counts::Counts;
use crate::error::Result;
use crate::finding::{Code, Finding};
use crate::graph::NavGraph;
use crate::limits::Limits;
use crate::stream::Stream;
use std::io;

/// What a file says about itself before it is walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// The game, guessed from version, sub-version and flags; `None` if they allow no guess.
    pub game: Option<&'static str>,
    /// Version of the format.
    pub version: Option<u32>,
    /// Sub-version, if the format has one.
    pub subversion: Option<u32>,
    /// Counts stated in the head of the file. They are only claims until [`NavFile::survey`] has counted.
    pub counts: Counts,
}

/// The interface of every file view: `SourceNav`, `QuakeNav`, `NavJson`, `FoxNav`, `Plugin`, `NavMesh`.
///
/// All views borrow. Inflated data goes into `scratch`, which a worker keeps and reuses.
pub trait NavFile {
    /// The facts in the head of the file. Constant time.
    fn summary(&self) -> Summary;

    /// Walks the whole file once, visits every record, and counts. Findings that cost nothing extra (trailing bytes, an
    /// experimental layout) go to `found`; others are left to [`check`](Self::check).
    ///
    /// On success `counts` is complete; on failure it holds what was read before the error. Allocates nothing once the scratch
    /// has grown, except that tiles of Detour are kept while they are counted, because whether a portal is a link depends on the
    /// tiles around it.
    ///
    /// # Errors
    /// If the file is damaged: the first place at which reading cannot continue.
    fn survey(
        &self,
        scratch: &mut Scratch,
        counts: &mut Counts,
        found: &mut dyn FnMut(Finding),
    ) -> Result<()>;

    /// Reports every finding of the format, including those of [`survey`](Self::survey), mostly in file order. May allocate in
    /// proportion to the file.
    ///
    /// # Errors
    /// Those of [`survey`](Self::survey). Findings before the error have been reported.
    fn check(&self, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()>;

    /// Describes the file to a person, as plain text.
    ///
    /// # Errors
    /// If the file cannot be read to its end (the part before has been printed), or if `out` fails.
    fn info(&self, scratch: &mut Scratch, out: &mut dyn io::Write) -> Result<()>;

    /// Everything in the file, for any serialiser. Implemented as `self`, and in a family never inlined: code that serialises a view is
    /// compiled once, where the view is, however many serialisers a program has. That of any file, which `navmap dump` prints, says
    /// `family`, `kind` and `form` first and has texts for floats that are no number.
    fn stream(&self) -> &dyn Stream;

    /// Hands the records of some nodes to `each`, in one walk over the file at most. `nodes` are positions in the
    /// [graph](NavFormat::graph), ascending and each once, and their records come in this order; a node without a record of its own is passed
    /// over.
    ///
    /// # Errors
    /// If the file is damaged before the last of them.
    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        let _ = (nodes, each);
        Ok(())
    }

    /// Hands the ladders that have an id, `L#1`, to `each` in file order. None in most families.
    ///
    /// # Errors
    /// If the file is damaged before the last of them.
    fn ladders(&self, each: &mut dyn LadderRecords) -> Result<()> {
        let _ = each;
        Ok(())
    }

    /// Bytes of the map that the mesh was made for, if the file states them. A scan compares them with the map that the
    /// mesh lies beside or in.
    fn map_size(&self) -> Option<u32> {
        None
    }

    /// What the game knows of its ways from the map alone, since files of this version do not store it: `ladders`.
    fn unstored(&self) -> Option<&'static str> {
        None
    }

    /// The names of the hulls for which the file says each link's way apart, by number. Empty for most families, where one graph
    /// is for all.
    fn hulls(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Options for reading a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Limits on the cost of a file.
    pub limits: Limits,
    /// Whose ways the graph has, if the file tells hulls apart ([`NavFile::hulls`]). People's, if none is named.
    pub hull: Option<HullName>,
}

/// What the table of families needs of a view besides [`NavFile`]: how its files are recognised, opened and turned into a graph.
pub trait NavFormat<'a>: NavFile + Sized {
    /// The names of the counts that [`NavFile::survey`] adds to, in the order of a table's columns.
    const COUNTS: &'static [&'static str];

    /// The meaning of its findings' codes, in the order of `docs/findings.md`: the table of its family, which other kinds of the
    /// family may share. The common codes are not in it.
    const CODES: &'static [Code];

    /// What [`NavFile::check`] costs beyond reading, as so many more bytes for each byte of the file: where a check is a search.
    const CHECK_COST: u64 = 0;

    /// Whether a file that begins with these bytes (a page, or the whole of a shorter file) is of this kind, even if it is
    /// unreadable.
    fn recognise(head: &[u8]) -> bool;

    /// Whether a file with an extension of this kind may be one although no kind recognises its bytes. If so, the parser reports
    /// what is wrong with it.
    fn may_be(_head: &[u8]) -> bool {
        false
    }

    /// The facts in the first page of a file of `file_len` bytes.
    ///
    /// # Errors
    /// Those of [`open`](Self::open) that show in the page.
    fn head(page: &[u8], file_len: u64) -> Result<Summary>;

    /// Opens a file.
    ///
    /// # Errors
    /// Those of the view's own `parse`.
    fn open(bytes: &'a [u8], options: &ReadOptions) -> Result<Self>;

    /// The mesh as a graph. The cost depends on the family: nothing for Quake, a walk over the areas for Source, the heads of
    /// groups for Fox. The compressed meshes of a Bethesda plugin are inflated at every visit.
    fn graph(&self) -> impl NavGraph;
}
