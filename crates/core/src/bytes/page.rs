//! A page-aligned buffer.

use super::room::{full, room as spare};
use crate::error::Result;
use crate::limits::Limits;
use std::io::{ErrorKind as IoKind, Read};

/// The alignment at which the kernel copies at full speed. Into a destination 8 or 16 bytes past a page, where the allocator puts
/// large blocks, its copy ran at a quarter of the speed.
const PAGE: usize = 4096;

/// Page-aligned bytes in a reused buffer, which is zeroed only where it grows.
#[derive(Debug, Default)]
pub(crate) struct PageBuf {
    raw: Vec<u8>,
    start: usize,
    len: usize,
}

impl PageBuf {
    pub(crate) fn as_slice(&self) -> &[u8] {
        self.raw.get(self.start..self.start.saturating_add(self.len)).unwrap_or_default()
    }

    /// Reads `source` to its end. `expected` is the length according to the file system. One read of that size comes first;
    /// anything the file has grown by is read after it.
    pub(crate) fn fill(&mut self, mut source: impl Read, expected: u64, limits: &Limits) -> Result<()> {
        self.len = 0;
        Limits::charge("file size", expected, limits.file_bytes)?;
        let expected = usize::try_from(expected).unwrap_or(usize::MAX);
        // One byte more than expected, so that the end of an unchanged file shows without growing the buffer.
        let mut room = self.reserve(expected.saturating_add(1))?;
        while !self.read(&mut source, room, expected)? {
            Limits::charge("file size", (room as u64).saturating_add(1), limits.file_bytes)?;
            room = self.reserve(room.saturating_mul(2).max(16 * PAGE))?;
        }
        Ok(())
    }

    /// Reads at most the first `most` bytes of `source`. Returns whether it ended before.
    pub(crate) fn fill_head(&mut self, mut source: impl Read, most: usize) -> Result<bool> {
        self.len = 0;
        self.reserve(most)?;
        self.read(&mut source, most, usize::MAX)
    }

    /// Reads until there are `room` bytes, which are reserved, or the source ends. Returns whether it ended: at `expected` bytes it has,
    /// if there was room for more, and is not asked again.
    fn read(&mut self, source: &mut impl Read, room: usize, expected: usize) -> Result<bool> {
        while self.len < room {
            let free = self.start.saturating_add(self.len)..self.start.saturating_add(room);
            match source.read(self.raw.get_mut(free).unwrap_or_default()) {
                Ok(0) => return Ok(true),
                Ok(read) => {
                    self.len = self.len.saturating_add(read);
                    if self.len == expected && self.len < room {
                        return Ok(true);
                    }
                }
                Err(error) if error.kind() == IoKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(false)
    }

    /// Reserves `room` bytes from an aligned start, keeping the first `len` bytes.
    fn reserve(&mut self, room: usize) -> Result<usize> {
        let needed = room.saturating_add(PAGE);
        if self.raw.len() >= needed {
            return Ok(room);
        }
        spare("file", needed)?;
        let mut raw = Vec::new();
        raw.try_reserve_exact(needed).map_err(|_| full("file", room))?;
        // Touched here and not first inside the read: threads that read into new pages wait for each other in the kernel, which
        // took a quarter longer for 300 MB on two threads.
        raw.resize(needed, 0);
        let start = raw.as_ptr().align_offset(PAGE).min(PAGE);
        if let Some(kept) = raw.get_mut(start..start.saturating_add(self.len)) {
            kept.copy_from_slice(self.as_slice());
        }
        self.raw = raw;
        self.start = start;
        Ok(room)
    }
}

impl From<Vec<u8>> for PageBuf {
    /// Not aligned: the bytes are already read.
    fn from(raw: Vec<u8>) -> Self {
        Self { start: 0, len: raw.len(), raw }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_longer_than_expected_is_read_whole() {
        let whole: Vec<u8> = (0..200_000u32).map(|i| i as u8).collect();
        let mut buffer = PageBuf::default();
        for expected in [0, 1, 199_999, 200_000, 300_000] {
            buffer.fill(&whole[..], expected, &Limits::default()).unwrap();
            assert_eq!(buffer.as_slice(), whole, "expected {expected}");
            assert_eq!(buffer.as_slice().as_ptr().align_offset(PAGE), 0);
        }
    }

    #[test]
    fn nothing_of_an_earlier_file_is_left() {
        let mut buffer = PageBuf::default();
        for len in [50_000, 10, 0, 9_000, 70_000, 69_999] {
            let whole = vec![len as u8 | 1; len];
            buffer.fill(&whole[..], len as u64, &Limits::default()).unwrap();
            assert_eq!(buffer.as_slice(), whole);
            buffer.fill_head(&whole[..], 100).unwrap();
            assert_eq!(buffer.as_slice(), &whole[..len.min(100)]);
        }
    }

    #[test]
    fn an_interrupted_read_is_taken_up_again() {
        struct Interrupted<'a>(&'a [u8], bool);
        impl Read for Interrupted<'_> {
            fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
                self.1 = !self.1;
                if self.1 {
                    return Err(IoKind::Interrupted.into());
                }
                let some = to.len().min(777);
                self.0.read(&mut to[..some])
            }
        }
        let whole: Vec<u8> = (0..20_000u32).map(|i| i as u8).collect();
        let mut buffer = PageBuf::default();
        for _ in 0..2 {
            buffer.fill(Interrupted(&whole, false), 20_000, &Limits::default()).unwrap();
            assert_eq!(buffer.as_slice(), whole);
        }
    }

    #[test]
    fn a_file_as_long_as_expected_is_asked_once() {
        struct Asked<'a>(&'a [u8], usize);
        impl Read for Asked<'_> {
            fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
                self.1 += 1;
                self.0.read(to)
            }
        }
        let whole = vec![9; 5_000];
        let mut buffer = PageBuf::default();
        for (expected, asked) in [(5_000, 1), (4_999, 2), (6_000, 2), (0, 3)] {
            let mut file = Asked(&whole, 0);
            buffer.fill(&mut file, expected, &Limits::default()).unwrap();
            assert!(buffer.as_slice() == whole && file.1 == asked, "expected {expected}: {}", file.1);
        }
    }

    #[test]
    fn an_endless_source_stops_at_the_limit() {
        let limits = Limits { file_bytes: 1 << 20, ..Limits::default() };
        let error = PageBuf::default().fill(std::io::repeat(7), 0, &limits).unwrap_err();
        assert!(error.to_string().contains("limit of 1048576"), "{error}");
    }
}
