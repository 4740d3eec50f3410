//! The graphs of a plugin: one for each space that it has a part of.

use super::graph::SkyrimGraph;
use super::pathgrid::{GridGraph, GridPlugin};
use super::plugin::Plugin;
use super::space::SpaceId;
use navmap_core::Space;
use navmap_core::error::Error;
use navmap_core::format::{AnyGraph, GraphTask};
use std::cmp::Reverse;

/// The graph of one space.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)] // one a space
pub enum PartGraph<'a> {
    /// Navigation meshes.
    Mesh(SkyrimGraph<'a>),
    /// Path grids.
    Grids(GridGraph<'a>),
}

impl AnyGraph for PartGraph<'_> {
    fn with_graph<T: GraphTask>(&self, task: T) -> T::Out {
        match self {
            Self::Mesh(graph) => task.run(graph),
            Self::Grids(graph) => task.run(graph),
        }
    }
}

/// The graphs of a plugin.
#[derive(Debug)]
pub struct Parts<'a> {
    /// Each space with its graph; the largest first.
    pub parts: Vec<(Space, PartGraph<'a>)>,
    /// What the plugin could not be read on for.
    pub damage: Option<Error>,
}

impl<'a> Plugin<'a> {
    /// The graph of each space, with editor ids where the plugin has them. Reads every mesh.
    pub fn parts(&self) -> Parts<'a> {
        let whole = SkyrimGraph::new(self);
        let damage = whole.damage();
        let mut parts = whole.split();
        parts.sort_by_key(|(_, graph)| Reverse(graph.triangle_count()));
        let spaces: Vec<SpaceId> = parts.iter().map(|(space, _)| *space).collect();
        let names = self.editor_ids(&spaces);
        let named = |((space, graph), name): ((SpaceId, _), _)| (space.named(name), PartGraph::Mesh(graph));
        Parts { parts: parts.into_iter().zip(names).map(named).collect(), damage }
    }
}

impl<'a> GridPlugin<'a> {
    /// The graph of each space. Reads every grid.
    pub fn parts(&self) -> Parts<'a> {
        let whole = GridGraph::new(self);
        let damage = whole.damage();
        let mut parts = whole.split();
        parts.sort_by_key(|(_, graph)| Reverse(graph.point_count()));
        let named = |(_, graph): (_, GridGraph<'a>)| Some((graph.space()?, PartGraph::Grids(graph)));
        Parts { parts: parts.into_iter().filter_map(named).collect(), damage }
    }
}
