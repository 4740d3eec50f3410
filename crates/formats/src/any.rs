//! Opens one file of any family.

use super::{AnyNav, Family, Kind, KindView};
use navmap_core::Counts;
use navmap_core::Limits;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::format::{
    AnyGraph, GraphTask, HullName, LadderRecords, NavFile, NodeRecords, ReadOptions, Summary, not_mesh,
};
use navmap_core::graph::{Csr, FlatGraph, NavGraph, Partial, Stats};
use navmap_core::stream::{Reals, Stream};
use navmap_core::{Finding, Severity};
use serde::{Serialize, Serializer};
use std::io;
use std::path::Path;

/// How [`AnyNav::parse`] reads.
#[derive(Debug, Clone, Copy, Default)]
pub struct ParseOptions {
    /// Limits on the cost of a file.
    pub limits: Limits,
    /// Whether bytes after the end of a mesh are information instead of a warning, so that they do not count against
    /// the file.
    pub lenient: bool,
    /// Takes the bytes for this kind of file, whatever they look like. If they are clearly another kind of the same family, that
    /// kind is used.
    pub kind: Option<Kind>,
    /// Whose ways the graph has, of files that tell hulls apart: see [`NavFile::hulls`].
    pub hull: Option<HullName>,
}

impl ParseOptions {
    /// The default limits, strict, any kind.
    pub fn new() -> Self {
        Self::default()
    }

    /// The finding with its severity under these options: see [`lenient`](Self::lenient).
    pub fn weigh(&self, finding: Finding) -> Finding {
        match finding.code {
            Finding::TRAILING if self.lenient => Finding { severity: Severity::Info, ..finding },
            _ => finding,
        }
    }

    /// The kind of these bytes: the requested one, or the one shown by the bytes and the extension of `path`.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh) or [`Instead`](navmap_core::ErrorKind::Instead) if they are of no known kind.
    pub fn kind_of(&self, bytes: &[u8], path: Option<&Path>) -> Result<Kind> {
        self.choose(Kind::sniff(bytes, path), bytes)
    }

    /// [`kind_of`](Self::kind_of), where it was looked already which kind the bytes show.
    #[doc(hidden)]
    pub fn choose(&self, seen: Option<Kind>, bytes: &[u8]) -> Result<Kind> {
        let kind = match self.kind {
            Some(asked) => seen.filter(|seen| seen.family() == asked.family()).or(Some(asked)),
            None => seen,
        };
        kind.ok_or_else(|| not_mesh(bytes))
    }
}

impl<'a> AnyNav<'a> {
    /// Recognises the kind of file and parses it. The view borrows `bytes`; only a few offsets are copied. Of the path only the
    /// extension is used, and only if the bytes are inconclusive.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh), or those of the family's own `parse`.
    pub fn parse(bytes: &'a [u8], path: Option<&Path>, options: &ParseOptions) -> Result<Self> {
        Self::of_kind(options.kind_of(bytes, path)?, bytes, options)
    }

    /// Opens bytes as a file of a kind that is known, without a look at what they show.
    ///
    /// # Errors
    /// Those of the family's own `parse`.
    pub fn of_kind(kind: Kind, bytes: &'a [u8], options: &ParseOptions) -> Result<Self> {
        Self::open(kind, bytes, &ReadOptions { limits: options.limits, hull: options.hull })
    }

    /// The family.
    pub fn family(&self) -> Family {
        self.kind().family()
    }

    /// The view of one kind, if the file is of that kind: for what is asked of one family alone.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    /// use navmap::format::{AnyNav, ParseOptions, quake::QuakeNav, source::SourceNav};
    ///
    /// let bytes = std::fs::read("corpus/quake/nav3-v6.nav")?;
    /// let nav = AnyNav::parse(&bytes, None, &ParseOptions::default())?;
    /// assert!(nav.as_view::<SourceNav<'_>>().is_none());
    /// assert!(nav.as_view::<QuakeNav<'_>>().is_some_and(|nav| !nav.links().is_empty()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_view<V: KindView<'a>>(&self) -> Option<&V> {
        V::from_any(self)
    }

    /// The whole graph in flat arrays, from which pictures and exports are made.
    pub fn flat_graph(&self) -> Partial<FlatGraph> {
        struct Flat;
        impl GraphTask for Flat {
            type Out = Partial<FlatGraph>;
            fn run(self, graph: &impl NavGraph) -> Self::Out {
                FlatGraph::of(graph)
            }
        }
        self.with_graph(Flat)
    }

    /// The links as compressed rows.
    pub fn csr(&self) -> Partial<Csr> {
        struct Rows;
        impl GraphTask for Rows {
            type Out = Partial<Csr>;
            fn run(self, graph: &impl NavGraph) -> Self::Out {
                Csr::of(graph)
            }
        }
        self.with_graph(Rows)
    }

    /// Counts and sizes of the graph: islands, one-way links, area …
    pub fn graph_stats(&self) -> Partial<Stats> {
        struct Sum;
        impl GraphTask for Sum {
            type Out = Partial<Stats>;
            fn run(self, graph: &impl NavGraph) -> Self::Out {
                Stats::of(graph)
            }
        }
        self.with_graph(Sum)
    }
}

impl AnyGraph for AnyNav<'_> {
    fn with_graph<T: GraphTask>(&self, task: T) -> T::Out {
        self.with_graph(task)
    }

    fn ground_group(&self) -> Option<u32> {
        // Source 2 repeats every floor for each hull; 0 is the player's.
        (self.kind() == Kind::Source2).then_some(0)
    }
}

impl NavFile for AnyNav<'_> {
    fn summary(&self) -> Summary {
        self.file().summary()
    }

    fn survey(
        &self,
        scratch: &mut Scratch,
        counts: &mut Counts,
        found: &mut dyn FnMut(Finding),
    ) -> Result<()> {
        self.file().survey(scratch, counts, found)
    }

    fn check(&self, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        self.file().check(scratch, found)
    }

    fn info(&self, scratch: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        self.file().info(scratch, out)
    }

    fn stream(&self) -> &dyn Stream {
        self
    }

    fn records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        self.file().records(nodes, each)
    }

    fn ladders(&self, each: &mut dyn LadderRecords) -> Result<()> {
        self.file().ladders(each)
    }

    fn map_size(&self) -> Option<u32> {
        self.file().map_size()
    }

    fn unstored(&self) -> Option<&'static str> {
        self.file().unstored()
    }

    fn hulls(&self) -> Vec<String> {
        self.file().hulls()
    }
}

/// Everything in the file, streamed: what `navmap dump` prints. `family`, `kind` and `form` come first; then what the view
/// serialises to, where `game`, `version` and `subversion` are among the first and `error` is the last. A float that is no number
/// is one of the texts `"NaN"`, `"Infinity"`, `"-Infinity"`.
impl Serialize for AnyNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let kind = self.kind();
        let (family, form) = (kind.family().name(), kind.form());
        Dump { family, kind: kind.name(), form, view: self.file().stream() }.serialize(Reals(serializer))
    }
}

/// A view as `navmap dump` prints it.
#[derive(Serialize)]
struct Dump<'v> {
    family: &'static str,
    kind: &'static str,
    form: &'static str,
    #[serde(flatten)]
    view: &'v dyn Stream,
}
