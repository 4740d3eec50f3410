//! Finds the bytes of what somebody named: a file, `archive!member`, a compressed file, standard input.

#![forbid(unsafe_code)]

use super::bytes::Bytes;
#[cfg(feature = "archive")]
use super::member;
use super::{Options, is_stdin};
use crate::bytes::Backing;
use crate::error::Result;
use crate::limits::Limits;
use std::io::{self, Read};
use std::path::Path;

impl Bytes {
    /// Opens what `path` names: a file, or `-` for standard input (a file of that name is `./-`). With the feature
    /// `archive` it may also be `archive!member`, and a compressed file is inflated if it holds one mesh (`a.nav.gz`).
    ///
    /// # Errors
    /// If the file or the member does not exist, cannot be read, or is over a [limit](Limits). Names the path.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Self> {
        let path = path.as_ref();
        #[cfg(feature = "archive")]
        if let Some((archive, name)) = member::inside(path) {
            return member::open(&archive, name, options);
        }
        let bytes = Self::of(path, backing(path, options)?);
        #[cfg(feature = "archive")]
        if let Some(wrapped) = member::unwrap(&bytes, path, options)? {
            return Ok(wrapped);
        }
        Ok(bytes)
    }
}

/// The bytes of a file, or of standard input.
pub(crate) fn backing(path: &Path, options: &Options) -> Result<Backing<'static>> {
    if is_stdin(path) {
        return read(io::stdin().lock(), &options.limits).map_err(|error| error.in_file(path));
    }
    options.backing(path)
}

/// Reads a stream to its end.
fn read(stream: impl Read, limits: &Limits) -> Result<Backing<'static>> {
    let mut bytes = Vec::new();
    stream.take(limits.file_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    Limits::charge("file size", bytes.len() as u64, limits.file_bytes)?;
    Ok(Backing::owned(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_read_as_far_as_the_limit() {
        let limits = Limits { file_bytes: 1000, ..Limits::default() };
        assert_eq!(read(&[7; 1000][..], &limits).unwrap().len(), 1000);
        let error = read(io::repeat(7), &limits).unwrap_err().to_string();
        assert!(error.contains("over the limit of 1000"), "{error}");
    }
}
