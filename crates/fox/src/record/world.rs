//! Records of NavWorld and SegmentGraph: the fine and the coarse graph of a group.

use super::{GroupId, NodeIndex, SegmentIndex, TileId};
use navmap_core::record;
use zerocopy::byteorder::little_endian::{U16, U32};

record! {
    /// Head of a NavWorld. `docs/formats/fox.md`, section 6.
    pub NavWorldHeader[48] {
        positions: U32,
        nodes: U32,
        edges: U32,
        links: U32,
        unknown_0x10: [U32; 2],
        attributes: U32,
        unknown_0x1c: U32,
        faces: U32,
        node_count: U16,
        edge_count: U16,
        unknown_0x28: [U16; 3],
        attribute_count: U16,
    }

    /// A navigation node, which is the midpoint of a side: where its links lie, and which segment it is in.
    /// `docs/formats/fox.md`, section 6.
    pub NavNode[6] { links: U16, segment: U16, inside: u8, crossing: u8 }

    /// A link to a node of the same segment, over an edge. `docs/formats/fox.md`, section 6.
    pub InsideLink[4] { node: U16, edge: U16 }

    /// An edge between two nodes of one segment. `docs/formats/fox.md`, section 6.
    pub NavEdge[6] { weight: U16, segment: U16, a: u8, b: u8 }

    /// Head of a SegmentGraph. `docs/formats/fox.md`, section 7.
    pub SegmentGraphHeader[32] {
        positions: U32,
        nodes: U32,
        links: U32,
        unknown_0x0c: U32,
        size: U32,
        count: U16,
        unknown_0x16: U32,
        index_count: U16,
        unknown_0x1c: U32,
    }

    /// A segment as a node of the coarse graph. `docs/formats/fox.md`, section 7.
    pub SegmentNode[12] { links: U32, islands: [U16; 3], group_links: u8, tile_links: u8 }

    /// A coarse link to a segment of the same group. `docs/formats/fox.md`, section 7.
    pub SegmentInsideLink[6] { weight: U16, node: U16, nodes: u8, back: u8 }

    /// A coarse link to a segment of another group of the tile. `docs/formats/fox.md`, section 7.
    pub SegmentGroupLink[8] { group: U16, weight: U16, node: U16, nodes: u8, back: u8 }

    /// A coarse link to a group of another tile. The game finds the segment when it loads that tile.
    /// `docs/formats/fox.md`, section 7.
    pub SegmentTileLink[10] { tile: U16, group: U16, weight: U16, node: U16, nodes: u8, back: u8 }
}

impl NavWorldHeader {
    /// Offset of the positions in the payload.
    pub fn positions_offset(&self) -> u32 {
        self.positions.get()
    }
    /// Offset of the nodes in the payload.
    pub fn nodes_offset(&self) -> u32 {
        self.nodes.get()
    }
    /// Offset of the edges in the payload; they lie behind the links.
    pub fn edges_offset(&self) -> u32 {
        self.edges.get()
    }
    /// Offset of the links in the payload.
    pub fn links_offset(&self) -> u32 {
        self.links.get()
    }
    /// Offset of the attributes in the payload.
    pub fn attributes_offset(&self) -> u32 {
        self.attributes.get()
    }
    /// Offset of the face references in the payload.
    pub fn faces_offset(&self) -> u32 {
        self.faces.get()
    }
    /// Number of nodes.
    pub fn node_count(&self) -> u16 {
        self.node_count.get()
    }
    /// Number of edges.
    pub fn edge_count(&self) -> u16 {
        self.edge_count.get()
    }
    /// Number of attributes, one a segment.
    pub fn attribute_count(&self) -> u16 {
        self.attribute_count.get()
    }
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
    /// Four bits that extend the offset in a way that no file shows. If they are set, the node's links are not read.
    #[inline]
    pub fn offset_extension(&self) -> u16 {
        self.segment.get() >> 12
    }
    /// The segment.
    #[inline]
    pub fn segment(&self) -> SegmentIndex {
        SegmentIndex(self.segment.get() & 0xFFF)
    }
    /// Number of links to nodes of the same segment: 2, or 4 if two faces share the side.
    #[inline]
    pub fn inside_links(&self) -> usize {
        usize::from(self.inside)
    }
    /// The stored bits: 0 another segment, 1 another group, 2 another tile, 3 and 4 static or dynamic.
    #[inline]
    pub fn crossing_bits(&self) -> u8 {
        self.crossing
    }
    /// Whether the node's link leaves the tile.
    #[inline]
    pub fn leaves_tile(&self) -> bool {
        self.crossing & 4 != 0
    }
}

impl InsideLink {
    /// The node at the other end.
    #[inline]
    pub fn node(&self) -> NodeIndex {
        NodeIndex(self.node.get())
    }
    /// The edge between the two, in the group's edges.
    #[inline]
    pub fn edge(&self) -> u16 {
        self.edge.get()
    }
}

impl NavEdge {
    /// Length in weight units; [`Frame::metres`](crate::Frame::metres) makes metres of it.
    #[inline]
    pub fn weight(&self) -> u16 {
        self.weight.get()
    }
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
    /// Offset of the positions in the payload.
    pub fn positions_offset(&self) -> u32 {
        self.positions.get()
    }
    /// Offset of the nodes in the payload.
    pub fn nodes_offset(&self) -> u32 {
        self.nodes.get()
    }
    /// Offset of the link data in the payload.
    pub fn links_offset(&self) -> u32 {
        self.links.get()
    }
    /// Size of the payload.
    pub fn size(&self) -> u32 {
        self.size.get()
    }
    /// Number of nodes: one a segment (Obj2Nav2 leaves out empty segments).
    pub fn count(&self) -> u16 {
        self.count.get()
    }
    /// Total of the NavWorld node indices in all links, as stored.
    pub fn index_count(&self) -> u16 {
        self.index_count.get()
    }
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
    /// Number of links to other groups of the tile.
    #[inline]
    pub fn group_links(&self) -> usize {
        usize::from(self.group_links)
    }
    /// Number of links to other tiles.
    #[inline]
    pub fn tile_links(&self) -> usize {
        usize::from(self.tile_links)
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

impl SegmentInsideLink {
    /// Cost of leaving the segment this way, in weight units.
    #[inline]
    pub fn weight(&self) -> u16 {
        self.weight.get()
    }
    /// The segment at the other end.
    #[inline]
    pub fn segment(&self) -> SegmentIndex {
        SegmentIndex(self.node.get())
    }
    /// How many NavWorld nodes cross here.
    #[inline]
    pub fn crossings(&self) -> usize {
        usize::from(self.nodes)
    }
    /// Position of the way back among the target's links of this kind.
    #[inline]
    pub fn back(&self) -> u8 {
        self.back
    }
}

impl SegmentGroupLink {
    /// The other group.
    #[inline]
    pub fn group(&self) -> GroupId {
        GroupId(self.group.get())
    }
    /// Cost of leaving the segment this way, in weight units.
    #[inline]
    pub fn weight(&self) -> u16 {
        self.weight.get()
    }
    /// The segment at the other end, in that group.
    #[inline]
    pub fn segment(&self) -> SegmentIndex {
        SegmentIndex(self.node.get())
    }
    /// How many NavWorld nodes cross here.
    #[inline]
    pub fn crossings(&self) -> usize {
        usize::from(self.nodes)
    }
    /// Position of the way back among the target's links of this kind.
    #[inline]
    pub fn back(&self) -> u8 {
        self.back
    }
}

impl SegmentTileLink {
    /// The other tile.
    #[inline]
    pub fn tile(&self) -> TileId {
        TileId(self.tile.get())
    }
    /// The group of that tile.
    #[inline]
    pub fn group(&self) -> GroupId {
        GroupId(self.group.get())
    }
    /// Cost of leaving the segment this way, in weight units.
    #[inline]
    pub fn weight(&self) -> u16 {
        self.weight.get()
    }
    /// The segment as stored: `0x0FFF`, since it is found only when the other tile is loaded.
    #[inline]
    pub fn segment(&self) -> SegmentIndex {
        SegmentIndex(self.node.get())
    }
    /// How many NavWorld nodes cross here.
    #[inline]
    pub fn crossings(&self) -> usize {
        usize::from(self.nodes)
    }
    /// Zero in all files seen.
    #[inline]
    pub fn back(&self) -> u8 {
        self.back
    }
}
