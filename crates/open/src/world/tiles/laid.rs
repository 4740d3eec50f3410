//! A map whose tiles are exchanged one at a time: what is kept of it besides its files.

use super::kept::Kept;
use crate::open::Tiles;
use crate::world::Policy;
use navmap_core::format::GraphTask;
use navmap_core::graph::{MapTile, NavGraph};
use navmap_core::{Finding, Severity};
use navmap_query::{BuildOptions, NavIndex, Sheets};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// What a world keeps of its tiles.
#[derive(Debug, Clone)]
pub(in crate::world) struct KeptTiles {
    pub(super) files: Kept,
    /// What is kept of the map, if its tiles can be exchanged one at a time.
    pub(super) laid: Option<Laid>,
}

/// A sound map: nothing counts against it, so that what is odd about a tile that joins shows on that tile and those beside it.
#[derive(Debug, Clone)]
pub(super) struct Laid {
    sheets: Sheets,
    /// The key of the tile that a file is of. A file that is of none, such as the head of a map, is not there.
    tile_of: BTreeMap<Arc<OsStr>, u64>,
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
        Self::some(tiles, |_| true)
    }

    /// The same with the tiles alone whose keys `wanted` picks.
    fn some(tiles: &Tiles, wanted: impl Fn(u64) -> bool) -> Option<Self> {
        let items = tiles.items();
        let [item] = items.as_slice() else { return None };
        let (sheets, all) = item.with_part(Lay(&wanted))?;
        let mut files = tiles.files();
        let mut tile_of = BTreeMap::new();
        for tile in all {
            for file in files.by_ref().take(tile.files).filter(|_| wanted(tile.key)) {
                tile_of.insert(Arc::from(file.as_os_str()), tile.key);
            }
        }
        Some(Self { sheets: sheets?, tile_of })
    }

    fn key_of(&self, file: &Path) -> Option<u64> {
        self.tile_of.get(file.as_os_str()).copied()
    }

    pub(super) fn index(&self, policy: &Policy) -> NavIndex {
        finished(self.sheets.index(), policy)
    }

    /// The index of this map, out of that of `old`, from which it was made by an exchange.
    pub(super) fn index_after(&self, old: &Self, index: &NavIndex, policy: &Policy) -> NavIndex {
        finished(self.sheets.index_after(index, &old.sheets), policy)
    }

    pub(super) fn shared(&self, other: &Self) -> usize {
        self.sheets.shared(&other.sheets)
    }

    /// The same map once the files are as `kept` has them, of which only the one at `path` differs. `None` if the whole set has to
    /// be looked at: if something counts against it, this tile and those beside it do not tell, or the policy asks for more.
    pub(super) fn exchanged(&self, kept: &Kept, path: &Path, policy: &Policy) -> Option<Self> {
        if !fits(policy) {
            return None;
        }
        let old = self.key_of(path);
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
        needed.sort_unstable();
        touched.sort_unstable();
        let is_path = |file: &Path| file.as_os_str() == path.as_os_str();
        let part = kept.some(|file| {
            let of_needed = |key: u64| needed.binary_search(&key).is_ok();
            is_path(file) || self.key_of(file).is_none_or(of_needed)
        });
        let is_touched = |key: u64| touched.binary_search(&key).is_ok();
        let odd = |(file, finding): (&Path, &Finding)| {
            finding.severity.counts() && (is_path(file) || self.key_of(file).is_some_and(is_touched))
        };
        if !part.failures().is_empty() || part.findings_by_file().any(odd) {
            return None;
        }
        let part = Self::some(&part, is_touched)?;
        let sheets = self.sheets.exchange(&part.sheets, &touched)?;
        let mut tile_of = self.tile_of.clone();
        tile_of.retain(|_, of| *of != key);
        tile_of.extend(part.tile_of.into_iter().filter(|(_, of)| *of == key));
        Some(Self { sheets, tile_of })
    }
}

fn finished(index: NavIndex, policy: &Policy) -> NavIndex {
    if policy.landmarks { index.with_landmarks() } else { index }
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
    tiles.items().first()?.with_part(First)?
}

/// Lays out the tiles that are wanted, and tells all that there are.
struct Lay<'w>(&'w dyn Fn(u64) -> bool);

impl GraphTask for Lay<'_> {
    type Out = (Option<Sheets>, Vec<MapTile>);
    fn run(self, graph: &impl NavGraph) -> Self::Out {
        (Sheets::some(graph, self.0), graph.tiles())
    }
}
