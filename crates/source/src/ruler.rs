//! Skips the parts of an area, one after the other.

use navmap_core::bytes::Cursor;
use navmap_core::error::Error;
use std::marker::PhantomData;

/// What a [`Ruler`] says if it cannot go on: an [`Error`], or nothing but that it cannot, which costs nothing.
pub(super) trait Failure {
    /// `needed` bytes of `what` were to be read.
    fn short(cursor: &Cursor<'_>, what: &'static str, needed: u64) -> Self;

    /// `claimed` records of `what` were to be skipped.
    fn overclaim(cursor: &Cursor<'_>, what: &'static str, claimed: u64) -> Self;
}

impl Failure for Error {
    #[cold]
    fn short(cursor: &Cursor<'_>, what: &'static str, needed: u64) -> Self {
        cursor.short(what, needed)
    }

    #[cold]
    fn overclaim(cursor: &Cursor<'_>, what: &'static str, claimed: u64) -> Self {
        cursor.overclaim(what, claimed)
    }
}

impl Failure for () {
    fn short(_: &Cursor<'_>, _: &'static str, _: u64) -> Self {}

    fn overclaim(_: &Cursor<'_>, _: &'static str, _: u64) -> Self {}
}

/// A position that skips lists. `at` never leaves the file, and no step is longer than 2^32 records of 61 bytes, so sums in `u64`
/// cannot wrap.
pub(super) struct Ruler<'a, F = Error> {
    file: &'a [u8],
    at: u64,
    failure: PhantomData<F>,
}

impl<'a, F: Failure> Ruler<'a, F> {
    #[inline(always)]
    pub(super) fn new(file: &'a [u8], at: u64) -> Self {
        Self { file, at, failure: PhantomData }
    }

    #[inline(always)]
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Skips `bytes` bytes.
    #[inline(always)]
    pub(super) fn pass(&mut self, bytes: u64, what: &'static str) -> Result<(), F> {
        let end = self.at.wrapping_add(bytes);
        if end > self.file.len() as u64 {
            return Err(self.short(what, bytes));
        }
        self.at = end;
        Ok(())
    }

    /// A `u8`.
    #[inline(always)]
    pub(super) fn u8(&mut self, what: &'static str) -> Result<u8, F> {
        let Some(value) = self.file.get(self.at as usize) else {
            return Err(self.short(what, 1));
        };
        self.at = self.at.wrapping_add(1);
        Ok(*value)
    }

    /// A `u32`.
    #[inline(always)]
    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32, F> {
        let Some(value) = self.file.get(self.at as usize..).and_then(|rest| rest.first_chunk()) else {
            return Err(self.short(what, 4));
        };
        self.at = self.at.wrapping_add(4);
        Ok(u32::from_le_bytes(*value))
    }

    /// The bytes of a `u32` count's records, `size` bytes each.
    #[inline(always)]
    pub(super) fn list32(&mut self, size: u64, what: &'static str) -> Result<&'a [u8], F> {
        let Some(count) = self.file.get(self.at as usize..).and_then(|rest| rest.first_chunk()) else {
            return Err(self.short(what, 4));
        };
        let count = u64::from(u32::from_le_bytes(*count));
        self.records(count, size, 4, what)
    }

    /// Skips a `u8` count and that many records of `size` bytes.
    #[inline(always)]
    pub(super) fn list8(&mut self, size: u64, what: &'static str) -> Result<(), F> {
        let Some(count) = self.file.get(self.at as usize) else {
            return Err(self.short(what, 1));
        };
        self.records(u64::from(*count), size, 1, what).map(drop)
    }

    /// A list that is usually, or always, empty. The processor predicts this, and continues after it before the count is read; a
    /// sum would have to wait for it.
    #[inline(always)]
    pub(super) fn rare32(&mut self, size: u64, what: &'static str) -> Result<(), F> {
        let Some(count) = self.file.get(self.at as usize..).and_then(|rest| rest.first_chunk()) else {
            return Err(self.short(what, 4));
        };
        let count = u32::from_le_bytes(*count);
        if count == 0 {
            self.at = self.at.wrapping_add(4);
            return Ok(());
        }
        self.records(u64::from(count), size, 4, what).map(drop)
    }

    /// As [`rare32`](Self::rare32).
    #[inline(always)]
    pub(super) fn rare8(&mut self, size: u64, what: &'static str) -> Result<(), F> {
        if self.file.get(self.at as usize) == Some(&0) {
            self.at = self.at.wrapping_add(1);
            return Ok(());
        }
        self.list8(size, what)
    }

    #[inline(always)]
    fn records(&mut self, count: u64, size: u64, after: u64, what: &'static str) -> Result<&'a [u8], F> {
        let start = self.at.wrapping_add(after);
        let end = start.wrapping_add(count.wrapping_mul(size));
        if end > self.file.len() as u64 {
            return Err(self.overclaim(after, what, count));
        }
        self.at = end;
        Ok(self.file.get(start as usize..end as usize).unwrap_or_default())
    }

    /// Skips encounter paths, and tells `each` where they begin.
    #[inline(always)]
    pub(super) fn paths<const HEAD: u64, const SPOT: u64>(
        &mut self,
        mut each: impl FnMut(u32),
    ) -> Result<u32, F> {
        let count = self.path_count::<HEAD>()?;
        let mut at = self.at;
        for _ in 0..count {
            let Some(end) = path_end::<HEAD, SPOT>(self.file, at) else {
                // The spots of the path before may run past the end already.
                self.leave_paths(at)?;
                return Err(self.short("encounter path", HEAD));
            };
            each(at as u32);
            at = end;
        }
        self.leave_paths(at)?;
        Ok(count)
    }

    /// The number of encounter paths, of which the first begins here.
    #[inline(always)]
    pub(super) fn path_count<const HEAD: u64>(&mut self) -> Result<u32, F> {
        const WHAT: &str = "encounter paths";
        let Some(count) = self.file.get(self.at as usize..).and_then(|rest| rest.first_chunk()) else {
            return Err(self.short(WHAT, 4));
        };
        let count = u32::from_le_bytes(*count);
        let left = (self.file.len() as u64).wrapping_sub(self.at).wrapping_sub(4);
        if u64::from(count).wrapping_mul(HEAD) > left {
            return Err(self.overclaim(4, WHAT, u64::from(count)));
        }
        self.at = self.at.wrapping_add(4);
        Ok(count)
    }

    /// Goes on at the end of the last path, which may lie past the end of the file.
    #[inline(always)]
    pub(super) fn leave_paths(&mut self, at: u64) -> Result<(), F> {
        if at > self.file.len() as u64 {
            self.at = self.file.len() as u64;
            return Err(self.short("encounter spots", at.wrapping_sub(self.at)));
        }
        self.at = at;
        Ok(())
    }

    /// The failure of a read that needs `needed` bytes.
    #[cold]
    pub(super) fn short(&self, what: &'static str, needed: u64) -> F {
        F::short(&self.cursor(), what, needed)
    }

    #[cold]
    fn overclaim(&self, after: u64, what: &'static str, claimed: u64) -> F {
        let cursor = self.cursor();
        match cursor.rest().get(after as usize..) {
            Some(rest) => F::overclaim(&Cursor::new(rest, self.at.wrapping_add(after)), what, claimed),
            None => F::short(&cursor, what, after),
        }
    }

    fn cursor(&self) -> Cursor<'a> {
        Cursor::new(self.file.get(self.at as usize..).unwrap_or_default(), self.at)
    }
}

/// Where the encounter path at byte `at` ends. The last byte of its head counts the spots that follow. `None` past the end of the
/// file, in which the spots need not be.
#[inline(always)]
pub(super) fn path_end<const HEAD: u64, const SPOT: u64>(file: &[u8], at: u64) -> Option<u64> {
    let spots = file.get(at.wrapping_add(HEAD.wrapping_sub(1)) as usize)?;
    Some(at.wrapping_add(HEAD).wrapping_add(u64::from(*spots).wrapping_mul(SPOT)))
}
