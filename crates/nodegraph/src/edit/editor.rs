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
    /// Starts editing a graph. Linear. Links to nodes that do not exist stay as they are until they are removed.
    pub fn of_nav(nav: &AinNav<'_>) -> Self {
        let opened = NodeGraphBuf::from(nav);
        let mut like = NodeGraphBuf::new(opened.version, opened.map_version, opened.hulls);
        like.trailing.clone_from(&opened.trailing);
        if like.hulls == 0 {
            // A file without nodes does not give the hulls. New nodes get the usual ones.
            like.hulls = if opened.version == 41 { 12 } else { 10 };
        }
        Self { world: World::new(opened.clone()), like, opened }
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
