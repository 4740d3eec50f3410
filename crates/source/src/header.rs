//! The start of every Valve mesh: magic, version and sub-version, and the game they imply.

use navmap_core::Counts;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::Summary;
use navmap_core::format::not_mesh;

pub(super) const FORMAT: &str = "Source navigation mesh";
pub(super) const MAGIC: u32 = 0xFEED_FACE;

/// Whether the bytes begin as a mesh of this family, in any version.
pub fn recognise(head: &[u8]) -> bool {
    head.starts_with(&MAGIC.to_le_bytes())
}

/// Whether bytes that [`recognise`] accepts are a mesh of Source 2, which [`Source2Nav`](super::Source2Nav) reads and
/// [`SourceNav`](super::SourceNav) does not.
pub fn is_source_2(head: &[u8]) -> bool {
    version(&mut Cursor::new(head, 0)).is_ok_and(|(version, _)| version >= 30)
}

pub(super) fn summary(version: u32, subversion: Option<u32>, counts: Counts) -> Summary {
    Summary { game: game(version, subversion), version: Some(version), subversion, counts }
}

/// The game that writes this version and sub-version. `docs/formats/source.md`, section 2.
pub(super) fn game(version: u32, subversion: Option<u32>) -> Option<&'static str> {
    Some(match (version, subversion) {
        (1..=5, _) => "Counter-Strike: Condition Zero",
        (9, _) => "Counter-Strike: Source",
        (15, Some(13)) => "Left 4 Dead",
        (16, Some(0)) => "Source SDK 2013",
        (16, Some(1)) => "Counter-Strike: Global Offensive",
        (16, Some(2)) => "Team Fortress 2",
        (16, Some(4)) => "Insurgency",
        (16, Some(14)) => "Left 4 Dead 2",
        (30, _) => "Half-Life: Alyx",
        (35 | 36, _) => "Counter-Strike 2",
        _ => return None,
    })
}

/// Magic, version and, from version 10, the sub-version.
pub(super) fn version(cursor: &mut Cursor<'_>) -> Result<(u32, Option<u32>)> {
    let mut ahead = *cursor;
    if ahead.u32("magic").ok() != Some(MAGIC) {
        return Err(not_mesh(cursor.rest()).at(0));
    }
    let version = ahead.u32("version")?;
    let subversion = if version >= 10 { Some(ahead.u32("sub-version")?) } else { None };
    *cursor = ahead;
    Ok((version, subversion))
}

/// The error of a version that this view does not read.
#[cold]
pub(super) fn unreadable(version: u32, subversion: Option<u32>) -> Error {
    let why = match version {
        0 => "there is no such version",
        30.. => "a mesh of Source 2, which Source2Nav reads",
        _ => "no known game writes it",
    };
    Error::new(ErrorKind::Version { format: FORMAT, found: version, subversion, why }).at(4)
}
