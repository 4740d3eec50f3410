//! The tiles of a map, one file each, loose in folders or packed in archives: of the Fox Engine, and of servers of World of
//! Warcraft.

use super::Options;
use super::archive::ArchiveFile;
use super::bytes::location;
use super::item::{self, Item};
use super::walk::{self, Listing};
use navmap_archive::{Found, Meter};
use navmap_core::Finding;
use navmap_core::bytes::Backing;
use navmap_core::error::{Error, Result};
use navmap_core::format::has_extension;
use navmap_core::text::printable;
use navmap_detour::MapSet;
use navmap_fox::TileSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The tiles at a path as one set: its maps, the links over their borders, and what could not be read.
#[derive(Debug)]
pub struct Tiles {
    set: Set,
    path: PathBuf,
}

/// A set of the family that its files belong to.
#[derive(Debug)]
enum Set {
    Fox(TileSet<'static>),
    Detour(MapSet<'static>),
}

/// The families that keep a map as a file a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tiled {
    Fox,
    Detour,
}

/// A file of a set, or why it could not be opened.
type TileFile = Result<(PathBuf, Backing<'static>)>;

impl Tiled {
    const ALL: &'static [Self] = &[Self::Fox, Self::Detour];

    /// Whether the name is that of a tile, or of the head of a map.
    fn is_tile(self, path: &Path) -> bool {
        match self {
            Self::Fox => has_extension(path, &["nav2"]),
            Self::Detour => has_extension(path, &["mmtile", "mmap"]),
        }
    }

    /// Whether the name is that of a package that holds little but tiles.
    fn is_package(self, path: &Path) -> bool {
        match self {
            Self::Fox => has_extension(path, &["fpk", "fpkd"]),
            Self::Detour => false,
        }
    }

    fn set(self, files: Vec<TileFile>) -> Set {
        match self {
            Self::Fox => Set::Fox(TileSet::from_opened(files)),
            Self::Detour => Set::Detour(MapSet::from_opened(files)),
        }
    }
}

impl Tiles {
    /// Opens the tiles at a path: those in a folder and the folders below, loose and in archives, or those in one
    /// archive. If a tile cannot be read, the rest of the set still loads and [`failures`](Self::failures) has the error.
    ///
    /// Files are read on all cores.
    ///
    /// # Errors
    /// If nothing lies at the path.
    pub fn open(path: impl Into<PathBuf>, options: &Options) -> Result<Self> {
        let path = path.into();
        path.metadata().map_err(|error| Error::from(error).in_file(&path))?;
        let any = |path: &Path| Tiled::ALL.iter().any(|tiled| tiled.is_tile(path));
        let Listing { files, unread } = Listing::of(&path, |path| any(path) || walk::may_be_archive(path));
        // A folder without a loose tile holds packed ones, if any: the first family that finds some has them.
        let loose = Tiled::ALL.iter().find(|tiled| files.iter().any(|path| tiled.is_tile(path)));
        let mut opened = None;
        for tiled in loose.map_or(Tiled::ALL, std::slice::from_ref) {
            let tiles = Self::of_files(path.clone(), &files, *tiled, options)?;
            let found = !tiles.is_empty();
            opened = Some(tiles);
            if found {
                break;
            }
        }
        let mut tiles = opened.ok_or_else(|| super::walk::nothing(&path))?;
        tiles.add_failures(unread);
        Ok(tiles)
    }

    /// The maps below a folder whose files alone do not tell what is odd about them: for each folder that holds tiles of servers
    /// of World of Warcraft, its maps. Files that cannot be read are [`failures`](Self::failures).
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn folders(path: &Path, options: &Options) -> Result<Vec<Self>> {
        let tiled = Tiled::Detour;
        let mut files = Listing::of(path, |path| tiled.is_tile(path)).files;
        files.retain(|path| tiled.is_tile(path));
        files.sort_by(|a, b| (a.parent(), a).cmp(&(b.parent(), b)));
        let folders = files.chunk_by(|a, b| a.parent() == b.parent());
        let folder = |files: &[PathBuf]| {
            let parent = files.first().and_then(|file| file.parent()).unwrap_or(path);
            Self::of_files(parent.to_owned(), files, tiled, options)
        };
        folders.map(folder).collect()
    }

    /// The tiles in a listing that holds only tiles of one family and its packages, if they are better shown as a map
    /// than file by file.
    pub(super) fn in_listing(path: &Path, listing: &mut Listing, options: &Options) -> Result<Option<Self>> {
        let alone =
            |tiled: &&Tiled| listing.files.iter().all(|path| tiled.is_tile(path) || tiled.is_package(path));
        let Some(tiled) = Tiled::ALL.iter().find(alone).filter(|_| !listing.files.is_empty()) else {
            return Ok(None);
        };
        let mut tiles = Self::of_files(path.to_owned(), &listing.files, *tiled, options)?;
        if !tiles.is_map() {
            return Ok(None);
        }
        tiles.add_failures(std::mem::take(&mut listing.unread));
        Ok(Some(tiles))
    }

    /// The tiles in an archive, if it holds no other meshes and they are better shown as a map.
    pub(super) fn in_archive(archive: &ArchiveFile, options: &Options) -> Option<Self> {
        Tiled::ALL.iter().find_map(|tiled| {
            let mut others = false;
            let tiles = members(archive, *tiled, options, &mut || {
                others = true;
                ControlFlow::Break(())
            });
            let set = (!others).then(|| tiled.set(tiles))?;
            Some(Self { set, path: archive.path().to_owned() }).filter(Self::is_map)
        })
    }

    /// The tiles in these files, which are archives and tiles.
    fn of_files(path: PathBuf, files: &[PathBuf], tiled: Tiled, options: &Options) -> Result<Self> {
        if tiled == Tiled::Fox && !files.iter().any(|path| walk::may_be_archive(path)) {
            let files = files.iter().filter(|path| tiled.is_tile(path));
            let set = Set::Fox(TileSet::open_with(files, &options.opener, &options.limits)?);
            return Ok(Self { set, path });
        }
        let tiles = walk::on_all_cores(files, &|path| match walk::may_be_archive(path) {
            true => packed(path, tiled, options),
            false if tiled.is_tile(path) => vec![options.backing(path).map(|bytes| (path.to_owned(), bytes))],
            false => Vec::new(),
        });
        Ok(Self { set: tiled.set(tiles), path })
    }

    /// The folder or archive that it lies in.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The set of tiles of the Fox Engine, if it is one.
    pub fn fox(&self) -> Option<&TileSet<'static>> {
        match &self.set {
            Set::Fox(set) => Some(set),
            Set::Detour(_) => None,
        }
    }

    /// The maps of a server of World of Warcraft, if it holds such.
    pub fn detour(&self) -> Option<&MapSet<'static>> {
        match &self.set {
            Set::Detour(set) => Some(set),
            Set::Fox(_) => None,
        }
    }

    /// Its maps, and the variants of them, the one with the most tiles first.
    pub fn items(&self) -> Vec<Item<'_>> {
        match &self.set {
            Set::Fox(set) => item::of_tiles(set, &self.path),
            Set::Detour(set) => item::of_maps(set, &self.path),
        }
    }

    /// The files of the tiles that could be read, in the order of the set.
    pub fn files(&self) -> impl Iterator<Item = &Path> + '_ {
        let files: Box<dyn Iterator<Item = &Path>> = match &self.set {
            Set::Fox(set) => {
                let tiles = (0..set.len() as u32).filter_map(|at| set.tile(at));
                Box::new(tiles.flat_map(|tile| tile.files()).map(|file| file.path()))
            }
            Set::Detour(set) => Box::new(set.maps().flat_map(|map| map.tiles()).map(|(path, _)| path)),
        };
        files
    }

    /// Whether there is no tile.
    pub fn is_empty(&self) -> bool {
        match &self.set {
            Set::Fox(set) => set.is_empty(),
            Set::Detour(set) => set.is_empty(),
        }
    }

    /// Files that could not be opened or read; each error names its file.
    pub fn failures(&self) -> &[Error] {
        match &self.set {
            Set::Fox(set) => set.failures(),
            Set::Detour(set) => set.failures(),
        }
    }

    /// What is odd about the set as a whole, whatever the file.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> + '_ {
        self.findings_by_file().map(|(_, finding)| finding)
    }

    /// What is odd about the set as a whole, and the file that shows it.
    pub fn findings_by_file(&self) -> impl Iterator<Item = (&Path, &Finding)> + '_ {
        let findings = match &self.set {
            Set::Fox(set) => set.findings(),
            Set::Detour(set) => set.findings(),
        };
        findings.iter().map(|found| (found.path.as_path(), &found.finding))
    }

    /// Prints the set for a person.
    ///
    /// # Errors
    /// If `out` fails, or a mapped file changed.
    pub fn info(&self, out: &mut dyn Write) -> Result<()> {
        match &self.set {
            Set::Fox(set) => set.info(out),
            Set::Detour(set) => set.info(out),
        }
    }

    /// Checks that every byte read so far came from the files.
    ///
    /// # Errors
    /// If a file was truncated while it was mapped. The error names the first such file.
    pub fn intact(&self) -> Result<()> {
        match &self.set {
            Set::Fox(set) => set.intact(),
            Set::Detour(set) => set.intact(),
        }
    }

    fn add_failures(&mut self, failures: Vec<Error>) {
        match &mut self.set {
            Set::Fox(set) => set.add_failures(failures),
            Set::Detour(set) => set.add_failures(failures),
        }
    }

    /// Takes the errors of files that could not be read.
    pub(super) fn into_failures(self) -> Vec<Error> {
        match self.set {
            Set::Fox(set) => set.into_failures(),
            Set::Detour(set) => set.into_failures(),
        }
    }

    /// Whether it is better shown as a map than file by file.
    fn is_map(&self) -> bool {
        match &self.set {
            Set::Fox(set) => {
                let alone = set.layers().len() == 1 && set.failures().is_empty();
                alone || set.layers().any(|layer| layer.tiles().len() > 1)
            }
            Set::Detour(set) => set.maps().any(|map| !map.is_empty()),
        }
    }
}

/// The tiles in an archive on disk. A file that is no archive has none.
fn packed(path: &Path, tiled: Tiled, options: &Options) -> Vec<TileFile> {
    match ArchiveFile::open_if_archive(path, options) {
        Ok(Some(archive)) => members(&archive, tiled, options, &mut || ControlFlow::Continue(())),
        Ok(None) => Vec::new(),
        Err(error) => vec![Err(error)],
    }
}

/// The tiles in an archive, each in memory of its own, since a tile is unpacked and outlives its archive. For each
/// other mesh, `other` says whether to go on.
fn members(
    archive: &ArchiveFile,
    tiled: Tiled,
    options: &Options,
    other: &mut dyn FnMut() -> ControlFlow<()>,
) -> Vec<TileFile> {
    let mut tiles = Vec::new();
    let meter = Meter::new(&options.limits, archive.source().bytes.len() as u64);
    let mut each = |found: Found<'_>| {
        let name = location(archive.path(), Some(&printable(found.path)));
        match found.bytes {
            Ok(bytes) if tiled.is_tile(&name) => tiles.push(Ok((name, Backing::owned(bytes.to_vec())))),
            Ok(_) => return other(),
            Err(error) => tiles.push(Err(error.in_file(&name))),
        }
        ControlFlow::Continue(())
    };
    let read = walk::members(archive, &meter, &mut each);
    tiles.extend(read.and_then(|()| archive.intact()).err().map(Err));
    tiles
}
