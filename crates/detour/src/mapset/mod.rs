//! The maps of a World of Warcraft server: many `.mmtile` files and one `.mmap` per map, joined over their sides.

mod info;
mod names;
mod set;

use super::graph::DetourGraph;
use super::grid::{Bits, Grid};
use super::iter::{TileEntry, TileIndex};
use super::layout::{Dialect, Refs};
use super::record::Parameters;
use super::tile::Tile;
use super::view::{DetourNav, Head};
use names::FileName;
use navmap_core::Counts;
use navmap_core::Finding;
use navmap_core::Limits;
use navmap_core::Severity::{self, Info, Warning};
use navmap_core::bytes::{Backing, Opener};
use navmap_core::error::{Error, Result};
use navmap_core::format::Summary;
use navmap_core::format::{SetFinding, not_mesh};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Side of a tile in yards.
const SIDE: f32 = 533.333_3;
/// The number of the tile whose smallest corner is the middle of the map.
const MIDDLE: i32 = 31;

/// The files of one or several maps, opened. Owns their bytes and views them in place.
///
/// If a file cannot be read, the rest still loads and [`failures`](Self::failures) has the error.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::format::detour::MapSet;
/// use navmap::graph::{LinkKind, NavGraph};
///
/// let set = MapSet::open(["corpus/detour/map/001.mmap", "corpus/detour/map/0013131.mmtile", "corpus/detour/map/0013231.mmtile"]);
/// let map = set.maps().next().expect("there is a map");
/// let mut borders = 0;
/// map.graph().for_each_link(|link| borders += usize::from(link.kind == LinkKind::Border))?;
/// assert_eq!((map.name(), map.len(), borders), ("001".to_owned(), 2, 8));
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug)]
pub struct MapSet<'a> {
    files: Vec<(PathBuf, Backing<'a>)>,
    maps: Vec<MapIndex>,
    failures: Vec<Error>,
    findings: Vec<SetFinding>,
}

/// The stored part of a map.
#[derive(Debug)]
struct MapIndex {
    number: u32,
    parameters: Option<Parameters>,
    tiles: Vec<TileFile>,
}

/// The stored part of a tile: its file, its bytes in that file, the version of the server's format, and its name.
#[derive(Debug, Clone, Copy)]
struct TileFile {
    file: usize,
    start: usize,
    end: usize,
    version: u32,
    name: [i32; 2],
}

/// One map of a set.
#[derive(Debug, Clone, Copy)]
pub struct Map<'s> {
    set: &'s MapSet<'s>,
    map: &'s MapIndex,
}

impl MapSet<'static> {
    /// Opens files. Each is read into memory, so other programs may change it afterwards.
    pub fn open<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Self {
        Self::open_with(paths, &Opener::reading(), &Limits::default())
    }

    /// Like [`open`](Self::open), with files mapped if `opener` says so, and `limits` on what is read.
    pub fn open_with<P: AsRef<Path>>(
        paths: impl IntoIterator<Item = P>,
        opener: &Opener,
        limits: &Limits,
    ) -> Self {
        Self::from_opened(paths.into_iter().map(|path| {
            let path = path.as_ref();
            opener.open(path, limits).map(|bytes| (path.to_owned(), bytes))
        }))
    }
}

impl<'a> MapSet<'a> {
    /// A set of files whose bytes the caller has opened: members of archives, maps, borrowed memory.
    pub fn from_backings(files: impl IntoIterator<Item = (PathBuf, Backing<'a>)>) -> Self {
        Self::from_opened(files.into_iter().map(Ok))
    }

    /// Like [`from_backings`](Self::from_backings), for files some of which failed to open. Their errors go to
    /// [`failures`](Self::failures).
    pub fn from_opened(files: impl IntoIterator<Item = Result<(PathBuf, Backing<'a>)>>) -> Self {
        let mut set =
            Self { files: Vec::new(), maps: Vec::new(), failures: Vec::new(), findings: Vec::new() };
        for file in files {
            match file {
                Ok(file) => set.files.push(file),
                Err(error) => set.failures.push(error),
            }
        }
        set.files.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut maps: BTreeMap<u32, MapIndex> = BTreeMap::new();
        for (file, (path, bytes)) in set.files.iter().enumerate() {
            match read(path, bytes, file) {
                Ok((number, part)) => {
                    let new = || MapIndex { number, parameters: None, tiles: Vec::new() };
                    let map = maps.entry(number).or_insert_with(new);
                    match part {
                        Part::Parameters(parameters) => map.parameters = Some(parameters),
                        Part::Tile(tile) => map.tiles.push(tile),
                    }
                }
                Err(error) => set.failures.push(error.in_file(path)),
            }
        }
        set.maps = maps.into_values().collect();
        set.maps.sort_by_key(|map| std::cmp::Reverse(map.tiles.len()));
        set.findings = set.maps.iter().flat_map(|map| set.judge(map)).collect();
        set
    }

    /// The maps, the one with the most tiles first.
    pub fn maps(&self) -> impl ExactSizeIterator<Item = Map<'_>> + '_ {
        self.maps.iter().map(|map| Map { set: self, map })
    }

    /// Number of tiles in all maps.
    pub fn len(&self) -> usize {
        self.maps.iter().map(|map| map.tiles.len()).fold(0, usize::saturating_add)
    }

    /// Whether there is no tile.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Files that could not be opened or read; each error names its file.
    pub fn failures(&self) -> &[Error] {
        &self.failures
    }

    /// Oddities of the maps as a whole: missing and misplaced tiles, names with swapped numbers, mixed versions.
    pub fn findings(&self) -> &[SetFinding] {
        &self.findings
    }

    /// Checks that every byte read so far came from the files, by asking [`Backing::intact`] of each.
    ///
    /// # Errors
    /// If a file was truncated while it was mapped. The error names the first such file.
    pub fn intact(&self) -> Result<()> {
        self.files.iter().try_for_each(|(path, bytes)| bytes.intact().map_err(|error| error.in_file(path)))
    }

    fn tile(&self, kept: &TileFile) -> Option<Tile<'_>> {
        let (_, bytes) = self.files.get(kept.file)?;
        let bytes: &[u8] = bytes;
        Tile::parse(bytes.get(kept.start..kept.end)?, kept.start as u64, Refs::Wide).ok()
    }

    fn entries(&self, map: &MapIndex) -> Vec<TileEntry<'_>> {
        let entry = |(index, kept): (u32, &TileFile)| {
            let (tile, size) = (self.tile(kept)?, kept.end.saturating_sub(kept.start) as u64);
            Some(TileEntry {
                index: TileIndex(index),
                reference: 0,
                mesh: 0,
                record: 0,
                size,
                padding: 0,
                tile,
            })
        };
        (0u32..).zip(&map.tiles).filter_map(entry).collect()
    }

    /// The findings of a map.
    fn judge(&self, map: &MapIndex) -> Vec<SetFinding> {
        let mut found = Vec::new();
        let mut say = |file: usize, severity: Severity, code, at: u64, message: String| {
            let path = self.files.get(file).map(|(path, _)| path.clone()).unwrap_or_default();
            found.push(SetFinding { path, finding: Finding::new(severity, code, message).at(at) });
        };
        let first = map.tiles.first();
        if let (None, Some(first)) = (map.parameters, first) {
            say(first.file, Severity::Error, "missing-map", 0, format!("map {:03} has no .mmap", map.number));
        }
        for kept in &map.tiles {
            let usual = first.map_or(kept.version, |first| first.version);
            if kept.version != usual {
                let message = format!("version {}, the first tile of the map has {usual}", kept.version);
                say(kept.file, Severity::Error, "mixed-versions", 8, message);
            }
            let Some(tile) = self.tile(kept) else { continue };
            let ([x, _, z], [a, b]) = (tile.head().min, kept.name);
            let at = |numbers: [i32; 2]| numbers.map(|n| (MIDDLE.saturating_sub(n)) as f32 * SIDE);
            let near =
                |[wanted_z, wanted_x]: [f32; 2]| (wanted_z - z).abs() < 1.0 && (wanted_x - x).abs() < 1.0;
            if !near(at([a, b])) {
                let swapped = near(at([b, a]));
                let [wanted_z, wanted_x] = at([a, b]);
                let message = if swapped {
                    format!("column and row are exchanged: the tile lies at {b:02}, {a:02}")
                } else {
                    format!("the name puts it at z {wanted_z}, x {wanted_x}, it lies at z {z}, x {x}")
                };
                say(kept.file, Severity::Error, "name-place", tile.offset(), message);
            }
            let Some(parameters) = map.parameters else { continue };
            let ([column, row], [ox, _, oz]) = (tile.head().at, parameters.origin());
            let place =
                [ox + column as f32 * parameters.tile_width(), oz + row as f32 * parameters.tile_depth()];
            if place.into_iter().zip([x, z]).any(|(wanted, found)| (wanted - found).abs() > 1.0) {
                let message =
                    format!("tile {column}, {row} lies at {x}, {z}, its place in the map is {place:?}");
                say(kept.file, Severity::Error, "tile-place", tile.offset().saturating_add(8), message);
            }
        }
        let grid = Grid::new(self.entries(map), Bits::default());
        let file = |tile: u32| map.tiles.get(tile as usize).map_or(0, |kept| kept.file);
        for (_, second) in grid.twins() {
            let message = "another tile of the map lies there already".to_owned();
            say(file(second), Severity::Error, "twin-tile", 8, message);
        }
        let joints = grid.joints();
        if joints.exhausted {
            let message = "portal edges overlap each other so often that not all were joined".to_owned();
            say(file(0), Warning, "seam-limit", 0, message);
        }
        // Portal edges that no tile adjoins, by tile and side.
        let mut open: BTreeMap<(u32, u8), u64> = BTreeMap::new();
        for (tile, polygon, edge) in joints.rim {
            let side =
                grid.tile(tile).and_then(|tile| tile.polygons().get(polygon as usize)?.across(edge.into()));
            if let Some(super::record::Across::Portal(side)) = side {
                let count = open.entry((tile, side)).or_insert(0);
                *count = count.saturating_add(1);
            }
        }
        for ((tile, side), count) in open {
            let edges = if count == 1 { "portal edge leads" } else { "portal edges lead" };
            let message = format!("{count} {edges} over side {side}, where the folder has no tile");
            say(file(tile), Info, "absent-tile", 0, message);
        }
        found
    }
}

/// The role of a file in its map.
enum Part {
    Parameters(Parameters),
    Tile(TileFile),
}

fn read(path: &Path, bytes: &[u8], file: usize) -> Result<(u32, Part)> {
    let head = Head::parse(bytes)?;
    let Some(name) = FileName::parse(path) else {
        return Err(Error::invalid("name", "is none of a map or of a tile: MMM.mmap, MMMaabb.mmtile"));
    };
    match (head.dialect, head.parameters, head.tile_head) {
        (Dialect::Map | Dialect::MapTc, Some(parameters), _) => Ok((name.map, Part::Parameters(parameters))),
        (Dialect::MapTile | Dialect::MapTileAc, _, Some(tile)) => {
            // Opened here only for its errors.
            DetourNav::parse(bytes)?.tiles().try_for_each(|tile| tile.map(drop))?;
            let size = usize::try_from(tile.size()).unwrap_or(usize::MAX);
            let end = head.start.saturating_add(size);
            let Some(numbers) = name.tile else {
                return Err(Error::invalid("name", "has no numbers of a tile: MMMaabb.mmtile"));
            };
            let kept = TileFile { file, start: head.start, end, version: tile.version(), name: numbers };
            Ok((name.map, Part::Tile(kept)))
        }
        _ => Err(not_mesh(bytes).at(0)),
    }
}

impl<'s> Map<'s> {
    /// Its number as in file names: `001`.
    pub fn name(&self) -> String {
        format!("{:03}", self.map.number)
    }

    /// Number of its tiles.
    pub fn len(&self) -> usize {
        self.map.tiles.len()
    }

    /// Whether it has no tile.
    pub fn is_empty(&self) -> bool {
        self.map.tiles.is_empty()
    }

    /// Origin and size of its grid, from its `.mmap`.
    pub fn parameters(&self) -> Option<&'s Parameters> {
        self.map.parameters.as_ref()
    }

    /// The version of the server's format, from the first tile.
    pub fn version(&self) -> Option<u32> {
        self.map.tiles.first().map(|tile| tile.version)
    }

    /// Game and versions, from the first tile, and the number of tiles.
    pub fn summary(&self) -> Summary {
        let mut counts = Counts::default();
        counts.add("tiles", self.len() as u64);
        let first = self.map.tiles.first().and_then(|kept| self.set.tile(kept));
        let subversion = first.map(|tile| tile.head().version);
        Summary { game: Dialect::MapTile.game(), version: self.version(), subversion, counts }
    }

    /// Its tiles, in the order of their files.
    pub fn tiles(&self) -> impl Iterator<Item = (&'s Path, Tile<'s>)> + use<'s> {
        let set = self.set;
        self.map.tiles.iter().filter_map(move |kept| {
            let (path, _) = set.files.get(kept.file)?;
            Some((path.as_path(), set.tile(kept)?))
        })
    }

    /// The whole map as one graph, joined over the sides of its tiles.
    pub fn graph(&self) -> DetourGraph<'s> {
        // The numbers in a name are those of its place, from 0 to 63.
        let key = |tile: &TileFile| {
            tile.name.into_iter().fold(0_u64, |key, part| key << 32 | u64::from(part.unsigned_abs()))
        };
        let keys = self.map.tiles.iter().map(key).collect();
        DetourGraph::of_map(self.set.entries(self.map), self.map.parameters.as_ref(), keys)
    }
}
