//! A binary `.ain` of version 37 or 41, in place.

use super::iter::{AinLinks, AinNodes};
use super::layout::{Layout, solve};
use super::record::{AinHeader, HammerId};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;

/// The most nodes that the 16-bit ends of links reach.
pub const MOST_NODES: usize = 32_768;

/// The most nodes that an engine of 37 or 41 loads. With more the game stops: "AI node graph is corrupt".
pub const ENGINE_NODES: usize = 1_500;

/// The most links that the engine makes at a node.
pub const ENGINE_LINKS: usize = 30;

/// Nodes, links and Hammer ids, in place or, of a text, unpacked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) layout: Layout,
    pub(super) nodes: &'a [u8],
    pub(super) node_count: usize,
    pub(super) links: &'a [u8],
    pub(super) link_count: usize,
    pub(super) ids: &'a [HammerId],
    /// The byte of the first node; `None` in a text, whose lines have no fixed place.
    pub(super) start: Option<u64>,
}

impl<'a> Parts<'a> {
    /// Takes them from behind the head.
    pub(super) fn take(cursor: &mut Cursor<'a>, version: i32, node_count: usize) -> Result<Self> {
        let solved = solve(cursor, version, node_count)?;
        let (layout, start) = (solved.layout, Some(cursor.offset()));
        let nodes = cursor.bytes(node_count.saturating_mul(layout.node_len()), "nodes")?;
        cursor.skip(4, "number of links")?;
        let links = cursor.bytes(solved.links.saturating_mul(layout.link_len()), "links")?;
        let ids = cursor.slice(node_count, "Hammer ids")?;
        Ok(Self { layout, nodes, node_count, links, link_count: solved.links, ids, start })
    }

    pub(super) fn nodes(self) -> AinNodes<'a> {
        AinNodes::new(self.nodes, self.node_count, self.layout)
    }
    pub(super) fn links(self) -> AinLinks<'a> {
        AinLinks::new(self.links, self.link_count, self.layout)
    }
    /// The byte of a node.
    pub(super) fn node_offset(self, index: usize) -> Option<u64> {
        let before = (index as u64).saturating_mul(self.layout.node_len() as u64);
        Some(self.start?.saturating_add(before))
    }
    /// The byte of a link.
    pub(super) fn link_offset(self, index: usize) -> Option<u64> {
        let before = (index as u64).saturating_mul(self.layout.link_len() as u64);
        Some(self.node_offset(self.node_count)?.saturating_add(4).saturating_add(before))
    }
    /// The byte of a Hammer id.
    pub(super) fn id_offset(self, index: usize) -> Option<u64> {
        Some(self.link_offset(self.link_count)?.saturating_add((index as u64).saturating_mul(4)))
    }
}

/// A node graph of Source: `.ain` of version 37 (2004 to 2013) or 41 (Alien Swarm and later).
///
/// Opening it finds the number of hulls, which the file does not store; nothing is copied.
#[derive(Debug, Clone, Copy)]
pub struct AinNav<'a> {
    header: &'a AinHeader,
    pub(super) parts: Parts<'a>,
    trailing: &'a [u8],
}

impl<'a> AinNav<'a> {
    /// Opens a file. Linear in the worst case: nodes are looked at if the size alone does not tell the number of hulls.
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
        Ok(Self { header, parts, trailing: cursor.rest() })
    }

    /// The 12 bytes that the file begins with.
    pub fn header(&self) -> &'a AinHeader {
        self.header
    }
    /// 37 or 41.
    pub fn version(&self) -> i32 {
        self.header.version()
    }
    /// The revision of the map that the graph was made for. The engine makes the graph again if it is not that of the map.
    pub fn map_version(&self) -> i32 {
        self.header.map_version()
    }
    /// How many hulls nodes and links have; 0 in a file without nodes, which does not tell.
    pub fn hulls(&self) -> usize {
        self.parts.layout.hulls.into()
    }
    /// The nodes.
    pub fn nodes(&self) -> AinNodes<'a> {
        self.parts.nodes()
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

/// The version of a file, if its first bytes are one. Files of consoles and versions that are not read are refused by name.
pub(super) fn version(cursor: &mut Cursor<'_>, known: &[i32]) -> Result<i32> {
    let bytes = cursor.rest();
    let Some(first) = bytes.first_chunk::<4>() else { return Err(not_mesh(bytes).at(0)) };
    let refused = |format, found: i32, why| {
        let kind = ErrorKind::Version { format, found: found.cast_unsigned(), subversion: None, why };
        Err(Error::new(kind).at(0))
    };
    match i32::from_le_bytes(*first) {
        found if known.contains(&found) => Ok(found),
        54 => refused("AI node graph", 54, "of Titanfall, of which no public file is known"),
        160 => refused("AI node graph", 160, "of 64-bit builds of Xash3D, of which no public file is known"),
        _ => match i32::from_be_bytes(*first) {
            found @ (37 | 41) => refused(
                "AI node graph of a console (big-endian)",
                found,
                "not read, take the file of the PC version",
            ),
            _ => Err(not_mesh(bytes).at(0)),
        },
    }
}

/// A count of nodes that links can reach.
pub(super) fn node_count(claimed: i32, at: u64) -> Result<usize> {
    let count = usize::try_from(claimed).ok().filter(|count| *count <= MOST_NODES);
    count
        .ok_or_else(|| Error::invalid("nodes", format!("{claimed} claimed, links reach {MOST_NODES}")).at(at))
}

/// Takes the head.
pub(super) fn header<'a>(cursor: &mut Cursor<'a>) -> Result<(&'a AinHeader, usize)> {
    version(cursor, &[37, 41])?;
    let header: &AinHeader = cursor.record("header")?;
    Ok((header, node_count(header.nodes(), 8)?))
}
