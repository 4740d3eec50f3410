//! A binary `.ain` of version 37 or 41, in place.

use super::flags::Hull;
use super::header::header;
use super::iter::{AinLinks, AinNodes};
use super::points::{Parts, Points};
use super::record::{AinHeader, HammerId};
use navmap_core::bytes::Cursor;
use navmap_core::error::Result;

/// The most nodes that an engine of 37 or 41 loads. With more the game stops: "AI node graph is corrupt".
pub const ENGINE_NODES: usize = 1_500;

/// The most links that the engine makes at a node.
pub const ENGINE_LINKS: usize = 30;

/// A node graph of Source: `.ain` of version 37 (2004 to 2013) or 41 (Alien Swarm and later).
///
/// Opening it finds the number of hulls, which the file does not store; nothing is copied.
#[derive(Debug, Clone, Copy)]
pub struct AinNav<'a> {
    header: &'a AinHeader,
    pub(super) parts: Parts<'a>,
    trailing: &'a [u8],
    pub(super) hull: Option<Hull>,
}

impl<'a> AinNav<'a> {
    /// Opens a file. Linear in the worst case: if the size alone does not give the number of hulls, nodes are examined.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh) or [`Instead`](navmap_core::ErrorKind::Instead) for another kind of file,
    /// [`Version`](navmap_core::ErrorKind::Version) for versions that are known and not read and for files of consoles,
    /// [`Truncated`](navmap_core::ErrorKind::Truncated) for a file that is too short,
    /// [`Invalid`](navmap_core::ErrorKind::Invalid) for counts that fit no number of hulls.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, 0);
        let (header, nodes) = header(&mut cursor)?;
        let parts = Parts::take(&mut cursor, header.version(), nodes)?;
        Ok(Self { header, parts, trailing: cursor.rest(), hull: None })
    }

    /// The 12 bytes that the file begins with.
    pub fn header(&self) -> &'a AinHeader {
        self.header
    }
    /// 37 or 41.
    pub fn version(&self) -> i32 {
        self.header.version()
    }
    /// The revision of the map that the graph was made for. If the map has another, the engine makes the graph again.
    pub fn map_version(&self) -> i32 {
        self.header.map_version()
    }
    /// How many hulls nodes and links have. 0 if there are no nodes: the number is then unknown.
    pub fn hulls(&self) -> usize {
        self.parts.layout.hulls.into()
    }
    /// The nodes.
    pub fn nodes(&self) -> AinNodes<'a> {
        self.parts.nodes()
    }
    /// The height of the floor under a node on the ground, computed from the heights of its hulls; `None` for other nodes. Within
    /// 2 units of the mesh of the same map at 564 of 574 real nodes.
    pub fn floor(&self, node: usize) -> Option<f32> {
        let [.., z] = self.nodes().get(node)?.origin();
        Some(z - Points::Source(self.parts).floor_below(node)?)
    }
    /// The links, each of which works both ways.
    pub fn links(&self) -> AinLinks<'a> {
        self.parts.links()
    }
    /// The id in the map's source of each node.
    pub fn hammer_ids(&self) -> &'a [HammerId] {
        self.parts.ids
    }
    /// The bytes after the end. No public file has any.
    pub fn trailing(&self) -> &'a [u8] {
        self.trailing
    }
    /// Where the ids end.
    pub(super) fn end(&self) -> u64 {
        self.parts.id_offset(self.parts.node_count).unwrap_or_default()
    }
}
