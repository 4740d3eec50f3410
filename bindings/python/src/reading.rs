//! What an open mesh is read for: its graph, its counts, its findings, its index.

use crate::fault::{Fault, raised};
use crate::nav::Nav;
use crate::parts::IndexedGraph;
use crate::threads::work;
use navmap::bytes::{Backing, Scratch};
use navmap::format::AnyGraph;
use navmap::open::{Bytes, Mesh, OpenOptions, choose};
use navmap::query::{BuildOptions, Policy, Refused, World};
use navmap::{Counts, Error, Family, Finding as Found, NavFile, Result, Space, codes};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// What a survey counted, and where it had to end.
pub(crate) struct Surveyed(pub(crate) Counts, pub(crate) Option<Error>);

impl Nav {
    pub(crate) fn open(
        py: Python<'_>,
        bytes: Bytes,
        held: Bound<'_, PyBytes>,
        options: &OpenOptions,
        partial: bool,
    ) -> PyResult<Self> {
        let mesh = py.detach(|| Mesh::parse(bytes, options)).map_err(Fault::from)?;
        Ok(Self { mesh, held: held.unbind(), options: *options, partial, graph: OnceLock::new() })
    }

    /// The same file with other bytes.
    pub(crate) fn again(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let (held, named) = (PyBytes::new(py, bytes), self.mesh.bytes());
        let backing = Backing::from_owner(PyBackedBytes::from(held.clone()));
        let bytes = Bytes::from_backing(named.path(), backing);
        let bytes = match named.member() {
            Some(member) => bytes.with_member(member),
            None => bytes,
        };
        let options = OpenOptions { kind: Some(self.mesh.kind()), ..self.options };
        Self::open(py, bytes, held, &options, self.partial)
    }

    /// The value, unless reading it came upon damage and only what is whole may be used.
    pub(crate) fn whole<T>(&self, value: T, error: Option<Error>) -> Result<T> {
        match error {
            Some(error) if !self.partial => Err(error.in_file(self.mesh.bytes().location())),
            _ => Ok(value),
        }
    }

    /// The graph of the whole file.
    pub(crate) fn graph(&self, py: Python<'_>) -> PyResult<Arc<IndexedGraph>> {
        let graph = match self.graph.get() {
            Some(graph) => graph,
            None => {
                let flat = work(py, || self.mesh.nav().flat_graph());
                let error = flat.error.map(|error| error.in_file(self.mesh.bytes().location()));
                self.graph.get_or_init(|| Arc::new(IndexedGraph::new(flat.value, error)))
            }
        };
        match &graph.error {
            Some(error) if !self.partial => Err(raised(py, error)),
            _ => Ok(Arc::clone(graph)),
        }
    }

    /// The graph of one space of a plugin.
    fn graph_of(&self, space: &str) -> Result<IndexedGraph> {
        let mut items = self.mesh.items();
        choose(&mut items, space)?;
        let flat = items.first().and_then(|item| item.flat_graph());
        let flat = flat.ok_or_else(|| Error::invalid("space", "could not be read"))?;
        self.whole((), flat.error).map(|()| IndexedGraph::new(flat.value, None))
    }

    /// The graph of one space, or of the whole file.
    pub(crate) fn graph_for(&self, py: Python<'_>, space: Option<&str>) -> PyResult<Arc<IndexedGraph>> {
        match space {
            None => self.graph(py),
            Some(space) => Ok(Arc::new(work(py, || self.graph_of(space)).map_err(Fault::from)?)),
        }
    }

    /// The space with this name.
    pub(crate) fn space_named(&self, name: &str) -> Option<Space> {
        let mut items = self.mesh.items();
        choose(&mut items, name).ok()?;
        items.pop()?.space
    }

    pub(crate) fn survey(&self) -> Surveyed {
        let mut counts = Counts::default();
        let end = self.mesh.nav().survey(&mut Scratch::new(), &mut counts, &mut |_| {});
        Surveyed(counts, end.err())
    }

    /// What a check finds; without `hidden` not what real meshes are full of.
    ///
    /// # Errors
    /// If the mesh is damaged and only a whole one will do.
    pub(crate) fn checked(&self, hidden: bool) -> Result<Vec<Found>> {
        let (mut found, weigh) = (Vec::new(), self.options.format());
        let mut take = |finding: Found| found.push(weigh.weigh(finding));
        let error = self.mesh.nav().check(&mut Scratch::new(), &mut take).err();
        let mut found = self.whole(found, error)?;
        let family = self.mesh.family();
        let of_ours = |of: Option<Family>| of.is_none_or(|of| of == family);
        let quiet: HashSet<&str> =
            codes().filter(|(of, row)| row.hidden && of_ours(*of)).map(|(_, row)| row.code).collect();
        found.retain(|finding| hidden || !quiet.contains(finding.code));
        Ok(found)
    }

    /// The index of the whole mesh, of one group of areas or of one space of a plugin.
    ///
    /// # Errors
    /// If the mesh is damaged and only a whole one will do, or has no such space.
    pub(crate) fn indexed(
        &self,
        space: Option<&str>,
        group: Option<u32>,
        landmarks: bool,
        tactics: bool,
    ) -> Result<World> {
        let group = group.or_else(|| self.mesh.nav().ground_group().filter(|_| tactics));
        let build = match group {
            None if !tactics => None,
            None => Some(BuildOptions::default().tactics(true)),
            Some(group) => Some(BuildOptions::default().tactics(tactics).group(group)),
        };
        let Some(space) = space else {
            let built = match &build {
                None => self.mesh.index(),
                Some(build) => self.mesh.index_with(build),
            };
            let index = self.whole(built.value, built.error)?;
            return Ok(World::of_index(if landmarks { index.with_late_landmarks() } else { index }));
        };
        let policy = Policy::default().with_options(self.options).with_refuse(None);
        let policy = policy.with_build(build.unwrap_or_default()).with_landmarks(landmarks);
        let mut items = self.mesh.items();
        choose(&mut items, space)?;
        let item = items.pop().ok_or_else(|| Error::invalid("space", "is missing"))?;
        World::of_item(&item, &policy).map_err(refused)
    }
}

/// Why a world was not made. No finding is refused here.
pub(crate) fn refused(refused: Refused) -> Error {
    match refused {
        Refused::Unreadable(error) => error,
        other => Error::invalid("mesh", other.to_string()),
    }
}
