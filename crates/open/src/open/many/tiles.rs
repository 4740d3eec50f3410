//! The tiles of a map, one file each, loose in folders or packed in archives, of every family that keeps maps so.

use super::archive::ArchiveFile;
use super::files::Files;
use super::walk::{self, Listing};
use crate::open::OpenOptions;
use crate::open::bytes::location;
use crate::open::item::{self, Item};
use navmap_archive::{Found, Meter};
use navmap_core::bytes::Backing;
use navmap_core::error::{Error, Result};
use navmap_core::format::SetFile;
use navmap_core::text::escaped;
use navmap_core::{Finding, Space};
use navmap_formats::{AnySet, Family, SetKind};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The tiles at a path as one set: its maps, the links over their borders, and what could not be read.
#[derive(Debug)]
pub struct Tiles {
    set: AnySet,
    path: PathBuf,
}

impl Tiles {
    /// Opens the tiles at a path: those in a folder and the folders below, loose and in archives, or those in one
    /// archive. If a tile cannot be read, the rest of the set still loads and [`failures`](Self::failures) has the error.
    ///
    /// Files are read on all cores.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    /// use navmap::open::{OpenOptions, Tiles};
    ///
    /// let tiles = Tiles::open("corpus/fox/set", &OpenOptions::new())?;
    /// assert!(!tiles.is_empty() && tiles.failures().is_empty());
    /// # Ok::<(), navmap::Error>(())
    /// ```
    ///
    /// # Errors
    /// If nothing lies at the path.
    pub fn open(path: impl Into<PathBuf>, options: &OpenOptions) -> Result<Self> {
        let path = path.into();
        path.metadata().map_err(|error| Error::from(error).in_file(&path))?;
        let any = |path: &Path| SetKind::ALL.iter().any(|kind| kind.is_tile(path));
        let Listing { files, unread } = Listing::walk(&path, |path| any(path) || walk::may_be_archive(path));
        // A folder without a loose tile holds packed ones, if any: the first kind that finds some has them.
        let loose = SetKind::ALL.iter().find(|kind| files.iter().any(|path| kind.is_tile(path)));
        let mut opened = None;
        for kind in loose.map_or(SetKind::ALL, std::slice::from_ref) {
            let tiles = Self::of_files(path.clone(), &files, *kind, options);
            let found = !tiles.is_empty();
            opened = Some(tiles);
            if found {
                break;
            }
        }
        let mut tiles = opened.ok_or_else(|| walk::nothing(&path))?;
        tiles.set.set_mut().failures_mut().extend(unread);
        Ok(tiles)
    }

    /// The maps of loose tiles in folders and the folders below, each opened when it is its turn: what no tile alone shows is
    /// among their [findings](Self::findings_by_file). What lies in two of the folders comes once. Files that cannot be read are
    /// [`failures`](Self::failures).
    pub fn folders(folders: Vec<PathBuf>, options: &OpenOptions) -> impl Iterator<Item = Self> {
        let mut tiles = vec![Vec::new(); SetKind::ALL.len()];
        for found in Files::new(folders).filter_map(Result::ok) {
            let kinds = SetKind::ALL.iter().zip(&mut tiles);
            kinds
                .filter(|(kind, _)| kind.is_tile(&found.path))
                .for_each(|(_, tiles)| tiles.push(found.path.clone()));
        }
        let maps = SetKind::ALL.iter().zip(tiles);
        let maps = maps.flat_map(|(kind, tiles)| kind.checked(tiles).into_iter().map(move |map| (kind, map)));
        maps.map(|(kind, files)| {
            let folder = files.first().and_then(|file| file.parent()).unwrap_or(Path::new(""));
            Self::of_files(folder.to_owned(), &files, *kind, options)
        })
    }

    /// The tiles in a listing that holds only tiles of one kind and its packages, if they are better shown as a map than file
    /// by file.
    pub(super) fn in_listing(path: &Path, listing: &mut Listing, options: &OpenOptions) -> Option<Self> {
        let alone =
            |kind: &&SetKind| listing.files.iter().all(|path| kind.is_tile(path) || kind.is_package(path));
        let kind = SetKind::ALL.iter().find(alone).filter(|_| !listing.files.is_empty())?;
        let mut tiles = Self::of_files(path.to_owned(), &listing.files, *kind, options);
        if !tiles.set.set().is_map() {
            return None;
        }
        tiles.set.set_mut().failures_mut().append(&mut listing.unread);
        Some(tiles)
    }

    /// The tiles in an archive, if it holds no other meshes and they are better shown as a map.
    pub(super) fn in_archive(archive: &ArchiveFile, options: &OpenOptions) -> Option<Self> {
        SetKind::ALL.iter().find_map(|kind| {
            let mut others = false;
            let tiles = members(archive, *kind, options, &mut || {
                others = true;
                ControlFlow::Break(())
            });
            let set = (!others).then(|| kind.of_files(tiles))?;
            Some(Self { set, path: archive.path().to_owned() }).filter(|tiles| tiles.set.set().is_map())
        })
    }

    /// The tiles in these files, which are archives and tiles.
    fn of_files(path: PathBuf, files: &[PathBuf], kind: SetKind, options: &OpenOptions) -> Self {
        let open = |path: &Path| options.backing(path);
        if !files.iter().any(|path| walk::may_be_archive(path)) {
            let tiles = files.iter().filter(|path| kind.is_tile(path)).cloned().collect();
            return Self { set: kind.open_files(tiles, &open), path };
        }
        let tiles = walk::on_all_cores(files, &|path| match walk::may_be_archive(path) {
            true => packed(path, kind, options),
            false if kind.is_tile(path) => vec![open(path).map(|bytes| (path.to_owned(), bytes))],
            false => Vec::new(),
        });
        Self { set: kind.of_files(tiles), path }
    }

    /// The tiles whose bytes are there.
    pub(crate) fn of_opened(path: PathBuf, files: Vec<SetFile>, kind: SetKind) -> Self {
        Self { set: kind.of_files(files), path }
    }

    /// The folder or archive that it lies in.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The set, for what is asked of one family alone: `tiles.set().as_set::<TileSet<'static>>()`.
    pub fn set(&self) -> &AnySet {
        &self.set
    }

    /// The family of its files.
    pub fn family(&self) -> Family {
        self.set.kind().family()
    }

    /// Its maps, and the variants of them, the one with the most tiles first.
    pub fn items(&self) -> Vec<Item<'_>> {
        item::of_set(&self.set, &self.path)
    }

    /// The map of this name. Without a name it is the map with the most tiles, and the names of all maps come with it, so that
    /// the others can be told.
    ///
    /// # Errors
    /// If there is no such map, or none at all.
    pub fn choose(&self, wanted: Option<&str>) -> Result<(Item<'_>, Vec<String>)> {
        let mut items = self.items();
        let mut names = Vec::new();
        match wanted {
            Some(wanted) => item::choose(&mut items, wanted)?,
            None => names.extend(items.iter().filter_map(|item| item.space.as_ref()).map(Space::to_string)),
        }
        let item = items.into_iter().next().ok_or_else(|| walk::nothing(&self.path))?;
        Ok((item, names))
    }

    /// The files of the tiles that could be read, in the order of the set.
    pub fn files(&self) -> impl Iterator<Item = &Path> + '_ {
        self.set.set().files()
    }

    /// Whether there is no tile.
    pub fn is_empty(&self) -> bool {
        self.set.set().is_empty()
    }

    /// Files that could not be opened or read; each error names its file.
    pub fn failures(&self) -> &[Error] {
        self.set.set().failures()
    }

    /// What is odd about the set as a whole, whatever the file.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> + '_ {
        self.findings_by_file().map(|(_, finding)| finding)
    }

    /// What is odd about the set as a whole, and the file that shows it.
    pub fn findings_by_file(&self) -> impl Iterator<Item = (&Path, &Finding)> + '_ {
        self.set.set().findings().iter().map(|found| (found.path.as_path(), &found.finding))
    }

    /// Prints the set for a person.
    ///
    /// # Errors
    /// If `out` fails, or a mapped file changed.
    pub fn info(&self, out: &mut dyn Write) -> Result<()> {
        self.set.set().info(out)
    }

    /// Checks that every byte read so far came from the files.
    ///
    /// # Errors
    /// If a file was truncated while it was mapped. The error names the first such file.
    pub fn intact(&self) -> Result<()> {
        self.set.set().intact()
    }

    /// Takes the errors of files that could not be read.
    pub(crate) fn into_failures(mut self) -> Vec<Error> {
        std::mem::take(self.set.set_mut().failures_mut())
    }
}

/// The tiles in an archive on disk. A file that is no archive has none.
fn packed(path: &Path, kind: SetKind, options: &OpenOptions) -> Vec<SetFile> {
    match ArchiveFile::open_if_archive(path, options) {
        Ok(Some(archive)) => members(&archive, kind, options, &mut || ControlFlow::Continue(())),
        Ok(None) => Vec::new(),
        Err(error) => vec![Err(error)],
    }
}

/// The tiles in an archive, each in memory of its own, since a tile is unpacked and outlives its archive. For each
/// other mesh, `other` says whether to go on.
fn members(
    archive: &ArchiveFile,
    kind: SetKind,
    options: &OpenOptions,
    other: &mut dyn FnMut() -> ControlFlow<()>,
) -> Vec<SetFile> {
    let mut tiles = Vec::new();
    let meter = Meter::new(&options.limits, archive.source().bytes.len() as u64);
    let mut each = |found: Found<'_>| {
        let name = location(archive.path(), Some(&escaped(found.path)));
        match found.bytes {
            Ok(bytes) if kind.is_tile(&name) => tiles.push(Ok((name, Backing::owned(bytes.to_vec())))),
            Ok(_) => return other(),
            Err(error) => tiles.push(Err(error.in_file(&name))),
        }
        ControlFlow::Continue(())
    };
    let read = walk::members(archive, &meter, &mut each);
    tiles.extend(read.and_then(|()| archive.intact()).err().map(Err));
    tiles
}
