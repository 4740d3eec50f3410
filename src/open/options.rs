//! How meshes are opened, whatever they lie in.

#![forbid(unsafe_code)]

use crate::bytes::{Backing, Opener};
use crate::error::Result;
use crate::format::{self, Kind};
use crate::limits::Limits;
use std::path::Path;

/// How a path is opened: how its bytes are had, what they are taken for, and what they may cost.
///
/// The default reads every file into memory of its own, which is what a server wants: other programs may do to the file
/// what they like afterwards. A program that may vouch for its files puts an [`Opener`] here that maps them.
///
/// ```
/// use navmap::open::{Mesh, Options};
///
/// let mut options = Options::new();
/// options.lenient = true;
/// let mesh = Mesh::open_with("corpus/quake/nav3-v6.nav", &options)?;
/// assert_eq!(mesh.family(), navmap::Family::Quake);
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Options {
    /// When files are mapped rather than read, and on whose word.
    pub opener: Opener,
    /// Takes the bytes of every file that is named for this kind, whatever they look like.
    pub kind: Option<Kind>,
    /// Bytes after the end of a mesh are information, not a warning: they do not count against the file.
    pub lenient: bool,
    /// What a file, and an archive of them, may cost.
    pub limits: Limits,
}

impl Options {
    /// Reads every file, tells its kind by its bytes, under the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// What of this the parsers are told.
    pub fn format(&self) -> format::Options {
        let mut format = format::Options::default();
        (format.kind, format.lenient, format.limits) = (self.kind, self.lenient, self.limits);
        format
    }

    /// The bytes of a file.
    pub(crate) fn backing(&self, path: &Path) -> Result<Backing<'static>> {
        self.opener.open(path, &self.limits)
    }
}
