//! The fields (sub-records) of a record.

use super::form::Tag;
use super::record::{FieldHeader, WideFieldHeader};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};
use std::iter::FusedIterator;

/// One field of a record, in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// Kind of the field.
    pub tag: Tag,
    /// Payload. A preceding `XXXX` field gives its size.
    pub data: &'a [u8],
    /// Where the payload begins: a byte of the file, or of the inflated data of a compressed record.
    pub offset: u64,
}

/// The fields of a record, in order. Allocates nothing, and ends after an error. An `XXXX` field gives the size of the
/// next one and is not handed out itself (`docs/formats/skyrim.md`, section 1.5).
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    cursor: Cursor<'a>,
    inflated: bool,
    /// How many triangles a mesh among them may have.
    most_triangles: u64,
    /// Whether sizes have four bytes, as in Morrowind.
    wide: bool,
}

impl<'a> Fields<'a> {
    /// The fields in `data`, which begins at byte `offset`.
    pub fn new(data: &'a [u8], offset: u64) -> Self {
        Self { cursor: Cursor::new(data, offset), inflated: false, most_triangles: u64::MAX, wide: false }
    }

    /// The fields of a record of Morrowind, whose sizes have four bytes.
    pub(super) fn wide(data: &'a [u8], offset: u64) -> Self {
        Self { wide: true, ..Self::new(data, offset) }
    }

    /// The fields in inflated `data`.
    pub(super) fn of_inflated(data: &'a [u8]) -> Self {
        Self { inflated: true, ..Self::new(data, 0) }
    }

    /// The same, where a mesh among them may have so many triangles.
    pub(super) fn with_most_triangles(self, most_triangles: u64) -> Self {
        Self { most_triangles, ..self }
    }

    /// How many triangles a mesh among them may have.
    pub(super) fn most_triangles(&self) -> u64 {
        self.most_triangles
    }

    /// Whether offsets count inflated bytes instead of bytes of the file.
    pub fn is_inflated(&self) -> bool {
        self.inflated
    }

    /// The bytes of the fields that have not been taken yet.
    pub fn rest(&self) -> &'a [u8] {
        self.cursor.rest()
    }

    /// Offset of [`rest`](Self::rest).
    pub fn offset(&self) -> u64 {
        self.cursor.offset()
    }

    /// The next field of this kind. Fields before it are skipped.
    ///
    /// # Errors
    /// If a field cannot be read.
    pub fn find_tag(&mut self, tag: Tag) -> Result<Option<Field<'a>>> {
        self.find(|field| field.as_ref().map_or(true, |f| f.tag == tag)).transpose()
    }

    /// The next field, and the bytes that it takes, an `XXXX` before it included.
    pub(super) fn next_stored(&mut self) -> Option<Result<(Field<'a>, &'a [u8])>> {
        let before = self.rest();
        let field = self.next()?;
        let taken = before.len().saturating_sub(self.rest().len());
        Some(field.map(|field| (field, before.get(..taken).unwrap_or_default())))
    }

    fn take(&mut self) -> Result<Field<'a>> {
        const XXXX: Tag = Tag(*b"XXXX");
        if self.wide {
            let header: &WideFieldHeader = self.cursor.record("field header")?;
            let offset = self.cursor.offset();
            let data = self.cursor.bytes(usize::try_from(header.size()).unwrap_or(usize::MAX), "field")?;
            return Ok(Field { tag: header.tag(), data, offset });
        }
        let header: &FieldHeader = self.cursor.record("field header")?;
        if header.tag() != XXXX {
            let offset = self.cursor.offset();
            let data = self.cursor.bytes(header.size().into(), "field")?;
            return Ok(Field { tag: header.tag(), data, offset });
        }
        let at = self.cursor.offset();
        if header.size() != 4 {
            return Err(Error::invalid("XXXX", format!("holds {} bytes instead of 4", header.size())).at(at));
        }
        let size = self.cursor.u32("XXXX")?;
        let header: &FieldHeader = match self.cursor.record("field header") {
            Ok(header) => header,
            Err(_) => return Err(Error::invalid("XXXX", "no field follows").at(at)),
        };
        if header.tag() == XXXX {
            return Err(Error::invalid("XXXX", "another XXXX follows").at(self.cursor.offset()));
        }
        let offset = self.cursor.offset();
        let data = self.cursor.bytes(usize::try_from(size).unwrap_or(usize::MAX), "field after XXXX")?;
        Ok(Field { tag: header.tag(), data, offset })
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.cursor.is_empty() {
            return None;
        }
        let field = self.take();
        if field.is_err() {
            self.cursor = Cursor::new(&[], self.cursor.offset());
        }
        Some(field)
    }
}

impl FusedIterator for Fields<'_> {}

/// Takes one fixed-size record that fills a field's payload.
pub(super) fn exactly<'a, T>(field: &Field<'a>, what: &'static str) -> Result<&'a T>
where
    T: zerocopy::FromBytes + zerocopy::Immutable + zerocopy::KnownLayout + zerocopy::Unaligned,
{
    let mut cursor = Cursor::new(field.data, field.offset);
    let record = cursor.record(what)?;
    cursor.finish()?;
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(tag: &[u8; 4], size: u16, data: &[u8]) -> Vec<u8> {
        [&tag[..], &size.to_le_bytes(), data].concat()
    }

    #[test]
    fn xxxx_overrides_the_size_of_one_field_only() {
        let bytes =
            [field(b"XXXX", 4, &3u32.to_le_bytes()), field(b"NVNM", 9, b"abc"), field(b"MNAM", 1, b"d")]
                .concat();
        let fields: Vec<_> = Fields::new(&bytes, 100).map(|f| f.unwrap()).collect();
        let all: Vec<_> = fields.iter().map(|field| (field.data, field.offset)).collect();
        assert_eq!(all, [(&b"abc"[..], 116), (b"d", 125)]);
    }

    #[test]
    fn a_dangling_or_doubled_or_oddly_sized_xxxx_is_an_error_once() {
        let xxxx = field(b"XXXX", 4, &3u32.to_le_bytes());
        for bytes in [xxxx.clone(), [xxxx.clone(), xxxx].concat(), field(b"XXXX", 2, b"ab")] {
            let mut fields = Fields::new(&bytes, 0);
            assert!(fields.next().is_some_and(|f| f.is_err()));
            assert!(fields.next().is_none());
        }
    }
}
