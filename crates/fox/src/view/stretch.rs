//! A part of the file that offsets are relative to.

use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Bytes with their offset in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch<'a> {
    bytes: &'a [u8],
    base: u64,
}

impl<'a> Stretch<'a> {
    pub(crate) fn new(bytes: &'a [u8], base: u64) -> Self {
        Self { bytes, base }
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Offset in the file of the first byte.
    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    /// Offset in the file of byte `offset`.
    pub(crate) fn absolute(&self, offset: u64) -> u64 {
        self.base.saturating_add(offset)
    }

    pub(crate) fn cursor(&self) -> Cursor<'a> {
        Cursor::new(self.bytes, self.base)
    }

    /// The bytes from `offset` on.
    #[inline]
    pub(crate) fn after(&self, offset: u64, what: &'static str) -> Result<Self> {
        let rest = usize::try_from(offset).ok().and_then(|at| self.bytes.get(at..));
        match rest {
            Some(bytes) => Ok(Self { bytes, base: self.absolute(offset) }),
            None => Err(self.outside(offset, what)),
        }
    }

    /// `len` bytes from `offset` on.
    pub(crate) fn part(&self, offset: u64, len: u64, what: &'static str) -> Result<Self> {
        let rest = self.after(offset, what)?;
        let bytes = rest.cursor().bytes(usize::try_from(len).unwrap_or(usize::MAX), what)?;
        Ok(Self { bytes, base: rest.base })
    }

    /// One record at `offset`.
    #[inline]
    pub(crate) fn record<T>(&self, offset: u64, what: &'static str) -> Result<&'a T>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        self.after(offset, what).and_then(|rest| rest.cursor().record(what))
    }

    /// `count` records at `offset`. If `count` is 0, the offset is ignored.
    #[inline]
    pub(crate) fn slice<T>(&self, offset: u64, count: usize, what: &'static str) -> Result<&'a [T]>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        if count == 0 {
            return Ok(&[]);
        }
        self.after(offset, what).and_then(|rest| rest.cursor().slice(count, what))
    }

    #[cold]
    fn outside(&self, offset: u64, what: &'static str) -> Error {
        let len = self.bytes.len() as u64;
        Error::new(ErrorKind::OutOfRange { what, index: offset, len }).at(self.absolute(offset))
    }
}

/// The error of an index beyond the end of its list.
#[cold]
pub(crate) fn out_of_range(what: &'static str, index: usize, len: usize, at: u64) -> Error {
    Error::new(ErrorKind::OutOfRange { what, index: index as u64, len: len as u64 }).at(at)
}
