//! A mesh that can be edited, and its graph, by which areas of two versions are matched.

use crate::diff;
use crate::error::{Error, Result};
use crate::format::AnyNav;
use crate::format::source::SourceBuf;
use crate::graph::FlatGraph;
use crate::open::{Mesh, Options};
use std::path::Path;

/// One version of a Source mesh.
pub(in crate::cli) struct Version {
    pub(in crate::cli) mesh: SourceBuf,
    pub(in crate::cli) graph: FlatGraph,
}

impl Version {
    /// # Errors
    /// If the file cannot be read to its end, or is no Source mesh of version 1 to 16.
    pub(in crate::cli) fn open(path: &Path, options: &Options) -> Result<Self> {
        let file = Mesh::open_with(path, options)?;
        let AnyNav::Source(nav) = file.nav() else {
            let why =
                format!("{} meshes have no scripts, Source meshes of version 1 to 16 have", file.family());
            return Err(Error::invalid("family", why).in_file(path));
        };
        let mesh = SourceBuf::read(nav).map_err(|error| error.in_file(path))?;
        let graph = file.nav().flat_graph().whole().map_err(|error| error.in_file(path))?;
        file.intact()?;
        Ok(Self { mesh, graph })
    }

    /// The areas that both have, by their positions: those that are the same, and of what was cut the part that kept the id.
    pub(in crate::cli) fn pairs(&self, other: &Self) -> Vec<(u32, u32)> {
        diff::pairs(&self.graph, &other.graph)
    }
}
