//! What an untrusted file may cost.

use crate::error::{Error, ErrorKind, Result};

/// Bounds on what a file may make a reader do. The defaults are far above every real file that was seen.
///
/// Views cost nothing, so most of navmap needs no limit; these are for what has to be owned (inflated records and
/// archive members, files that are read instead of mapped), for what nests, and for what a few bytes can claim a million
/// times. `docs/limits.md` says what they add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one file that is read into memory (a mapped file is not limited). Default 4 GiB.
    pub file_bytes: u64,
    /// Inflated bytes that are held at one time: one compressed record, or one member together with the inflated archives
    /// around it. Default 1 GiB.
    pub inflated_bytes: u64,
    /// What the members of one outermost archive may cost together: see [`Limits::cost_of`]. Default 64 GiB.
    pub archive_bytes: u64,
    /// How much of that for one byte of the outermost archive, beyond the first 32 MiB. A third of it is what may be held
    /// inflated at one time. Default 100.
    pub inflate_ratio: u64,
    /// Nesting: groups in groups, archives in archives. Default 16.
    pub depth: u32,
    /// Members of one outermost archive and of all archives in it, those that nobody looks at included. Default 4 million.
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

/// Cost that is free of the ratio: small archives may compress as well as they like.
const FREE: u64 = 32 << 20;

impl Limits {
    /// `Err` with both numbers where `asked` is more than `allowed`.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`].
    pub fn charge(what: &'static str, asked: u64, allowed: u64) -> Result<()> {
        if asked <= allowed { Ok(()) } else { Err(Error::new(ErrorKind::Limit { what, asked, allowed })) }
    }

    /// What the members of an outermost archive of `len` bytes may cost together by [`inflate_ratio`](Self::inflate_ratio).
    ///
    /// A member that is looked at costs its bytes, those that it is inflated from, those of its path, and 1 KiB; each
    /// stream of bzip2 costs 64 KiB besides, which setting up its decoder takes.
    pub fn cost_of(&self, len: u64) -> u64 {
        FREE.saturating_add(len.saturating_mul(self.inflate_ratio))
    }

    /// What may be held inflated at one time for `len` packed bytes.
    pub fn held_of(&self, len: u64) -> u64 {
        self.cost_of(len) / 3
    }
}
