//! The four entries of a group, owned.

use super::{FaceList, NodeBuf};
use crate::record::{
    Bounds, InsideLink, NavEdge, PackedId, Position, Segment, SegmentGroupLink, SegmentInsideLink,
    SegmentTileLink,
};
use crate::view::{Crossing, NodeLinks};
use zerocopy::IntoBytes;
use zerocopy::byteorder::little_endian::U16;

/// One group of a tile.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GroupBuf {
    /// Group and tile.
    pub id: PackedId,
    /// The graph of midpoints.
    pub world: WorldBuf,
    /// Vertices and faces.
    pub mesh: MeshBuf,
    /// The box of every segment.
    pub bounds: Vec<Bounds>,
    /// The ranges of vertices, faces, edges and nodes of each segment.
    pub segments: Vec<Segment>,
    /// The coarse graph.
    pub graph: SegmentGraphBuf,
}

impl GroupBuf {
    /// A group without anything.
    pub fn new(id: PackedId) -> Self {
        Self {
            id,
            world: WorldBuf::default(),
            mesh: MeshBuf::default(),
            bounds: Vec::new(),
            segments: Vec::new(),
            graph: SegmentGraphBuf::default(),
        }
    }
}

/// A NavWorld: the graph of midpoints.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct WorldBuf {
    /// Positions of the nodes.
    pub positions: Vec<Position>,
    /// The nodes, one for each position.
    pub nodes: Vec<NodeBuf>,
    /// The links of all nodes in file format, node by node. For each node: node and edge of every link inside the segment, then
    /// the link across: its node, group and node, or tile, group and node. [`links`](Self::links) reads them,
    /// [`push_node`](Self::push_node) adds some.
    pub links: Vec<U16>,
    /// The edges.
    pub edges: Vec<NavEdge>,
    /// For each segment, who may use it.
    pub attributes: Vec<U16>,
    /// For each node, a face that has it.
    pub faces: Vec<U16>,
    /// The reserved words of the head.
    pub unknown: [u32; 6],
}

/// A NavmeshChunk: vertices and faces.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MeshBuf {
    /// The vertices.
    pub vertices: Vec<Position>,
    /// The faces.
    pub faces: FaceList,
    /// The reserved words of the head.
    pub unknown: [u32; 4],
}

/// A SegmentGraph: the coarse graph.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SegmentGraphBuf {
    /// One position for each node.
    pub positions: Vec<Position>,
    /// The nodes, one per segment.
    pub nodes: Vec<SegmentNodeBuf>,
    /// Links to segments of the group, node by node.
    pub inside: Vec<SegmentInsideLink>,
    /// Links to other groups, in the same order.
    pub groups: Vec<SegmentGroupLink>,
    /// Links to other tiles, in the same order.
    pub tiles: Vec<SegmentTileLink>,
    /// The nodes at which links cross: for each node, those of its links inside, to groups and to tiles.
    pub indices: Vec<u8>,
    /// The reserved words of the head.
    pub unknown: [u32; 3],
}

/// A node of a [`SegmentGraphBuf`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SegmentNodeBuf {
    /// The node of each island graph that it belongs to; `0xFFFF` for no island.
    pub islands: [u16; 3],
    /// The number of its links inside the group.
    pub inside: u8,
    /// The number of its links to other groups.
    pub groups: u8,
    /// The number of its links to other tiles.
    pub tiles: u8,
    /// Four bits that are zero in all files seen.
    pub unknown_bits: u8,
}

/// The bits of a crossing byte for the kind of link, the words of the link, and the number of words.
fn stored(crossing: Option<Crossing>) -> (u8, [u16; 3], usize) {
    match crossing {
        None => (0, [0; 3], 0),
        Some(Crossing::Segment { node }) => (1, [node.0, 0, 0], 1),
        Some(Crossing::Group { group, node }) => (2, [group.0, node.0, 0], 2),
        Some(Crossing::Tile { tile, group, node }) => (4, [tile.0, group.0, node.0], 3),
    }
}

impl WorldBuf {
    /// Adds a node with its links inside the segment, at most 255, and the link out of it. Positions and face references are in
    /// separate lists.
    pub fn push_node(&mut self, node: NodeBuf, inside: &[InsideLink], crossing: Option<Crossing>) {
        let count = u8::try_from(inside.len()).unwrap_or(u8::MAX);
        let (kind, words, len) = stored(crossing);
        for link in inside.iter().take(usize::from(count)) {
            self.links.extend([U16::new(link.node().0), U16::new(link.edge())]);
        }
        self.links.extend(words.into_iter().take(len).map(U16::new));
        self.nodes.push(node.linked(count, node.crossing_bits() & !7 | kind));
    }

    /// The links of every node, in order. Ends early if there are fewer links than the nodes claim.
    pub fn links(&self) -> impl Iterator<Item = NodeLinks<'_>> {
        let mut rest = self.links.as_bytes();
        self.nodes.iter().map_while(move |node| {
            let (these, later) = rest.split_at_checked((node.halfwords() << 1) as usize)?;
            rest = later;
            NodeLinks::read(these, usize::from(node.inside()), node.crossing_bits())
        })
    }

    /// The link out of its segment of each node, in order.
    pub fn crossings(&self) -> impl Iterator<Item = Option<Crossing>> {
        self.links().map(|links| links.crossing)
    }

    /// Replaces the links of nodes out of their segments. `change` gets the index of a node and its link.
    pub fn set_crossings(&mut self, mut change: impl FnMut(usize, Option<Crossing>) -> Option<Crossing>) {
        let mut new = Self::default();
        new.nodes.reserve_exact(self.nodes.len());
        new.links.reserve(self.links.len());
        for (number, (node, links)) in self.nodes.iter().zip(self.links()).enumerate() {
            new.push_node(*node, links.inside, change(number, links.crossing));
        }
        (self.nodes, self.links) = (new.nodes, new.links);
    }
}
