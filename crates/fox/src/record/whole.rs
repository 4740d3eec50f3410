//! Records of the parts that a tile holds once: search space, island graphs, connect-tile info.

use super::{FaceIndex, NodeIndex, PackedId, Position, SegmentIndex, TileId};
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, U16, U32};

record! {
    /// Head of the NavSystem. `docs/formats/fox.md`, section 8.
    pub SearchHeader[48] {
        origin: [F32; 3],
        y_range: U16,
        unknown_0x0e: U16,
        counts: [U32; 3],
        side: U32,
        height: U32,
        buckets: U32,
        entries: U32,
        size: U32,
    }

    /// One cell of the search grid. `docs/formats/fox.md`, section 8.
    pub Bucket[8] { offset: U32, count: U16, min: u8, max: u8 }

    /// Head of an island graph. `docs/formats/fox.md`, section 9.
    pub IslandHeader[16] {
        next: U16,
        nodes: U16,
        count: U16,
        links: U16,
        low: U16,
        segments: U16,
        sides: U16,
        infos: U16,
    }

    /// An island: connected segments of equal attribute. `docs/formats/fox.md`, section 9.
    pub IslandNode[14] {
        position: Position,
        attribute: U16,
        links: U16,
        tile_links: U16,
        inside_links: u8,
        group_links: u8,
    }

    /// A link to an island of the same graph. `docs/formats/fox.md`, section 9.
    pub IslandLink[4] { weight: U16, node: U16 }

    /// A link to an island that is stored with another group. `docs/formats/fox.md`, section 9.
    pub IslandGroupLink[8] { id: PackedId, weight: U16, node: U16 }

    /// A link out of the tile: a side and one of that side's infos. `docs/formats/fox.md`, section 9.
    pub IslandTileLink[2] { bits: U16 }

    /// Where an island lies in the finer graphs. `docs/formats/fox.md`, section 9.
    pub LowNode[8] { id: PackedId, segment: U16, node: U16 }

    /// What an island graph knows of one side of the tile. `docs/formats/fox.md`, section 9.
    pub TileSide[6] { tile: U16, first: U16, count: U16 }

    /// A way out over a side. `docs/formats/fox.md`, section 9.
    pub SideInfo[4] { weight: U16, island: U16 }

    /// Head of the connect-tile info: offsets in halfwords, counts. From a public template only: `docs/formats/fox.md`,
    /// section 10.
    pub ConnectHeader[12] { groups: U16, infos: U16, nodes: U16, group_count: U16, info_count: U16, node_count: U16 }

    /// A named group of connections. `docs/formats/fox.md`, section 10.
    pub ConnectGroup[6] { name: U32, infos: U16 }

    /// A connection: a group id and its nodes. `docs/formats/fox.md`, section 10.
    pub ConnectInfo[4] { group: U16, nodes: U16 }

    /// A node of a connection. `docs/formats/fox.md`, section 10.
    pub ConnectNode[4] { node: U16, face: U16 }
}

impl SearchHeader {
    /// Origin of the grid in metres; y lies below the file's origin.
    pub fn origin(&self) -> [f32; 3] {
        self.origin.map(F32::get)
    }
    /// The largest quantised y, or one more or less.
    pub fn y_range(&self) -> u16 {
        self.y_range.get()
    }
    /// Zero in all files seen.
    pub fn unknown_0x0e(&self) -> u16 {
        self.unknown_0x0e.get()
    }
    /// Buckets along x, y (always 1) and z.
    pub fn counts(&self) -> [u32; 3] {
        self.counts.map(U32::get)
    }
    /// Side of a bucket in metres, in x and z.
    pub fn side(&self) -> u32 {
        self.side.get()
    }
    /// Height of a bucket in metres.
    pub fn height(&self) -> u32 {
        self.height.get()
    }
    /// Offset of the buckets from this head.
    pub fn buckets_offset(&self) -> u32 {
        self.buckets.get()
    }
    /// Offset of the listings from this head.
    pub fn entries_offset(&self) -> u32 {
        self.entries.get()
    }
    /// Size of the whole section.
    pub fn size(&self) -> u32 {
        self.size.get()
    }
}

impl Bucket {
    /// Where the bucket's listings begin, counted from this record.
    #[inline]
    pub fn offset(&self) -> u32 {
        self.offset.get()
    }
    /// Number of listings: groups with segments here.
    #[inline]
    pub fn count(&self) -> u16 {
        self.count.get()
    }
    /// Lowest and highest quantised y of the listed segments, divided by 256.
    pub fn heights(&self) -> [u8; 2] {
        [self.min, self.max]
    }
}

impl IslandHeader {
    /// Length of this graph in bytes.
    pub fn next(&self) -> u16 {
        self.next.get()
    }
    /// Offset of the nodes from this head.
    pub fn nodes_offset(&self) -> u16 {
        self.nodes.get()
    }
    /// Number of nodes.
    pub fn count(&self) -> u16 {
        self.count.get()
    }
    /// Offset of the links from this head.
    pub fn links_offset(&self) -> u16 {
        self.links.get()
    }
    /// Offset of the low-node table from this head.
    pub fn low_offset(&self) -> u16 {
        self.low.get()
    }
    /// Offset of the segment counts from this head.
    pub fn segments_offset(&self) -> u16 {
        self.segments.get()
    }
    /// Offset of the four sides from this head.
    pub fn sides_offset(&self) -> u16 {
        self.sides.get()
    }
    /// Offset of the side infos from this head.
    pub fn infos_offset(&self) -> u16 {
        self.infos.get()
    }
}

impl IslandNode {
    /// A position inside the island: that of its low node.
    pub fn position(&self) -> &Position {
        &self.position
    }
    /// The attribute that all its segments share.
    pub fn attribute(&self) -> u16 {
        self.attribute.get()
    }
    /// Offset of the links in bytes, from the start of the links.
    pub fn link_offset(&self) -> usize {
        usize::from(self.links.get())
    }
    /// Number of links out of the tile.
    pub fn tile_links(&self) -> usize {
        usize::from(self.tile_links.get())
    }
    /// Number of links inside the graph.
    pub fn inside_links(&self) -> usize {
        usize::from(self.inside_links)
    }
    /// Number of links to islands of other groups.
    pub fn group_links(&self) -> usize {
        usize::from(self.group_links)
    }
}

impl IslandLink {
    /// Cost, in weight units.
    pub fn weight(&self) -> u16 {
        self.weight.get()
    }
    /// The island at the other end.
    pub fn island(&self) -> u16 {
        self.node.get()
    }
}

impl IslandGroupLink {
    /// Group and tile.
    pub fn id(&self) -> PackedId {
        self.id
    }
    /// Cost, in weight units.
    pub fn weight(&self) -> u16 {
        self.weight.get()
    }
    /// The island at the other end.
    pub fn island(&self) -> u16 {
        self.node.get()
    }
}

impl IslandTileLink {
    /// Side of the tile, 0 to 3: see [`Side`](crate::Side).
    pub fn side(&self) -> u8 {
        (self.bits.get() >> 14) as u8
    }
    /// Which of that side's infos.
    pub fn info(&self) -> u16 {
        self.bits.get() & 0x3FFF
    }
}

impl LowNode {
    /// Group and tile.
    pub fn id(&self) -> PackedId {
        self.id
    }
    /// The segment in that group's SegmentGraph.
    pub fn segment(&self) -> SegmentIndex {
        SegmentIndex(self.segment.get())
    }
    /// The node in that group's NavWorld.
    pub fn node(&self) -> NodeIndex {
        NodeIndex(self.node.get())
    }
}

impl TileSide {
    /// The neighbouring tile; 0 if there is none.
    pub fn tile(&self) -> TileId {
        TileId(self.tile.get())
    }
    /// First of this side's infos.
    pub fn first(&self) -> u16 {
        self.first.get()
    }
    /// Number of this side's infos.
    pub fn count(&self) -> u16 {
        self.count.get()
    }
}

impl SideInfo {
    /// Cost, in weight units.
    pub fn weight(&self) -> u16 {
        self.weight.get()
    }
    /// The island that the way starts from; `None` if there is no connection.
    pub fn island(&self) -> Option<u16> {
        Some(self.island.get()).filter(|v| *v != 0xFFFF)
    }
}

impl ConnectHeader {
    /// Offset of the groups in bytes, from this head.
    pub fn groups_offset(&self) -> usize {
        usize::from(self.groups.get()) << 1
    }
    /// Offset of the infos in bytes, from this head.
    pub fn infos_offset(&self) -> usize {
        usize::from(self.infos.get()) << 1
    }
    /// Offset of the nodes in bytes, from this head.
    pub fn nodes_offset(&self) -> usize {
        usize::from(self.nodes.get()) << 1
    }
    /// Number of groups.
    pub fn group_count(&self) -> u16 {
        self.group_count.get()
    }
    /// Number of infos.
    pub fn info_count(&self) -> u16 {
        self.info_count.get()
    }
    /// Number of nodes.
    pub fn node_count(&self) -> u16 {
        self.node_count.get()
    }
}

impl ConnectGroup {
    /// Hash of the group's name (StrCode32).
    pub fn name(&self) -> u32 {
        self.name.get()
    }
    /// First info and how many.
    pub fn infos(&self) -> (u16, u16) {
        (self.infos.get() >> 5, self.infos.get() & 0x1F)
    }
}

impl ConnectInfo {
    /// The group.
    pub fn group(&self) -> u16 {
        self.group.get()
    }
    /// First node and how many.
    pub fn nodes(&self) -> (u16, u16) {
        (self.nodes.get() >> 5, self.nodes.get() & 0x1F)
    }
}

impl ConnectNode {
    /// The node in the group's NavWorld.
    pub fn node(&self) -> NodeIndex {
        NodeIndex(self.node.get())
    }
    /// The face.
    pub fn face(&self) -> FaceIndex {
        FaceIndex(self.face.get() & 0x3FFF)
    }
    /// The side of that face.
    pub fn side(&self) -> u8 {
        (self.face.get() >> 14) as u8
    }
}
