//! Makes records, for an encoder, a builder or an editor.

use super::{
    Bounds, IslandGroupLink, IslandLink, IslandNode, IslandTileLink, LowNode, NavEdge, PackedId, Position,
    Segment, SegmentGroupLink, SegmentInsideLink, SegmentTileLink, SideInfo, TileSide,
};
use super::{GroupId, InsideLink, NodeIndex, SegmentIndex, TileId};
use zerocopy::{FromBytes, IntoBytes};

/// A record from its bytes, which must be exactly its size.
fn record<T: FromBytes + Default, const N: usize>(bytes: [u8; N]) -> T {
    T::read_from_bytes(&bytes).unwrap_or_default()
}

/// Halfwords as bytes of a file.
fn words<const W: usize, const N: usize>(words: [u16; W]) -> [u8; N] {
    let mut bytes = [0; N];
    for (to, word) in bytes.chunks_exact_mut(2).zip(words) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

impl PackedId {
    /// The id of a group, or of a part, of a tile. A group number has 15 bits.
    pub fn new(group: GroupId, tile: TileId) -> Self {
        Self::from_bits(u32::from(group.0 & 0x7FFF) | u32::from(tile.0) << 15)
    }

    /// An id from all of its bits.
    pub fn from_bits(bits: u32) -> Self {
        record(bits.to_le_bytes())
    }
}

impl Position {
    /// A quantised position.
    pub fn new(quantised: [u16; 3]) -> Self {
        record(words::<3, 6>(quantised))
    }
}

impl Bounds {
    /// A box from its corners.
    pub fn new(min: [u16; 3], max: [u16; 3]) -> Self {
        let ([a, b, c], [d, e, f]) = (min, max);
        record(words::<6, 12>([a, b, c, d, e, f]))
    }
}

impl Segment {
    /// A segment from the first of its vertices, faces, edges and nodes, and the number of each.
    pub fn new(bases: [u16; 4], counts: [u8; 4]) -> Self {
        let mut bytes: [u8; 12] = words(bases);
        if let Some(to) = bytes.last_chunk_mut::<4>() {
            *to = counts;
        }
        record(bytes)
    }

    /// The first of its vertices, faces, edges and nodes, and the number of each, as stored.
    pub fn parts(&self) -> ([u16; 4], [u8; 4]) {
        let bases = [&self.vertices(), &self.faces(), &self.edges(), &self.nodes()];
        let counts = self.as_bytes().last_chunk::<4>().copied().unwrap_or_default();
        (bases.map(|range| u16::try_from(range.start).unwrap_or(u16::MAX)), counts)
    }
}

impl InsideLink {
    /// A link to a node of the same segment, over an edge.
    pub fn new(node: NodeIndex, edge: u16) -> Self {
        record(words::<2, 4>([node.0, edge]))
    }
}

impl NavEdge {
    /// An edge between two nodes of a segment, numbered from the segment's first. Of kind 0: static.
    pub fn new(weight: u16, segment: SegmentIndex, [a, b]: [u8; 2]) -> Self {
        record(words::<3, 6>([weight, segment.0, u16::from_le_bytes([a, b])]))
    }
}

impl SegmentInsideLink {
    /// A link to a segment of the same group: its cost, the number of crossing nodes, and the index of the target's link back.
    pub fn new(weight: u16, to: SegmentIndex, crossings: u8, back: u8) -> Self {
        record(words::<3, 6>([weight, to.0, u16::from_le_bytes([crossings, back])]))
    }
}

impl SegmentGroupLink {
    /// A link to a segment of another group.
    pub fn new(group: GroupId, weight: u16, to: SegmentIndex, crossings: u8, back: u8) -> Self {
        record(words::<4, 8>([group.0, weight, to.0, u16::from_le_bytes([crossings, back])]))
    }
}

impl SegmentTileLink {
    /// A link to a group of another tile. The target segment is not stored.
    pub fn new(tile: TileId, group: GroupId, weight: u16, crossings: u8) -> Self {
        record(words::<5, 10>([tile.0, group.0, weight, 0x0FFF, u16::from_le_bytes([crossings, 0])]))
    }

    /// The same link to another tile, or to another group.
    #[must_use]
    pub fn leading(&self, tile: TileId, group: GroupId) -> Self {
        let mut bytes: [u8; 10] = self.as_bytes().try_into().unwrap_or_default();
        if let Some(to) = bytes.first_chunk_mut::<4>() {
            *to = words([tile.0, group.0]);
        }
        record(bytes)
    }
}

impl IslandNode {
    /// An island without its links.
    pub(crate) fn new(
        position: Position,
        attribute: u16,
        links: u16,
        tile_links: u16,
        [inside, groups]: [u8; 2],
    ) -> Self {
        let [x, y, z] = position.quantised();
        let counts = u16::from_le_bytes([inside, groups]);
        record(words::<7, 14>([x, y, z, attribute, links, tile_links, counts]))
    }
}

impl IslandLink {
    /// A link to an island of the same graph.
    pub fn new(weight: u16, island: u16) -> Self {
        record(words::<2, 4>([weight, island]))
    }
}

impl IslandGroupLink {
    /// A link to an island that is stored with another group.
    pub fn new(id: PackedId, weight: u16, island: u16) -> Self {
        let [low, high] = halves(id);
        record(words::<4, 8>([low, high, weight, island]))
    }
}

impl IslandTileLink {
    /// A link out of the tile: a side, 0 to 3, and the index of one of its infos, 14 bits.
    pub fn new(side: u8, info: u16) -> Self {
        record((info & 0x3FFF | u16::from(side) << 14).to_le_bytes())
    }
}

impl LowNode {
    /// The location of an island in the finer graphs.
    pub fn new(id: PackedId, segment: SegmentIndex, node: NodeIndex) -> Self {
        let [low, high] = halves(id);
        record(words::<4, 8>([low, high, segment.0, node.0]))
    }
}

impl TileSide {
    /// A side: the adjoining tile, its first info and the number of infos.
    pub fn new(tile: TileId, first: u16, count: u16) -> Self {
        record(words::<3, 6>([tile.0, first, count]))
    }
}

impl SideInfo {
    /// An exit over a side; `None` if there is no connection.
    pub fn new(weight: u16, island: Option<u16>) -> Self {
        record(words::<2, 4>([weight, island.unwrap_or(0xFFFF)]))
    }
}

fn halves(id: PackedId) -> [u16; 2] {
    [(id.bits() & 0xFFFF) as u16, (id.bits() >> 16) as u16]
}
