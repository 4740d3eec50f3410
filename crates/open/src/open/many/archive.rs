//! An open archive on disk: its bytes, its parts, and its cost so far.

use crate::open::OpenOptions;
use navmap_archive::{Archive, Kind, Meter, PartFiles, Source};
use navmap_core::bytes::Backing;
use navmap_core::error::{Error, Result};
use std::path::{Path, PathBuf};

/// An archive that owns its bytes. Threads may share it: reading any member is charged to one [`Meter`], which limits the total
/// cost.
///
/// The numbered parts of a VPK are opened when a member first needs one.
#[derive(Debug)]
pub struct ArchiveFile {
    path: PathBuf,
    backing: Backing<'static>,
    kind: Kind,
    parts: Option<PartFiles>,
    meter: Meter,
}

impl ArchiveFile {
    /// Opens the archive at `path`. [`open_archive`](super::open_archive) also opens one that is a member of another.
    ///
    /// # Errors
    /// If the file cannot be read, or is not an archive of a known kind. Names the file.
    pub fn open(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self> {
        let path = path.as_ref();
        Self::open_if_archive(path, options)?.ok_or_else(|| not_archive().in_file(path))
    }

    /// Like [`open`](Self::open), but `None` for a file that is not an archive.
    ///
    /// # Errors
    /// If the file cannot be read. Names the file.
    pub fn open_if_archive(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Option<Self>> {
        let path = path.as_ref();
        Ok(Self::sniffed(path, options.backing(path)?, options))
    }

    /// `None` if the bytes are no archive.
    pub(super) fn sniffed(path: &Path, backing: Backing<'static>, options: &OpenOptions) -> Option<Self> {
        let kind = Kind::sniff(&backing)?;
        Some(Self::from_backing(path.to_owned(), backing, kind, options))
    }

    /// An archive of this kind in bytes that are already in memory. `path` is their source: the parts of a VPK are beside it, and
    /// the content of a compressed file is named after it.
    pub fn from_backing(path: PathBuf, backing: Backing<'static>, kind: Kind, options: &OpenOptions) -> Self {
        let parts = (kind == Kind::Vpk).then(|| PartFiles::beside(&path, options.opener));
        let meter = Meter::new(&options.limits, backing.len() as u64);
        Self { path, backing, kind, parts, meter }
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The kind of archive.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its bytes, and the source of its parts.
    pub fn source(&self) -> Source<'_> {
        Source { bytes: &self.backing, parts: self.parts.as_ref().map(|parts| parts as _) }
    }

    /// Its directory. Costs what [`Archive::open`] does: linear in the directory for GMA, constant for the others.
    ///
    /// # Errors
    /// If the directory is missing, truncated or of an unknown version. Names the file.
    pub fn archive(&self) -> Result<Archive<'_>> {
        let name = self.path.file_name().unwrap_or_default().as_encoded_bytes();
        // Of `a.zip!b.gz`.
        let own = name.rsplit(|byte| *byte == b'!').next();
        let own = own.filter(|own| own.len() < name.len() && !self.path.exists());
        Archive::open(self.source(), self.kind, own.unwrap_or(name))
            .map_err(|error| error.in_file(&self.path))
    }

    /// The cost of its members so far, and its limits.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Checks that every byte handed out so far came from the file: see [`Backing::intact`].
    ///
    /// # Errors
    /// If the archive or one of its parts was truncated while it was mapped. Names the archive.
    pub fn intact(&self) -> Result<()> {
        let parts = || self.parts.as_ref().map_or(Ok(()), PartFiles::intact);
        self.backing.intact().and_then(|()| parts()).map_err(|error| error.in_file(&self.path))
    }
}

#[cold]
pub(super) fn not_archive() -> Error {
    Error::invalid("archive", "is of no kind that is read here")
}
