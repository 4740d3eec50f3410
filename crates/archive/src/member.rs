//! The directory entry of an archive's member, and the location of its bytes.

use super::{Meter, Source, Unpacker};
use navmap_core::Limits;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::text;
use std::borrow::Cow;
use std::fmt;

/// A member as the archive's directory describes it.
#[derive(Debug, Clone, Copy)]
pub struct Member<'n> {
    /// The name as stored.
    pub name: Name<'n>,
    /// Size, method and place.
    pub entry: Entry,
}

/// The name of a member, as stored: arbitrary bytes. Borrowed from the directory, in pieces if the directory stores pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name<'n> {
    /// In one piece.
    Whole(&'n [u8]),
    /// A folder and a name (long names of tar).
    InFolder {
        /// The folder, without a trailing slash.
        folder: &'n [u8],
        /// The name in it.
        name: &'n [u8],
    },
    /// A folder, a stem and an extension (VPK).
    Split {
        /// The folder, without a trailing slash; may be empty.
        folder: &'n [u8],
        /// The name without its extension.
        stem: &'n [u8],
        /// The extension, without the dot; may be empty.
        extension: &'n [u8],
    },
}

impl<'n> Name<'n> {
    /// Its pieces in order, empty ones included.
    fn pieces(self) -> [&'n [u8]; 5] {
        let gap = |piece: &[u8], with: &'static [u8]| if piece.is_empty() { &[] } else { with };
        match self {
            Self::Whole(name) => [name, &[], &[], &[], &[]],
            Self::InFolder { folder, name } => [folder, gap(folder, b"/"), name, &[], &[]],
            Self::Split { folder, stem, extension } => {
                [folder, gap(folder, b"/"), stem, gap(extension, b"."), extension]
            }
        }
    }

    /// Appends it.
    pub fn append_to(self, out: &mut Vec<u8>) {
        self.pieces().into_iter().for_each(|piece| out.extend_from_slice(piece));
    }

    /// Its length in bytes.
    pub(super) fn len(self) -> usize {
        self.pieces().into_iter().fold(0, |len, piece| len.saturating_add(piece.len()))
    }

    /// The name in one piece; copied only if it is stored in several.
    pub fn bytes(self) -> Cow<'n, [u8]> {
        match self {
            Self::Whole(name) => Cow::Borrowed(name),
            _ => Cow::Owned(self.pieces().concat()),
        }
    }

    /// The name without its folder, and the extension if that is stored apart.
    pub(super) fn tail(self) -> (&'n [u8], Option<&'n [u8]>) {
        match self {
            Self::Whole(name) | Self::InFolder { name, .. } => (name, None),
            Self::Split { stem, extension, .. } => (stem, Some(extension)),
        }
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&text::escaped(&self.bytes()))
    }
}

/// How a member's bytes are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Uncompressed: a member is a slice of the archive.
    Stored,
    /// Raw deflate (ZIP method 8).
    Deflate,
    /// LZMA as ZIP stores it (method 14).
    Lzma,
    /// LZMA as Valve stores a lump: 17 bytes of header.
    ValveLzma,
    /// bzip2 (ZIP method 12).
    Bzip2,
    /// xz (ZIP method 95).
    Xz,
    /// Zstandard (ZIP method 93).
    Zstd,
    /// Behind a password.
    Encrypted,
    /// A ZIP method that navmap cannot decode.
    Other(u16),
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Stored => "stored",
            Self::Deflate => "deflate",
            Self::Lzma | Self::ValveLzma => "lzma",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
            Self::Encrypted => "encrypted",
            Self::Other(number) => return f.pad(&format!("method {number}")),
        })
    }
}

/// The location of a member's stored bytes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Location {
    /// At this offset of the archive.
    Here(u64),
    /// After the ZIP local header at this offset.
    Local(u64),
    /// A head in the directory of a VPK, and the rest in a part, or in this file if there is no part.
    Split { preload: u64, preload_len: u16, part: Option<u16>, offset: u64 },
}

/// Size, method and location of a member. These are plain numbers, so an entry outlives the listing and may be sent to another
/// thread. They are claims of the directory until the member has been read.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub(super) index: u64,
    pub(super) size: u64,
    pub(super) packed: u64,
    pub(super) method: Method,
    pub(super) place: Location,
    pub(super) crc: Option<u32>,
}

impl Entry {
    /// An uncompressed member at `offset` of the archive.
    pub(super) fn stored(index: u64, offset: u64, size: u64) -> Self {
        Self { index, size, packed: size, method: Method::Stored, place: Location::Here(offset), crc: None }
    }

    /// Its number in the directory, from 0.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Size of the member in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Bytes that it occupies in the archive.
    pub fn packed_size(&self) -> u64 {
        self.packed
    }

    /// How it is stored.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The CRC-32 in the directory.
    pub fn crc(&self) -> Option<u32> {
        self.crc
    }

    /// The numbered part of a VPK that holds it; `None` if it is in the directory file.
    pub fn part(&self) -> Option<u16> {
        match self.place {
            Location::Split { part, .. } => part,
            Location::Here(_) | Location::Local(_) => None,
        }
    }

    /// The bytes of a stored member in place: in the archive, or in a part that lies in memory. `None` if the member has to be
    /// inflated, joined or read first. Constant time, no allocation.
    ///
    /// # Errors
    /// If the directory points outside the archive, or the part is missing.
    pub fn view<'a>(&self, source: Source<'a>) -> Result<Option<&'a [u8]>> {
        self.view_located(source).map_err(|e| e.in_record("member", self.index))
    }

    fn view_located<'a>(&self, source: Source<'a>) -> Result<Option<&'a [u8]>> {
        if self.method != Method::Stored {
            return Ok(None);
        }
        match self.place {
            Location::Here(_) | Location::Local(_) => self.packed_bytes(source.bytes).map(Some),
            Location::Split { preload, preload_len, .. } if self.size <= u64::from(preload_len) => {
                slice(source.bytes, preload, self.size).map(Some)
            }
            Location::Split { preload_len: 1.., .. } => Ok(None),
            Location::Split { part: None, offset, .. } => slice(source.bytes, offset, self.size).map(Some),
            Location::Split { part: Some(part), offset, .. } => {
                let parts = source.parts.ok_or_else(|| missing(part))?;
                parts.view(part)?.map(|bytes| slice(bytes, offset, self.size)).transpose()
            }
        }
    }

    /// The bytes of the member: in place if [`view`](Self::view) has them, else inflated or joined in the buffer of `unpacker`.
    /// Charges the cost to `meter`.
    ///
    /// # Errors
    /// Those of [`view`](Self::view); damaged data; a size or a checksum other than declared; a [limit](ErrorKind::Limit).
    pub fn read<'s>(
        &self,
        source: Source<'s>,
        meter: &Meter,
        unpacker: &'s mut Unpacker,
    ) -> Result<&'s [u8]> {
        self.read_located(source, meter, unpacker).map_err(|e| e.in_record("member", self.index))
    }

    fn read_located<'s>(
        &self,
        source: Source<'s>,
        meter: &Meter,
        unpacker: &'s mut Unpacker,
    ) -> Result<&'s [u8]> {
        let viewed = self.view_located(source)?;
        self.count_part(source, meter);
        if let Some(bytes) = viewed {
            meter.spend(bytes.len() as u64)?;
            return Ok(bytes);
        }
        if matches!(self.place, Location::Split { .. }) {
            meter.bound().charge(self.size)?;
            meter.spend(self.size)?;
            return self.join(source, unpacker, self.size);
        }
        let packed = self.packed_bytes(source.bytes)?;
        unpacker.inflate(self, packed, meter).map_err(|e| self.locate(e))
    }

    /// The first bytes of the member, at most `most`: in place if possible, else inflated up to there. Use it to recognise a
    /// member before inflating all of it.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), as far as the head goes.
    pub fn head<'s>(
        &self,
        source: Source<'s>,
        meter: &Meter,
        unpacker: &'s mut Unpacker,
        most: usize,
    ) -> Result<&'s [u8]> {
        self.head_located(source, meter, unpacker, most).map_err(|e| e.in_record("member", self.index))
    }

    fn head_located<'s>(
        &self,
        source: Source<'s>,
        meter: &Meter,
        unpacker: &'s mut Unpacker,
        most: usize,
    ) -> Result<&'s [u8]> {
        let viewed = self.view_located(source)?;
        self.count_part(source, meter);
        meter.spend(self.size.min(most as u64))?;
        if let Some(bytes) = viewed {
            return Ok(bytes.get(..most).unwrap_or(bytes));
        }
        if matches!(self.place, Location::Split { .. }) {
            return self.join(source, unpacker, self.size.min(most as u64));
        }
        let packed = self.packed_bytes(source.bytes)?;
        unpacker.inflate_head(self, packed, most, meter).map_err(|e| self.locate(e))
    }

    /// Opens the part that holds the member, if one does, so that its bytes count as bytes of the archive. One that is missing is told by
    /// what reads it; what the directory holds whole needs none.
    fn count_part(&self, source: Source<'_>, meter: &Meter) {
        let Location::Split { preload_len, part: Some(part), .. } = self.place else { return };
        let needed = self.size > u64::from(preload_len);
        if let Some(parts) = source.parts.filter(|_| needed)
            && parts.len(part).is_ok()
        {
            meter.beside(parts.bytes());
        }
    }

    /// The first `most` bytes of a member that lies in two pieces, or in a part that has to be read.
    fn join<'s>(&self, source: Source<'s>, unpacker: &'s mut Unpacker, most: u64) -> Result<&'s [u8]> {
        let Location::Split { preload, preload_len, part, offset } = self.place else {
            return Ok(&[]);
        };
        let head = slice(source.bytes, preload, most.min(u64::from(preload_len)))?;
        let rest = most.saturating_sub(head.len() as u64);
        let Some(part) = part else {
            let tail = slice(source.bytes, offset, rest)?;
            return unpacker.join(head, rest, |buffer| {
                buffer.copy_from_slice(tail);
                Ok(())
            });
        };
        let parts = source.parts.ok_or_else(|| missing(part))?;
        // A claim of the directory: nothing is reserved before the part is known to hold it.
        let len = parts.len(part)?;
        let left = len.saturating_sub(offset);
        if rest > left {
            let what = "member data in the part";
            return Err(Error::new(ErrorKind::Truncated { what, needed: rest, left }).at(offset));
        }
        unpacker.join(head, rest, |buffer| parts.read(part, offset, buffer))
    }

    /// Adds the offset of the stored bytes to an error.
    fn locate(&self, error: Error) -> Error {
        match self.place {
            Location::Here(at) | Location::Local(at) => error.at(at),
            Location::Split { offset, .. } => error.at(offset),
        }
    }

    /// The stored bytes of a member that lies in one piece in this file.
    fn packed_bytes<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8]> {
        match self.place {
            Location::Here(offset) | Location::Split { offset, .. } => slice(bytes, offset, self.packed),
            Location::Local(header) => slice(bytes, data_offset(bytes, header)?, self.packed),
        }
    }
}

/// The longest name of a member. Windows paths end at 260 bytes, Linux paths at 4,096.
pub(super) const MOST_NAME: usize = 4096;

/// Refuses a name longer than any file's: every row about the member would repeat it.
pub(super) fn check_name(len: u64) -> Result<()> {
    Limits::charge("name of the member", len, MOST_NAME as u64)
}

/// `len` bytes from `offset`, in place.
pub(super) fn slice(bytes: &[u8], offset: u64, len: u64) -> Result<&[u8]> {
    let left = (bytes.len() as u64).saturating_sub(offset);
    if len > left {
        let what = "member data";
        return Err(Error::new(ErrorKind::Truncated { what, needed: len, left }).at(offset));
    }
    let (Ok(start), Ok(len)) = (usize::try_from(offset), usize::try_from(len)) else {
        return Err(Error::invalid("member data", "past the address space").at(offset));
    };
    Ok(bytes.get(start..start.saturating_add(len)).unwrap_or_default())
}

#[cold]
fn missing(part: u16) -> Error {
    Error::invalid("VPK part", format!("part {part:03} is needed and was not opened"))
}

/// The offset of the data after the local header at byte `header`. The lengths in the *local* header apply.
fn data_offset(bytes: &[u8], header: u64) -> Result<u64> {
    const WHAT: &str = "ZIP local header";
    let mut local = Cursor::new(slice(bytes, header, 30)?, header);
    if local.u32(WHAT)? != u32::from_le_bytes(*b"PK\x03\x04") {
        return Err(Error::invalid(WHAT, "does not begin with its signature").at(header));
    }
    local.skip(22, WHAT)?;
    let (name, extra) = (local.u16(WHAT)?, local.u16(WHAT)?);
    Ok(local.offset().saturating_add(name.into()).saturating_add(extra.into()))
}
