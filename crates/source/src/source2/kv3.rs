//! Finds KV3 blocks. Their bytes are not decoded.

use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};

/// A block of Valve's binary KeyValues 3, version 4, as stored. In Counter-Strike 2 the last one holds per-area hiding
/// spots, encounters, approach data and occupy times.
#[derive(Clone, Copy, Debug)]
pub struct Kv3Block<'a> {
    padding: &'a [u8],
    offset: u32,
    bytes: &'a [u8],
}

/// Magic, format, compression, and thirteen numbers. The packed size (at 52) was confirmed on `de_mirage`: 72 bytes and
/// the 206,294 that it states end where the file ends.
const HEADER: usize = 72;

impl<'a> Kv3Block<'a> {
    /// Zeros up to a multiple of 8 bytes in the file, then the magic.
    fn find(cursor: &mut Cursor<'a>) -> Result<&'a [u8]> {
        let len = cursor.offset().wrapping_neg() & 7;
        let padding = cursor.bytes(len as usize, "padding")?;
        if cursor.rest().starts_with(b"\x043VK") {
            return Ok(padding);
        }
        Err(Error::invalid("KV3 block", "does not begin with 04 33 56 4b").at(cursor.offset()))
    }

    /// Reads a block that something else follows. Its header says how long it is.
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        let padding = Self::find(cursor)?;
        let offset = cursor.offset();
        let mut header = Cursor::new(cursor.rest(), offset);
        header.skip(20, "KV3 header")?;
        let compression = header.u32("KV3 compression")?;
        header.skip(28, "KV3 header")?;
        let stored = header.u32("KV3 stored size")?;
        let (blobs, blob_bytes) = (header.u32("KV3 blob count")?, header.u32("KV3 blob bytes")?);
        if !matches!(compression, 1 | 2) || blobs != 0 || blob_bytes != 0 {
            return Err(Error::invalid("KV3 block", "of a kind whose length is not known").at(offset));
        }
        let bytes = cursor.bytes(HEADER.saturating_add(stored as usize), "KV3 block")?;
        Ok(Self { padding, offset: offset as u32, bytes })
    }

    /// Takes the last block, which is everything that is left.
    pub(super) fn rest(cursor: &mut Cursor<'a>) -> Result<Self> {
        let padding = Self::find(cursor)?;
        let offset = cursor.offset() as u32;
        let bytes = cursor.bytes(cursor.left(), "KV3 block")?;
        Ok(Self { padding, offset, bytes })
    }

    /// The bytes before it, up to 7: zeros in every file.
    pub fn padding(&self) -> &'a [u8] {
        self.padding
    }

    /// First byte in the file: a multiple of 8.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// First byte of what fills up before it.
    pub(super) fn padding_offset(&self) -> u32 {
        self.offset.saturating_sub(self.padding.len() as u32)
    }

    /// First byte after it.
    pub(super) fn end(&self) -> u32 {
        self.offset.saturating_add(self.bytes.len() as u32)
    }

    /// The block, from its magic on.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The GUID of its encoding.
    pub fn format(&self) -> Option<&'a [u8; 16]> {
        self.bytes.get(4..)?.first_chunk()
    }

    /// 1 for LZ4, 2 for zstd; both seen.
    pub fn compression(&self) -> Option<u32> {
        self.number(20)
    }

    /// Size once decompressed, as stated.
    pub fn unpacked_size(&self) -> Option<u32> {
        self.number(48)
    }

    /// Size of what follows its header of 72 bytes, as stated.
    pub fn packed_size(&self) -> Option<u32> {
        self.number(52)
    }

    /// Reports where the header contradicts the bytes that follow it. The content is not decoded.
    pub(super) fn damage(&self) -> Option<String> {
        let have = self.bytes.len();
        let (Some(compression), Some(packed)) = (self.compression(), self.packed_size()) else {
            return Some(format!("{have} bytes, the header alone has {HEADER}"));
        };
        if compression > 2 {
            return Some(format!("compression {compression} is none of 0 to 2"));
        }
        // Blobs follow the packed part. Their sizes are stated after its own.
        let blobs = self.number(56).unwrap_or(0);
        let stated = HEADER.saturating_add(packed as usize);
        let fits = if blobs == 0 { have == stated } else { have >= stated };
        (!fits).then(|| format!("{have} bytes, its header states {stated}"))
    }

    fn number(&self, at: usize) -> Option<u32> {
        self.bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
    }
}
