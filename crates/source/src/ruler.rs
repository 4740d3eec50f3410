//! Skips the parts of an area, one after the other.

use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};

/// A position that skips lists. `at` never leaves the file, and no step is longer than 2^32 records of 61 bytes, so sums in `u64`
/// cannot wrap.
pub(super) struct Ruler<'a> {
    file: &'a [u8],
    at: u64,
}

impl<'a> Ruler<'a> {
    #[inline(always)]
    pub(super) fn new(file: &'a [u8], at: u64) -> Self {
        Self { file, at }
    }

    #[inline(always)]
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Skips `bytes` bytes.
    #[inline(always)]
    pub(super) fn pass(&mut self, bytes: u64, what: &'static str) -> Result<()> {
        let end = self.at.wrapping_add(bytes);
        if end > self.file.len() as u64 {
            return Err(self.short(what, bytes));
        }
        self.at = end;
        Ok(())
    }

    /// A `u8`.
    #[inline(always)]
    pub(super) fn u8(&mut self, what: &'static str) -> Result<u8> {
        let Some(value) = self.file.get(self.at as usize) else {
            return Err(self.short(what, 1));
        };
        self.at = self.at.wrapping_add(1);
        Ok(*value)
    }

    /// A `u32`.
    #[inline(always)]
    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32> {
        let Some(value) = self.file.get(self.at as usize..).and_then(|rest| rest.first_chunk()) else {
            return Err(self.short(what, 4));
        };
        self.at = self.at.wrapping_add(4);
        Ok(u32::from_le_bytes(*value))
    }

    /// The bytes of a `u32` count's records, `size` bytes each.
    #[inline(always)]
    pub(super) fn list32(&mut self, size: u64, what: &'static str) -> Result<&'a [u8]> {
        let Some(count) = self.file.get(self.at as usize..).and_then(|rest| rest.first_chunk()) else {
            return Err(self.short(what, 4));
        };
        let count = u64::from(u32::from_le_bytes(*count));
        self.records(count, size, 4, what)
    }

    /// Skips a `u8` count and that many records of `size` bytes.
    #[inline(always)]
    pub(super) fn list8(&mut self, size: u64, what: &'static str) -> Result<()> {
        let Some(count) = self.file.get(self.at as usize) else {
            return Err(self.short(what, 1));
        };
        self.records(u64::from(*count), size, 1, what).map(drop)
    }

    /// A list that is usually, or always, empty. The processor predicts this, and continues after it before the count is read; a
    /// sum would have to wait for it.
    #[inline(always)]
    pub(super) fn rare32(&mut self, size: u64, what: &'static str) -> Result<()> {
        if let Some([0, 0, 0, 0]) = self.file.get(self.at as usize..).and_then(|rest| rest.first_chunk()) {
            self.at = self.at.wrapping_add(4);
            return Ok(());
        }
        self.list32(size, what).map(drop)
    }

    /// As [`rare32`](Self::rare32).
    #[inline(always)]
    pub(super) fn rare8(&mut self, size: u64, what: &'static str) -> Result<()> {
        if self.file.get(self.at as usize) == Some(&0) {
            self.at = self.at.wrapping_add(1);
            return Ok(());
        }
        self.list8(size, what)
    }

    #[inline(always)]
    fn records(&mut self, count: u64, size: u64, after: u64, what: &'static str) -> Result<&'a [u8]> {
        let start = self.at.wrapping_add(after);
        let end = start.wrapping_add(count.wrapping_mul(size));
        if end > self.file.len() as u64 {
            return Err(self.overclaim(after, what, count));
        }
        self.at = end;
        Ok(self.file.get(start as usize..end as usize).unwrap_or_default())
    }

    /// Skips encounter paths, and tells `each` where they begin and end. The last byte of each head counts the spots that follow.
    #[inline(always)]
    pub(super) fn paths<const HEAD: u64, const SPOT: u64>(
        &mut self,
        mut each: impl FnMut(u64, u64),
    ) -> Result<u32> {
        const WHAT: &str = "encounter paths";
        let Some(count) = self.file.get(self.at as usize..).and_then(|rest| rest.first_chunk()) else {
            return Err(self.short(WHAT, 4));
        };
        let count = u32::from_le_bytes(*count);
        let left = (self.file.len() as u64).wrapping_sub(self.at).wrapping_sub(4);
        if u64::from(count).wrapping_mul(HEAD) > left {
            return Err(self.overclaim(4, WHAT, u64::from(count)));
        }
        let mut at = self.at.wrapping_add(4);
        for _ in 0..count {
            let Some(spots) = self.file.get(at.wrapping_add(HEAD.wrapping_sub(1)) as usize) else {
                self.at = at;
                return Err(self.short("encounter path", HEAD));
            };
            let start = at;
            at = at.wrapping_add(HEAD).wrapping_add(u64::from(*spots).wrapping_mul(SPOT));
            each(start, at);
        }
        if at > self.file.len() as u64 {
            self.at = self.file.len() as u64;
            return Err(self.short("encounter spots", at.wrapping_sub(self.at)));
        }
        self.at = at;
        Ok(count)
    }

    /// The error of a read that needs `needed` bytes.
    #[cold]
    pub(super) fn short(&self, what: &'static str, needed: u64) -> Error {
        self.cursor().short(what, needed)
    }

    #[cold]
    fn overclaim(&self, after: u64, what: &'static str, claimed: u64) -> Error {
        let mut cursor = self.cursor();
        match cursor.skip(after as usize, what) {
            Ok(()) => cursor.overclaim(what, claimed),
            Err(error) => error,
        }
    }

    fn cursor(&self) -> Cursor<'_> {
        Cursor::new(self.file.get(self.at as usize..).unwrap_or_default(), self.at)
    }
}
