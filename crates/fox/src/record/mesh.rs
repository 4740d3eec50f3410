//! Records of NavmeshChunk and SegmentChunk: the polygons, and their division into segments.

use super::{FaceIndex, Position, SegmentIndex};
use navmap_core::record;
use std::ops::Range;
use zerocopy::byteorder::little_endian::{U16, U32};

record! {
    /// Head of a SegmentChunk. `docs/formats/fox.md`, section 4.
    pub SegmentChunkHeader[16] {
        /// Offset of the bounds in the payload.
        bounds as bounds_offset: U32 => u32,
        /// Offset of the segments in the payload.
        segments as segments_offset: U32 => u32,
        /// Size of the payload.
        size: U32 => u32,
        /// Number of segments.
        count: U32 => u32,
    }

    /// The box of a segment's vertices, quantised. `docs/formats/fox.md`, section 4.
    pub Bounds[12] {
        /// Minimum corner.
        min: Position => &Position,
        /// Maximum corner.
        max: Position => &Position,
    }

    /// The vertices, faces, edges and nodes of the group that belong to a segment. `docs/formats/fox.md`, section 4.
    ///
    /// In the game's files, bases are running sums of the counts. Obj2Nav2 leaves the bases of edges and nodes 0.
    pub Segment[12] {
        vertex_base: U16,
        face_base: U16,
        edge_base: U16,
        node_base: U16,
        vertices: u8,
        faces: u8,
        edges: u8,
        nodes: u8,
    }

    /// Head of a NavmeshChunk. `docs/formats/fox.md`, section 5.
    pub NavmeshHeader[32] {
        /// Offset of the vertices in the payload.
        vertices as vertices_offset: U32 => u32,
        /// Offset of the face descriptors in the payload.
        descriptors as descriptors_offset: U32 => u32,
        /// Offset of the face records in the payload.
        data as data_offset: U32 => u32,
        unknown_0x0c: [U32; 3],
        /// Number of faces.
        face_count: U16 => u16,
        /// Number of vertices.
        vertex_count: U16 => u16,
        unknown_0x1c: U32,
    }

    /// The offset of a face's record, and the number of its corners. `docs/formats/fox.md`, section 5.
    pub FaceDescriptor[4] { bits: U32 }

    /// What lies across a side of a face: 2 bits of kind, 14 of face index. `docs/formats/fox.md`, section 5.
    pub Neighbour[2] {
        /// The stored number.
        bits: U16 => u16,
    }
}

impl Bounds {
    /// Whether a quantised position lies inside in x and z, borders included.
    pub fn covers(&self, x: u16, z: u16) -> bool {
        let ([x0, _, z0], [x1, _, z1]) = (self.min.quantised(), self.max.quantised());
        (x0..=x1).contains(&x) && (z0..=z1).contains(&z)
    }
}

#[inline]
fn range(base: U16, count: u8) -> Range<usize> {
    let base = usize::from(base.get());
    base..base.saturating_add(usize::from(count))
}

impl Segment {
    /// The vertices of the group that belong to this segment, at most 255.
    #[inline]
    pub fn vertices(&self) -> Range<usize> {
        range(self.vertex_base, self.vertices)
    }
    /// The faces of the group that belong to this segment, at most 255.
    #[inline]
    pub fn faces(&self) -> Range<usize> {
        range(self.face_base, self.faces)
    }
    /// The NavWorld edges of the group that belong to this segment, as stored.
    #[inline]
    pub fn edges(&self) -> Range<usize> {
        range(self.edge_base, self.edges)
    }
    /// The NavWorld nodes of the group that belong to this segment, as stored. Files of other tools may be wrong here;
    /// [`Group::segment_nodes`](crate::Group::segment_nodes) corrects that.
    #[inline]
    pub fn nodes(&self) -> Range<usize> {
        range(self.node_base, self.nodes)
    }
    /// Whether the segment is empty. Obj2Nav2 writes such segments.
    pub fn is_empty(&self) -> bool {
        self.faces == 0
    }
}

impl NavmeshHeader {
    /// The reserved words, at `0x0C`, `0x10`, `0x14`, `0x1C`. Zero in all files seen.
    pub fn unknown(&self) -> [u32; 4] {
        let [a, b, c] = self.unknown_0x0c;
        [a.get(), b.get(), c.get(), self.unknown_0x1c.get()]
    }
}

impl FaceDescriptor {
    /// Offset of the face's record in bytes, from the start of the face data.
    #[inline]
    pub fn offset(&self) -> usize {
        ((self.bits.get() & 0x3_FFFF) << 1) as usize
    }
    /// Number of corners, and of neighbours: 3 or 4 (no quad has been seen in a game's file).
    #[inline]
    pub fn corners(&self) -> usize {
        3_usize.saturating_add(usize::from(self.bits.get() & 1 << 18 != 0))
    }
    /// Number of navigation nodes of the face: 3 or 4.
    #[inline]
    pub fn nodes(&self) -> usize {
        3_usize.saturating_add(usize::from(self.bits.get() & 1 << 19 != 0))
    }
    /// The segment, as stored. Files of Obj2Nav2 have 0 here; [`Group::segment_of`](crate::Group::segment_of) corrects that.
    #[inline]
    pub fn segment(&self) -> SegmentIndex {
        SegmentIndex((self.bits.get() >> 20) as u16)
    }
}

impl Neighbour {
    /// Whether nothing lies there.
    #[inline]
    pub fn is_border(&self) -> bool {
        self.bits() == 0xFFFF
    }
    /// Whether the neighbour is in another group or tile. The record then continues with group and tile ids.
    #[inline]
    pub fn is_crossing(&self) -> bool {
        !self.is_border() && self.bits() > 0x3FFF
    }
    /// 0 for the same group, 1 for another group of this tile, 2 for another tile, 3 for dynamic (never seen).
    #[inline]
    pub fn kind(&self) -> u8 {
        (self.bits() >> 14) as u8
    }
    /// The face, in the group implied by [`kind`](Self::kind); `0x3FFF` for another tile.
    #[inline]
    pub fn face(&self) -> FaceIndex {
        FaceIndex(self.bits() & 0x3FFF)
    }
}
