//! Options for opening meshes in files, folders and archives.

use navmap_core::Limits;
use navmap_core::bytes::{Backing, Opener};
use navmap_core::error::{Error, Result};
use navmap_core::format::{HullName, not_mesh};
use navmap_formats::{self as format, Kind};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Size of the first page, which shows the format.
const HEAD: u64 = 4096;

/// Options for opening a path: how its bytes are read, what they are taken for, and the limits on their cost.
///
/// The default reads every file into memory, which suits a server, since other programs may change the file afterwards.
/// A program that can vouch for its files sets an [`Opener`] here that maps them.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::open::{Mesh, OpenOptions};
///
/// let options = OpenOptions { lenient: true, ..OpenOptions::default() };
/// let mesh = Mesh::open_with("corpus/quake/nav3-v6.nav", &options)?;
/// assert_eq!(mesh.family(), navmap::Family::Quake);
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct OpenOptions {
    /// When files are mapped instead of read, and with whose permission.
    pub opener: Opener,
    /// Takes every named file for this kind, whatever its bytes look like.
    pub kind: Option<Kind>,
    /// Whether bytes after the end of a mesh are information instead of a warning, so that they do not count against
    /// the file.
    pub lenient: bool,
    /// Whose ways graphs have, of files that tell hulls apart: see [`NavFile::hulls`](navmap_core::format::NavFile::hulls). Of a
    /// mesh of Source 2, the number of the hull in which questions are answered. Whoever asks questions refuses a hull that the mesh
    /// does not have; else other files ignore it.
    pub hull: Option<HullName>,
    /// Limits on the cost of a file, and of an archive.
    pub limits: Limits,
}

impl OpenOptions {
    /// Options that read every file, recognise its kind by its bytes, and set the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// The part of the options that parsers need.
    pub fn format(&self) -> format::ParseOptions {
        format::ParseOptions { kind: self.kind, lenient: self.lenient, limits: self.limits, hull: self.hull }
    }

    /// The bytes of a file. A device or a pipe may be endless, so its first page has to look like a mesh or an archive.
    #[doc(hidden)]
    pub fn backing(&self, path: &Path) -> Result<Backing<'static>> {
        if !super::is_stream(path) {
            return self.opener.open(path, &self.limits);
        }
        let stream = File::open(path).map_err(Error::from);
        stream.and_then(|stream| self.stream(stream, path)).map_err(|error| error.in_file(path))
    }

    /// Reads a stream to its end, if its first page is that of a mesh or an archive.
    pub(crate) fn stream(&self, mut stream: impl Read, path: &Path) -> Result<Backing<'static>> {
        let mut bytes = Vec::new();
        stream.by_ref().take(HEAD).read_to_end(&mut bytes)?;
        let known = self.kind.is_some() || Kind::sniff(&bytes, Some(path)).is_some();
        #[cfg(feature = "archive")]
        let known = known || navmap_archive::Kind::sniff(&bytes).is_some();
        if !known {
            return Err(not_mesh(&bytes));
        }
        let most = self.limits.file_bytes.saturating_add(1).saturating_sub(bytes.len() as u64);
        stream.take(most).read_to_end(&mut bytes)?;
        Limits::charge("file size", bytes.len() as u64, self.limits.file_bytes)?;
        Ok(Backing::owned(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    /// Counts what is read from an endless stream that begins with `head`.
    fn endless(head: &[u8], options: &OpenOptions) -> (String, u64) {
        struct Counted<R>(R, u64);
        impl<R: Read> Read for Counted<R> {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                let read = self.0.read(into)?;
                self.1 += read as u64;
                Ok(read)
            }
        }
        let mut stream = Counted(head.chain(io::repeat(7)), 0);
        let error = options.stream(&mut stream, Path::new("-")).unwrap_err();
        (error.to_string(), stream.1)
    }

    #[test]
    fn a_stream_without_end_is_refused_by_its_first_page() {
        let (error, read) = endless(b"", &OpenOptions::new());
        assert!(error.contains("not a navigation mesh"), "{error}");
        assert_eq!(read, HEAD);
    }

    #[test]
    fn a_stream_that_begins_like_something_is_read_as_far_as_the_limit() {
        let mut options = OpenOptions::new();
        options.limits.file_bytes = 10_000;
        options.kind = Kind::ALL.first().copied();
        let (error, read) = endless(b"", &options);
        assert!(error.contains("over the limit of 10000"), "{error}");
        assert_eq!(read, 10_001);
        assert_eq!(options.stream(&[7; 10_000][..], Path::new("-")).unwrap().len(), 10_000);
    }
}
