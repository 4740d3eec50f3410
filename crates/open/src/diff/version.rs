//! A mesh of which scripts and merges are made, and its graph, by which nodes of two versions are matched.

use super::moved;
use crate::open::{Edited, Mesh, OpenOptions, edit_with};
use navmap_core::Limits;
use navmap_core::edit::{AnyVersion, Changes, Matching, Merge, Name, Opening, Refusal, SessionOptions};
use navmap_core::error::{Error, Result};
use navmap_core::graph::{FlatGraph, Point};
use navmap_diff::{Diff, Parts};
use navmap_formats::{Ability, Family, not_edited};
use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;

/// Changes that both sides of any merge may have together, and the bytes of all three meshes for each more. Meshes that were made anew
/// have one for each thirty bytes at most.
const CHANGES: u64 = 32_768;
const OF_CHANGE: u64 = 24;

/// One version of a mesh, of which scripts and merges are made.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::diff::Version;
/// use navmap::edit::{AnySession, SessionOptions};
/// use navmap::open::{Mesh, edit};
///
/// let base = Mesh::open("corpus/quake/nav3-v6.nav")?;
/// let changed = |command: &str| -> navmap::Result<Version> {
///     let mut session = edit(&base, SessionOptions::default())?;
///     assert!(session.run(command).1.is_none());
///     Version::from_mesh(&Mesh::from_vec("changed.nav", session.encode()?)?)
/// };
/// let (ours, theirs) = (changed("move 0 0 8 #1")?, changed("delete #0")?);
/// let base = Version::from_mesh(&base)?;
/// assert_eq!(base.script(&theirs)?.to_string(), "delete Nodes[0]\n");
///
/// let merged = ours.apply(base.merge(&ours, &theirs)?)?;
/// assert!(merged.is_clean());
/// assert!(!merged.encode()?.is_empty());
/// # Ok::<(), navmap::Error>(())
/// ```
pub struct Version {
    mesh: Mesh,
    version: Box<dyn AnyVersion>,
    graph: FlatGraph,
}

impl Version {
    /// Opens a file as one version of a mesh.
    ///
    /// # Errors
    /// Those of [`from_mesh`](Self::from_mesh), and if the file cannot be opened.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Self> {
        Self::from_mesh(&Mesh::open_with(path, options)?)
    }

    /// A mesh as one version of several.
    ///
    /// # Errors
    /// If the mesh cannot be read to its end, or its family has no scripts. Names the file.
    pub fn from_mesh(mesh: &Mesh) -> Result<Self> {
        let at = |error: Error| error.in_file(mesh.bytes().location());
        let version = mesh.nav().version().map_err(at)?;
        let graph = mesh.nav().flat_graph().whole().map_err(at)?;
        mesh.intact()?;
        Ok(Self { mesh: mesh.clone(), version, graph })
    }

    /// The graph of the mesh.
    pub fn graph(&self) -> &FlatGraph {
        &self.graph
    }

    /// The family of the mesh.
    pub fn family(&self) -> Family {
        self.mesh.family()
    }

    /// The script that turns this version into another.
    ///
    /// # Errors
    /// If both are of different families, or items of this version share an id.
    pub fn script(&self, after: &Self) -> Result<Changes> {
        let changes = self.version.difference(&*after.version, [&self.graph, &after.graph], &ByGraph);
        changes.unwrap_or_else(|| Err(self.apart(after)))
    }

    /// What has to be done to `ours` so that it has the changes from this version to `theirs` too.
    ///
    /// # Errors
    /// If such meshes cannot be merged, they are of different families, items of this version share an id, or very many more links
    /// changed than meshes of such sizes have.
    pub fn merge(&self, ours: &Self, theirs: &Self) -> Result<Merge> {
        if !self.mesh.kind().can(Ability::Merge) {
            return Err(not_edited(self.family(), Ability::Merge));
        }
        // Polygons of the others have no other place: they are other polygons.
        let moves = [Family::Source, Family::Quake, Family::Yapb, Family::Rcbot].contains(&self.family());
        let (pairs, changes) = moved::pairs(&self.graph, [&ours.graph, &theirs.graph], moves);
        let bytes = [self, ours, theirs].map(|version| version.mesh.bytes().len() as u64 / OF_CHANGE);
        Limits::charge("changes of a merge", changes, CHANGES + bytes.into_iter().sum::<u64>())?;
        let sides = [&*ours.version, &*theirs.version];
        let other = if self.family() == ours.family() { theirs } else { ours };
        let merge = self.version.merge(sides, [&pairs[0], &pairs[1]]);
        merge.unwrap_or_else(|| Err(self.apart(other)))
    }

    /// Does what a merge asks for to this version, which is that of ours. Each change can be taken back.
    ///
    /// # Errors
    /// If the mesh cannot be edited.
    pub fn apply(&self, merge: Merge) -> Result<Merged> {
        self.apply_with(merge, SessionOptions::default())
    }

    /// As [`apply`](Self::apply), with options for the editor.
    ///
    /// # Errors
    /// Those of [`apply`](Self::apply).
    pub fn apply_with(&self, merge: Merge, options: SessionOptions) -> Result<Merged> {
        let mut edited = edit_with(&self.mesh, options, &Opening::default(), &OpenOptions::new())?;
        let mut refused = Vec::new();
        edited.session.script(&merge.changes.to_string(), &mut |fared| {
            refused.extend(fared.err());
            ControlFlow::Continue(())
        });
        self.mesh.intact()?;
        Ok(Merged { merge, refused, edited })
    }

    /// Finds the items that conflicts name.
    pub fn finder(&self) -> Finder<'_> {
        let nodes = self.graph.nodes().iter().map(|node| node.id).zip(0..);
        Finder { version: self, nodes: nodes.collect() }
    }

    fn apart(&self, other: &Self) -> Error {
        let why = format!("one mesh is of {}, another of {}", self.family(), other.family());
        Error::invalid("family", why)
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Version").field("mesh", &self.mesh).finish_non_exhaustive()
    }
}

/// Matches the nodes of two versions by their graphs.
struct ByGraph;

impl Matching for ByGraph {
    fn pairs(&self, before: &FlatGraph, after: &FlatGraph) -> Vec<(u32, u32)> {
        navmap_diff::pairs(before, after)
    }

    fn cuts(&self, before: &FlatGraph, after: &FlatGraph) -> [Vec<(u32, Vec<u32>)>; 2] {
        let diff = Diff::between(before, after);
        let cuts = |parts: Vec<Parts>| parts.into_iter().map(|part| (part.whole, part.parts)).collect();
        [cuts(diff.split), cuts(diff.merged)]
    }
}

/// Ours, with the changes of theirs.
pub struct Merged {
    /// What was to be done, and what both changed in different ways.
    pub merge: Merge,
    /// Changes of theirs that do not fit ours, and were not done.
    pub refused: Vec<Refusal>,
    edited: Edited,
}

impl Merged {
    /// Whether every change of theirs is in.
    pub fn is_clean(&self) -> bool {
        self.merge.conflicts.is_empty() && self.refused.is_empty()
    }

    /// The merged file. Where both changed something in different ways, it is as in ours.
    ///
    /// # Errors
    /// If the mesh does not fit its format.
    pub fn encode(&self) -> Result<Vec<u8>> {
        self.edited.session.encode()
    }

    /// The editor in which it was done, for further commands. Each change of theirs can be undone there.
    pub fn into_editor(self) -> Edited {
        self.edited
    }
}

impl fmt::Debug for Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Merged");
        out.field("merge", &self.merge).field("refused", &self.refused).finish_non_exhaustive()
    }
}

/// Finds items by their names.
#[derive(Debug)]
pub struct Finder<'v> {
    version: &'v Version,
    nodes: HashMap<u64, u32>,
}

impl Finder<'_> {
    /// The position of a node.
    pub fn node(&self, item: Name) -> Option<u32> {
        self.nodes.get(&item.id).copied().filter(|_| item.space.is_empty())
    }

    /// Where an item lies.
    pub fn place(&self, item: Name) -> Option<Point> {
        let graph = &self.version.graph;
        let node = || graph.shape(graph.nodes().get(self.node(item)? as usize)?).center();
        self.version.version.place(item).or_else(node)
    }
}
