//! The limits that follow from the widths of fields. `docs/formats/fox.md`, section 13.

use navmap_core::error::{Error, Result};

/// The most segments of a group: the number has 12 bits, and all ones mark an unresolved one.
pub(crate) const SEGMENTS: usize = 4_095;
/// The most faces of a group: the number has 14 bits, and all ones are reserved.
pub(crate) const FACES: usize = 16_383;
/// The most vertices, nodes or edges of a group.
pub(crate) const ITEMS: usize = 65_535;
/// The most bytes of node links in a group: offsets are halfwords in 16 bits.
pub(crate) const NODE_LINKS: usize = 131_072;
/// The most bytes of coarse links in a group: offsets are halfwords in 20 bits.
pub(crate) const SEGMENT_LINKS: usize = 2 << 20;
/// The most bytes of face records in a group: offsets are halfwords in 18 bits.
pub(crate) const FACE_DATA: usize = 512 << 10;

/// The count if it fits, else an error that names both numbers.
pub(super) fn within(what: &'static str, count: usize, most: usize) -> Result<usize> {
    if count <= most { Ok(count) } else { Err(too_many(what, count, most)) }
}

#[cold]
fn too_many(what: &'static str, count: usize, most: usize) -> Error {
    Error::invalid(what, format!("{count}, {most} fit"))
}

/// Checks that corresponding lists are equally long.
pub(super) fn paired(what: &'static str, count: usize, expected: usize) -> Result<()> {
    if count == expected {
        return Ok(());
    }
    Err(Error::invalid(what, format!("{count} of them where there are {expected} of what they belong to")))
}
