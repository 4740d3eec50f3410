//! A map whose tiles are exchanged one at a time: what is kept of it besides its files.

use super::kept::Kept;
use super::{Policy, Refused, World};
use crate::open::Tiles;
use navmap_core::format::GraphTask;
use navmap_core::graph::{MapTile, NavGraph};
use navmap_core::{Finding, Severity};
use navmap_query::{BuildOptions, NavIndex, Sheets};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A sound map: nothing counts against it, so that what is odd about a tile that joins shows on that tile and those beside it.
#[derive(Debug, Clone)]
pub(super) struct Laid {
    sheets: Sheets,
    /// The files of each tile, by its key.
    files: BTreeMap<u64, Vec<PathBuf>>,
}

impl Laid {
    /// Lays out the map of a set. `None` if it is not sound, or if its tiles cannot be exchanged.
    pub(super) fn new(tiles: &Tiles, policy: &Policy) -> Option<Self> {
        let counts = tiles.findings().any(|finding| finding.severity.counts());
        let same_folder = {
            let mut folders = tiles.files().map(Path::parent);
            let first = folders.next();
            folders.all(|folder| Some(folder) == first)
        };
        if counts || !same_folder || !fits(policy) {
            return None;
        }
        Self::of(tiles)
    }

    fn of(tiles: &Tiles) -> Option<Self> {
        let items = tiles.items();
        let [item] = items.as_slice() else { return None };
        let sheets = item.with_graph(Lay)??;
        let mut paths = tiles.files().map(Path::to_owned);
        let files =
            sheets.tiles().map(|tile| (tile.key, paths.by_ref().take(tile.files).collect())).collect();
        Some(Self { sheets, files })
    }

    pub(super) fn index(&self, policy: &Policy) -> NavIndex {
        let index = self.sheets.index();
        if policy.landmarks { index.with_landmarks() } else { index }
    }

    pub(super) fn shared(&self, other: &Self) -> usize {
        self.sheets.shared(&other.sheets)
    }

    /// The same map once the files are as `kept` has them, of which only the one at `path` differs. `None` if the whole set has to
    /// be looked at: if something counts against it, or this tile and those beside it do not tell.
    fn exchanged(&self, kept: &Kept, path: &Path) -> Option<Self> {
        let old =
            self.files.iter().find(|(_, files)| files.iter().any(|file| file == path)).map(|(key, _)| *key);
        let new = kept.has(path).then(|| alone(&kept.some(|file| file == path))).flatten();
        // The head of a map is no tile.
        let key = old.or(new.map(|tile| tile.key))?;
        if new.is_some_and(|new| new.key != key) || kept.has(path) && new.is_none() {
            return None;
        }
        let before = self.sheets.tiles().find(|tile| tile.key == key).copied();
        let tile = new.or(before)?;
        let mut touched = self.sheets.touched(&tile);
        touched.extend(before.iter().flat_map(|before| self.sheets.touched(before)));
        touched.push(key);
        let mut needed = self.sheets.beside(&touched, tile.at);
        needed.extend(self.sheets.tiles().next().map(|first| first.key));
        let is_needed = |file: &Path| {
            file == path
                || self.files.iter().all(|(_, files)| !files.iter().any(|other| other == file))
                || needed.iter().any(|key| self.files[key].iter().any(|other| other == file))
        };
        let part = kept.some(is_needed);
        let odd = |(file, finding): (&Path, &Finding)| {
            finding.severity.counts()
                && (file == path
                    || touched
                        .iter()
                        .filter_map(|key| self.files.get(key))
                        .flatten()
                        .any(|other| other == file))
        };
        if !part.failures().is_empty() || part.findings_by_file().any(odd) {
            return None;
        }
        let part = Self::of(&part)?;
        let sheets = self.sheets.exchange(&part.sheets, &touched)?;
        let mut files = self.files.clone();
        match part.files.get(&key) {
            Some(paths) => files.insert(key, paths.clone()),
            None => files.remove(&key),
        };
        Some(Self { sheets, files })
    }
}

/// Whether a policy asks for nothing that only a look at the whole set tells.
fn fits(policy: &Policy) -> bool {
    policy.build == BuildOptions::default() && policy.refuse.is_none_or(|least| least >= Severity::Warning)
}

/// The tile in a file, as it is without its map.
fn alone(tiles: &Tiles) -> Option<MapTile> {
    struct First;
    impl GraphTask for First {
        type Out = Option<MapTile>;
        fn run(self, graph: &impl NavGraph) -> Self::Out {
            graph.tiles().first().copied()
        }
    }
    tiles.items().first()?.with_graph(First)?
}

struct Lay;

impl GraphTask for Lay {
    type Out = Option<Sheets>;
    fn run(self, graph: &impl NavGraph) -> Self::Out {
        Sheets::of(graph)
    }
}

impl World {
    /// The world of files of which only the one at `path` differs from those of this world.
    pub(super) fn exchanged(&self, kept: Kept, path: &Path, policy: &Policy) -> Result<Self, Refused> {
        let laid = self.laid.as_ref().filter(|_| fits(policy));
        match laid.and_then(|laid| laid.exchanged(&kept, path)) {
            Some(laid) => {
                let index = laid.index(policy);
                Ok(Self { tiles: Some(kept), laid: Some(laid), ..Self::of_index(index) })
            }
            None => Self::of_kept(kept, policy),
        }
    }
}
