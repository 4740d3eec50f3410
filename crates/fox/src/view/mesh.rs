//! NavmeshChunk and SegmentChunk: polygons, and their division into segments. `docs/formats/fox.md`, sections 4 and 5.

use super::stretch::{Stretch, out_of_range};
use crate::record::{
    Bounds, FaceDescriptor, FaceIndex, GroupId, NavmeshHeader, Neighbour, Position, Segment,
    SegmentChunkHeader, TileId,
};
use navmap_core::error::Result;
use zerocopy::FromBytes;
use zerocopy::byteorder::little_endian::U16;

/// The segments of a group, and their boxes.
#[derive(Clone, Copy, Debug)]
pub struct SegmentChunk<'a> {
    header: &'a SegmentChunkHeader,
    bounds: &'a [Bounds],
    segments: &'a [Segment],
    at: Stretch<'a>,
}

impl<'a> SegmentChunk<'a> {
    #[inline]
    pub(crate) fn parse(payload: Stretch<'a>) -> Result<Self> {
        let header: &SegmentChunkHeader = payload.record(0, "SegmentChunk")?;
        let count = usize::try_from(header.count()).unwrap_or(usize::MAX);
        Ok(Self {
            header,
            bounds: payload.slice(u64::from(header.bounds_offset()), count, "segment bounds")?,
            segments: payload.slice(u64::from(header.segments_offset()), count, "segments")?,
            at: payload,
        })
    }

    /// The head.
    #[inline]
    pub fn header(&self) -> &'a SegmentChunkHeader {
        self.header
    }
    /// Box of every segment, in place.
    #[inline]
    pub fn bounds(&self) -> &'a [Bounds] {
        self.bounds
    }
    /// The segments, in place.
    #[inline]
    pub fn segments(&self) -> &'a [Segment] {
        self.segments
    }
    /// Offset in the file of a segment's record.
    #[inline]
    pub fn segment_offset(&self, segment: usize) -> u64 {
        let at = u64::from(self.header.segments_offset());
        self.at.absolute(at).saturating_add((segment as u64).saturating_mul(size_of::<Segment>() as u64))
    }
}

/// The vertices and faces of a group.
#[derive(Clone, Copy, Debug)]
pub struct NavmeshChunk<'a> {
    header: &'a NavmeshHeader,
    vertices: &'a [Position],
    descriptors: &'a [FaceDescriptor],
    data: Stretch<'a>,
}

impl<'a> NavmeshChunk<'a> {
    pub(crate) fn parse(payload: Stretch<'a>) -> Result<Self> {
        let header: &NavmeshHeader = payload.record(0, "NavmeshChunk")?;
        let faces = usize::from(header.face_count());
        let data = if faces == 0 { 0 } else { u64::from(header.data_offset()) };
        Ok(Self {
            header,
            vertices: payload.slice(
                u64::from(header.vertices_offset()),
                usize::from(header.vertex_count()),
                "vertices",
            )?,
            descriptors: payload.slice(u64::from(header.descriptors_offset()), faces, "face descriptors")?,
            data: payload.after(data, "face data")?,
        })
    }

    /// The head.
    #[inline]
    pub fn header(&self) -> &'a NavmeshHeader {
        self.header
    }
    /// The vertices, in place. A vertex on a segment's border is stored once for each segment.
    #[inline]
    pub fn vertices(&self) -> &'a [Position] {
        self.vertices
    }
    /// The offsets of the faces, in place.
    #[inline]
    pub fn descriptors(&self) -> &'a [FaceDescriptor] {
        self.descriptors
    }
    /// Face `index`.
    ///
    /// # Errors
    /// If there is no such face, or its record exceeds the entry.
    #[inline]
    pub fn face(&self, index: FaceIndex) -> Result<Face<'a>> {
        let descriptor = self
            .descriptors
            .get(index.index())
            .ok_or_else(|| out_of_range("face", index.index(), self.descriptors.len(), self.data.base()))?;
        self.face_at(descriptor).map_err(|error| error.in_record("face", u64::from(index.0)))
    }

    /// The face of a descriptor of this chunk.
    ///
    /// # Errors
    /// If its record exceeds the entry.
    #[inline]
    pub fn face_at(&self, descriptor: &FaceDescriptor) -> Result<Face<'a>> {
        let offset = descriptor.offset();
        let (corners, nodes) = (descriptor.corners(), descriptor.nodes());
        let read = self.data.bytes().get(offset..).and_then(|rest| {
            let (neighbours, rest) = <[Neighbour]>::ref_from_prefix_with_elems(rest, corners).ok()?;
            let (corners, rest) = rest.split_at_checked(corners)?;
            let (nodes, rest) = rest.split_at_checked(nodes)?;
            let mut face = Face { neighbours, corners, nodes, groups: &[], tiles: &[] };
            if neighbours.iter().any(Neighbour::is_crossing) {
                let (groups, rest) = <[U16]>::ref_from_prefix_with_elems(rest, neighbours.len()).ok()?;
                let (tiles, _) = <[U16]>::ref_from_prefix_with_elems(rest, neighbours.len()).ok()?;
                (face.groups, face.tiles) = (groups, tiles);
            }
            Some(face)
        });
        match read {
            Some(face) => Ok(face),
            None => Err(self.bad_face(descriptor)),
        }
    }

    #[cold]
    fn bad_face(&self, descriptor: &FaceDescriptor) -> navmap_core::error::Error {
        let offset = descriptor.offset() as u64;
        let parts = descriptor.corners().saturating_mul(3).saturating_add(descriptor.nodes());
        // The short record is certain to be right unless its ids do not fit.
        let short = self.data.part(offset, parts as u64, "face");
        let whole = parts.saturating_add(descriptor.corners().saturating_mul(4)) as u64;
        match short.and_then(|_| self.data.part(offset, whole, "face with ids")) {
            Err(error) => error,
            Ok(_) => navmap_core::error::Error::invalid("face", "changed while it was read")
                .at(self.data.absolute(offset)),
        }
    }

    /// Offset in the file of a face's record.
    #[inline]
    pub fn face_offset(&self, descriptor: &FaceDescriptor) -> u64 {
        self.data.absolute(descriptor.offset() as u64)
    }
}

/// A face, in place: a triangle, or (in no file seen) a quad.
///
/// Side `j` runs from corner `j` to the next one. Neighbour `j` and node `j` belong to that side.
#[derive(Clone, Copy, Debug)]
pub struct Face<'a> {
    neighbours: &'a [Neighbour],
    corners: &'a [u8],
    nodes: &'a [u8],
    groups: &'a [U16],
    tiles: &'a [U16],
}

impl<'a> Face<'a> {
    /// What each side adjoins.
    #[inline]
    pub fn neighbours(&self) -> &'a [Neighbour] {
        self.neighbours
    }
    /// Corners, counted from the segment's first vertex, anticlockwise from above in a y-up, right-handed space.
    #[inline]
    pub fn corners(&self) -> &'a [u8] {
        self.corners
    }
    /// The node at the midpoint of each side, counted from the segment's first node.
    #[inline]
    pub fn nodes(&self) -> &'a [u8] {
        self.nodes
    }
    /// The neighbours' groups. Empty unless a neighbour is in another group or tile.
    #[inline]
    pub fn groups(&self) -> &'a [U16] {
        self.groups
    }
    /// The neighbours' tiles. Empty unless a neighbour is in another group or tile.
    #[inline]
    pub fn tiles(&self) -> &'a [U16] {
        self.tiles
    }
    /// What side `side` adjoins; `None` past the last side.
    #[inline]
    pub fn across(&self, side: usize) -> Option<Adjacent> {
        let neighbour = self.neighbours.get(side)?;
        if neighbour.is_border() {
            return Some(Adjacent::Border);
        }
        let face = neighbour.face();
        let id = |ids: &[U16]| ids.get(side).map_or(u16::MAX, |id| id.get());
        Some(match neighbour.kind() {
            0 => Adjacent::Face(face),
            1 => Adjacent::Group { group: GroupId(id(self.groups)), face },
            2 => Adjacent::Tile { tile: TileId(id(self.tiles)), group: GroupId(id(self.groups)) },
            _ => Adjacent::Dynamic { tile: TileId(id(self.tiles)), group: GroupId(id(self.groups)), face },
        })
    }
    /// Size of the record in bytes, without padding.
    #[inline]
    pub fn byte_len(&self) -> usize {
        size_of_val(self.neighbours)
            .saturating_add(self.corners.len())
            .saturating_add(self.nodes.len())
            .saturating_add(size_of_val(self.groups))
            .saturating_add(size_of_val(self.tiles))
    }
}

/// What a side of a face adjoins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjacent {
    /// Nothing.
    Border,
    /// A face of the same group, in this segment or another, that shares exactly this side.
    Face(FaceIndex),
    /// A face of another group of the tile, perhaps in another split part, that shares exactly this side.
    Group {
        /// The group.
        group: GroupId,
        /// The face in that group.
        face: FaceIndex,
    },
    /// A face of another tile's strip: the one whose node is at the same position as this side's.
    Tile {
        /// The tile.
        tile: TileId,
        /// The group of that tile.
        group: GroupId,
    },
    /// Kind 3, said to be for dynamic meshes; not in any file seen.
    Dynamic {
        /// The tile, as stored.
        tile: TileId,
        /// The group, as stored.
        group: GroupId,
        /// The face, as stored.
        face: FaceIndex,
    },
}

/// The three or four corners of a face, as vertices of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corners {
    vertices: [u16; 4],
    len: u8,
}

impl Corners {
    #[inline]
    pub(crate) fn new(base: usize, corners: &[u8], vertices: usize) -> Option<Self> {
        let mut all = Self { vertices: [0; 4], len: 0 };
        for (to, corner) in all.vertices.iter_mut().zip(corners) {
            let vertex = base.saturating_add(usize::from(*corner));
            *to = u16::try_from(vertex).ok().filter(|_| vertex < vertices)?;
            all.len = all.len.saturating_add(1);
        }
        Some(all)
    }

    /// Vertex indices, in [`NavmeshChunk::vertices`].
    #[inline]
    pub fn as_slice(&self) -> &[u16] {
        self.vertices.get(..usize::from(self.len)).unwrap_or_default()
    }
}
