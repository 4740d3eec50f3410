//! Records of NavWorld and SegmentGraph: the fine and the coarse graph of a group.

use super::{GroupId, NodeIndex, SegmentIndex, TileId};
use navmap_core::record;
use zerocopy::byteorder::little_endian::{U16, U32};

record! {
    /// Head of a NavWorld. `docs/formats/fox.md`, section 6.
    pub NavWorldHeader[48] {
        /// Offset of the positions in the payload.
        positions as positions_offset: U32 => u32,
        /// Offset of the nodes in the payload.
        nodes as nodes_offset: U32 => u32,
        /// Offset of the edges in the payload; they lie behind the links.
        edges as edges_offset: U32 => u32,
        /// Offset of the links in the payload.
        links as links_offset: U32 => u32,
        unknown_0x10: [U32; 2],
        /// Offset of the attributes in the payload.
        attributes as attributes_offset: U32 => u32,
        unknown_0x1c: U32,
        /// Offset of the face references in the payload.
        faces as faces_offset: U32 => u32,
        /// Number of nodes.
        node_count: U16 => u16,
        /// Number of edges.
        edge_count: U16 => u16,
        unknown_0x28: [U16; 3],
        /// Number of attributes, one a segment.
        attribute_count: U16 => u16,
    }

    /// A navigation node, which is the midpoint of a side: where its links lie, and which segment it is in.
    /// `docs/formats/fox.md`, section 6.
    pub NavNode[6] {
        links: U16,
        segment: U16,
        /// Number of links to nodes of the same segment: 2, or 4 if two faces share the side.
        inside as inside_links: u8 => usize,
        /// The stored bits: 0 another segment, 1 another group, 2 another tile, 3 and 4 static or dynamic.
        crossing as crossing_bits: u8 => u8,
    }

    /// A link to a node of the same segment, over an edge. `docs/formats/fox.md`, section 6.
    pub InsideLink[4] {
        /// The node at the other end.
        node: U16 as NodeIndex,
        /// The edge between the two, in the group's edges.
        edge: U16 => u16,
    }

    /// An edge between two nodes of one segment. `docs/formats/fox.md`, section 6.
    pub NavEdge[6] {
        /// Length in weight units; [`Frame::metres`](crate::Frame::metres) makes metres of it.
        weight: U16 => u16,
        segment: U16,
        a: u8,
        b: u8,
    }

    /// Head of a SegmentGraph. `docs/formats/fox.md`, section 7.
    pub SegmentGraphHeader[32] {
        /// Offset of the positions in the payload.
        positions as positions_offset: U32 => u32,
        /// Offset of the nodes in the payload.
        nodes as nodes_offset: U32 => u32,
        /// Offset of the link data in the payload.
        links as links_offset: U32 => u32,
        unknown_0x0c: U32,
        /// Size of the payload.
        size: U32 => u32,
        /// Number of nodes: one a segment (Obj2Nav2 leaves out empty segments).
        count: U16 => u16,
        unknown_0x16: U32,
        /// Total of the NavWorld node indices in all links, as stored.
        index_count: U16 => u16,
        unknown_0x1c: U32,
    }

    /// A segment as a node of the coarse graph. `docs/formats/fox.md`, section 7.
    pub SegmentNode[12] {
        links: U32,
        islands: [U16; 3],
        /// Number of links to other groups of the tile.
        group_links: u8 => usize,
        /// Number of links to other tiles.
        tile_links: u8 => usize,
    }

    /// A coarse link to a segment of the same group. `docs/formats/fox.md`, section 7.
    pub SegmentInsideLink[6] {
        /// Cost of leaving the segment this way, in weight units.
        weight: U16 => u16,
        /// The segment at the other end.
        node as segment: U16 as SegmentIndex,
        /// How many NavWorld nodes cross here.
        nodes as crossings: u8 => usize,
        /// Position of the way back among the target's links of this kind.
        back: u8 => u8,
    }

    /// A coarse link to a segment of another group of the tile. `docs/formats/fox.md`, section 7.
    pub SegmentGroupLink[8] {
        /// The other group.
        group: U16 as GroupId,
        /// Cost of leaving the segment this way, in weight units.
        weight: U16 => u16,
        /// The segment at the other end, in that group.
        node as segment: U16 as SegmentIndex,
        /// How many NavWorld nodes cross here.
        nodes as crossings: u8 => usize,
        /// Position of the way back among the target's links of this kind.
        back: u8 => u8,
    }

    /// A coarse link to a group of another tile. The game finds the segment when it loads that tile.
    /// `docs/formats/fox.md`, section 7.
    pub SegmentTileLink[10] {
        /// The other tile.
        tile: U16 as TileId,
        /// The group of that tile.
        group: U16 as GroupId,
        /// Cost of leaving the segment this way, in weight units.
        weight: U16 => u16,
        /// The segment as stored: `0x0FFF`, since it is found only when the other tile is loaded.
        node as segment: U16 as SegmentIndex,
        /// How many NavWorld nodes cross here.
        nodes as crossings: u8 => usize,
        /// Zero in all files seen.
        back: u8 => u8,
    }
}

impl NavWorldHeader {
    /// The reserved words, at `0x10`, `0x14`, `0x1C`, `0x28`, `0x2A`, `0x2C`. Zero in all files seen.
    pub fn unknown(&self) -> [u32; 6] {
        let [a, b] = self.unknown_0x10;
        let [c, d, e] = self.unknown_0x28.map(|v| u32::from(v.get()));
        [a.get(), b.get(), self.unknown_0x1c.get(), c, d, e]
    }
}

impl NavNode {
    /// Offset of the node's links in bytes, from the start of the links.
    #[inline]
    pub fn link_offset(&self) -> usize {
        usize::from(self.links.get()) << 1
    }
    /// Four bits that extend the offset in an unknown way. If they are set, the node's links are not read.
    #[inline]
    pub fn offset_extension(&self) -> u16 {
        self.segment.get() >> 12
    }
    /// The segment.
    #[inline]
    pub fn segment(&self) -> SegmentIndex {
        SegmentIndex(self.segment.get() & 0xFFF)
    }
    /// Whether the node's link leaves the tile.
    #[inline]
    pub fn leaves_tile(&self) -> bool {
        self.crossing & 4 != 0
    }
}

impl NavEdge {
    /// The segment.
    #[inline]
    pub fn segment(&self) -> SegmentIndex {
        SegmentIndex(self.segment.get() & 0xFFF)
    }
    /// Bits 12 and 13 of the segment field: 0 static, 1 dynamic. Zero in all files seen.
    pub fn kind(&self) -> u16 {
        self.segment.get() >> 12
    }
    /// The two nodes, counted from the segment's first node, the smaller number first.
    #[inline]
    pub fn local_nodes(&self) -> [u8; 2] {
        [self.a, self.b]
    }
}

impl SegmentGraphHeader {
    /// The reserved words, at `0x0C`, `0x16`, `0x1C`. Zero in all files seen.
    pub fn unknown(&self) -> [u32; 3] {
        [self.unknown_0x0c.get(), self.unknown_0x16.get(), self.unknown_0x1c.get()]
    }
}

impl SegmentNode {
    /// Offset of the node's link data in bytes, from the start of the link data.
    #[inline]
    pub fn link_offset(&self) -> usize {
        ((self.links.get() & 0xF_FFFF) << 1) as usize
    }
    /// Number of links to segments of the same group.
    #[inline]
    pub fn inside_links(&self) -> usize {
        (self.links.get() >> 24) as usize
    }
    /// The segment's node in island graphs 0, 1 and 2.
    pub fn islands(&self) -> [Option<u16>; 3] {
        self.islands.map(|v| Some(v.get()).filter(|v| *v != 0xFFFF))
    }
    /// Bits 20 to 23 of the first word. Zero in all files seen.
    pub fn unknown_bits(&self) -> u32 {
        self.links.get() >> 20 & 0xF
    }
}
