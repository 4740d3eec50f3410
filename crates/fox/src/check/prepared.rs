//! Groups with look-up tables shared by several checks.

use crate::flags::EntryKind;
use crate::record::{FaceIndex, GroupId, Position, SegmentIndex};
use crate::view::{Corners, Face, FoxNav, Group};
use std::ops::Range;

/// All groups of the file, by id.
pub(super) struct Groups<'a>(pub(super) Vec<Prepared<'a>>);

impl<'a> Groups<'a> {
    /// The group of this id. A split tile also refers to groups in its other part, which are not found here.
    pub(super) fn find(&self, id: GroupId) -> Option<&Prepared<'a>> {
        self.0.binary_search_by_key(&id, Prepared::id).ok().and_then(|at| self.0.get(at))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Prepared<'a>> {
        self.0.iter()
    }
}

/// A group, and the segment of each of its faces.
pub(super) struct Prepared<'a> {
    pub(super) group: Group<'a>,
    face_segments: Vec<Option<SegmentIndex>>,
    /// Nodes of each segment.
    nodes: Vec<Range<usize>>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(group: Group<'a>) -> Self {
        let mut face_segments = vec![None; group.mesh().descriptors().len()];
        let segments = group.segment_chunk().segments();
        let mut nodes = Vec::with_capacity(segments.len());
        for (index, segment) in (0..=u16::MAX).zip(segments) {
            for face in face_segments.get_mut(segment.faces()).unwrap_or_default() {
                face.get_or_insert(SegmentIndex(index));
            }
            nodes.push(group.segment_nodes(SegmentIndex(index)));
        }
        Self { group, face_segments, nodes }
    }

    pub(super) fn id(&self) -> GroupId {
        self.group.id()
    }

    /// The position of a node of the fine graph.
    pub(super) fn node_point(&self, node: usize) -> Option<[f32; 3]> {
        let position = self.group.world().positions().get(node)?;
        Some(self.group.frame().world(position))
    }

    /// The position of a segment's node in the coarse graph.
    pub(super) fn segment_point(&self, segment: usize) -> Option<[f32; 3]> {
        let position = self.group.segment_graph().positions().get(segment)?;
        Some(self.group.frame().world(position))
    }

    /// The position of a face's first corner.
    pub(super) fn face_point(&self, face: FaceIndex) -> Option<[f32; 3]> {
        let (_, corners) = self.face(face)?;
        let vertex = self.group.mesh().vertices().get(usize::from(*corners.as_slice().first()?))?;
        Some(self.group.frame().world(vertex))
    }

    pub(super) fn segment_of(&self, face: FaceIndex) -> Option<SegmentIndex> {
        self.face_segments.get(face.index()).copied().flatten()
    }

    pub(super) fn nodes_of(&self, segment: SegmentIndex) -> Range<usize> {
        self.nodes.get(segment.index()).cloned().unwrap_or_default()
    }

    /// A face's record, and its corners as vertices of the group.
    pub(super) fn face(&self, index: FaceIndex) -> Option<(Face<'a>, Corners)> {
        let mesh = self.group.mesh();
        let face = mesh.face(index).ok()?;
        let segment = self.segment_of(index)?;
        let base = self.group.segment_chunk().segments().get(segment.index())?.vertices().start;
        Some((face, Corners::new(base, face.corners(), mesh.vertices().len())?))
    }

    /// The positions at the ends of a side.
    pub(super) fn side(&self, corners: Corners, side: usize) -> Option<[&'a Position; 2]> {
        let corners = corners.as_slice();
        let next = side.checked_add(1)?.checked_rem(corners.len())?;
        let vertex = |corner: usize| self.group.mesh().vertices().get(usize::from(*corners.get(corner)?));
        Some([vertex(side)?, vertex(next)?])
    }

    /// Offset in the file of the group's entry of this kind.
    pub(super) fn entry_offset(&self, nav: FoxNav<'_>, kind: EntryKind) -> u64 {
        let found = nav.entries().flatten().find(|e| e.kind() == kind && e.id().group() == self.id());
        found.map_or(0, |entry| entry.offset())
    }
}

/// The next multiple of 16.
pub(super) fn align16(offset: u64) -> u64 {
    offset.checked_next_multiple_of(16).unwrap_or(u64::MAX)
}
