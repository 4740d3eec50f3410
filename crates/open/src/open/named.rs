//! Finds the bytes of a name: a file, `archive!member`, a compressed file, standard input.

use super::bytes::Bytes;
use super::{OpenOptions, is_stdin};
use navmap_core::bytes::Backing;
use navmap_core::error::Result;
use std::io;
use std::path::Path;

impl Bytes {
    /// Opens what `path` names: a file, or `-` for standard input (a file of that name is `./-`). With the feature
    /// `archive` it may also be `archive!member`, and a compressed file is inflated if it holds one mesh (`a.nav.gz`).
    ///
    /// # Errors
    /// If the file or the member does not exist, cannot be read, or is over a [limit](navmap_core::Limits). Names the path.
    pub fn open(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self> {
        let path = path.as_ref();
        #[cfg(feature = "archive")]
        if let Some((archive, name)) = super::many::member::inside(path) {
            return super::many::member::open(archive, name, options);
        }
        let bytes = Self::from_backing(path, backing(path, options)?);
        #[cfg(feature = "archive")]
        if let Some(wrapped) = super::many::member::unwrap(&bytes, path, options)? {
            return Ok(wrapped);
        }
        Ok(if is_stdin(path) { bytes } else { bytes.of_file() })
    }
}

/// The bytes of a file, or of standard input. That may be endless, so its first page has to look like a mesh or an archive.
pub(crate) fn backing(path: &Path, options: &OpenOptions) -> Result<Backing<'static>> {
    if is_stdin(path) {
        return options.stream(io::stdin().lock(), path).map_err(|error| error.in_file(path));
    }
    options.backing(path)
}
