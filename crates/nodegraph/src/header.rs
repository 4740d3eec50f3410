//! What every file begins with: the version, and counts.

use super::layout::MOST_NODES;
use super::record::{AinHeader, RespawnHeader};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;

/// The version of a file. The error for files of consoles and for versions that are not read names them.
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

/// A count of nodes. Refuses more than links can refer to.
pub(super) fn node_count(claimed: i32, at: u64) -> Result<usize> {
    let count = usize::try_from(claimed).ok().filter(|count| *count <= MOST_NODES);
    count
        .ok_or_else(|| Error::invalid("nodes", format!("{claimed} claimed, links reach {MOST_NODES}")).at(at))
}

/// Takes the head of version 37 or 41.
pub(super) fn header<'a>(cursor: &mut Cursor<'a>) -> Result<(&'a AinHeader, usize)> {
    version(cursor, &[37, 41])?;
    let header: &AinHeader = cursor.record("header")?;
    Ok((header, node_count(header.nodes(), 8)?))
}

/// Takes the head of version 57.
pub(super) fn respawn_header<'a>(cursor: &mut Cursor<'a>) -> Result<(&'a RespawnHeader, usize)> {
    version(cursor, &[57])?;
    let header: &RespawnHeader = cursor.record("header")?;
    Ok((header, node_count(header.nodes(), 12)?))
}
