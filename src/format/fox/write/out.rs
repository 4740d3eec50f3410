//! The bytes so far.

#![forbid(unsafe_code)]

use zerocopy::{Immutable, IntoBytes};

/// The next multiple of 16.
pub(super) fn align16(at: usize) -> usize {
    at.saturating_add(15) & !15
}

/// Bytes at the end of a file. Offsets count from its beginning.
pub(super) struct Out<'b>(&'b mut Vec<u8>);

impl<'b> Out<'b> {
    pub(super) fn new(bytes: &'b mut Vec<u8>, size: usize) -> Self {
        bytes.clear();
        bytes.reserve(size);
        Self(bytes)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    #[inline]
    pub(super) fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    #[inline]
    pub(super) fn u16(&mut self, value: u16) {
        self.raw(&value.to_le_bytes());
    }

    #[inline]
    pub(super) fn u32(&mut self, value: u32) {
        self.raw(&value.to_le_bytes());
    }

    #[inline]
    pub(super) fn records<T: IntoBytes + Immutable>(&mut self, records: &[T]) {
        self.raw(records.as_bytes());
    }

    /// Zeros up to a multiple of a power of two.
    pub(super) fn align(&mut self, to: usize) {
        let rest = to.wrapping_sub(self.0.len()) & to.wrapping_sub(1);
        self.0.resize(self.0.len().saturating_add(rest), 0);
    }

    /// Zeros up to an offset.
    pub(super) fn pad_to(&mut self, at: usize) {
        self.0.resize(at.max(self.0.len()), 0);
    }
}
