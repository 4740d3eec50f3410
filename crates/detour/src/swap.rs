//! Big-endian files: every number is swapped once, in memory.

use super::head::TileHead;
use super::layout::{Layout, Order, Refs, Section, TILE_MAGIC};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};

/// Swaps a whole file: a set with or without bounds, or a bare tile. `from` is its current byte order.
///
/// # Errors
/// If counts and sizes do not fit.
pub(super) fn file(bytes: &mut [u8], from: Order) -> Result<()> {
    let magic = bytes.first_chunk::<4>().copied().map(|magic| match from {
        Order::Little => magic,
        Order::Big => reversed(magic),
    });
    let head = match magic {
        Some(TILE_MAGIC) => return tile(bytes, 0, from),
        Some([b'T', b'E', b'S', b'M']) => 40,
        Some([b'T', b'A', b'S', b'M']) => 64,
        _ => return Err(Error::invalid("byte order", "only sets and tiles are read big-endian")),
    };
    let count = word(bytes, 8, from).unwrap_or(0);
    words(bytes, 0, head);
    let mut at = head;
    for _ in 0..count {
        let Some(size) = word(bytes, at.saturating_add(4), from) else { break };
        let start = at.saturating_add(8);
        words(bytes, at, 8);
        let end = start.saturating_add(size as usize);
        let Some(one) = bytes.get_mut(start..end) else { break };
        tile(one, start as u64, from)?;
        at = end;
    }
    Ok(())
}

/// Swaps a tile.
fn tile(bytes: &mut [u8], offset: u64, from: Order) -> Result<()> {
    let version = word(bytes, 4, from).unwrap_or(0);
    let unknown =
        |why| Error::new(ErrorKind::Version { format: "Detour tile", found: version, subversion: None, why });
    let layout =
        Layout::for_version(version).ok_or_else(|| unknown("unknown big-endian version").at(offset))?;
    if bytes.len() < layout.head_len() {
        return Err(Cursor::new(bytes, offset).short("tile head", layout.head_len() as u64));
    }
    if from == Order::Big {
        words(bytes, 0, layout.head_len());
    }
    let mut cursor = Cursor::new(bytes.get(8..).unwrap_or_default(), offset.saturating_add(8));
    let head = TileHead::parse(&mut cursor, version, layout)?;
    let size = bytes.len() as u64;
    let ends = |refs: &Refs| layout.offsets(&head, *refs).last().is_some_and(|end| *end <= size);
    let exact = |refs: &Refs| layout.offsets(&head, *refs).last() == Some(&size);
    let ways = [Refs::Narrow, Refs::Wide];
    let refs = ways.into_iter().find(exact).or_else(|| ways.into_iter().find(ends));
    let Some(refs) = refs else {
        let left = size;
        let needed = layout.offsets(&head, Refs::Narrow).last().copied().unwrap_or(u64::MAX);
        return Err(Error::new(ErrorKind::Truncated { what: "tile", needed, left }).at(offset));
    };
    let offsets = layout.offsets(&head, refs);
    if from == Order::Little {
        words(bytes, 0, layout.head_len());
    }
    for (section, start) in Section::ALL.into_iter().zip(offsets) {
        let record = usize::try_from(layout.record_len(section, refs)).unwrap_or(usize::MAX);
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let count = usize::try_from(head.count(section)).unwrap_or(0);
        let end = start.saturating_add(record.saturating_mul(count));
        let Some(all) = bytes.get_mut(start..end) else { continue };
        let fields = fields(section, layout, refs);
        for record in all.chunks_exact_mut(record.max(1)) {
            let mut at = 0usize;
            for &(width, count) in fields {
                for _ in 0..count {
                    let end = at.saturating_add(width);
                    if let Some(field) = record.get_mut(at..end) {
                        field.reverse();
                    }
                    at = end;
                }
            }
        }
    }
    Ok(())
}

/// The fields of a record: their widths, and how many of each.
fn fields(section: Section, layout: Layout, refs: Refs) -> &'static [(usize, usize)] {
    match (section, layout) {
        (Section::Vertices | Section::DetailVertices, _) => &[(4, 3)],
        (Section::Polygons, Layout::V16) => &[(2, 12), (4, 1), (1, 2), (2, 1)],
        (Section::Polygons, Layout::V13) => &[(4, 1), (2, 13), (1, 2), (2, 2), (4, 3)],
        (Section::Polygons, _) => &[(4, 1), (2, 13), (1, 2)],
        (Section::Map, _) => &[(4, 1)],
        (Section::Links, Layout::V13) => &[(4, 2), (1, 6), (2, 1)],
        (Section::Links, _) if refs == Refs::Wide => &[(8, 1), (4, 1), (1, 4)],
        (Section::Links, _) => &[(4, 2), (1, 4)],
        (Section::Details, Layout::V16) => &[(4, 2), (2, 2)],
        (Section::Details, _) => &[(4, 2), (1, 2), (2, 1)],
        (Section::Triangles, Layout::V16) => &[(2, 4)],
        (Section::Triangles, _) => &[(1, 4)],
        (Section::Tree, _) => &[(2, 6), (4, 1)],
        (Section::OffMesh, Layout::V13) => &[(4, 7), (2, 1), (1, 2), (4, 5)],
        (Section::OffMesh, _) => &[(4, 7), (2, 1), (1, 2), (4, 1)],
    }
}

fn reversed(mut magic: [u8; 4]) -> [u8; 4] {
    magic.reverse();
    magic
}

/// The word at an offset, in the file's byte order.
fn word(bytes: &[u8], at: usize, from: Order) -> Option<u32> {
    let stored = *bytes.get(at..)?.first_chunk::<4>()?;
    Some(match from {
        Order::Little => u32::from_le_bytes(stored),
        Order::Big => u32::from_be_bytes(stored),
    })
}

fn words(bytes: &mut [u8], at: usize, len: usize) {
    if let Some(part) = bytes.get_mut(at..at.saturating_add(len)) {
        part.chunks_exact_mut(4).for_each(<[u8]>::reverse);
    }
}
