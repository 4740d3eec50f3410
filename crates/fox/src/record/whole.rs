//! Records of the parts that a tile has only once: search space, island graphs, connect-tile info.

use super::{FaceIndex, NodeIndex, PackedId, Position, SegmentIndex, TileId};
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, U16, U32};

record! {
    /// Head of the NavSystem. `docs/formats/fox.md`, section 8.
    pub SearchHeader[48] {
        /// Origin of the grid in metres; y lies below the file's origin.
        origin: [F32; 3] => [f32; 3],
        /// The largest quantised y, or one more or less.
        y_range: U16 => u16,
        /// Zero in all files seen.
        unknown_0x0e: U16 => u16,
        /// Buckets along x, y (always 1) and z.
        counts: [U32; 3] => [u32; 3],
        /// Side of a bucket in metres, in x and z.
        side: U32 => u32,
        /// Height of a bucket in metres.
        height: U32 => u32,
        /// Offset of the buckets from this head.
        buckets as buckets_offset: U32 => u32,
        /// Offset of the listings from this head.
        entries as entries_offset: U32 => u32,
        /// Size of the whole section.
        size: U32 => u32,
    }

    /// One cell of the search grid. `docs/formats/fox.md`, section 8.
    pub Bucket[8] {
        /// Where the bucket's listings begin, counted from this record.
        offset: U32 => u32,
        /// Number of listings: groups with segments here.
        count: U16 => u16,
        min: u8,
        max: u8,
    }

    /// Head of an island graph. `docs/formats/fox.md`, section 9.
    pub IslandHeader[16] {
        /// Length of this graph in bytes.
        next: U16 => u16,
        /// Offset of the nodes from this head.
        nodes as nodes_offset: U16 => u16,
        /// Number of nodes.
        count: U16 => u16,
        /// Offset of the links from this head.
        links as links_offset: U16 => u16,
        /// Offset of the low-node table from this head.
        low as low_offset: U16 => u16,
        /// Offset of the segment counts from this head.
        segments as segments_offset: U16 => u16,
        /// Offset of the four sides from this head.
        sides as sides_offset: U16 => u16,
        /// Offset of the side infos from this head.
        infos as infos_offset: U16 => u16,
    }

    /// An island: connected segments of equal attribute. `docs/formats/fox.md`, section 9.
    pub IslandNode[14] {
        /// A position inside the island: that of its low node.
        position: Position => &Position,
        /// The attribute that all its segments share.
        attribute: U16 => u16,
        /// Offset of the links in bytes, from the start of the links.
        links as link_offset: U16 => usize,
        /// Number of links out of the tile.
        tile_links: U16 => usize,
        /// Number of links inside the graph.
        inside_links: u8 => usize,
        /// Number of links to islands of other groups.
        group_links: u8 => usize,
    }

    /// A link to an island of the same graph. `docs/formats/fox.md`, section 9.
    pub IslandLink[4] {
        /// Cost, in weight units.
        weight: U16 => u16,
        /// The island at the other end.
        node as island: U16 => u16,
    }

    /// A link to an island that is stored with another group. `docs/formats/fox.md`, section 9.
    pub IslandGroupLink[8] {
        /// Group and tile.
        id: PackedId => PackedId,
        /// Cost, in weight units.
        weight: U16 => u16,
        /// The island at the other end.
        node as island: U16 => u16,
    }

    /// A link out of the tile: a side and the index of one of its infos. `docs/formats/fox.md`, section 9.
    pub IslandTileLink[2] { bits: U16 }

    /// Where an island lies in the finer graphs. `docs/formats/fox.md`, section 9.
    pub LowNode[8] {
        /// Group and tile.
        id: PackedId => PackedId,
        /// The segment in that group's SegmentGraph.
        segment: U16 as SegmentIndex,
        /// The node in that group's NavWorld.
        node: U16 as NodeIndex,
    }

    /// What an island graph knows of one side of the tile. `docs/formats/fox.md`, section 9.
    pub TileSide[6]: Serialize {
        /// The neighbouring tile; 0 if there is none.
        tile: U16 as TileId,
        /// First of this side's infos.
        first: U16 => u16,
        /// Number of this side's infos.
        count: U16 => u16,
    }

    /// A way out over a side. `docs/formats/fox.md`, section 9.
    pub SideInfo[4] {
        /// Cost, in weight units.
        weight: U16 => u16,
        island: U16,
    }

    /// Head of the connect-tile info: offsets in halfwords, counts. From a public template only: `docs/formats/fox.md`,
    /// section 10.
    pub ConnectHeader[12] {
        groups: U16,
        infos: U16,
        nodes: U16,
        /// Number of groups.
        group_count: U16 => u16,
        /// Number of infos.
        info_count: U16 => u16,
        /// Number of nodes.
        node_count: U16 => u16,
    }

    /// A named group of connections. `docs/formats/fox.md`, section 10.
    pub ConnectGroup[6] {
        /// Hash of the group's name (StrCode32).
        name: U32 => u32,
        infos: U16,
    }

    /// A connection: a group id and its nodes. `docs/formats/fox.md`, section 10.
    pub ConnectInfo[4] {
        /// The group.
        group: U16 => u16,
        nodes: U16,
    }

    /// A node of a connection. `docs/formats/fox.md`, section 10.
    pub ConnectNode[4] {
        /// The node in the group's NavWorld.
        node: U16 as NodeIndex,
        face: U16,
    }
}

impl Bucket {
    /// Lowest and highest quantised y of the listed segments, divided by 256.
    pub fn heights(&self) -> [u8; 2] {
        [self.min, self.max]
    }
}

impl IslandTileLink {
    /// Side of the tile, 0 to 3: see [`Side`](crate::Side).
    pub fn side(&self) -> u8 {
        (self.bits.get() >> 14) as u8
    }
    /// The index of the info on that side.
    pub fn info(&self) -> u16 {
        self.bits.get() & 0x3FFF
    }
}

impl SideInfo {
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
}

impl ConnectGroup {
    /// First info and how many.
    pub fn infos(&self) -> (u16, u16) {
        (self.infos.get() >> 5, self.infos.get() & 0x1F)
    }
}

impl ConnectInfo {
    /// First node and how many.
    pub fn nodes(&self) -> (u16, u16) {
        (self.nodes.get() >> 5, self.nodes.get() & 0x1F)
    }
}

impl ConnectNode {
    /// The face.
    pub fn face(&self) -> FaceIndex {
        FaceIndex(self.face.get() & 0x3FFF)
    }
    /// The side of that face.
    pub fn side(&self) -> u8 {
        (self.face.get() >> 14) as u8
    }
}
