//! What a family says that can be edited, beside [`NavFormat`]: how its files are opened for that, and what it makes of several
//! versions of a mesh. The table of families hands it on, so nothing above asks which family it is.

use super::changes::{Changes, Name};
use super::editor::Editor;
use super::merge::Merge;
use crate::error::Result;
use crate::finding::Finding;
use crate::format::NavFormat;
use crate::graph::{FlatGraph, Point};
use std::any::Any;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};

/// A view whose meshes can be edited. A family implements it for the views that it can edit, and marks their rows of the table
/// of families with `edit`. What it leaves out, its meshes cannot do, and an error says which meshes can.
pub trait EditFormat<'a>: NavFormat<'a> {
    /// What such meshes are called among those that can be edited: `Quake graphs`.
    const CALLED: &'static str;

    /// Which meshes are edited with a map, if these are: `meshes of Source and GoldSrc`. See [`Opening::map`].
    const MAPPED: Option<&'static str> = None;

    /// Reads the mesh as one version of several, of which scripts and merges are made; `None` if none are.
    const VERSION: Option<ReadVersion<Self, Self::Version>> = None;

    /// What edits such a mesh.
    type Editor: Editor + Send;

    /// One version of a mesh; [`Infallible`] where no scripts are made.
    type Version: Version;

    /// Opens the mesh for editing. `bytes` are those of the whole file.
    ///
    /// # Errors
    /// If the mesh cannot be read to its end.
    fn edit(&self, bytes: &[u8], opening: &Opening<'_>) -> Result<Opened<Self::Editor>>;

    /// The files that the mesh at a path consists of, and which of them that path is. Most meshes are one file.
    fn files(path: &Path) -> (Vec<PathBuf>, usize) {
        (vec![path.to_owned()], 0)
    }

    /// Where a file of the mesh goes if the mesh itself goes to `output`.
    fn beside(output: &Path, file: &Path) -> PathBuf {
        let _ = file;
        output.to_owned()
    }

    /// Lists of nodes that no graph has and that changed, between this mesh and the one of the same kind in the bytes `after`.
    /// `pairs` are positions of nodes that both have.
    ///
    /// # Errors
    /// If a mesh cannot be read to its end.
    fn changed_lists(&self, after: &[u8], pairs: &[(u32, u32)]) -> Result<Vec<ListChange>> {
        let _ = (after, pairs);
        Ok(Vec::new())
    }

    /// What the file says of its map and of those who made it, by name: what is neither counted nor in the graph.
    fn credits(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// Reads a view as one version of its mesh.
pub type ReadVersion<N, V> = fn(&N) -> Result<V>;

/// Opens the map of a mesh. It is given what the family says of the mesh, and gives what the family asks of a map; the editor
/// of the family names both types.
pub type OpenMap<'o> = dyn Fn(&dyn Any) -> Result<Box<dyn Any>> + 'o;

/// How a mesh is opened for editing. A family takes what it has a use for.
#[derive(Clone, Copy, Default)]
pub struct Opening<'o> {
    /// Whether to go on without what cannot be read. What is lost is said.
    pub lenient: bool,
    /// Whether it is said what is carried on as it is: what a game would refuse, or what nobody understands. That takes as long
    /// as a check.
    pub carried: bool,
    /// Whether a changed mesh keeps the bytes that an older, longer file left behind its end.
    pub keep_tail: bool,
    /// Whether to write a mesh that a game would newly refuse or crash on.
    pub force_odd: bool,
    /// Whether visibility is kept when an area dies.
    pub keep_visibility: bool,
    /// The names of places that the game knows, one a line.
    pub places: Option<&'o str>,
    /// What opens the map that the mesh is of.
    pub map: Option<&'o OpenMap<'o>>,
    /// The files that the mesh consists of, as [`EditFormat::files`] says; empty if only the file itself is at hand.
    pub parts: &'o [(PathBuf, &'o [u8])],
    /// Which of the parts the file itself is.
    pub named: usize,
}

impl fmt::Debug for Opening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opening")
            .field("lenient", &self.lenient)
            .field("carried", &self.carried)
            .field("keep_tail", &self.keep_tail)
            .field("force_odd", &self.force_odd)
            .field("keep_visibility", &self.keep_visibility)
            .field("places", &self.places.map(str::len))
            .field("map", &self.map.is_some())
            .field("parts", &self.parts.len())
            .finish_non_exhaustive()
    }
}

/// A mesh that was opened for editing.
#[derive(Debug)]
pub struct Opened<E> {
    /// What edits it.
    pub editor: E,
    /// What is said about it: what is lost, what is carried on as it is.
    pub said: Vec<String>,
    /// Whether something of the file is lost, since it was opened [leniently](Opening::lenient).
    pub lost: bool,
    /// Whether the [parts](Opening::parts) are edited as one.
    pub joined: bool,
}

impl<E> Opened<E> {
    /// An editor of one file about which nothing has to be said.
    pub fn new(editor: E) -> Self {
        Self { editor, said: Vec::new(), lost: false, joined: false }
    }

    /// Says what is carried on as it is: the first finding of each code, and how many more there are.
    pub fn carry<'f>(&mut self, found: impl IntoIterator<Item = &'f Finding>) {
        let mut codes: BTreeMap<&str, (usize, &Finding)> = BTreeMap::new();
        for found in found {
            codes.entry(found.code).or_insert((0, found)).0 += 1;
        }
        codes.into_values().for_each(|(count, first)| self.carry_alike(first, count));
    }

    /// Says that so many findings of one code are carried on as they are. `first` is the first of them.
    pub fn carry_alike(&mut self, first: &Finding, count: usize) {
        let others = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
        self.said.push(format!("carried on as it is: {first}{others}"));
    }

    /// Says what is lost.
    pub fn lose(&mut self, what: String) {
        self.said.push(format!("lost: {what}"));
        self.lost = true;
    }

    /// The same with something else in place of the editor.
    #[must_use]
    pub fn map<T>(self, with: impl FnOnce(E) -> T) -> Opened<T> {
        Opened { editor: with(self.editor), said: self.said, lost: self.lost, joined: self.joined }
    }
}

/// Opens a mesh for editing, with the other parts of it or, if they do not fit, without them.
///
/// # Errors
/// Those of [`EditFormat::edit`].
pub fn open<'a, V: EditFormat<'a>>(
    nav: &V,
    bytes: &[u8],
    opening: &Opening<'_>,
) -> Result<Opened<V::Editor>> {
    match nav.edit(bytes, opening) {
        Err(error) if opening.parts.len() > 1 => {
            let mut alone = nav.edit(bytes, &Opening { parts: &[], named: 0, ..*opening })?;
            alone.said.insert(0, Opened::<()>::alone(&error));
            Ok(alone)
        }
        opened => opened,
    }
}

impl Opened<()> {
    /// What is said where the other parts of a mesh cannot be edited with it.
    pub fn alone(error: &crate::error::Error) -> String {
        format!("is edited without the other parts beside it: {error}")
    }
}

/// Work on an editor of any family.
pub trait Editing {
    /// What comes of it.
    type Done;

    /// Does the work.
    fn edit<E: Editor + Send>(self, editor: E) -> Self::Done;
}

/// Work on a view of any family that can be edited.
pub trait EditTask {
    /// What comes of it.
    type Out;

    /// Does the work.
    fn run<'a, V: EditFormat<'a>>(self, nav: &V) -> Self::Out;
}

/// Says which nodes of two versions are the same one.
pub trait Matching {
    /// The positions of nodes that both have; of a node that was cut, those of the part that it still is.
    fn pairs(&self, before: &FlatGraph, after: &FlatGraph) -> Vec<(u32, u32)>;

    /// Nodes of the version before that are several now, and nodes of now that were several.
    fn cuts(&self, before: &FlatGraph, after: &FlatGraph) -> [Vec<(u32, Vec<u32>)>; 2];
}

/// Merges the changes from a base to theirs into ours: the base, `[ours, theirs]`, and the positions of nodes that the base
/// and each of these have in common.
pub type Merger<V> = fn(&V, [&V; 2], [&[(u32, u32)]; 2]) -> Result<Merge>;

/// One version of a mesh, of which scripts and merges are made.
pub trait Version: Send + Sized + 'static {
    /// What merges three versions; `None` if such meshes cannot be merged.
    const MERGE: Option<Merger<Self>> = None;

    /// The script that turns this version into another. `graphs` are those of both.
    ///
    /// # Errors
    /// If the items of a version cannot be told apart.
    fn difference(&self, after: &Self, graphs: [&FlatGraph; 2], matching: &dyn Matching) -> Result<Changes>;

    /// Where an item lies that is no node of the graph.
    fn place(&self, item: Name) -> Option<Point> {
        let _ = item;
        None
    }
}

impl Version for Infallible {
    fn difference(&self, _: &Self, _: [&FlatGraph; 2], _: &dyn Matching) -> Result<Changes> {
        match *self {}
    }
}

/// One version of a mesh whose family nobody needs to know. Two of different families have nothing in common: `None`.
pub trait AnyVersion: Any + Send {
    /// As [`Version::difference`].
    fn difference(
        &self,
        after: &dyn AnyVersion,
        graphs: [&FlatGraph; 2],
        matching: &dyn Matching,
    ) -> Option<Result<Changes>>;

    /// As [`Version::MERGE`]; `None` as well if such meshes cannot be merged.
    fn merge(&self, sides: [&dyn AnyVersion; 2], matched: [&[(u32, u32)]; 2]) -> Option<Result<Merge>>;

    /// As [`Version::place`].
    fn place(&self, item: Name) -> Option<Point>;
}

impl<V: Version> AnyVersion for V {
    fn difference(
        &self,
        after: &dyn AnyVersion,
        graphs: [&FlatGraph; 2],
        matching: &dyn Matching,
    ) -> Option<Result<Changes>> {
        let after = (after as &dyn Any).downcast_ref::<V>()?;
        Some(Version::difference(self, after, graphs, matching))
    }

    fn merge(
        &self,
        [ours, theirs]: [&dyn AnyVersion; 2],
        matched: [&[(u32, u32)]; 2],
    ) -> Option<Result<Merge>> {
        let merge = V::MERGE?;
        let ours = (ours as &dyn Any).downcast_ref::<V>()?;
        let theirs = (theirs as &dyn Any).downcast_ref::<V>()?;
        Some(merge(self, [ours, theirs], matched))
    }

    fn place(&self, item: Name) -> Option<Point> {
        Version::place(self, item)
    }
}

/// A list of a node that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListChange {
    /// The node, by its id before.
    pub node: u32,
    /// Which list: `encounter path`.
    pub what: &'static str,
    /// Entries that are gone, with ids of the mesh before.
    pub removed: Vec<[u32; 2]>,
    /// Entries that are new, with ids of the mesh after.
    pub added: Vec<[u32; 2]>,
}

impl ListChange {
    /// A list of a node, and what it lost and got.
    pub fn new(node: u32, what: &'static str, removed: Vec<[u32; 2]>, added: Vec<[u32; 2]>) -> Self {
        Self { node, what, removed, added }
    }
}
