//! Streams everything in a file to a serialiser, without building a list.

use super::flags::{Hint, LinkFlags, NodeInfo, NodeKind, NodeType};

use super::nod::NodNav;
use super::points::Parts;
use super::record::NodLink;
use super::respawn::RespawnNav;
use super::text::TextNav;
use super::view::AinNav;
use navmap_core::error::Error;
use navmap_core::format::{NavFile, NodeRecords, chosen};
use navmap_core::stream::List;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use zerocopy::byteorder::little_endian::{F32, U32};

/// Numbers in place.
struct Floats<'a>(&'a [F32]);

impl Serialize for Floats<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|value| value.get()))
    }
}

#[derive(serde::Serialize)]
struct NodeRow<'a> {
    index: usize,
    origin: [f32; 3],
    yaw: f32,
    offsets: Floats<'a>,
    kind: NodeKind,
    info: NodeInfo,
    zone: i16,
    hammer_id: Option<i32>,
}

#[derive(serde::Serialize)]
struct LinkRow<'a> {
    source: i16,
    target: i16,
    moves: &'a [u8],
}

fn nodes(parts: Parts<'_>) -> impl Iterator<Item = NodeRow<'_>> {
    parts.nodes().into_iter().enumerate().map(move |(index, node)| NodeRow {
        index,
        origin: node.origin(),
        yaw: node.yaw(),
        offsets: Floats(node.offsets()),
        kind: node.kind(),
        info: NodeInfo(node.info()),
        zone: node.zone(),
        hammer_id: parts.ids.get(index).map(|id| id.get()),
    })
}

fn links(parts: Parts<'_>) -> impl Iterator<Item = LinkRow<'_>> {
    parts.links().into_iter().map(|link| LinkRow {
        source: link.source(),
        target: link.target(),
        moves: link.moves_of_hulls(),
    })
}

/// A node with its links.
#[derive(serde::Serialize)]
struct NodeRecord<N, L> {
    #[serde(flatten)]
    node: N,
    links: Vec<L>,
}

/// The records of nodes, each with its links; `at` is the byte of a node.
fn node_records(
    parts: Parts<'_>,
    nodes_wanted: &[u32],
    at: impl Fn(usize) -> Option<u64>,
    each: &mut dyn NodeRecords,
) -> Result<(), Error> {
    for (number, node) in chosen(nodes_wanted, nodes(parts)) {
        let of = |end: i16| u32::try_from(end).is_ok_and(|end| end == number);
        let links = links(parts).filter(|link| of(link.source) || of(link.target)).collect();
        let bytes = at(node.index).zip(at(node.index.saturating_add(1))).map(|(start, end)| start..end);
        each.record(number, bytes, &NodeRecord { node, links });
    }
    Ok(())
}

impl AinNav<'_> {
    /// The records of nodes, each with its links.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<(), Error> {
        node_records(self.parts, nodes, |index| self.parts.node_offset(index), each)
    }
}

impl TextNav<'_> {
    /// The records of nodes, each with its links. Their lines have no fixed place.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<(), Error> {
        node_records(self.parts(), nodes, |_| None, each)
    }
}

impl RespawnNav<'_> {
    fn node_rows(&self) -> impl Iterator<Item = RespawnNodeRow<'_>> {
        self.nodes().iter().enumerate().map(|(index, node)| RespawnNodeRow {
            index,
            origin: node.origin(),
            yaw: node.yaw(),
            offsets: Floats(node.offsets()),
            kind: node.kind(),
            info: node.info(),
            zones: node.zones(),
            clearance: node.clearance(),
            cluster: node.cluster(),
            unknown_0x3a: node.unknown().0,
            unknown_0x3c: node.unknown().1,
            hammer_id: self.hammer_ids().get(index).map(|id| id.get()),
        })
    }

    /// The records of nodes.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<(), Error> {
        for (node, row) in chosen(nodes, self.node_rows()) {
            let at = |index| self.body().node_offset(index);
            each.record(node, Some(at(row.index)..at(row.index.saturating_add(1))), &row);
        }
        Ok(())
    }
}

impl NodNav<'_> {
    fn node_rows(&self) -> impl Iterator<Item = NodNodeRow> + '_ {
        self.nodes().into_iter().enumerate().map(|(index, node)| NodNodeRow {
            index,
            origin: node.origin(),
            peek: node.peek(),
            region: node.region(),
            kind: node.kind(),
            first_link: node.first_link(),
            links: node.link_count(),
            next_best: node.next_best(),
            hint: node.hint(),
            activity: node.activity(),
            yaw: node.yaw(),
        })
    }

    /// The records of nodes.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<(), Error> {
        for (node, row) in chosen(nodes, self.node_rows()) {
            let at = |index| self.node_offset(index);
            each.record(node, Some(at(row.index)..at(row.index.saturating_add(1))), &row);
        }
        Ok(())
    }
}

impl NodLinkRow {
    fn new(link: NodLink<'_>) -> Self {
        Self {
            source: link.source(),
            target: link.target(),
            flags: link.flags(),
            weight: link.weight(),
            blocked: link.is_blocked(),
            serial: link.serial(),
            model: String::from_utf8_lossy(link.model()).into_owned(),
        }
    }
}

impl Serialize for AinNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("AinNav", 9)?;
        out.serialize_field("game", &self.summary().game)?;
        out.serialize_field("version", &self.version())?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("map_version", &self.map_version())?;
        out.serialize_field("hulls", &self.hulls())?;
        out.serialize_field("nodes", &List(|| nodes(self.parts)))?;
        out.serialize_field("links", &List(|| links(self.parts)))?;
        out.serialize_field("trailing_bytes", &self.trailing().len())?;
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}

impl Serialize for TextNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("TextNav", 9)?;
        out.serialize_field("game", &self.summary().game)?;
        out.serialize_field("version", &self.version())?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("hulls", &self.hulls())?;
        out.serialize_field("nodes", &List(|| nodes(self.parts())))?;
        out.serialize_field("links", &List(|| links(self.parts())))?;
        out.serialize_field("stated_links", self.counted_links())?;
        out.serialize_field("trailing_bytes", &self.trailing())?;
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}

#[derive(serde::Serialize)]
struct RespawnNodeRow<'a> {
    index: usize,
    origin: [f32; 3],
    yaw: f32,
    offsets: Floats<'a>,
    kind: NodeKind,
    info: u32,
    zones: [i16; 5],
    clearance: [u8; 5],
    cluster: i16,
    unknown_0x3a: i16,
    unknown_0x3c: [u8; 8],
    hammer_id: Option<i32>,
}

#[derive(serde::Serialize)]
struct ZonesRow<'a> {
    zones: i32,
    bits: u16,
    words: Numbers<'a>,
}

/// Numbers in place.
struct Numbers<'a>(&'a [U32]);

impl Serialize for Numbers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|word| word.get()))
    }
}

#[derive(serde::Serialize)]
struct ClusterRow<'a> {
    index: i32,
    unknown_0x04: u8,
    centre: [f32; 3],
    nodes: &'a [super::NodeIndex],
    links: &'a [super::ClusterLinkIndex],
    unknown_last: u8,
}

impl Serialize for RespawnNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let clusters = || {
            self.clusters().map_while(Result::ok).map(|cluster| ClusterRow {
                index: cluster.index,
                unknown_0x04: cluster.unknown_0x04,
                centre: cluster.centre.to_array(),
                nodes: cluster.nodes,
                links: cluster.links,
                unknown_last: cluster.unknown_last,
            })
        };
        let zones = || {
            self.zones().iter().map(|hull| ZonesRow {
                zones: hull.zones,
                bits: hull.bits,
                words: Numbers(hull.words),
            })
        };
        let mut out = serializer.serialize_struct("RespawnNav", 18)?;
        out.serialize_field("game", &self.summary().game)?;
        out.serialize_field("version", &self.version())?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("map_version", &self.map_version())?;
        out.serialize_field("checksum", &self.header().checksum())?;
        out.serialize_field("nodes", &List(|| self.node_rows()))?;
        out.serialize_field("links", self.links())?;
        out.serialize_field("traverse_nodes", self.traverse_nodes())?;
        out.serialize_field("hull_zones", &List(zones))?;
        out.serialize_field("clusters", &List(clusters))?;
        out.serialize_field("cluster_links", self.cluster_links())?;
        out.serialize_field("script_version", &self.script_version())?;
        out.serialize_field("script_nodes", self.script_nodes())?;
        out.serialize_field("hints", self.hints())?;
        out.serialize_field("mesh_checksum", &self.mesh_checksum())?;
        out.serialize_field("trailing_bytes", &self.trailing().len())?;
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}

#[derive(serde::Serialize)]
struct NodNodeRow {
    index: usize,
    origin: [f32; 3],
    peek: [f32; 3],
    region: [u8; 3],
    kind: NodeType,
    first_link: i32,
    links: i32,
    next_best: [[i32; 2]; 4],
    hint: Hint,
    activity: i16,
    yaw: f32,
}

#[derive(serde::Serialize)]
struct NodLinkRow {
    source: i32,
    target: i32,
    flags: LinkFlags,
    weight: f32,
    blocked: bool,
    serial: Option<i32>,
    model: String,
}

impl Serialize for NodNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let sort = || self.sort_table().iter().map(|row| row.order());
        let mut out = serializer.serialize_struct("NodNav", 11)?;
        out.serialize_field("game", &self.summary().game)?;
        out.serialize_field("version", &self.version())?;
        out.serialize_field("subversion", &None::<u32>)?;
        out.serialize_field("flags", &self.flags())?;
        out.serialize_field("nodes", &List(|| self.node_rows()))?;
        out.serialize_field("links", &List(|| self.links().into_iter().map(NodLinkRow::new)))?;
        out.serialize_field("sort_table", &List(sort))?;
        out.serialize_field("route_bytes", &self.route_bytes().len())?;
        out.serialize_field("hash_slots", &self.hash_table().len())?;
        out.serialize_field("trailing_bytes", &self.trailing().len())?;
        out.serialize_field("error", &None::<()>)?;
        out.end()
    }
}
