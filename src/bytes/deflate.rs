//! zlib streams, made.

#![forbid(unsafe_code)]

use super::room::full;
use crate::error::{Error, Result};
use flate2::{Compress, Compression, FlushCompress, Status};

/// Appends `bytes` to `out` as one zlib stream, at a level from 0 to 9 that its header tells: 9 begins `78 DA`, 6 `78 9C`.
///
/// zlib-rs makes it; with the feature `zlib-exact` the C library zlib does, to the byte as tools that are linked with it.
///
/// # Errors
/// If there is no memory for the result.
pub(crate) fn deflate(bytes: &[u8], level: u32, out: &mut Vec<u8>) -> Result<()> {
    const WHAT: &str = "compressed data";
    let mut stream = Compress::new(Compression::new(level), true);
    // What deflate makes of bytes that do not compress, and room for the ends.
    let most = bytes.len().saturating_add(bytes.len() / 1_000).saturating_add(1 << 10);
    out.try_reserve(most).map_err(|_| full(WHAT, most))?;
    loop {
        let taken = usize::try_from(stream.total_in()).unwrap_or(usize::MAX);
        let rest = bytes.get(taken..).unwrap_or_default();
        let status = stream
            .compress_vec(rest, out, FlushCompress::Finish)
            .map_err(|error| Error::invalid(WHAT, error.to_string()))?;
        if status == Status::StreamEnd {
            return Ok(());
        }
        out.try_reserve(1 << 12).map_err(|_| full(WHAT, 1 << 12))?;
    }
}
