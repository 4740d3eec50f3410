//! The contract of a set: a map whose tiles are files of their own. What an opened set can do is [`NavSet`], how it is made
//! and divided into maps is [`SetFormat`], and what each map can do is [`SetMap`].

use super::file::Summary;
use super::setfinding::SetFinding;
use crate::bytes::Backing;
use crate::error::{Error, Result};
use crate::graph::NavGraph;
use crate::threads::spread;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file of a set with its bytes, or why it could not be opened.
pub type SetFile = Result<(PathBuf, Backing<'static>)>;

/// Opens a file of a set. It is called from many threads.
pub type OpenFile<'o> = &'o (dyn Fn(&Path) -> Result<Backing<'static>> + Sync);

/// What every set of tiles can do. It owns the bytes of its files. A file that cannot be read is a
/// [failure](Self::failures), and the rest of the set is there all the same.
pub trait NavSet {
    /// Number of tiles, in all maps.
    fn len(&self) -> usize;

    /// Whether there is no tile.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The files of the tiles that could be read, in the order of the set.
    fn files(&self) -> Box<dyn Iterator<Item = &Path> + '_>;

    /// Files that could not be opened or read; each error names its file.
    fn failures(&self) -> &[Error];

    /// The same, for whoever knows of more files that could not be read, or takes the errors out.
    fn failures_mut(&mut self) -> &mut Vec<Error>;

    /// What is odd about the set as a whole. What is odd inside a file is told by [`NavFile::check`](super::NavFile::check).
    fn findings(&self) -> &[SetFinding];

    /// Describes the set to a person, as plain text.
    ///
    /// # Errors
    /// If `out` fails, or a mapped file changed.
    fn info(&self, out: &mut dyn Write) -> Result<()>;

    /// Checks that every byte read so far came from the files.
    ///
    /// # Errors
    /// If a file was truncated while it was mapped. The error names the first such file.
    fn intact(&self) -> Result<()>;

    /// Whether a folder or an archive that holds nothing else is better shown as a map than file by file.
    fn is_map(&self) -> bool;
}

/// What the table of families needs of a set besides [`NavSet`]: how it is made, and its maps. The names of the files are
/// in the table.
pub trait SetFormat: NavSet + Sized {
    /// One of its maps.
    type Map<'s>: SetMap
    where
        Self: 's;

    /// Divides the tiles of a folder and the folders below into the maps of which `check` reports the findings, because no tile
    /// alone shows them. By default there are none.
    fn checked(tiles: Vec<PathBuf>) -> Vec<Vec<PathBuf>> {
        let _ = tiles;
        Vec::new()
    }

    /// A set of files whose bytes are there: members of archives.
    fn of_files(files: Vec<SetFile>) -> Self;

    /// A set of loose files, on all threads of the current pool. A set that reads each file while it is fresh does better
    /// than this.
    fn open_files(paths: Vec<PathBuf>, open: OpenFile<'_>) -> Self {
        use rayon::prelude::*;
        let opened = || paths.into_par_iter().map(|path| open(&path).map(|bytes| (path, bytes))).collect();
        Self::of_files(spread(opened))
    }

    /// Its maps and their variants, the one with the most tiles first.
    fn maps(&self) -> impl Iterator<Item = Self::Map<'_>>;
}

/// What every map of a set can do.
pub trait SetMap {
    /// Its name, by which `--space` chooses it: `ssav_nav`, `001`.
    fn name(&self) -> String;

    /// Its title for people, which is the name if that alone tells enough.
    fn title(&self) -> String {
        self.name()
    }

    /// Game and versions, as the first tile that can be read has them.
    fn summary(&self) -> Summary;

    /// Number of its tiles.
    fn tiles(&self) -> usize;

    /// All of it as one graph, joined over the borders of its tiles.
    fn graph(&self) -> impl NavGraph
    where
        Self: Sized;
}
