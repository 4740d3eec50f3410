//! What an untrusted file may cost.

#![forbid(unsafe_code)]

use crate::error::{Error, ErrorKind, Result};

/// Bounds on what a file may make a reader do. The defaults are far above every real file that was seen.
///
/// Views cost nothing, so most of navmap needs no limit; these are for what has to be owned (inflated records and
/// archive members, files that are read instead of mapped) and for what nests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one file that is read into memory (a mapped file is not limited). Default 4 GiB.
    pub file_bytes: u64,
    /// Bytes that one compressed record or archive member may inflate to. Default 1 GiB.
    pub inflated_bytes: u64,
    /// Bytes that all members of one archive together may inflate to. Default 64 GiB.
    pub archive_bytes: u64,
    /// Output bytes for one input byte, beyond the first mebibyte. Default 2,000 (deflate cannot exceed 1,032).
    pub inflate_ratio: u64,
    /// Nesting: groups in groups, archives in archives. Default 16.
    pub depth: u32,
    /// Entries of one archive's directory. Default 4 million.
    pub entries: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 4 << 30,
            inflated_bytes: 1 << 30,
            archive_bytes: 64 << 30,
            inflate_ratio: 2_000,
            depth: 16,
            entries: 4 << 20,
        }
    }
}

impl Limits {
    /// `Err` with both numbers where `asked` is more than `allowed`.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`].
    pub fn charge(what: &'static str, asked: u64, allowed: u64) -> Result<()> {
        if asked <= allowed { Ok(()) } else { Err(Error::new(ErrorKind::Limit { what, asked, allowed })) }
    }
}
