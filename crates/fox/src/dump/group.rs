//! A group: segments, vertices, faces, both graphs.

use super::parts::{At, Failed};
use crate::record::{NavEdge, SegmentIndex};
use crate::view::{Adjacent, Crossing, Frame, Group, GroupFace, NavWorld, SegmentLinks, SegmentView};
use navmap_core::error::Result;
use navmap_core::stream::List;
use serde::ser::{Serialize, SerializeStruct, Serializer};

pub(super) struct GroupRow<'a, 'f>(pub(super) Group<'a>, pub(super) &'f Failed);

impl Serialize for GroupRow<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(group, failed) = self;
        let (world, mesh, frame) = (group.world(), group.mesh(), group.frame());
        let mut out = serializer.serialize_struct("Group", 9)?;
        out.serialize_field("id", &group.id())?;
        out.serialize_field("side", &group.id().side().map(|side| side.name()))?;
        out.serialize_field("segments", &List(|| failed.walk(group.segments()).map(SegmentRow::new)))?;
        out.serialize_field("vertices", &List(|| mesh.vertices().iter().map(|v| At::new(v, frame))))?;
        out.serialize_field("faces", &List(|| failed.walk(group.faces()).map(FaceRow)))?;
        out.serialize_field("nav_nodes", &List(|| failed.walk(nodes(world, frame, failed))))?;
        out.serialize_field("nav_edges", &List(|| world.edges().iter().map(EdgeRow::new)))?;
        out.serialize_field("segment_graph", &List(|| failed.walk(segment_nodes(group, failed))))?;
        out.end()
    }
}

#[derive(serde::Serialize)]
struct SegmentRow {
    attribute: Option<u16>,
    min: [u16; 3],
    max: [u16; 3],
    vertices: [usize; 2],
    faces: [usize; 2],
    nav_edges: [usize; 2],
    nav_nodes: [usize; 2],
}

impl SegmentRow {
    fn new(view: SegmentView<'_>) -> Self {
        let (segment, bounds) = (view.record(), view.bounds());
        let ends = |range: std::ops::Range<usize>| [range.start, range.end];
        Self {
            attribute: view.attribute(),
            min: bounds.min().quantised(),
            max: bounds.max().quantised(),
            vertices: ends(segment.vertices()),
            faces: ends(segment.faces()),
            nav_edges: ends(segment.edges()),
            nav_nodes: ends(segment.nodes()),
        }
    }
}

pub(super) struct FaceRow<'a>(pub(super) GroupFace<'a>);

impl Serialize for FaceRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let face = &self.0.face;
        let mut out = serializer.serialize_struct("Face", 5)?;
        out.serialize_field("index", &self.0.index)?;
        out.serialize_field("segment", &self.0.segment)?;
        out.serialize_field("corners", self.0.corners.as_slice())?;
        out.serialize_field("local_nodes", face.nodes())?;
        let across = || (0..face.neighbours().len()).filter_map(|side| face.across(side)).map(AcrossRow::new);
        out.serialize_field("neighbours", &List(across))?;
        out.end()
    }
}

/// What a side adjoins; null for nothing.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum AcrossRow {
    None(()),
    Face { face: u16 },
    Group { group: u16, face: u16 },
    Tile { tile: u16, group: u16 },
    Dynamic { dynamic: bool, tile: u16, group: u16, face: u16 },
}

impl AcrossRow {
    fn new(adjacent: Adjacent) -> Self {
        match adjacent {
            Adjacent::Border => Self::None(()),
            Adjacent::Face(face) => Self::Face { face: face.0 },
            Adjacent::Group { group, face } => Self::Group { group: group.0, face: face.0 },
            Adjacent::Tile { tile, group } => Self::Tile { tile: tile.0, group: group.0 },
            Adjacent::Dynamic { tile, group, face } => {
                Self::Dynamic { dynamic: true, tile: tile.0, group: group.0, face: face.0 }
            }
        }
    }
}

#[derive(serde::Serialize)]
struct NodeRow<L: Serialize> {
    #[serde(flatten)]
    at: At,
    segment: u16,
    face: Option<u16>,
    flags: u8,
    links: L,
    crossing: Option<CrossingRow>,
}

#[derive(serde::Serialize)]
struct LinkRow {
    node: u16,
    edge: u16,
}

/// The target of a link out of the segment.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum CrossingRow {
    Segment { node: u16 },
    Group { group: u16, node: u16 },
    Tile { tile: u16, group: u16 },
}

impl CrossingRow {
    fn new(crossing: Crossing) -> Self {
        match crossing {
            Crossing::Segment { node } => Self::Segment { node: node.0 },
            Crossing::Group { group, node } => Self::Group { group: group.0, node: node.0 },
            Crossing::Tile { tile, group, .. } => Self::Tile { tile: tile.0, group: group.0 },
        }
    }
}

fn nodes<'a>(
    world: &'a NavWorld<'_>,
    frame: Frame,
    failed: &'a Failed,
) -> impl Iterator<Item = Result<NodeRow<impl Serialize + 'a>>> + 'a {
    let rows = world.nodes().iter().zip(world.positions()).zip(world.face_references()).enumerate();
    rows.map(move |(index, ((node, position), face))| {
        let links = world.links(node).map_err(|error| error.in_record("node", index as u64))?;
        failed.charge(links.byte_len(), world.node_offset(index))?;
        let inside = links.inside;
        Ok(NodeRow {
            at: At::new(position, frame),
            segment: node.segment().0,
            face: Some(face.get()),
            flags: node.crossing_bits(),
            links: List(move || inside.iter().map(|l| LinkRow { node: l.node().0, edge: l.edge() })),
            crossing: links.crossing.map(CrossingRow::new),
        })
    })
}

#[derive(serde::Serialize)]
struct EdgeRow {
    segment: u16,
    local_nodes: [u8; 2],
    weight: u16,
    kind: u16,
}

impl EdgeRow {
    fn new(edge: &NavEdge) -> Self {
        let (segment, kind) = (edge.segment().0, edge.kind());
        Self { segment, local_nodes: edge.local_nodes(), weight: edge.weight(), kind }
    }
}

struct SegmentNodeRow<'a> {
    at: At,
    islands: [Option<u16>; 3],
    links: SegmentLinks<'a>,
}

#[derive(serde::Serialize)]
struct SegmentLinkRow<'a> {
    tile: Option<u16>,
    group: Option<u16>,
    segment: u16,
    weight: u16,
    back: u8,
    local_nodes: &'a [u8],
}

fn segment_nodes<'a, 'f>(
    group: &Group<'a>,
    failed: &'f Failed,
) -> impl Iterator<Item = Result<SegmentNodeRow<'a>>> + use<'a, 'f> {
    let (graph, frame) = (*group.segment_graph(), group.frame());
    let nodes = graph.nodes().iter().zip(graph.positions()).enumerate();
    nodes.map(move |(index, (node, position))| {
        let links = graph.links(node).map_err(|error| error.in_record("segment node", index as u64))?;
        failed.charge(links.byte_len(), graph.node_offset(index))?;
        Ok(SegmentNodeRow { at: At::new(position, frame), islands: node.islands(), links })
    })
}

impl Serialize for SegmentNodeRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("SegmentNode", 4)?;
        out.serialize_field("q", &self.at.q)?;
        out.serialize_field("at", &self.at.at)?;
        out.serialize_field("islands", &self.islands)?;
        let SegmentLinks { inside, groups, tiles, .. } = self.links;
        let rows = || {
            let to = |tile, group, segment: SegmentIndex, weight, back| SegmentLinkRow {
                tile,
                group,
                segment: segment.0,
                weight,
                back,
                local_nodes: &[],
            };
            let inside = inside.iter().map(move |l| to(None, None, l.segment(), l.weight(), l.back()));
            let groups =
                groups.iter().map(move |l| to(None, Some(l.group().0), l.segment(), l.weight(), l.back()));
            let tiles = tiles
                .iter()
                .map(move |l| to(Some(l.tile().0), Some(l.group().0), l.segment(), l.weight(), l.back()));
            let rows = inside.chain(groups).chain(tiles).zip(self.links.crossings());
            rows.map(|(row, local_nodes)| SegmentLinkRow { local_nodes, ..row })
        };
        out.serialize_field("links", &List(rows))?;
        out.end()
    }
}
