//! The bytes so far.

use zerocopy::{Immutable, IntoBytes};

/// The next multiple of 16.
pub(super) fn align16(at: usize) -> usize {
    at.saturating_add(15) & !15
}

/// Bytes of a file of known size. Skipped bytes stay zero.
pub(super) struct Out<'b> {
    bytes: &'b mut [u8],
    at: usize,
}

impl<'b> Out<'b> {
    pub(super) fn new(bytes: &'b mut Vec<u8>, size: usize) -> Self {
        if bytes.capacity() < size {
            // Freshly allocated zero pages need no clearing.
            *bytes = vec![0; size];
        } else {
            bytes.clear();
            bytes.resize(size, 0);
        }
        Self { bytes, at: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.at
    }

    #[inline]
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        let end = self.at.saturating_add(bytes.len());
        if let Some(to) = self.bytes.get_mut(self.at..end) {
            to.copy_from_slice(bytes);
        }
        self.at = end;
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

    /// Pads with zeros to a multiple of a power of two.
    pub(super) fn align(&mut self, to: usize) {
        let rest = to.wrapping_sub(self.at) & to.wrapping_sub(1);
        self.at = self.at.saturating_add(rest);
    }

    /// Pads with zeros to an offset.
    pub(super) fn pad_to(&mut self, at: usize) {
        self.at = at.max(self.at);
    }

    /// All remaining bytes, for loops that compute their own offsets.
    pub(super) fn rest(&mut self) -> &mut [u8] {
        self.bytes.get_mut(self.at..).unwrap_or_default()
    }

    /// Skips bytes that were written through [`rest`](Self::rest).
    pub(super) fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }
}

/// Copies bytes to an offset, if they fit there.
#[inline]
pub(super) fn copy(to: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(to) = to.get_mut(at..at.saturating_add(bytes.len())) {
        to.copy_from_slice(bytes);
    }
}

/// Copies the first `len` bytes to an offset, if they fit there. Usually they are few: always copying sixteen costs less than
/// checking the length, and later writes overwrite the excess.
#[inline]
pub(super) fn copy_few(to: &mut [u8], at: usize, from: &[u8], len: usize) {
    let place = to.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<16>);
    match (place, from.first_chunk::<16>()) {
        (Some(to), Some(from)) if len <= 16 => *to = *from,
        _ => copy(to, at, from.get(..len).unwrap_or_default()),
    }
}
