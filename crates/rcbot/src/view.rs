//! A `.rcw` file, in place.

use super::flags::{FileFlags, Game};
use super::iter::{Waypoint, Waypoints};
use super::layout::{Layout, is_known};
use super::record::{Authors, Header, name};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;

/// The waypoints of RCBot2.
///
/// Opening a file passes over the waypoints, whose length varies. Nothing is copied.
#[derive(Debug, Clone, Copy)]
pub struct RcbotNav<'a> {
    header: &'a Header,
    authors: Option<&'a Authors>,
    waypoints: Waypoints<'a>,
    trailing: &'a [u8],
    end: u64,
}

impl<'a> RcbotNav<'a> {
    /// Opens a file. Linear in its waypoints.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh) or [`Instead`](navmap_core::ErrorKind::Instead) for another kind of file,
    /// [`Version`](navmap_core::ErrorKind::Version) for a version that no real file has and that does not end where the file
    /// ends, [`Truncated`](navmap_core::ErrorKind::Truncated) or [`Count`](navmap_core::ErrorKind::Count) for a file that is too
    /// short, [`Invalid`](navmap_core::ErrorKind::Invalid) for a negative count.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, 0);
        let header = header(&mut cursor)?;
        let whole = body(header, &mut cursor);
        if is_known(header.version()) {
            return whole;
        }
        whole.ok().filter(|nav| nav.trailing.is_empty()).ok_or_else(|| unknown(header.version()))
    }

    /// The 92 bytes that the file begins with.
    pub fn header(&self) -> &'a Header {
        self.header
    }
    /// 3 or 4.
    pub fn version(&self) -> i32 {
        self.header.version()
    }
    /// Whether no real file has this version, and it was read because everything ends where the file ends.
    pub fn is_experimental(&self) -> bool {
        !is_known(self.version())
    }
    /// What lies beside the file.
    pub fn flags(&self) -> FileFlags {
        self.header.flags()
    }
    /// The name of the map.
    pub fn map(&self) -> &'a [u8] {
        name(self.header.map())
    }
    /// The game, which the name of the map tells.
    pub fn game(&self) -> Option<Game> {
        Game::of_map(self.map())
    }
    /// Who made the file, with what follows the zeros; of version 4.
    pub fn authors(&self) -> Option<&'a Authors> {
        self.authors
    }
    /// Whoever made the file.
    pub fn author(&self) -> Option<&'a [u8]> {
        self.authors.map(|authors| name(authors.author()))
    }
    /// Whoever changed it last.
    pub fn editor(&self) -> Option<&'a [u8]> {
        self.authors.map(|authors| name(authors.editor()))
    }
    /// The waypoints, deleted ones among them: links go by their numbers.
    pub fn waypoints(&self) -> Waypoints<'a> {
        self.waypoints
    }
    /// How many, deleted ones among them.
    pub fn len(&self) -> usize {
        self.waypoints.left()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Those that were not deleted.
    pub fn used(&self) -> impl Iterator<Item = Waypoint<'a>> + Clone + use<'a> {
        self.waypoints.filter(Waypoint::is_used)
    }
    /// The bytes after the last waypoint. No public file has any.
    pub fn trailing(&self) -> &'a [u8] {
        self.trailing
    }
    /// Where the last waypoint ends.
    pub(super) fn end(&self) -> u64 {
        self.end
    }
}

/// Takes the head and tells whether it is one.
pub(super) fn header<'a>(cursor: &mut Cursor<'a>) -> Result<&'a Header> {
    if !cursor.rest().starts_with(&Header::MAGIC) {
        return Err(not_mesh(cursor.rest()).at(0));
    }
    cursor.record("header")
}

/// Takes the claimed number of waypoints, for which the file has to have room.
pub(super) fn claim(header: &Header, at: u64, left: u64) -> Result<usize> {
    let stored = header.waypoints();
    let count = usize::try_from(stored)
        .map_err(|_| Error::invalid("waypoints", format!("{stored} of them claimed")).at(84))?;
    let claimed = count as u64;
    match claimed.saturating_mul(Layout::for_version(header.version()).least()) <= left {
        true => Ok(count),
        false => Err(Error::new(ErrorKind::Count { what: "waypoints", claimed, left }).at(at)),
    }
}

fn body<'a>(header: &'a Header, cursor: &mut Cursor<'a>) -> Result<RcbotNav<'a>> {
    let layout = Layout::for_version(header.version());
    let authors = if layout.authors { Some(cursor.record("authors")?) } else { None };
    let count = claim(header, cursor.offset(), cursor.left() as u64)?;
    let (waypoints, rest) = Waypoints::take(*cursor, layout, count)?;
    Ok(RcbotNav { header, authors, waypoints, trailing: rest.rest(), end: rest.offset() })
}

#[cold]
fn unknown(version: i32) -> Error {
    let why = "no real file has it, and what follows does not end where the file ends";
    let kind = ErrorKind::Version {
        format: "RCBot2 waypoint",
        found: version.cast_unsigned(),
        subversion: None,
        why,
    };
    Error::new(kind).at(80)
}
