//! tar: blocks of 512 bytes, read in place from memory, or sequentially from a decoder.

use super::{Entry, Member, Name, member};
use navmap_core::error::{Error, ErrorKind, Result};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Size of a block.
pub(super) const BLOCK: usize = 512;
/// The longest long name or PAX record list.
const MOST_TEXT: u64 = 1 << 20;

/// A header block. Numbers are octal text, or base 256 with the first bit set.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Header {
    name: [u8; 100],
    mode_uid_gid: [u8; 24],
    size: [u8; 12],
    mtime: [u8; 12],
    checksum: [u8; 8],
    kind: u8,
    link: [u8; 100],
    magic: [u8; 6],
    version: [u8; 2],
    owner: [u8; 80],
    prefix: [u8; 155],
    rest: [u8; 12],
}

const _: () = assert!(size_of::<Header>() == BLOCK && align_of::<Header>() == 1);

/// What a header introduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    File,
    /// GNU: the data is the name of the next member.
    LongName,
    /// PAX: the data is a list of records about the next member.
    Pax,
    /// A sparse file: its bytes are not in one piece.
    Sparse,
    /// Folders, links, devices, comments.
    Other,
    /// The block of zeros that ends the archive.
    End,
}

impl Header {
    /// The header in a block; `None` if its checksum is wrong.
    pub(super) fn parse(block: &[u8]) -> Option<&Self> {
        let (header, _) = Self::ref_from_prefix(block).ok()?;
        header.is_sound().then_some(header)
    }

    fn is_sound(&self) -> bool {
        let bytes = self.as_bytes();
        let own: u64 = self.checksum.iter().map(|&byte| u64::from(byte)).sum();
        let sum: u64 = bytes.iter().map(|&byte| u64::from(byte)).sum();
        // The checksum's own bytes count as spaces.
        octal(&self.checksum) == Some(sum.saturating_sub(own).saturating_add(8 * 32)) && sum > 0
    }

    pub(super) fn what(&self) -> What {
        match self.kind {
            b'0' | 0 | b'7' if self.name().0.last() != Some(&b'/') => What::File,
            b'L' => What::LongName,
            b'x' => What::Pax,
            b'S' => What::Sparse,
            _ => What::Other,
        }
    }

    /// Size of the data after the header.
    pub(super) fn size(&self) -> Result<u64> {
        let size = if self.size.first().is_some_and(|&byte| byte & 0x80 != 0) {
            let (head, tail) = self.size.split_last_chunk::<8>().unwrap_or((&[], &[0; 8]));
            let high = head.iter().enumerate().all(|(i, &byte)| byte == if i == 0 { 0x80 } else { 0 });
            high.then_some(u64::from_be_bytes(*tail)).filter(|&size| i64::try_from(size).is_ok())
        } else {
            octal(&self.size)
        };
        size.ok_or_else(|| Error::invalid("tar size", "is no number"))
    }

    /// The name, and the folder it is in.
    fn name(&self) -> (&[u8], &[u8]) {
        let folder = if self.magic == *b"ustar\0" { until_nul(&self.prefix) } else { &[] };
        (until_nul(&self.name), folder)
    }
}

fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}

fn octal(text: &[u8]) -> Option<u64> {
    let digits = until_nul(text).trim_ascii();
    digits.iter().try_fold(0u64, |value, &digit| match digit {
        b'0'..=b'7' => value.checked_mul(8)?.checked_add(u64::from(digit & 7)),
        _ => None,
    })
}

/// Long names and PAX records that describe the next member. Borrowed from a tar in memory, owned for a stream.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ahead<'a> {
    pub(super) name: Option<&'a [u8]>,
    pub(super) size: Option<u64>,
}

impl<'a> Ahead<'a> {
    /// Takes in the data of a header that describes the next one.
    pub(super) fn take(&mut self, what: What, data: &'a [u8]) {
        if what == What::LongName {
            self.name = Some(until_nul(data));
            return;
        }
        // Records: length in decimal, space, key, '=', value, newline; the length counts all of it.
        let mut rest = data;
        while let Some(space) = rest.iter().position(|&byte| byte == b' ') {
            let len = rest.get(..space).and_then(decimal).and_then(|len| usize::try_from(len).ok());
            let Some((record, after)) =
                len.filter(|&len| len > space).and_then(|len| rest.split_at_checked(len))
            else {
                break;
            };
            let text = record.get(space.saturating_add(1)..).unwrap_or_default();
            let text = text.strip_suffix(b"\n").unwrap_or(text);
            if let Some(path) = text.strip_prefix(b"path=") {
                self.name = Some(path);
            } else if let Some(size) = text.strip_prefix(b"size=") {
                self.size = decimal(size);
            }
            rest = after;
        }
    }

    /// The name of the member with this `header`.
    pub(super) fn name_of<'n>(&self, header: &'n Header) -> Name<'n>
    where
        'a: 'n,
    {
        match (self.name, header.name()) {
            (Some(name), _) | (None, (name, [])) => Name::Whole(name),
            (None, (name, folder)) => Name::InFolder { folder, name },
        }
    }
}

fn decimal(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Size of the data with its padding.
pub(super) fn padded(size: u64) -> u64 {
    size.checked_next_multiple_of(BLOCK as u64).unwrap_or(u64::MAX)
}

/// Refuses a text longer than any name.
pub(super) fn check_text(size: u64) -> Result<()> {
    navmap_core::Limits::charge("text of a tar header", size, MOST_TEXT)
}

/// A lazy walk over the headers of a tar in memory.
#[derive(Debug, Clone)]
pub(super) struct Members<'a> {
    bytes: &'a [u8],
    /// Offset of the next header; past the end once nothing can follow.
    offset: u64,
    index: u64,
}

impl<'a> Members<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0, index: 0 }
    }

    /// An error in a header ends the walk, because the position of the next is unknown.
    fn fatal(&mut self, error: Error) -> Error {
        error.at(std::mem::replace(&mut self.offset, u64::MAX))
    }

    fn step(&mut self) -> Result<Option<Member<'a>>> {
        let mut ahead = Ahead::default();
        loop {
            let at = self.offset;
            let left = (self.bytes.len() as u64).saturating_sub(at);
            if left == 0 {
                // The two blocks of zeros are missing: other tools accept that too.
                return Ok(None);
            }
            let (what, header) = member::slice(self.bytes, at, BLOCK as u64)
                .map_err(|_| {
                    Error::new(ErrorKind::Truncated { what: "tar header", needed: BLOCK as u64, left })
                })
                .and_then(classify)
                .map_err(|e| self.fatal(e))?;
            if what == What::End {
                self.offset = u64::MAX;
                return Ok(None);
            }
            let declared = header.size().map_err(|e| self.fatal(e))?;
            let size = if what == What::File { ahead.size.unwrap_or(declared) } else { declared };
            let data = at.saturating_add(BLOCK as u64);
            self.offset = data.saturating_add(padded(size));
            match what {
                What::LongName | What::Pax => {
                    check_text(size).map_err(|e| e.at(at))?;
                    ahead.take(what, member::slice(self.bytes, data, size)?);
                }
                What::File => {
                    let entry = Entry::stored(self.index, data, size);
                    return Ok(Some(Member { name: ahead.name_of(header), entry }));
                }
                What::Sparse => return Err(sparse().at(at)),
                What::Other | What::End => ahead = Ahead::default(),
            }
        }
    }
}

#[cold]
pub(super) fn sparse() -> Error {
    Error::invalid("tar member", "is a sparse file, which is not read")
}

/// The kind of a block, and its header.
pub(super) fn classify(block: &[u8]) -> Result<(What, &Header)> {
    let header = Header::ref_from_prefix(block).map(|(header, _)| header);
    match header {
        Ok(header) if header.is_sound() => Ok((header.what(), header)),
        Ok(header) if block.iter().all(|&byte| byte == 0) => Ok((What::End, header)),
        _ => Err(Error::invalid("tar header", "its checksum is wrong")),
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = Result<Member<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let member = self.step().map_err(|e| e.in_record("member", self.index)).transpose();
        self.index = self.index.saturating_add(1);
        member
    }
}
