//! Inflates zlib and deflate streams into one reused, bounded buffer.

mod deflate;

pub use deflate::{ENCODER, deflate, deflate_into};

use super::room::{full, room};
use crate::error::{Error, Result};
use crate::limits::Limits;
use flate2::{Decompress, FlushDecompress, Status};

/// A decoder and its output buffer, both reused. Allocates nothing before the first stream (the decoder's state takes 47 KB), and
/// nothing after the largest one.
#[derive(Default)]
pub struct Inflater {
    zlib: Option<Decompress>,
    out: Vec<u8>,
}

impl std::fmt::Debug for Inflater {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inflater").field("capacity", &self.out.capacity()).finish_non_exhaustive()
    }
}

const WHAT: &str = "compressed data";

impl Inflater {
    /// Inflates one zlib stream that must yield exactly `size` bytes, and lends them until the next call.
    ///
    /// `size` is the file's claim. Before anything is reserved, it is checked against [`Limits::inflated_bytes`] and against the
    /// best ratio of deflate (1,032 bytes from one).
    ///
    /// # Errors
    /// [`Limit`](crate::ErrorKind::Limit) for a claim over the limit. [`Invalid`](crate::ErrorKind::Invalid) for a claim that the
    /// stream cannot reach, for damaged data, and if the stream ends early or late.
    pub fn zlib(&mut self, stream: &[u8], size: u64, limits: &Limits) -> Result<&[u8]> {
        Limits::charge("inflated size", size, limits.inflated_bytes)?;
        let reach = (stream.len() as u64).saturating_mul(1_032);
        if size > reach {
            let why =
                format!("{size} bytes claimed, but {} stored bytes inflate to {reach} at most", stream.len());
            return Err(Error::invalid(WHAT, why));
        }
        let size =
            usize::try_from(size).map_err(|_| Error::invalid(WHAT, "larger than the address space"))?;
        let (status, produced) = self.inflate(stream, size)?;
        match status {
            Status::StreamEnd if produced == size as u64 => Ok(self.out.get(..size).unwrap_or_default()),
            Status::StreamEnd => {
                Err(Error::invalid(WHAT, format!("inflates to {produced} bytes, {size} were declared")))
            }
            // Output is full or input used up, but the stream has not ended.
            Status::Ok | Status::BufError if produced < size as u64 => {
                Err(Error::invalid(WHAT, format!("ends early: {produced} of {size} bytes")))
            }
            Status::Ok | Status::BufError => {
                Err(Error::invalid(WHAT, format!("inflates to more than the {size} bytes declared")))
            }
        }
    }

    /// Inflates the first bytes of a zlib stream, at most so many, and lends them until the next call. What follows is not looked at.
    ///
    /// # Errors
    /// For damaged data, and if there is no memory.
    pub fn zlib_start(&mut self, stream: &[u8], most: usize) -> Result<&[u8]> {
        let (_, produced) = self.inflate(stream, most)?;
        let produced = usize::try_from(produced).unwrap_or(usize::MAX);
        Ok(self.out.get(..produced.min(most)).unwrap_or_default())
    }

    /// Inflates until the output has `size` bytes or the stream ends. Returns which, and how many there are.
    fn inflate(&mut self, stream: &[u8], size: usize) -> Result<(Status, u64)> {
        const DECODER: usize = 64 << 10;
        if self.out.len() < size {
            // Output that does not fit into memory fails this record, not the process.
            let more = size.saturating_sub(self.out.len());
            self.out.try_reserve_exact(more).map_err(|_| full(WHAT, size))?;
            room(WHAT, DECODER)?;
            self.out.resize(size, 0);
        }
        let zlib = match &mut self.zlib {
            Some(zlib) => zlib,
            none => {
                room(WHAT, DECODER)?;
                none.insert(Decompress::new(true))
            }
        };
        zlib.reset(true);
        let out = self.out.get_mut(..size).unwrap_or_default();
        let status = zlib
            .decompress(stream, out, FlushDecompress::Finish)
            .map_err(|error| Error::invalid(WHAT, error.to_string()))?;
        Ok((status, zlib.total_out()))
    }
}
