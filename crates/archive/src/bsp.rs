//! The pak lump of a VBSP map: lump 40, a whole ZIP.

use super::member::{self, Location};
use super::{Entry, Member, Method, Name, lzma, zip};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use std::ops::Range;
use zerocopy::byteorder::little_endian::U32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// One of the 64 lumps, in the order of every branch but one. Left 4 Dead 2 has version, offset, length, tag.
#[derive(FromBytes, KnownLayout, Immutable, Unaligned, Debug)]
#[repr(C)]
struct Lump {
    words: [U32; 4],
}

const _: () = assert!(size_of::<Lump>() == 16 && align_of::<Lump>() == 1);

/// Offset of the record of lump 40.
const PAK_LUMP_AT: usize = 8 + 40 * 16;

/// The contents of the pak lump.
#[derive(Debug)]
pub(super) enum Lump40<'a> {
    /// Nothing.
    Empty,
    /// A ZIP, in place.
    Zip(zip::Directory<'a>),
    /// A ZIP that is compressed as a whole: one member, itself an archive.
    Packed(Entry),
}

impl<'a> Lump40<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self> {
        const WHAT: &str = "BSP pak lump";
        let mut head = Cursor::new(bytes, 0);
        head.skip(PAK_LUMP_AT, "BSP lumps")?;
        let [a, b, c, _] = head.record::<Lump>("BSP lumps")?.words.map(U32::get);
        // Offset and length come first or second. In one of the two orders they point to the start of a ZIP.
        let orders = [(a, b), (b, c)];
        for (offset, len) in orders {
            if let Ok(lump) = member::slice(bytes, offset.into(), len.into()) {
                if lump.starts_with(b"PK\x03\x04") || lump.starts_with(b"PK\x05\x06") {
                    return zip::Directory::open(lump, offset.into()).map(Self::Zip);
                }
                if let Some(entry) = packed(lump, offset.into()) {
                    return Ok(Self::Packed(entry));
                }
            }
        }
        // No order fits. Any offset is legal with length 0; one past the end means that the map was truncated.
        let (offset, len) = if u64::from(a) < PAK_LUMP_AT as u64 { (b, c) } else { (a, b) };
        if len == 0 {
            return Ok(Self::Empty);
        }
        let left = (bytes.len() as u64).saturating_sub(offset.into());
        Err(if u64::from(len) > left {
            Error::new(ErrorKind::Truncated { what: WHAT, needed: len.into(), left })
        } else {
            Error::invalid(WHAT, "holds no ZIP")
        }
        .at(offset.into()))
    }

    /// The range of the ZIP's directory.
    pub(super) fn place(&self) -> Range<u64> {
        match self {
            Self::Zip(zip) => zip.place(),
            Self::Empty | Self::Packed(_) => 0..0,
        }
    }

    pub(super) fn members(&self) -> Members<'_> {
        match self {
            Self::Empty => Members::One(None),
            Self::Zip(zip) => Members::Zip(zip.members()),
            Self::Packed(entry) => Members::One(Some(*entry)),
        }
    }
}

fn packed(lump: &[u8], offset: u64) -> Option<Entry> {
    let ([s0, s1, s2, s3, ..], _) = lzma::lump_head(lump)?;
    Some(Entry {
        index: 0,
        size: u32::from_le_bytes([s0, s1, s2, s3]).into(),
        packed: lump.len() as u64,
        method: Method::ValveLzma,
        place: Location::Here(offset),
        crc: None,
    })
}

/// Unpacks such a lump, up to `size` bytes.
#[doc(hidden)]
pub fn unpacked(lump: &[u8], size: u64) -> Result<Vec<u8>> {
    use std::io::Read;
    let mut out = Vec::new();
    let read = lzma::of_lump(lump)?.take(size).read_to_end(&mut out);
    read.map_err(|error| Error::invalid("BSP lump", error.to_string()))?;
    Ok(out)
}

/// A lazy walk over the ZIP.
#[derive(Debug, Clone)]
pub(super) enum Members<'s> {
    Zip(zip::Members<'s>),
    One(Option<Entry>),
}

impl<'s> Iterator for Members<'s> {
    type Item = Result<Member<'s>>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Zip(zip) => zip.next(),
            Self::One(entry) => entry.take().map(|entry| Ok(Member { name: Name::Whole(b"pak.zip"), entry })),
        }
    }
}
