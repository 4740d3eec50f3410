//! Finds what is at a path.

use super::archive::ArchiveFile;
use super::tiles::Tiles;
use super::walk::{self, Listing, Visit};
use crate::open::OpenOptions;
use crate::open::bytes::Bytes;
use crate::open::mesh::Mesh;
use navmap_core::error::{Error, Result};
use navmap_formats::Kind;
use std::path::Path;

/// The other results of a walk, besides its items.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Beside {
    /// Errors of folders, files and archives that could not be read. Each names its path.
    pub unread: Vec<Error>,
}

/// Visits every mesh at `path`, on the calling thread, in path order. A file gives its spaces, a tiled map its layers, and a
/// folder gives the meshes and members of archives in it and its subfolders. Uncompressed members are viewed in place.
///
/// If a mesh cannot be read, its item has an error, and the walk continues. Files that are not meshes and do not look like one
/// are skipped.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::open::{OpenOptions, walk};
/// use std::ops::ControlFlow;
///
/// let mut areas = 0;
/// walk("corpus/source", &OpenOptions::new(), &mut |item| {
///     areas += item.flat_graph().map_or(0, |graph| graph.value.nodes().len());
///     ControlFlow::Continue(())
/// })?;
/// assert!(areas > 100);
/// # Ok::<(), navmap::Error>(())
/// ```
///
/// # Errors
/// If the path does not exist, or the single file it names cannot be opened.
pub fn walk(path: impl AsRef<Path>, options: &OpenOptions, visit: &mut Visit<'_>) -> Result<Beside> {
    Place::at(path, options)?.visit(options, visit)
}

/// What lies at a path.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::open::{OpenOptions, Place};
///
/// assert!(matches!(Place::at("corpus/source/town.nav", &OpenOptions::new())?, Place::Mesh(_)));
/// assert!(matches!(Place::at("corpus/fox/set", &OpenOptions::new())?, Place::Tiles(_)));
/// assert!(matches!(Place::at("corpus", &OpenOptions::new())?, Place::Folder(_)));
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Place {
    /// One mesh: a file, or one member of an archive. A plugin may have several spaces: [`Mesh::items`].
    Mesh(Mesh),
    /// Only tiles of a Fox map or of a server's maps, loose or packed.
    Tiles(Box<Tiles>),
    /// The files of a folder and its subfolders that may be meshes or archives of meshes.
    Folder(Listing),
    /// An archive.
    Archive(Box<ArchiveFile>),
}

impl Place {
    /// Finds what is at `path`: a mesh, `archive!member`, an archive, a folder, `-` for standard input.
    ///
    /// # Errors
    /// If it does not exist, or the single named file cannot be opened. Names the path. Unreadable parts of a folder are not an
    /// error here, but in [`Listing::unread`].
    pub fn at(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self> {
        let path = path.as_ref();
        if path.is_dir() {
            let mut listing = Listing::walk(path, |path| Kind::names(path) || walk::may_be_archive(path));
            if let Some(tiles) = Tiles::in_listing(path, &mut listing, options) {
                return Ok(Self::Tiles(Box::new(tiles)));
            }
            return Ok(Self::Folder(listing));
        }
        let bytes = Bytes::open(path, options)?;
        if let (None, Some(kind)) = (bytes.member(), walk::archive_kind(&bytes, path, options)) {
            let archive = ArchiveFile::from_backing(path.to_owned(), bytes.into_backing(), kind, options);
            if let Some(tiles) = Tiles::in_archive(&archive, options) {
                return Ok(Self::Tiles(Box::new(tiles)));
            }
            return Ok(Self::Archive(Box::new(archive)));
        }
        Mesh::parse(bytes, options).map(Self::Mesh)
    }

    /// Visits every item, on the calling thread: see [`walk`](super::walk()).
    ///
    /// # Errors
    /// If a file was truncated while it was mapped. Results from its items are then worthless.
    pub fn visit(self, options: &OpenOptions, visit: &mut Visit<'_>) -> Result<Beside> {
        let mut beside = Beside::default();
        match self {
            Self::Mesh(mesh) => {
                let _ = mesh.items().into_iter().try_for_each(visit);
                mesh.intact()?;
            }
            Self::Tiles(tiles) => {
                let _ = tiles.items().into_iter().try_for_each(visit);
                tiles.intact()?;
                beside.unread = tiles.into_failures();
            }
            Self::Folder(listing) => {
                let _ = listing.visit(options, visit);
                beside.unread = listing.unread;
            }
            Self::Archive(archive) => walk::in_archive(&archive, options, visit).1?,
        }
        Ok(beside)
    }

    /// The error for a path without a mesh.
    #[must_use]
    pub fn nothing(path: &Path) -> Error {
        walk::nothing(path)
    }
}
