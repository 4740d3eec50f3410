//! A graph of Source under edit, and the state in which it was opened.

use super::world::{Slot, World};
use crate::buf::NodeGraphBuf;
use crate::view::AinNav;
use navmap_core::error::Result as MeshResult;

/// A graph of version 37 or 41 that is edited.
///
/// An unchanged graph is written byte for byte. If nodes or links were added or removed, zones are numbered again.
#[derive(Debug)]
pub struct NodeGraphEditor {
    pub(super) world: World,
    /// The graph that was opened, without nodes and links: version, map, hulls.
    pub(super) like: NodeGraphBuf,
    pub(super) opened: NodeGraphBuf,
}

impl NodeGraphEditor {
    /// Starts editing a graph. Linear.
    ///
    /// # Errors
    /// If a link joins a node that does not exist.
    pub fn of_nav(nav: &AinNav<'_>) -> MeshResult<Self> {
        Ok(Self::start(NodeGraphBuf::from(nav), false)?.0)
    }

    /// The same for a graph with such links: they are dropped. Also returns how many.
    ///
    /// # Errors
    /// If there are more nodes than links reach.
    pub fn of_nav_lenient(nav: &AinNav<'_>) -> MeshResult<(Self, usize)> {
        Self::start(NodeGraphBuf::from(nav), true)
    }

    fn start(graph: NodeGraphBuf, lenient: bool) -> MeshResult<(Self, usize)> {
        let mut like = NodeGraphBuf::new(graph.version, graph.map_version, graph.hulls);
        like.trailing.clone_from(&graph.trailing);
        if like.hulls == 0 {
            // A file without nodes does not give the hulls. New nodes get the usual ones.
            like.hulls = if graph.version == 41 { 12 } else { 10 };
        }
        let (world, astray) = World::new(graph.clone(), lenient)?;
        let opened = if astray == 0 { graph } else { world.to_graph(&like)? };
        Ok((Self { world, like, opened }, astray))
    }

    /// The graph as it is now.
    ///
    /// # Errors
    /// If there are more nodes than links reach.
    pub fn to_buf(&self) -> MeshResult<NodeGraphBuf> {
        let mut graph = self.world.to_graph(&self.like)?;
        if self.is_rebuilt(&graph) {
            graph.number_zones();
        }
        Ok(graph)
    }

    /// Whether nodes or links were added or removed.
    pub(super) fn is_rebuilt(&self, graph: &NodeGraphBuf) -> bool {
        let ends = |graph: &NodeGraphBuf| -> Vec<[i16; 2]> {
            graph.links.iter().map(|link| [link.source, link.target]).collect()
        };
        let removed = (0..self.opened.nodes.len() as Slot).any(|slot| self.world.node(slot).is_none());
        removed || graph.nodes.len() != self.opened.nodes.len() || ends(graph) != ends(&self.opened)
    }
}
