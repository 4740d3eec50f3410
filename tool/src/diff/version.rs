//! A mesh that scripts are made for, and its graph, by which nodes of two versions are matched.

use navmap::diff::{self, Diff, Parts};
use navmap::edit::{Changes, Merge, Name};
use navmap::error::{Error, Result};
use navmap::format::fox::{self, FoxBuf};
use navmap::format::quake::navjson::Head;
use navmap::format::quake::{self, QuakeBuf};
use navmap::format::skyrim;
use navmap::format::source::{self, SourceBuf};
use navmap::format::{AnyNav, Family};
use navmap::graph::{FlatGraph, Point};
use navmap::open::{Mesh, Options};
use std::collections::HashMap;
use std::path::Path;

/// One version of a mesh.
pub(crate) struct Version {
    mesh: Owned,
    family: Family,
    pub(crate) graph: FlatGraph,
}

enum Owned {
    Source(SourceBuf),
    /// With what navjson says of the map.
    Quake(QuakeBuf, Option<Head<'static>>),
    Fox(FoxBuf),
    Skyrim(Box<skyrim::edit::SkyrimEditor>),
}

impl Version {
    /// # Errors
    /// If the file cannot be read to its end, or its family has no scripts.
    pub(crate) fn open(path: &Path, options: &Options) -> Result<Self> {
        let file = Mesh::open_with(path, options)?;
        let family = file.family();
        let mesh = match file.nav() {
            AnyNav::Source(nav) => SourceBuf::read(nav).map(Owned::Source),
            AnyNav::Quake(nav) => Ok(Owned::Quake(QuakeBuf::from(nav), None)),
            AnyNav::NavJson(nav) => nav
                .to_graph(&mut |_| {})
                .map(|graph| Owned::Quake(graph, Some(nav.head().clone().into_owned()))),
            AnyNav::Fox(nav) => FoxBuf::read(nav).map(Owned::Fox),
            AnyNav::Plugin(_) | AnyNav::Payload(_) => {
                crate::edit::skyrim(file.nav()).map(|editor| Owned::Skyrim(Box::new(editor)))
            }
            _ => {
                let why = format!(
                    "{family} meshes have no scripts; Source meshes of version 1 to 16, Quake graphs, Fox tiles and plugins have"
                );
                Err(Error::invalid("family", why))
            }
        };
        let mesh = mesh.map_err(|error| error.in_file(path))?;
        let graph = file.nav().flat_graph().whole().map_err(|error| error.in_file(path))?;
        file.intact()?;
        Ok(Self { mesh, family, graph })
    }

    /// The script that turns this version into another.
    ///
    /// # Errors
    /// If both are of different families, or items of this version share an id.
    pub(crate) fn script(&self, after: &Self) -> Result<Changes> {
        match (&self.mesh, &after.mesh) {
            (Owned::Source(before), Owned::Source(now)) => {
                let pairs = self.pairs(after);
                let diff = Diff::of(&self.graph, &after.graph);
                let cuts =
                    |parts: Vec<Parts>| parts.into_iter().map(|p| (p.whole, p.parts)).collect::<Vec<_>>();
                source::edit::script(before, now, &pairs, [&cuts(diff.split), &cuts(diff.merged)])
            }
            (Owned::Quake(before, head), Owned::Quake(now, new_head)) => {
                let mut changes = quake::edit::difference(before, now, &self.pairs(after))?;
                if let (Some(head), Some(new)) = (head, new_head)
                    && head != new
                {
                    changes.unreached.push("map, contributors and comments".to_owned());
                }
                Ok(changes)
            }
            (Owned::Fox(before), Owned::Fox(now)) => fox::edit::difference(before, now, diff::pairs),
            (Owned::Skyrim(before), Owned::Skyrim(now)) => skyrim::edit::difference(before, now, diff::pairs),
            _ => Err(self.apart(after)),
        }
    }

    /// Merges the changes from this version to `theirs` into `ours`.
    ///
    /// # Errors
    /// If they are of different families, or items of this version share an id.
    pub(crate) fn merge(&self, ours: &Self, theirs: &Self) -> Result<Merge> {
        if matches!(self.mesh, Owned::Fox(_) | Owned::Skyrim(_)) {
            let why = "meshes cannot be merged; Source meshes of version 1 to 16 and Quake graphs can";
            return Err(Error::invalid("family", format!("{} {why}", self.family)));
        }
        // An area that was cut is gone here: what else was done to it would be done to a part of it.
        let pairs = [ours, theirs].map(|side| Diff::of(&self.graph, &side.graph).pairs);
        let matched = [&pairs[0][..], &pairs[1][..]];
        match (&self.mesh, &ours.mesh, &theirs.mesh) {
            (Owned::Source(base), Owned::Source(ours), Owned::Source(theirs)) => {
                source::edit::merge(base, [ours, theirs], matched)
            }
            (Owned::Quake(base, _), Owned::Quake(ours, _), Owned::Quake(theirs, _)) => {
                quake::edit::merge(base, [ours, theirs], matched)
            }
            _ if self.family == ours.family => Err(self.apart(theirs)),
            _ => Err(self.apart(ours)),
        }
    }

    /// Finds the items that conflicts name.
    pub(crate) fn finder(&self) -> Finder<'_> {
        let nodes = self.graph.nodes().iter().map(|node| node.id).zip(0..);
        Finder { version: self, nodes: nodes.collect() }
    }

    fn apart(&self, other: &Self) -> Error {
        Error::invalid("family", format!("one mesh is of {}, another of {}", self.family, other.family))
    }

    /// The nodes that both have, by their positions: those that are the same, and of what was cut the part that kept the
    /// id.
    fn pairs(&self, other: &Self) -> Vec<(u32, u32)> {
        diff::pairs(&self.graph, &other.graph)
    }
}

/// Finds items by their names.
pub(crate) struct Finder<'v> {
    version: &'v Version,
    nodes: HashMap<u64, u32>,
}

impl Finder<'_> {
    /// The position of a node.
    pub(crate) fn node(&self, item: Name) -> Option<u32> {
        self.nodes.get(&item.id.into()).copied().filter(|_| item.space.is_empty())
    }

    /// Where an item lies.
    pub(crate) fn place(&self, item: Name) -> Option<Point> {
        if let (Owned::Source(mesh), "L") = (&self.version.mesh, item.space) {
            let ladder = mesh.ladders.iter().find(|each| each.ladder.id().get() == item.id)?;
            return Some(Point::from(ladder.ladder.bottom()));
        }
        let graph = &self.version.graph;
        graph.shape(graph.nodes().get(self.node(item)? as usize)?).center()
    }
}
