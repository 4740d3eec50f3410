//! A `.pwf` file, in place.

use super::iter::Nodes;
use super::record::{PwfHeader, PwfNode5, PwfNode6, PwfNode7};
use super::view::name;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;

/// The most nodes that POD-Bot reads.
pub const PWF_NODES: usize = 1_024;

/// The waypoints of POD-Bot. Opening takes constant time and allocates nothing.
#[derive(Debug, Clone, Copy)]
pub struct PwfNav<'a> {
    header: &'a PwfHeader,
    layout: i32,
    nodes: Nodes<'a>,
    trailing: &'a [u8],
}

impl<'a> PwfNav<'a> {
    /// Opens a file. Bytes after its last waypoint are a finding; [`trailing`](Self::trailing) gives them.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh) for another magic. [`Version`](navmap_core::ErrorKind::Version) for an
    /// unknown version that fits no known layout. [`Count`](navmap_core::ErrorKind::Count) or
    /// [`Truncated`](navmap_core::ErrorKind::Truncated) for a file that is too short.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, 0);
        let (header, count) = header(&mut cursor)?;
        let lay_out = |layout: i32| {
            let mut cursor = cursor;
            let nodes = Nodes::pwf(&mut cursor, layout, count)?;
            Ok(Self { header, layout, nodes, trailing: cursor.rest() })
        };
        if is_known(header.version()) {
            return lay_out(header.version());
        }
        let fits = LAYOUTS.into_iter().filter_map(|layout| lay_out(layout).ok());
        fits.into_iter().find(|nav| nav.trailing.is_empty() && count > 0).ok_or_else(|| {
            Error::new(ErrorKind::Version {
                format: "POD-Bot waypoints",
                found: header.version().cast_unsigned(),
                subversion: None,
                why: "unknown, and no layout of a known version ends where the file ends",
            })
            .at(8)
        })
    }

    /// The 80 bytes that the file begins with.
    pub fn header(&self) -> &'a PwfHeader {
        self.header
    }
    /// The version that the file claims: 7 in every real file, 5 and 6 in those of older bots.
    pub fn version(&self) -> i32 {
        self.header.version()
    }
    /// The version whose layout is read: 5, 6 or 7.
    pub fn layout(&self) -> i32 {
        self.layout
    }
    /// Whether the version is unknown. Such a file is read if a known layout ends exactly at its end.
    pub fn is_experimental(&self) -> bool {
        self.layout != self.header.version()
    }
    /// The waypoints: match on it for the bare records.
    pub fn waypoints(&self) -> Nodes<'a> {
        self.nodes
    }
    /// The map the file is for.
    pub fn map(&self) -> &'a [u8] {
        name(self.header.map())
    }
    /// Whoever made it.
    pub fn author(&self) -> &'a [u8] {
        name(self.header.author())
    }
    /// The bytes after the last waypoint. No real file has any.
    pub fn trailing(&self) -> &'a [u8] {
        self.trailing
    }
    /// Where the waypoints end.
    pub(super) fn end(&self) -> u64 {
        self.nodes.offset(self.nodes.len())
    }
}

/// Versions with a known layout, newest first.
pub(super) const LAYOUTS: [i32; 3] = [7, 6, 5];

pub(super) fn is_known(version: i32) -> bool {
    LAYOUTS.contains(&version)
}

/// Bytes of a waypoint of this version.
pub(super) fn len_of(layout: i32) -> u64 {
    let len = match layout {
        5 => size_of::<PwfNode5>(),
        6 => size_of::<PwfNode6>(),
        _ => size_of::<PwfNode7>(),
    };
    len as u64
}

/// Takes the head.
pub(super) fn header<'a>(cursor: &mut Cursor<'a>) -> Result<(&'a PwfHeader, usize)> {
    if !cursor.rest().starts_with(&PwfHeader::MAGIC) {
        return Err(not_mesh(cursor.rest()).at(0));
    }
    let header: &PwfHeader = cursor.record("header")?;
    let count = usize::try_from(header.nodes())
        .map_err(|_| Error::invalid("nodes", format!("{} of them claimed", header.nodes())).at(12))?;
    Ok((header, count))
}
