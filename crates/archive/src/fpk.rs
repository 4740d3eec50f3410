//! FPK and FPKD: the packages of the Fox engine. Records of 48 bytes, names and members anywhere, nothing compressed.

use super::{Entry, Member, Name, member};
use navmap_core::bytes::Cursor;
use navmap_core::error::Result;
use std::ops::Range;
use zerocopy::byteorder::little_endian::U64;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

#[derive(FromBytes, KnownLayout, Immutable, Unaligned, Debug)]
#[repr(C)]
struct Record {
    offset: U64,
    len: U64,
    name_offset: U64,
    name_len: U64,
    name_md5: [u8; 16],
}

const _: () = assert!(size_of::<Record>() == 48 && align_of::<Record>() == 1);

/// The offset of the member count, and of the first record.
const COUNT_AT: usize = 0x24;
const RECORDS_AT: usize = 0x30;

/// The records, in place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Directory<'a> {
    bytes: &'a [u8],
    records: &'a [Record],
}

impl<'a> Directory<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self> {
        let mut head = Cursor::new(bytes, 0);
        head.skip(COUNT_AT, "FPK head")?;
        let count = head.u32("FPK file count")?;
        head.skip(RECORDS_AT - COUNT_AT - 4, "FPK head")?;
        let records = head.slice(usize::try_from(count).unwrap_or(usize::MAX), "FPK records")?;
        Ok(Self { bytes, records })
    }

    /// The range of the head and the records.
    pub(super) fn place(&self) -> Range<u64> {
        0..(RECORDS_AT as u64).saturating_add(size_of_val(self.records) as u64)
    }

    pub(super) fn members(self) -> Members<'a> {
        Members { bytes: self.bytes, records: self.records.iter().enumerate() }
    }
}

/// A lazy walk over the records. A record whose name lies outside the file is one error, and the walk goes on.
#[derive(Debug, Clone)]
pub(super) struct Members<'a> {
    bytes: &'a [u8],
    records: std::iter::Enumerate<std::slice::Iter<'a, Record>>,
}

impl<'a> Iterator for Members<'a> {
    type Item = Result<Member<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (index, record) = self.records.next()?;
        let index = index as u64;
        // Names may overlap, so many long ones cost the file nothing. Their length is checked before they are read.
        let member = member::check_name(record.name_len.get())
            .and_then(|()| member::slice(self.bytes, record.name_offset.get(), record.name_len.get()))
            .map(|name| Member {
                name: Name::Whole(name.split(|&byte| byte == 0).next().unwrap_or_default()),
                entry: Entry::stored(index, record.offset.get(), record.len.get()),
            })
            .map_err(|error| error.in_record("member", index));
        Some(member)
    }
}
