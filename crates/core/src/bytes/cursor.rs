//! Checked reads that know their offset in the file.

use crate::error::{Error, ErrorKind, Result};
use zerocopy::byteorder::little_endian::{F32, U16, U32, U64};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// A position in borrowed bytes. Hands out records and slices of records **in place**; never indexes, overflows or allocates
/// (except for errors). A failed read leaves the cursor where it was.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    offset: u64,
}

impl<'a> Cursor<'a> {
    /// A cursor at the first of `bytes`, which is byte `offset` of the file.
    #[inline]
    pub fn new(bytes: &'a [u8], offset: u64) -> Self {
        Self { rest: bytes, offset }
    }

    /// Absolute position: the offset in the file of the next byte.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes left.
    #[inline]
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The remaining bytes, without taking them.
    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether nothing is left.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// One record of fixed size, in place.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if too few bytes are left.
    #[inline]
    pub fn record<T>(&mut self, what: &'static str) -> Result<&'a T>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let Ok((head, rest)) = T::ref_from_prefix(self.rest) else {
            return Err(self.short(what, size_of::<T>() as u64));
        };
        self.advance(size_of::<T>(), rest);
        Ok(head)
    }

    /// `count` records of fixed size, in place. The count is only a claim: it is checked against the remaining bytes, and nothing
    /// is reserved for it.
    ///
    /// # Errors
    /// [`ErrorKind::Count`] if they exceed the remaining bytes.
    #[inline]
    pub fn slice<T>(&mut self, count: usize, what: &'static str) -> Result<&'a [T]>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let Ok((head, rest)) = <[T]>::ref_from_prefix_with_elems(self.rest, count) else {
            return Err(self.overclaim(what, count as u64));
        };
        self.advance(size_of_val(head), rest);
        Ok(head)
    }

    /// A `u8` count and that many records.
    ///
    /// # Errors
    /// Those of [`record`](Self::record) and [`slice`](Self::slice).
    #[inline]
    pub fn list8<T>(&mut self, what: &'static str) -> Result<&'a [T]>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let mut ahead = *self;
        let count = ahead.u8(what)?;
        let list = ahead.slice(usize::from(count), what)?;
        *self = ahead;
        Ok(list)
    }

    /// A `u32` count and that many records.
    ///
    /// # Errors
    /// Those of [`record`](Self::record) and [`slice`](Self::slice).
    #[inline]
    pub fn list32<T>(&mut self, what: &'static str) -> Result<&'a [T]>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let mut ahead = *self;
        let count = ahead.u32(what)?;
        let list = ahead.slice(usize::try_from(count).unwrap_or(usize::MAX), what)?;
        *self = ahead;
        Ok(list)
    }

    /// `count` bytes, in place.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`] if fewer are left.
    #[inline]
    pub fn bytes(&mut self, count: usize, what: &'static str) -> Result<&'a [u8]> {
        let Some((head, rest)) = self.rest.split_at_checked(count) else {
            return Err(self.short(what, count as u64));
        };
        self.advance(count, rest);
        Ok(head)
    }

    /// Skips `count` bytes.
    ///
    /// # Errors
    /// Those of [`bytes`](Self::bytes).
    #[inline]
    pub fn skip(&mut self, count: usize, what: &'static str) -> Result<()> {
        self.bytes(count, what).map(drop)
    }

    /// A `u8`.
    ///
    /// # Errors
    /// Those of [`record`](Self::record).
    #[inline]
    pub fn u8(&mut self, what: &'static str) -> Result<u8> {
        self.record::<u8>(what).copied()
    }

    /// A little-endian `u16`.
    ///
    /// # Errors
    /// Those of [`record`](Self::record).
    #[inline]
    pub fn u16(&mut self, what: &'static str) -> Result<u16> {
        self.record::<U16>(what).map(|v| v.get())
    }

    /// A little-endian `u32`.
    ///
    /// # Errors
    /// Those of [`record`](Self::record).
    #[inline]
    pub fn u32(&mut self, what: &'static str) -> Result<u32> {
        self.record::<U32>(what).map(|v| v.get())
    }

    /// A little-endian `u64`.
    ///
    /// # Errors
    /// Those of [`record`](Self::record).
    #[inline]
    pub fn u64(&mut self, what: &'static str) -> Result<u64> {
        self.record::<U64>(what).map(|v| v.get())
    }

    /// A little-endian `f32`.
    ///
    /// # Errors
    /// Those of [`record`](Self::record).
    #[inline]
    pub fn f32(&mut self, what: &'static str) -> Result<f32> {
        self.record::<F32>(what).map(|v| v.get())
    }

    /// The bytes up to a NUL, without it; at most `most` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if there is no NUL among the next `most + 1` bytes.
    pub fn text(&mut self, most: usize, what: &'static str) -> Result<&'a [u8]> {
        let window = self.rest.get(..most.saturating_add(1)).unwrap_or(self.rest);
        let Some(len) = window.iter().position(|&byte| byte == 0) else {
            return Err(Error::invalid(what, "text without an end").at(self.offset));
        };
        let text = self.bytes(len, what)?;
        self.skip(1, what)?;
        Ok(text)
    }

    /// Succeeds if no bytes are left.
    ///
    /// # Errors
    /// [`ErrorKind::Trailing`] if bytes are left.
    #[inline]
    pub fn finish(&self) -> Result<()> {
        match self.rest.len() as u64 {
            0 => Ok(()),
            left => Err(Error::new(ErrorKind::Trailing { left }).at(self.offset)),
        }
    }

    /// The error of a read that needs `needed` bytes.
    #[inline]
    pub fn short(&self, what: &'static str, needed: u64) -> Error {
        truncated(what, needed, self.rest.len(), self.offset)
    }

    /// The error of a count that exceeds the remaining bytes.
    #[inline]
    pub fn overclaim(&self, what: &'static str, claimed: u64) -> Error {
        overclaimed(what, claimed, self.rest.len(), self.offset)
    }

    #[inline]
    fn advance(&mut self, by: usize, rest: &'a [u8]) {
        self.offset = self.offset.saturating_add(by as u64);
        self.rest = rest;
    }
}

// By value: a cursor whose address is passed to another crate has to live in memory, which makes walks three times as slow.

#[cold]
fn truncated(what: &'static str, needed: u64, left: usize, offset: u64) -> Error {
    Error::new(ErrorKind::Truncated { what, needed, left: left as u64 }).at(offset)
}

#[cold]
fn overclaimed(what: &'static str, claimed: u64, left: usize, offset: u64) -> Error {
    Error::new(ErrorKind::Count { what, claimed, left: left as u64 }).at(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_read_leaves_the_cursor_where_it_was() {
        let mut cursor = Cursor::new(&[2, 0, 0, 0, 1, 0], 10);
        assert!(cursor.list32::<U16>("ids").is_err());
        assert_eq!((cursor.offset(), cursor.left()), (10, 6));
        assert!(cursor.record::<U64>("stamp").is_err());
        assert_eq!(cursor.u32("count").unwrap(), 2);
        assert_eq!((cursor.offset(), cursor.left()), (14, 2));
    }

    #[test]
    fn a_count_whose_product_overflows_is_an_error() {
        let mut cursor = Cursor::new(&[0; 64], 0);
        assert!(cursor.slice::<U32>(usize::MAX, "ids").is_err());
        assert!(cursor.slice::<U32>(usize::MAX / 4 + 2, "ids").is_err());
    }

    #[test]
    fn text_ends_at_its_nul_and_never_past_its_bound() {
        let mut cursor = Cursor::new(b"ab\0cdef\0", 0);
        assert_eq!(cursor.text(8, "name").unwrap(), b"ab");
        assert!(cursor.text(3, "name").is_err());
        assert_eq!(cursor.text(4, "name").unwrap(), b"cdef");
        assert!(cursor.text(4, "name").is_err());
    }
}
