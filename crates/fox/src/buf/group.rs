//! The four entries of a group, owned.

use super::{FaceList, NodeBuf};
use crate::record::{
    Bounds, NavEdge, PackedId, Position, Segment, SegmentGroupLink, SegmentIndex, SegmentInsideLink,
    SegmentTileLink,
};
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
    /// Which vertices, faces, edges and nodes are a segment's.
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
    /// The links of the nodes, as a file has them: those of the first node, then those of the second, and so on. Of each,
    /// node and edge of every link inside the segment, then the link across: its node, group and node, or tile, group and
    /// node. [`links`](Self::links) reads them, [`push_node`](Self::push_node) adds some.
    pub links: Vec<U16>,
    /// The edges.
    pub edges: Vec<NavEdge>,
    /// For every segment who may use it.
    pub attributes: Vec<U16>,
    /// For every node a face that has it.
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

/// A face of a [`MeshBuf`]: a triangle, or a quad. Of a triangle, the fourth place of every array is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FaceBuf {
    /// The segment, 12 bits.
    pub segment: SegmentIndex,
    /// What lies across each side: 2 bits of kind and 14 of face index, `0xFFFF` for nothing.
    pub neighbours: [u16; 4],
    /// The neighbours' groups, stored if some neighbour is in another group or tile.
    pub groups: [u16; 4],
    /// The neighbours' tiles, stored if some neighbour is in another group or tile.
    pub tiles: [u16; 4],
    /// Corners, counted from the segment's first vertex.
    pub corners: [u8; 4],
    /// The node of each side, counted from the segment's first node.
    pub nodes: [u8; 4],
    /// Whether it has four corners and neighbours.
    pub quad: bool,
    /// Whether it has four nodes.
    pub four_nodes: bool,
}

impl FaceBuf {
    /// A triangle of a segment with nothing around it.
    pub fn triangle(segment: SegmentIndex, corners: [u8; 3], nodes: [u8; 3]) -> Self {
        let ([a, b, c], [d, e, f]) = (corners, nodes);
        Self {
            segment,
            neighbours: [0xFFFF, 0xFFFF, 0xFFFF, 0],
            groups: [0; 4],
            tiles: [0; 4],
            corners: [a, b, c, 0],
            nodes: [d, e, f, 0],
            quad: false,
            four_nodes: false,
        }
    }

    /// How many corners and neighbours it has.
    #[inline]
    pub fn sides(&self) -> usize {
        if self.quad { 4 } else { 3 }
    }

    /// Whether a neighbour is in another group or tile, so that groups and tiles are stored.
    #[inline]
    pub fn is_crossing(&self) -> bool {
        // Asked of every face that is written: all sides at once, since nobody can foresee which are borders.
        const TOP: u64 = 0x8000_8000_8000_8000;
        let sides = if self.quad { TOP } else { TOP >> 16 };
        let words = self.neighbour_words();
        let there = ((!words & !TOP).wrapping_add(!TOP) | !words) & TOP;
        (words | words << 1) & there & sides != 0
    }

    /// The neighbours, the first one lowest.
    #[inline]
    pub(crate) fn neighbour_words(&self) -> u64 {
        let [a, b, c, d] = self.neighbours.map(u64::from);
        a | b << 16 | c << 32 | d << 48
    }
}

/// A SegmentGraph: the coarse graph.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SegmentGraphBuf {
    /// One position for each node.
    pub positions: Vec<Position>,
    /// The nodes, one a segment.
    pub nodes: Vec<SegmentNodeBuf>,
    /// Links to segments of the group: those of the first node, then those of the second, and so on.
    pub inside: Vec<SegmentInsideLink>,
    /// Links to other groups, in the same order.
    pub groups: Vec<SegmentGroupLink>,
    /// Links to other tiles, in the same order.
    pub tiles: Vec<SegmentTileLink>,
    /// The nodes at which links cross: for each node those of its links inside, to groups and to tiles.
    pub indices: Vec<u8>,
    /// The reserved words of the head.
    pub unknown: [u32; 3],
}

/// A node of a [`SegmentGraphBuf`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SegmentNodeBuf {
    /// The node of each island graph that it belongs to; `0xFFFF` for none.
    pub islands: [u16; 3],
    /// How many links inside the group it has.
    pub inside: u8,
    /// How many links to other groups.
    pub groups: u8,
    /// How many links to other tiles.
    pub tiles: u8,
    /// Four bits that are zero in all files seen.
    pub unknown_bits: u8,
}
