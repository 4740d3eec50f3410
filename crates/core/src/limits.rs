//! Limits on the cost of an untrusted file.

use crate::error::{Error, ErrorKind, Result};

/// Bounds on what a file may make a reader do. The defaults are far above every real file seen.
///
/// Views cost nothing, so most of navmap needs no limit. These are for owned data (inflated records and archive members, files
/// that are read instead of mapped), for nesting, and for counts that a few bytes can inflate to millions. `docs/limits.md` adds
/// them up. `with_…` changes the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one file that is read into memory (a mapped file is not limited). Default 4 GiB.
    pub file_bytes: u64,
    /// Inflated bytes in memory at one time: one compressed record, or one member together with the inflated archives around it.
    /// Default 1 GiB.
    pub inflated_bytes: u64,
    /// The total cost of the members of one outermost archive: see [`Limits::cost_of`]. Default 64 GiB.
    pub archive_bytes: u64,
    /// The cost allowed per byte of the outermost archive, beyond the first 32 MiB. A third of it may be in memory inflated at
    /// one time. Default 100.
    pub inflate_ratio: u64,
    /// Nesting: groups in groups, archives in archives. Default 16.
    pub depth: u32,
    /// Members of one outermost archive and of all archives in it, including those that are not read. Default 4 million.
    pub members: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 4 << 30,
            inflated_bytes: 1 << 30,
            archive_bytes: 64 << 30,
            inflate_ratio: 100,
            depth: 16,
            members: 4 << 20,
        }
    }
}

/// Cost exempt from the ratio, since small archives may compress very well.
const FREE: u64 = 32 << 20;

impl Limits {
    crate::with! {
        with_file_bytes = file_bytes: u64;
        with_inflated_bytes = inflated_bytes: u64;
        with_archive_bytes = archive_bytes: u64;
        with_inflate_ratio = inflate_ratio: u64;
        with_depth = depth: u32;
        with_members = members: u64;
    }

    /// Fails with both numbers if `asked` is more than `allowed`.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`].
    pub fn charge(what: &'static str, asked: u64, allowed: u64) -> Result<()> {
        if asked <= allowed { Ok(()) } else { Err(Error::new(ErrorKind::Limit { what, asked, allowed })) }
    }

    /// The total cost that [`inflate_ratio`](Self::inflate_ratio) allows the members of an outermost archive of `len` bytes.
    ///
    /// A member that is read costs its bytes, its packed bytes, the bytes of its path, and 1 KiB. Each bzip2 stream costs 64 KiB
    /// more for setting up its decoder.
    pub fn cost_of(&self, len: u64) -> u64 {
        FREE.saturating_add(len.saturating_mul(self.inflate_ratio))
    }

    /// Bytes that may be in memory inflated at one time, for `len` packed bytes.
    pub fn held_of(&self, len: u64) -> u64 {
        self.cost_of(len) / 3
    }
}
