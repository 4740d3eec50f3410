//! A group: its four entries, and queries that need all of them.

use super::entry::{Entries, Entry};
use super::frame::Frame;
use super::mesh::{Corners, Face, NavmeshChunk, SegmentChunk};
use super::segment_graph::SegmentGraph;
use super::stretch::{Stretch, out_of_range};
use super::world::NavWorld;
use crate::flags::EntryKind;
use crate::record::{
    Bounds, FaceIndex, GroupId, NodeIndex, PackedId, Position, Segment, SegmentIndex, TileId,
};
use navmap_core::error::{Error, Result};
use std::ops::Range;

/// One group of a tile: body or strip, with its graph, its polygons, its segments and their graph.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    id: PackedId,
    frame: Frame,
    world: NavWorld<'a>,
    mesh: NavmeshChunk<'a>,
    segments: SegmentChunk<'a>,
    graph: SegmentGraph<'a>,
}

impl<'a> Group<'a> {
    /// Finds the other entries of a NavWorld entry's group, anywhere in the file, and reads the four heads.
    pub(crate) fn gather(frame: Frame, all: Entries<'a>, world: Entry<'a>) -> Result<Self> {
        Self::read(frame, world.id(), Self::partners(all, world)?.map(|entry| entry.payload_stretch()))
    }

    /// The four entries of a NavWorld entry's group, in the order of [`EntryKind::ALL`].
    pub(crate) fn partners(all: Entries<'a>, world: Entry<'a>) -> Result<[Entry<'a>; 4]> {
        let id = world.id();
        let mut found = [Some(world), None, None, None];
        for entry in all {
            let entry = entry?;
            if entry.id() == id
                && let Some(slot) = entry.kind().slot().and_then(|slot| found.get_mut(slot))
            {
                slot.get_or_insert(entry);
            }
        }
        let mut partners = [world; 4];
        for ((to, from), kind) in partners.iter_mut().zip(found).zip(EntryKind::ALL) {
            *to = from.ok_or_else(|| {
                Error::invalid("group", format!("no {kind} entry goes with it"))
                    .in_record("group", u64::from(id.index()))
                    .at(world.offset())
            })?;
        }
        Ok(partners)
    }

    /// Reads the four heads. Payloads are in the order of [`EntryKind::ALL`].
    pub(crate) fn read(frame: Frame, id: PackedId, payloads: [Stretch<'a>; 4]) -> Result<Self> {
        let [world, mesh, segments, graph] = payloads;
        let read = || {
            Ok(Self {
                id,
                frame,
                world: NavWorld::parse(world)?,
                mesh: NavmeshChunk::parse(mesh)?,
                segments: SegmentChunk::parse(segments)?,
                graph: SegmentGraph::parse(graph)?,
            })
        };
        read().map_err(|error: Error| error.in_record("group", u64::from(id.index())))
    }

    /// The group's number: 4 is the body, 0 to 3 are strips, 5 and up are in split parts.
    pub fn id(&self) -> GroupId {
        self.id.group()
    }
    /// The tile.
    pub fn tile(&self) -> TileId {
        self.id.tile()
    }
    /// The conversion of stored numbers to metres.
    pub fn frame(&self) -> Frame {
        self.frame
    }
    /// The graph of midpoints.
    pub fn world(&self) -> &NavWorld<'a> {
        &self.world
    }
    /// Vertices and faces.
    pub fn mesh(&self) -> &NavmeshChunk<'a> {
        &self.mesh
    }
    /// The segments.
    pub fn segment_chunk(&self) -> &SegmentChunk<'a> {
        &self.segments
    }
    /// The graph of segments.
    pub fn segment_graph(&self) -> &SegmentGraph<'a> {
        &self.graph
    }

    /// Segment `index`.
    ///
    /// # Errors
    /// If there is no such segment, or if its range of vertices or faces leaves the group.
    pub fn segment(&self, index: SegmentIndex) -> Result<SegmentView<'a>> {
        let segments = self.segments.segments();
        let located = |error: Error| error.in_record("segment", u64::from(index.0));
        let at = self.segments.segment_offset(index.index());
        let (Some(segment), Some(bounds)) =
            (segments.get(index.index()), self.segments.bounds().get(index.index()))
        else {
            let at = self.segments.segment_offset(0);
            return Err(out_of_range("segment", index.index(), segments.len(), at));
        };
        let vertices = segment.vertices();
        let all = self.mesh.vertices();
        let Some(vertices) = all.get(vertices.clone()) else {
            return Err(located(out_of_range("last vertex of the segment", vertices.end, all.len(), at)));
        };
        let (faces, all) = (segment.faces(), self.mesh.descriptors());
        if all.get(faces.clone()).is_none() {
            return Err(located(out_of_range("last face of the segment", faces.end, all.len(), at)));
        }
        Ok(SegmentView { index, segment, bounds, vertices, group: *self })
    }

    /// The segment of a face, as its descriptor states. If the range of that segment contradicts it, the ranges decide, since
    /// they are right even in files of other tools.
    pub fn segment_of(&self, face: FaceIndex) -> Option<SegmentIndex> {
        let segments = self.segments.segments();
        let holds = |segment: &SegmentIndex| {
            segments.get(segment.index()).is_some_and(|s| s.faces().contains(&face.index()))
        };
        let stored = self.mesh.descriptors().get(face.index())?.segment();
        let found = || {
            let after = segments.partition_point(|segment| segment.faces().start <= face.index());
            // Empty segments share their base with the next one, so skip them backwards.
            let behind = segments.get(..after)?.iter().enumerate().rev();
            let (index, _) = behind.take(256).find(|(_, segment)| !segment.is_empty())?;
            u16::try_from(index).ok().map(SegmentIndex).filter(holds)
        };
        Some(stored).filter(holds).or_else(found)
    }

    /// The nodes of a segment, by its stored range. If the nodes at the ends of the range contradict it (Obj2Nav2 stores base 0),
    /// the segments that nodes name decide. That search is logarithmic, since nodes are numbered by segment.
    pub fn segment_nodes(&self, segment: SegmentIndex) -> Range<usize> {
        let nodes = self.world.nodes();
        let stored = self.segments.segments().get(segment.index()).map(Segment::nodes).unwrap_or_default();
        let ends = nodes.get(stored.clone()).map(|nodes| (nodes.first(), nodes.last()));
        match ends {
            Some((Some(first), Some(last))) if first.segment() == segment && last.segment() == segment => {
                stored
            }
            _ => {
                let start = nodes.partition_point(|node| node.segment() < segment);
                let end = nodes.partition_point(|node| node.segment() <= segment);
                start..end.max(start)
            }
        }
    }

    /// The node at the midpoint of a face's side.
    ///
    /// # Errors
    /// If the face cannot be read.
    pub fn node_of(&self, face: FaceIndex, side: usize) -> Result<Option<NodeIndex>> {
        let Some(segment) = self.segment_of(face) else { return Ok(None) };
        let local = self.mesh.face(face)?.nodes().get(side).map(|node| usize::from(*node));
        let base = self.segment_nodes(segment).start;
        let node = local.map(|local| base.saturating_add(local)).filter(|n| *n < self.world.nodes().len());
        Ok(node.and_then(|node| u16::try_from(node).ok()).map(NodeIndex))
    }

    /// World position of a node in metres.
    pub fn node_position(&self, node: NodeIndex) -> Option<[f32; 3]> {
        self.world.positions().get(node.index()).map(|position| self.frame.world(position))
    }
}

/// A segment: a few polygons that the game treats as one place.
#[derive(Clone, Copy, Debug)]
pub struct SegmentView<'a> {
    index: SegmentIndex,
    segment: &'a Segment,
    bounds: &'a Bounds,
    vertices: &'a [Position],
    group: Group<'a>,
}

impl<'a> SegmentView<'a> {
    /// Its number in the group.
    pub fn index(&self) -> SegmentIndex {
        self.index
    }
    /// Its ranges.
    pub fn record(&self) -> &'a Segment {
        self.segment
    }
    /// The box of its vertices, quantised.
    pub fn bounds(&self) -> &'a Bounds {
        self.bounds
    }
    /// Its vertices, in place.
    pub fn vertices(&self) -> &'a [Position] {
        self.vertices
    }
    /// The group it is part of.
    pub fn group(&self) -> Group<'a> {
        self.group
    }
    /// Which characters may use it.
    pub fn attribute(&self) -> Option<u16> {
        self.group.world.attributes().get(self.index.index()).map(|attribute| attribute.get())
    }
}

/// A face with its corners as vertices of the group.
#[derive(Clone, Copy, Debug)]
pub struct GroupFace<'a> {
    /// Its number in the group.
    pub index: FaceIndex,
    /// Its segment.
    pub segment: SegmentIndex,
    /// Its corners as vertices of the group.
    pub corners: Corners,
    /// The record.
    pub face: Face<'a>,
}
