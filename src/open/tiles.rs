//! The tiles of a Fox Engine map, loose in folders or packed in archives.

#![forbid(unsafe_code)]

use super::Options;
use super::archive::ArchiveFile;
use super::bytes::location;
use super::item::{self, Item};
use super::walk::{self, Listing};
use crate::archive::{Found, Meter};
use crate::bytes::Backing;
use crate::error::{Error, Result};
use crate::format::fox::TileSet;
use crate::format::has_extension;
use crate::text::printable;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The tiles at a path as one set: its maps, the links over their borders, and what could not be read.
#[derive(Debug)]
pub struct Tiles {
    set: TileSet<'static>,
    path: PathBuf,
}

/// A file of a set, or why it could not be opened.
type TileFile = Result<(PathBuf, Backing<'static>)>;

impl Tiles {
    /// Opens the tiles at a path: those in a folder and the folders below, loose and in archives, or those in one
    /// archive. If a tile cannot be read, the rest of the set still loads and [`TileSet::failures`] has the error.
    ///
    /// With the feature `rayon`, files are read on all cores.
    ///
    /// # Errors
    /// If nothing lies at the path.
    pub fn open(path: impl Into<PathBuf>, options: &Options) -> Result<Self> {
        let path = path.into();
        path.metadata().map_err(|error| Error::from(error).in_file(&path))?;
        let Listing { files, unread } =
            Listing::of(&path, |path| is_tile(path) || walk::may_be_archive(path));
        let mut tiles = Self::of_files(path, &files, options)?;
        tiles.set.add_failures(unread);
        Ok(tiles)
    }

    /// The tiles in a listing that holds only tiles and the engine's packages, if they are better shown as a map than
    /// file by file.
    pub(super) fn in_listing(path: &Path, listing: &mut Listing, options: &Options) -> Result<Option<Self>> {
        let package = |path: &PathBuf| has_extension(path, &["fpk", "fpkd"]);
        if listing.files.is_empty() || !listing.files.iter().all(|path| is_tile(path) || package(path)) {
            return Ok(None);
        }
        let mut tiles = Self::of_files(path.to_owned(), &listing.files, options)?;
        if !tiles.is_map() {
            return Ok(None);
        }
        tiles.set.add_failures(std::mem::take(&mut listing.unread));
        Ok(Some(tiles))
    }

    /// The tiles in an archive, if it holds no other meshes and they are better shown as a map.
    pub(super) fn in_archive(archive: &ArchiveFile, options: &Options) -> Option<Self> {
        let mut others = false;
        let tiles = members(archive, options, &mut || {
            others = true;
            ControlFlow::Break(())
        });
        let set = (!others).then(|| TileSet::from_opened(tiles))?;
        Some(Self { set, path: archive.path().to_owned() }).filter(Self::is_map)
    }

    /// The tiles in these files, which are archives and tiles.
    fn of_files(path: PathBuf, files: &[PathBuf], options: &Options) -> Result<Self> {
        if !files.iter().any(|path| walk::may_be_archive(path)) {
            let set = TileSet::open_with(files, &options.opener, &options.limits)?;
            return Ok(Self { set, path });
        }
        let tiles = walk::on_all_cores(files, &|path| match walk::may_be_archive(path) {
            true => packed(path, options),
            false => vec![options.backing(path).map(|bytes| (path.to_owned(), bytes))],
        });
        Ok(Self { set: TileSet::from_opened(tiles), path })
    }

    /// The set.
    pub fn set(&self) -> &TileSet<'static> {
        &self.set
    }

    /// The folder or archive that it lies in.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its maps, and the variants of them, the one with the most tiles first.
    pub fn items(&self) -> Vec<Item<'_>> {
        item::of_tiles(&self.set, &self.path)
    }

    /// Takes the errors of files that could not be read.
    pub(super) fn into_failures(self) -> Vec<Error> {
        self.set.into_failures()
    }

    /// Whether it is better shown as a map than file by file.
    fn is_map(&self) -> bool {
        let alone = self.set.layers().len() == 1 && self.set.failures().is_empty();
        alone || self.set.layers().any(|layer| layer.tiles().len() > 1)
    }
}

/// Whether the name is that of a tile.
fn is_tile(path: &Path) -> bool {
    has_extension(path, &["nav2"])
}

/// The tiles in an archive on disk. A file that is no archive has none.
fn packed(path: &Path, options: &Options) -> Vec<TileFile> {
    match ArchiveFile::open_if_archive(path, options) {
        Ok(Some(archive)) => members(&archive, options, &mut || ControlFlow::Continue(())),
        Ok(None) => Vec::new(),
        Err(error) => vec![Err(error)],
    }
}

/// The tiles in an archive, each in memory of its own, since a tile is unpacked and outlives its archive. For each
/// other mesh, `other` says whether to go on.
fn members(
    archive: &ArchiveFile,
    options: &Options,
    other: &mut dyn FnMut() -> ControlFlow<()>,
) -> Vec<TileFile> {
    let mut tiles = Vec::new();
    let meter = Meter::new(&options.limits, archive.source().bytes.len() as u64);
    let mut each = |found: Found<'_>| {
        let name = location(archive.path(), Some(&printable(found.path)));
        match found.bytes {
            Ok(bytes) if is_tile(&name) => tiles.push(Ok((name, Backing::owned(bytes.to_vec())))),
            Ok(_) => return other(),
            Err(error) => tiles.push(Err(error.in_file(&name))),
        }
        ControlFlow::Continue(())
    };
    let read = walk::members(archive, &meter, &mut each);
    tiles.extend(read.and_then(|()| archive.intact()).err().map(Err));
    tiles
}
