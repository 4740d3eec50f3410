//! An `.ain` of version 57 (Titanfall 2, Apex Legends), in place.

use super::flags::Hull;
use super::header::respawn_header;
use super::record::{
    ClusterLink, ClusterLinkIndex, HammerId, HintValue, NodeIndex, RespawnHeader, RespawnLink, RespawnNode,
    ScriptNode, TraverseNode,
};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};
use navmap_core::format::Vector;
use zerocopy::byteorder::little_endian::{U16, U32};

/// The hulls of version 57.
pub(super) const HULLS: usize = 5;

/// A node graph of Respawn: `.ain` of version 57.
///
/// Opening it walks over the clusters, whose length varies, and the heads of the other lists. Nothing is copied.
#[derive(Debug, Clone, Copy)]
pub struct RespawnNav<'a> {
    header: &'a RespawnHeader,
    nodes: &'a [RespawnNode],
    links: &'a [RespawnLink],
    ids: &'a [HammerId],
    traverse_nodes: &'a [TraverseNode],
    zones: [HullZones<'a>; HULLS],
    clusters: Clusters<'a>,
    cluster_links: &'a [ClusterLink],
    cluster_links_at: u64,
    script_version: i32,
    script_nodes: &'a [ScriptNode],
    script_at: u64,
    hints: &'a [HintValue],
    hints_at: u64,
    checksum: Option<u32>,
    trailing: &'a [u8],
    pub(super) hull: Option<Hull>,
}

/// The zones of a hull: zeros in all public files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HullZones<'a> {
    /// How many zones.
    pub zones: i32,
    /// How many bits.
    pub bits: u16,
    /// The bits.
    pub words: &'a [U32],
}

impl<'a> RespawnNav<'a> {
    /// Opens a file. Linear in the clusters. Exactly four bytes after the hints are the checksum that one program appends; any
    /// other number of bytes is a finding.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh) or [`Instead`](navmap_core::ErrorKind::Instead) for another kind of file,
    /// [`Version`](navmap_core::ErrorKind::Version) for versions that are known and not read,
    /// [`Truncated`](navmap_core::ErrorKind::Truncated) or [`Count`](navmap_core::ErrorKind::Count) for a file that is too short,
    /// [`Invalid`](navmap_core::ErrorKind::Invalid) for a negative count.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, 0);
        let (header, count) = respawn_header(&mut cursor)?;
        let nodes = cursor.slice(count, "nodes")?;
        let links = list(&mut cursor, "links")?;
        let ids = cursor.slice(count, "Hammer ids")?;
        let traverse = claimed(
            cursor.offset(),
            i16::from_le_bytes(cursor.u16("traverse nodes")?.to_le_bytes()).into(),
            "traverse nodes",
        )?;
        let traverse_nodes = cursor.slice(traverse, "traverse nodes")?;
        let mut zones = [HullZones::default(); HULLS];
        for (zones, hull) in zones.iter_mut().zip(0..) {
            *zones = hull_zones(&mut cursor).map_err(|error| error.in_record("hull", hull))?;
        }
        let at = cursor.offset();
        let count = claimed(at, signed(cursor.u32("clusters")?), "clusters")?;
        let clusters = Clusters { cursor, count, next: 0 };
        let mut walk = clusters;
        for cluster in walk.by_ref() {
            cluster?;
        }
        cursor = walk.cursor;
        let cluster_links_at = cursor.offset().saturating_add(4);
        let cluster_links = list(&mut cursor, "cluster links")?;
        let script_version = signed(cursor.u32("script version")?);
        let script_at = cursor.offset().saturating_add(4);
        let script_nodes = list(&mut cursor, "script nodes")?;
        let hints_at = cursor.offset().saturating_add(4);
        let hints = list(&mut cursor, "hints")?;
        let checksum = if cursor.left() == 4 { Some(cursor.u32("mesh checksum")?) } else { None };
        Ok(Self {
            header,
            nodes,
            links,
            ids,
            traverse_nodes,
            zones,
            clusters,
            cluster_links,
            cluster_links_at,
            script_version,
            script_nodes,
            script_at,
            hints,
            hints_at,
            checksum,
            trailing: cursor.rest(),
            hull: None,
        })
    }

    /// The 16 bytes that the file begins with.
    pub fn header(&self) -> &'a RespawnHeader {
        self.header
    }
    /// 57.
    pub fn version(&self) -> i32 {
        self.header.version()
    }
    /// 30 in every public file.
    pub fn map_version(&self) -> i32 {
        self.header.map_version()
    }
    /// The nodes. Files of Apex Legends have none, only script nodes.
    pub fn nodes(&self) -> &'a [RespawnNode] {
        self.nodes
    }
    /// The links, each of which works both ways.
    pub fn links(&self) -> &'a [RespawnLink] {
        self.links
    }
    /// A number of each node, mostly 0.
    pub fn hammer_ids(&self) -> &'a [HammerId] {
        self.ids
    }
    /// Traverse nodes. No public file has any.
    pub fn traverse_nodes(&self) -> &'a [TraverseNode] {
        self.traverse_nodes
    }
    /// Zones of the five hulls: zeros in public files.
    pub fn zones(&self) -> &[HullZones<'a>; HULLS] {
        &self.zones
    }
    /// The clusters, walked.
    pub fn clusters(&self) -> Clusters<'a> {
        self.clusters
    }
    /// How many clusters.
    pub fn cluster_count(&self) -> usize {
        self.clusters.count
    }
    /// The links between clusters.
    pub fn cluster_links(&self) -> &'a [ClusterLink] {
        self.cluster_links
    }
    /// 21; one program writes -1.
    pub fn script_version(&self) -> i32 {
        self.script_version
    }
    /// Places for scripts. They have no links.
    pub fn script_nodes(&self) -> &'a [ScriptNode] {
        self.script_nodes
    }
    /// A list of zeros and ones, often as long as that of the nodes. What it means is not known.
    pub fn hints(&self) -> &'a [HintValue] {
        self.hints
    }
    /// The checksum of the navigation mesh, which one program appends.
    pub fn mesh_checksum(&self) -> Option<u32> {
        self.checksum
    }
    /// The bytes after the end.
    pub fn trailing(&self) -> &'a [u8] {
        self.trailing
    }

    pub(super) fn body(&self) -> Body<'a> {
        Body { nodes: self.nodes, links: self.links, script_nodes: self.script_nodes }
    }
    pub(super) fn cluster_link_offset(&self, index: usize) -> u64 {
        at(self.cluster_links_at, index, size_of::<ClusterLink>())
    }
    pub(super) fn script_offset(&self, index: usize) -> u64 {
        at(self.script_at, index, size_of::<ScriptNode>())
    }
    pub(super) fn hint_offset(&self, index: usize) -> u64 {
        at(self.hints_at, index, size_of::<HintValue>())
    }
    /// Where the hints, or the checksum, end.
    pub(super) fn end(&self) -> u64 {
        self.hint_offset(self.hints.len()).saturating_add(if self.checksum.is_some() { 4 } else { 0 })
    }
}

/// The parts of a file that are a graph.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body<'a> {
    pub(super) nodes: &'a [RespawnNode],
    pub(super) links: &'a [RespawnLink],
    pub(super) script_nodes: &'a [ScriptNode],
}

impl Body<'_> {
    pub(super) fn node_offset(&self, index: usize) -> u64 {
        at(size_of::<RespawnHeader>() as u64, index, size_of::<RespawnNode>())
    }
    pub(super) fn link_offset(&self, index: usize) -> u64 {
        at(self.node_offset(self.nodes.len()).saturating_add(4), index, size_of::<RespawnLink>())
    }
}

fn at(start: u64, index: usize, len: usize) -> u64 {
    start.saturating_add((index as u64).saturating_mul(len as u64))
}

fn signed(stored: u32) -> i32 {
    stored.cast_signed()
}

fn claimed(at: u64, count: i32, what: &'static str) -> Result<usize> {
    usize::try_from(count).map_err(|_| Error::invalid(what, format!("{count} of them claimed")).at(at))
}

fn list<'a, T>(cursor: &mut Cursor<'a>, what: &'static str) -> Result<&'a [T]>
where
    T: zerocopy::FromBytes + zerocopy::Immutable + zerocopy::KnownLayout + zerocopy::Unaligned,
{
    let at = cursor.offset();
    let count = claimed(at, signed(cursor.u32(what)?), what)?;
    cursor.slice(count, what)
}

fn hull_zones<'a>(cursor: &mut Cursor<'a>) -> Result<HullZones<'a>> {
    let (zones, bits) = (signed(cursor.u32("zones")?), cursor.u16("bits of zones")?);
    let words = cursor.record::<U16>("words of zones")?.get();
    Ok(HullZones { zones, bits, words: cursor.slice(words.into(), "words of zones")? })
}

/// A cluster: neighbouring nodes. Borrowed from the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster<'a> {
    /// Its place in the list, as stored.
    pub index: i32,
    /// A byte without a known meaning.
    pub unknown_0x04: u8,
    /// The mean of its nodes.
    pub centre: Vector,
    /// Its nodes.
    pub nodes: &'a [NodeIndex],
    /// The links between clusters that touch it.
    pub links: &'a [ClusterLinkIndex],
    /// A byte from 2 to 10 without a known meaning.
    pub unknown_last: u8,
    /// The byte at which it begins.
    pub offset: u64,
}

/// A walk over the clusters of a file. An error ends it. Allocates nothing.
#[derive(Debug, Clone, Copy)]
pub struct Clusters<'a> {
    cursor: Cursor<'a>,
    count: usize,
    next: usize,
}

/// The least bytes that a cluster takes.
const LEAST: usize = 26;

fn cluster<'a>(cursor: &mut Cursor<'a>) -> Result<Cluster<'a>> {
    let offset = cursor.offset();
    Ok(Cluster {
        index: signed(cursor.u32("index")?),
        unknown_0x04: cursor.u8("cluster")?,
        centre: *cursor.record("centre")?,
        nodes: list(cursor, "nodes of a cluster")?,
        links: list(cursor, "links of a cluster")?,
        unknown_last: cursor.u8("cluster")?,
        offset,
    })
}

impl<'a> Iterator for Clusters<'a> {
    type Item = Result<Cluster<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.count {
            return None;
        }
        let index = self.next as u64;
        let taken = cluster(&mut self.cursor).map_err(|error| error.in_record("cluster", index));
        self.next = if taken.is_ok() { self.next.saturating_add(1) } else { self.count };
        Some(taken)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let fits = (self.cursor.left() / LEAST).saturating_add(1);
        (0, Some(self.count.saturating_sub(self.next).min(fits)))
    }
}

impl std::iter::FusedIterator for Clusters<'_> {}

/// Whether the first page, or the whole file if it is shorter, may be of version 57.
pub(super) fn may_be(page: &[u8]) -> bool {
    let mut cursor = Cursor::new(page, 0);
    let Ok((_, nodes)) = respawn_header(&mut cursor) else { return false };
    if nodes == 0 {
        // No links, traverse nodes, zones, clusters or links between clusters; then a small number.
        let empty = page.get(16..70).is_some_and(|rest| rest.iter().all(|byte| *byte == 0));
        let number =
            page.get(70..).and_then(|rest| rest.first_chunk()).map(|number| i32::from_le_bytes(*number));
        return empty && number.is_some_and(|number| (-1..256).contains(&number));
    }
    let whole = cursor.left().checked_div(size_of::<RespawnNode>()).unwrap_or(0).min(nodes);
    let sane = |value: f32| value == 0.0 || (1e-30..=131_072.0).contains(&value.abs());
    let list: &[RespawnNode] = cursor.slice(whole, "nodes").unwrap_or_default();
    let sound = |node: &RespawnNode| {
        (1..=5).contains(&node.kind().0)
            && node.origin().into_iter().all(sane)
            && sane(node.yaw())
            && node.cluster() >= -1
            && node.unknown().1 == [0; 8]
    };
    whole > 0 && list.iter().all(sound)
}
