//! The nodes of a flat graph, whose corners lie in one list.

use super::Point;

/// A node of a [`FlatGraph`](super::FlatGraph), which [gives](super::FlatGraph::corners) its corners.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlatNode {
    /// As [`Node::id`](super::Node::id).
    pub id: u64,
    /// As [`Node::place`](super::Node::place).
    pub place: Option<u32>,
    /// As [`Node::group`](super::Node::group).
    pub group: Option<u32>,
    /// As [`Node::flags`](super::Node::flags).
    pub flags: u64,
    pub(super) first: u32,
    pub(super) len: u32,
    /// `Some` for a point.
    pub(super) radius: Option<Option<f32>>,
    /// As [`NavGraph::above_floor`](super::NavGraph::above_floor).
    pub(super) above_floor: f32,
}

impl FlatNode {
    pub(super) fn corners<'c>(&self, all: &'c [Point]) -> &'c [Point] {
        let first = self.first as usize;
        all.get(first..first.saturating_add(self.len as usize)).unwrap_or_default()
    }
}

/// The corners of the nodes of a graph.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground<'g> {
    pub(super) nodes: &'g [FlatNode],
    pub(super) corners: &'g [Point],
}

impl<'g> Ground<'g> {
    pub(super) fn of(self, node: u32) -> &'g [Point] {
        self.nodes.get(node as usize).map_or(&[], |node| node.corners(self.corners))
    }
}
