//! The bytes of one named mesh: a file, `archive!member`, a compressed file, standard input.

use navmap_core::bytes::Backing;
use navmap_core::error::Result;
use navmap_core::text::printable;
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// The bytes of one mesh, in a file or in an archive. Dereferences to `[u8]`. May be sent to and shared between
/// threads.
///
/// A file is read or mapped as [`OpenOptions::opener`](super::OpenOptions::opener) says. An uncompressed member of an archive is viewed in place and
/// keeps the archive open. A compressed one is inflated into memory of its own.
pub struct Bytes {
    held: Held,
    path: PathBuf,
    member: Option<String>,
    /// Whether the path names the file that holds just these bytes.
    is_file: bool,
}

enum Held {
    Own(Backing<'static>),
    /// Stored uncompressed. The location in the directory was checked before, and is checked again for each view, in constant
    /// time.
    #[cfg(feature = "archive")]
    Stored {
        archive: std::sync::Arc<super::ArchiveFile>,
        entry: navmap_archive::Entry,
    },
}

/// Members of archives.
#[cfg(feature = "archive")]
impl Bytes {
    pub(super) fn of_member(archive: &Path, member: &str, bytes: Vec<u8>) -> Self {
        let held = Held::Own(Backing::owned(bytes));
        Self { held, path: archive.to_owned(), member: Some(member.to_owned()), is_file: false }
    }

    pub(super) fn stored(
        archive: std::sync::Arc<super::ArchiveFile>,
        member: &str,
        entry: navmap_archive::Entry,
    ) -> Self {
        let path = archive.path().to_owned();
        Self { held: Held::Stored { archive, entry }, path, member: Some(member.to_owned()), is_file: false }
    }

    /// Converts into a backing. The bytes of a file are moved, those of a member copied.
    pub(super) fn into_backing(self) -> Backing<'static> {
        match self.held {
            Held::Own(backing) => backing,
            Held::Stored { .. } => Backing::owned(self.to_vec()),
        }
    }
}

impl Bytes {
    /// Bytes that the caller has. The path names them in errors. If the bytes do not show their kind, its extension does.
    pub fn from_backing(path: impl Into<PathBuf>, backing: Backing<'static>) -> Self {
        Self { held: Held::Own(backing), path: path.into(), member: None, is_file: false }
    }

    /// The same path and member with bytes owned by another value: see [`Backing::from_owner`].
    #[must_use]
    pub fn held_by(self, owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self { held: Held::Own(Backing::from_owner(owner)), ..self }
    }

    /// The same bytes under the path of their original, of which the file that was read is a copy.
    #[must_use]
    pub fn of_original(self, path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), is_file: false, ..self }
    }

    /// The same bytes as those of a member of the archive that the path names.
    #[must_use]
    pub fn with_member(self, member: impl Into<String>) -> Self {
        Self { member: Some(member.into()), is_file: false, ..self }
    }

    /// The same bytes, which were read from the file that the path names.
    pub(super) fn of_file(self) -> Self {
        Self { is_file: true, ..self }
    }

    /// The file that holds these bytes, if they were opened as one and are no member of an archive.
    pub(super) fn file(&self) -> Option<&Path> {
        self.is_file.then_some(&*self.path)
    }

    /// How many of them were inflated, or copied out of an archive.
    #[doc(hidden)]
    pub fn inflated(&self) -> u64 {
        match &self.held {
            Held::Own(_) if self.member.is_some() => self.len() as u64,
            _ => 0,
        }
    }

    /// The path of the file, or of the archive if it is a member.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path inside the archive: `inner.bsp!maps/a.nav`.
    pub fn member(&self) -> Option<&str> {
        self.member.as_deref()
    }

    /// Path and member together, as they would be typed: `archive!member`.
    pub fn location(&self) -> PathBuf {
        location(&self.path, self.member())
    }

    /// The name of the mesh itself: the member, or the file.
    pub fn name(&self) -> &Path {
        self.member().map_or(&self.path, Path::new)
    }

    /// Checks that every byte handed out so far came from the file: see [`Backing::intact`]. Call this after the work.
    ///
    /// # Errors
    /// If the file was truncated while it was mapped. Names the path.
    pub fn intact(&self) -> Result<()> {
        match &self.held {
            Held::Own(backing) => backing.intact().map_err(|error| error.in_file(self.location())),
            #[cfg(feature = "archive")]
            Held::Stored { archive, .. } => archive.intact(),
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.held {
            Held::Own(backing) => backing,
            #[cfg(feature = "archive")]
            Held::Stored { archive, entry } => {
                entry.view(archive.source()).ok().flatten().unwrap_or_default()
            }
        }
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bytes").field("at", &self.location()).field("len", &self.len()).finish()
    }
}

/// `archive!member`, or the path alone.
#[doc(hidden)]
pub fn location(path: &Path, member: Option<&str>) -> PathBuf {
    let Some(member) = member else { return path.to_owned() };
    let mut path = path.as_os_str().to_owned();
    path.push("!");
    path.push(member);
    path.into()
}

/// The name of a map: that of the file, without folder and extension.
pub(super) fn stem(name: &Path) -> String {
    if super::is_stdin(name) {
        return "standard input".to_owned();
    }
    printable(name.file_stem().unwrap_or(name.as_os_str()).as_encoded_bytes())
}
