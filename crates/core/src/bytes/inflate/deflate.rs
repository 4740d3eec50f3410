//! zlib streams, made.

use crate::bytes::room::full;
use crate::error::{Error, Result};
use flate2::write::ZlibEncoder;
use flate2::{Compress, Compression, FlushCompress, Status};
use std::io::{self, Write};

/// The encoder of zlib streams in this build: zlib-rs, or with the feature `zlib-exact` the C library zlib.
pub const ENCODER: &str = if cfg!(feature = "zlib-exact") { "the C library zlib" } else { "zlib-rs" };

/// Appends `bytes` to `out` as one zlib stream. The level, from 0 to 9, shows in the header: 9 begins `78 DA`, 6 `78 9C`.
///
/// [`ENCODER`] names the encoder. Every decoder reads the output of each; but the games' editors use the C library, so only that
/// reproduces the bytes they wrote for an unchanged record.
///
/// # Errors
/// If there is not enough memory for the result.
pub fn deflate(bytes: &[u8], level: u32, out: &mut Vec<u8>) -> Result<()> {
    const WHAT: &str = "compressed data";
    let mut stream = Compress::new(Compression::new(level), true);
    // The deflate size of incompressible bytes, plus header and trailer.
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

/// Writes what `fill` writes to `out` as one zlib stream, of which no more than a window is held. The bytes are those of [`deflate`].
///
/// # Errors
/// Those of `out` and of `fill`.
pub fn deflate_into(
    level: u32,
    out: &mut dyn Write,
    fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut stream = ZlibEncoder::new(out, Compression::new(level));
    fill(&mut stream)?;
    stream.finish().map(drop)
}
