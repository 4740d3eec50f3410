//! Records as they are written.

use super::super::flags::RecordFlags;
use super::super::form::{FormId, Tag};
use super::super::record::RecordHeader;
use super::super::walk::Record;
use navmap_core::bytes::{Scratch, deflate};
use navmap_core::error::{Error, ErrorKind, Result};
use std::borrow::Cow;
use zerocopy::IntoBytes;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecordChange {
    flags: RecordFlags,
    data: Data,
}

/// The data of a changed record.
#[derive(Clone, Debug, PartialEq)]
enum Data {
    /// As it is read.
    Plain(Vec<u8>),
    /// As it is written.
    Stored(Vec<u8>),
}

/// A changed record as it is written. Its data is not copied unless it is compressed.
pub(super) struct Stored<'s> {
    pub(super) header: RecordHeader,
    pub(super) bytes: Cow<'s, [u8]>,
}

/// The level at which new records are compressed.
const LEVEL: u32 = 9;

impl RecordChange {
    pub(super) fn new(flags: RecordFlags, data: Vec<u8>) -> Self {
        Self { flags, data: Data::Plain(data) }
    }

    /// The same, with its data as it is written.
    ///
    /// # Errors
    /// If it does not fit its record.
    pub(super) fn packed(self, record: &Record<'_>, scratch: &mut Scratch) -> Result<Self> {
        let flags = self.flags;
        let data = Data::Stored(self.stored(record, scratch)?.bytes.into_owned());
        Ok(Self { flags, data })
    }

    /// The record as it is written.
    ///
    /// # Errors
    /// If the data does not fit it.
    pub(super) fn stored<'s>(self, record: &Record<'s>, scratch: &mut Scratch) -> Result<Stored<'s>> {
        let header = record.header().with_flags(self.flags);
        let data = match self.data {
            Data::Plain(data) => data,
            Data::Stored(bytes) => {
                let header = header.with_size(size_of_record(&bytes)?);
                return Ok(Stored { header, bytes: bytes.into() });
            }
        };
        let same_form = self.flags.contains(RecordFlags::COMPRESSED) == record.is_compressed();
        // Damaged data counts as different from any replacement.
        let same = same_form && record.fields(scratch).is_ok_and(|fields| fields.rest() == data);
        if same {
            return Ok(Stored { header, bytes: record.stored().into() });
        }
        let level = match record.stored().get(4..6) {
            Some([0x78, 0x9C]) if record.is_compressed() => 6,
            _ => 9,
        };
        let bytes = packed(&header, data.into(), level)?;
        Ok(Stored { header: header.with_size(size_of_record(&bytes)?), bytes })
    }
}

/// The header of a new record. Time stamp and version control are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRecord {
    /// Kind.
    pub tag: Tag,
    /// Flags; [`COMPRESSED`](RecordFlags::COMPRESSED) among them compresses the data.
    pub flags: RecordFlags,
    /// FormID, local to the plugin that gets the record.
    pub form_id: FormId,
    /// Version of the record's layout.
    pub form_version: u16,
}

impl NewRecord {
    /// The whole record.
    pub(in super::super) fn encode(&self, data: &[u8]) -> Result<Vec<u8>> {
        encode(&self.header(), data, LEVEL)
    }

    /// The same of data that is not needed any more, which is not copied unless it is compressed.
    pub(in super::super) fn encode_own(&self, mut data: Vec<u8>) -> Result<Vec<u8>> {
        let header = self.header();
        if header.flags().contains(RecordFlags::COMPRESSED) {
            return encode(&header, &data, LEVEL);
        }
        let header = header.with_size(size_of_record(&data)?);
        data.splice(..0, header.as_bytes().iter().copied());
        Ok(data)
    }

    fn header(&self) -> RecordHeader {
        RecordHeader::new(self.tag, self.flags, self.form_id, self.form_version)
    }
}

/// A record with this data, compressed if its flags say so.
fn encode(header: &RecordHeader, data: &[u8], level: u32) -> Result<Vec<u8>> {
    sized(header, &packed(header, data.into(), level)?)
}

/// The data as it is stored: compressed if the flags say so.
fn packed<'d>(header: &RecordHeader, data: Cow<'d, [u8]>, level: u32) -> Result<Cow<'d, [u8]>> {
    if !header.flags().contains(RecordFlags::COMPRESSED) {
        return Ok(data);
    }
    let Ok(size) = u32::try_from(data.len()) else {
        return Err(too_large("inflated record", data.len()));
    };
    let mut stored = size.to_le_bytes().to_vec();
    deflate(&data, level, &mut stored)?;
    stored.shrink_to_fit();
    Ok(stored.into())
}

pub(super) fn sized(header: &RecordHeader, stored: &[u8]) -> Result<Vec<u8>> {
    Ok([header.with_size(size_of_record(stored)?).as_bytes(), stored].concat())
}

fn size_of_record(stored: &[u8]) -> Result<u32> {
    u32::try_from(stored.len()).map_err(|_| too_large("record", stored.len()))
}

#[cold]
pub(super) fn too_large(what: &'static str, len: usize) -> Error {
    Error::new(ErrorKind::Limit { what, asked: len as u64, allowed: u32::MAX.into() })
}
