//! A `.graph` file: its head in place, its nodes unpacked once.

use super::flags::GraphOptions;
use super::iter::Nodes;
use super::record::{Header, Node};
use super::ulz;
use navmap_core::Limits;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;
use zerocopy::FromBytes;

/// The most nodes that 16-bit link targets can number. The largest real graph has 2,048.
pub const MOST_NODES: usize = 32_768;

/// The most nodes that YaPB loads. It deletes a larger file.
pub const GRAPH_NODES: usize = 4_096;

/// A graph of YaPB.
///
/// Opening it unpacks the nodes, 220 bytes each, into its own memory. Everything else is read in place.
#[derive(Debug, Clone)]
pub struct YapbNav<'a> {
    header: &'a Header,
    packed: &'a [u8],
    unpacked: Vec<u8>,
    extension: Extension<'a>,
    trailing: &'a [u8],
    experimental: bool,
}

impl<'a> YapbNav<'a> {
    /// Opens a file. Bytes after its extension are a finding; [`trailing`](Self::trailing) gives them. Checks the unpacked size
    /// against the number of nodes and the limits before unpacking.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh) or [`Instead`](navmap_core::ErrorKind::Instead) for another magic and for
    /// containers without a graph. [`Version`](navmap_core::ErrorKind::Version) for an unknown version that does not end exactly
    /// at the end of the file. [`Truncated`](navmap_core::ErrorKind::Truncated) for a file that is too short.
    /// [`Invalid`](navmap_core::ErrorKind::Invalid) for sizes that contradict each other and for a damaged stream.
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, 0);
        let (header, sizes) = header(&mut cursor)?;
        Limits::charge("unpacked size", sizes.unpacked as u64, limits.inflated_bytes)?;
        let offset = cursor.offset();
        let packed = cursor.bytes(sizes.packed, "packed nodes")?;
        let unpacked = ulz::unpack(packed, offset, sizes.unpacked)?;
        let after = cursor.rest();
        let len = extension_len(header, after);
        let (extension, trailing) = after.split_at_checked(len).unwrap_or((&[], after));
        let extension = Extension(extension);
        let experimental = !is_known(header);
        if experimental && (extension.is_missing(header) || !trailing.is_empty()) {
            return Err(Error::new(ErrorKind::Version {
                format: "YaPB graph",
                found: header.version().cast_unsigned(),
                subversion: None,
                why: "unknown, and what follows the nodes does not end where the file ends",
            })
            .at(4));
        }
        Ok(Self { header, packed, unpacked, extension, trailing, experimental })
    }

    /// The 24 bytes that the file begins with.
    pub fn header(&self) -> &'a Header {
        self.header
    }
    /// 1 or 2; they differ in what the extension may hold.
    pub fn version(&self) -> i32 {
        self.header.version()
    }
    /// The content and origin of the file.
    pub fn options(&self) -> GraphOptions {
        self.header.options()
    }
    /// Whether the version is unknown. Such a file is read if its parts end exactly at its end.
    pub fn is_experimental(&self) -> bool {
        self.experimental
    }
    /// The waypoints, from the view's own memory.
    pub fn nodes(&self) -> &[Node] {
        <[Node]>::ref_from_bytes(&self.unpacked).unwrap_or_default()
    }
    /// The waypoints, in the type shared by both forms of file.
    pub fn waypoints(&self) -> Nodes<'_> {
        Nodes::Graph(self.nodes())
    }
    /// The packed nodes.
    pub fn packed(&self) -> &'a [u8] {
        self.packed
    }
    /// The part after the nodes: author, size of the map, editor.
    pub fn extension(&self) -> Extension<'a> {
        self.extension
    }
    /// The bytes after the extension. One real file has 6,200 of them.
    pub fn trailing(&self) -> &'a [u8] {
        self.trailing
    }
    /// Where the extension ends.
    pub(super) fn end(&self) -> u64 {
        let parts = [size_of::<Header>(), self.packed.len(), self.extension.0.len()];
        parts.iter().fold(0, |end, len| end.saturating_add(*len as u64))
    }
}

/// The part after the packed nodes, in place: 64 bytes (author and zeros), 36 (author and size of the map) or 68 (with the
/// editor). Empty if the file has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extension<'a>(&'a [u8]);

impl<'a> Extension<'a> {
    /// The bytes, including stale ones after the ends of names.
    pub fn bytes(self) -> &'a [u8] {
        self.0
    }
    /// The author of the graph.
    pub fn author(self) -> Option<&'a [u8]> {
        self.0.get(..32).map(name)
    }
    /// Size in bytes of the map the graph was made for; `None` if unknown.
    pub fn map_size(self) -> Option<u32> {
        let stored = self.0.get(32..).filter(|_| self.0.len() != 64)?;
        let size = stored.first_chunk().map(|size| i32::from_le_bytes(*size))?;
        u32::try_from(size).ok().filter(|size| *size > 0)
    }
    /// The last person to change the graph.
    pub fn editor(self) -> Option<&'a [u8]> {
        self.0.get(36..68).map(name)
    }
    /// Whether the options announce an extension, but none of a known size follows.
    pub(super) fn is_missing(self, header: &Header) -> bool {
        self.0.is_empty() && header.options().contains(GraphOptions::EXTENSION)
    }
}

/// A name up to its zero.
pub(super) fn name(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// How many of the bytes after the nodes are the extension. Only their number shows it.
fn extension_len(header: &Header, after: &[u8]) -> usize {
    if !header.options().contains(GraphOptions::EXTENSION) {
        return 0;
    }
    // Version 1 usually has 32 zeros after the author. Other bytes are either the end of an editor's name that begins with zeros,
    // or do not belong to the extension.
    let zeros = |range| after.get(range).is_some_and(|bytes: &[u8]| bytes.iter().all(|byte| *byte == 0));
    let plain = header.version() == 1 && zeros(32..64) && !zeros(64..68);
    match after.len() {
        ..36 => 0,
        36..64 => 36,
        64..68 => 64,
        _ if plain => 64,
        _ => 68,
    }
}

/// The sizes that a head claims, checked against each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    pub(super) nodes: usize,
    pub(super) packed: usize,
    pub(super) unpacked: usize,
}

/// Whether the first bytes are those of a YaPB container, with any content.
pub(super) fn is_container(head: &[u8]) -> bool {
    head.starts_with(b"BPAY") || head.starts_with(b"UBOT")
}

/// Whether the version occurs in real files.
pub(super) fn is_known(header: &Header) -> bool {
    (1..=2).contains(&header.version())
}

/// Reads the head and checks its claims against each other.
pub(super) fn header<'a>(cursor: &mut Cursor<'a>) -> Result<(&'a Header, Sizes)> {
    if !is_container(cursor.rest()) {
        return Err(not_mesh(cursor.rest()).at(0));
    }
    let header: &Header = cursor.record("header")?;
    if !header.options().contains(GraphOptions::GRAPH) {
        let what = if header.options().any(GraphOptions::PRACTICE) {
            "what bots of YaPB have learnt (practice), not a graph"
        } else if header.options().any(GraphOptions::MATRIX) {
            "a matrix of ways of YaPB, not a graph"
        } else if header.options().any(GraphOptions::VISIBILITY) {
            "a table of YaPB of which nodes see which, not a graph"
        } else {
            "a container of YaPB that holds no graph"
        };
        return Err(Error::new(ErrorKind::Instead { what }).at(8));
    }
    let size = |what: &'static str, stored: i32, at: u64| {
        usize::try_from(stored).map_err(|_| Error::invalid(what, format!("{stored} of them claimed")).at(at))
    };
    let nodes = size("nodes", header.nodes(), 12)?;
    let packed = size("packed bytes", header.packed(), 16)?;
    let unpacked = size("unpacked bytes", header.unpacked(), 20)?;
    if nodes > MOST_NODES {
        let why = format!("{nodes} claimed, the targets of links reach {MOST_NODES}");
        return Err(Error::invalid("nodes", why).at(12));
    }
    let wanted = nodes.saturating_mul(size_of::<Node>());
    if unpacked != wanted {
        let why = format!("{unpacked} claimed, {nodes} nodes have {wanted}");
        return Err(Error::invalid("unpacked bytes", why).at(20));
    }
    Ok((header, Sizes { nodes, packed, unpacked }))
}
