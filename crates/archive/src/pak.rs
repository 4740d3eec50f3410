//! Quake PAK: a directory of 64-byte records anywhere in the file.

use super::{Entry, Member, Name, member};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use std::ops::Range;
use zerocopy::byteorder::little_endian::U32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// One record: the name (ended by a NUL; garbage may follow), offset, length.
#[derive(FromBytes, KnownLayout, Immutable, Unaligned, Debug)]
#[repr(C)]
struct Record {
    name: [u8; 56],
    offset: U32,
    len: U32,
}

const RECORD: usize = 64;
const _: () = assert!(size_of::<Record>() == RECORD && align_of::<Record>() == 1);

/// The directory, in place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Directory<'a> {
    records: &'a [Record],
    offset: u64,
}

impl<'a> Directory<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self> {
        let mut head = Cursor::new(bytes, 0);
        head.skip(4, "PAK magic")?;
        let (offset, len) = (head.u32("PAK directory offset")?, head.u32("PAK directory length")?);
        let directory = member::slice(bytes, offset.into(), len.into()).map_err(|_| {
            let left = (bytes.len() as u64).saturating_sub(offset.into());
            Error::new(ErrorKind::Truncated { what: "PAK directory", needed: len.into(), left })
                .at(offset.into())
        })?;
        let (records, rest) = <[Record]>::ref_from_prefix_with_elems(directory, directory.len() / RECORD)
            .unwrap_or((&[], directory));
        if !rest.is_empty() {
            let why = format!("{len} bytes are no whole number of 64-byte records");
            return Err(Error::invalid("PAK directory", why).at(8));
        }
        Ok(Self { records, offset: offset.into() })
    }

    /// Where the records lie.
    pub(super) fn place(&self) -> Range<u64> {
        self.offset..self.offset.saturating_add(size_of_val(self.records) as u64)
    }

    pub(super) fn members(self) -> Members<'a> {
        Members { records: self.records.iter().enumerate() }
    }
}

/// A lazy walk over the records.
#[derive(Debug, Clone)]
pub(super) struct Members<'a> {
    records: std::iter::Enumerate<std::slice::Iter<'a, Record>>,
}

impl<'a> Iterator for Members<'a> {
    type Item = Result<Member<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (index, record) = self.records.next()?;
        let name = record.name.split(|&byte| byte == 0).next().unwrap_or_default();
        let entry = Entry::stored(index as u64, record.offset.get().into(), record.len.get().into());
        Some(Ok(Member { name: Name::Whole(name), entry }))
    }
}
