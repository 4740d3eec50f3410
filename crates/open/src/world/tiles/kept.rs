//! The files of a world of tiles.

use crate::open::Tiles;
use navmap_core::bytes::Backing;
use navmap_core::error::{Error, Result};
use navmap_core::format::SetFile;
use navmap_core::text::path_text;
use navmap_formats::SetKind;
use std::collections::BTreeMap;
use std::collections::btree_map::Keys;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of one map, by path, in memory. Those that differ by one of them share the bytes of all others.
#[derive(Clone)]
pub(super) struct Kept {
    kind: SetKind,
    map: String,
    files: BTreeMap<Arc<Path>, Arc<[u8]>>,
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept")
            .field("map", &self.map)
            .field("files", &self.files.len())
            .finish_non_exhaustive()
    }
}

impl Kept {
    /// Those of these files that are tiles; of several maps, for that with the most.
    pub(super) fn new(files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>) -> Result<Self> {
        let shared = |(path, bytes): (PathBuf, Vec<u8>)| (Arc::from(path), Arc::<[u8]>::from(bytes));
        let mut files: BTreeMap<Arc<Path>, Arc<[u8]>> = files.into_iter().map(shared).collect();
        let kind = SetKind::ALL.iter().find(|kind| files.keys().any(|path| kind.is_tile(path)));
        let kind = *kind.ok_or_else(|| Error::invalid("tiles", "no name is that of a tile"))?;
        files.retain(|path, _| kind.is_tile(path));
        Self::of_largest(kind, files)
    }

    fn of_largest(kind: SetKind, files: BTreeMap<Arc<Path>, Arc<[u8]>>) -> Result<Self> {
        let kept = Self { kind, map: String::new(), files };
        let tiles = kept.tiles();
        if let Some(error) = tiles.failures().first() {
            return Err(Error::invalid("tiles", error.to_string()));
        }
        let map = tiles.set().maps().first().map(|map| map.map().name());
        let map = map.ok_or_else(|| Error::invalid("tiles", "there is none"))?;
        Ok(Self { map, ..kept })
    }

    /// The files as a set, without a copy of their bytes.
    pub(super) fn tiles(&self) -> Tiles {
        self.some(|_| true)
    }

    /// The same of some of them.
    pub(super) fn some(&self, wanted: impl Fn(&Path) -> bool) -> Tiles {
        let lent = |(path, bytes): (&Arc<Path>, &Arc<[u8]>)| -> SetFile {
            Ok((path.to_path_buf(), Backing::from_owner(Arc::clone(bytes))))
        };
        let files = self.files.iter().filter(|(path, _)| wanted(path)).map(lent);
        Tiles::of_opened(self.folder().to_owned(), files.collect(), self.kind)
    }

    /// Whether there is a file at this path.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    /// The name of the map.
    pub(super) fn map(&self) -> &str {
        &self.map
    }

    pub(super) fn paths(&self) -> Keys<'_, Arc<Path>, Arc<[u8]>> {
        self.files.keys()
    }

    fn folder(&self) -> &Path {
        self.paths().next().and_then(|path| path.parent()).unwrap_or(Path::new(""))
    }

    /// The path of a file, by its name; for one that is not there, the path that it would have.
    pub(super) fn path(&self, name: &Path) -> PathBuf {
        let there = self.folder().join(name.file_name().unwrap_or_default());
        let known = self.files.get_key_value(there.as_path()).map(|(path, _)| path);
        let known = known.or_else(|| self.paths().find(|path| path.file_name() == name.file_name()));
        known.map_or(there, |path| path.to_path_buf())
    }

    /// The files with one more of the same map, or with other bytes for one of them.
    pub(super) fn with(&self, name: &Path, bytes: Vec<u8>) -> Result<Self> {
        if !self.kind.is_tile(name) {
            return Err(Error::invalid("tile", format!("{} is not the name of a tile", path_text(name))));
        }
        let alone =
            Self::of_largest(self.kind, BTreeMap::from([(Arc::from(self.path(name)), Arc::from(bytes))]))?;
        if alone.map != self.map {
            let why =
                format!("{} is of map {}, the world is of map {}", path_text(name), alone.map, self.map);
            return Err(Error::invalid("tile", why));
        }
        let mut joined = self.clone();
        joined.files.extend(alone.files);
        Ok(joined)
    }

    /// The files without one of them.
    pub(super) fn without(&self, name: &Path) -> Result<Self> {
        let mut left = self.clone();
        match left.files.remove(self.path(name).as_path()) {
            Some(_) => Ok(left),
            None => Err(Error::invalid("tile", format!("{} is not there", path_text(name)))),
        }
    }
}
