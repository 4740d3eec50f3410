//! A whole map: many tiles joined over their borders, with split tiles reassembled.

mod info;
mod names;
mod open;
mod parallel;
mod resolve;
mod scan;
mod set;
mod tile;

pub use names::{part_beside, part_of, parts_beside};
pub use tile::{BorderLink, FaceRef, NodeRef, SetLinks, Tile, TileFile};

use super::locate::Located;
use super::record::{GroupId, TileId};
use super::view::Frame;
use navmap_core::Limits;
use navmap_core::bytes::{Backing, Opener};
use navmap_core::error::{Error, Result};
use navmap_core::format::SetFinding;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A set of tiles, opened and indexed.
///
/// It owns the bytes of its files (read, or mapped if the [`Opener`] allows it) and an index: the entries of each group, and the
/// target node of every link out of a tile. The geometry stays in the files. The index takes less than two hundredths of their
/// size ([`index_bytes`](Self::index_bytes)).
///
/// A folder may hold several maps, and variants of one map (`_nav`, `_nav_boss`). Each is a [`Layer`], and links are resolved
/// inside a layer. If a file cannot be read, the rest of the set still loads and [`failures`](Self::failures) has the error.
///
/// Files are opened in parallel, in the caller's thread pool.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::format::fox::TileSet;
///
/// let set = TileSet::open(["corpus/fox/set"])?;
/// let layer = set.layer("plain_nav").expect("the files are named so");
/// assert_eq!((layer.tiles().len(), layer.columns()), (9, Some(4)));
/// let middle = layer.tile_at(-64.0, -64.0).expect("there is a tile");
/// assert_eq!(middle.coordinates(), Some((102, 102)));
/// assert!(middle.border_links().all(|link| link.reaches.is_ok()));
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug)]
pub struct TileSet<'a> {
    layers: Vec<LayerIndex>,
    tiles: Vec<TileIndex>,
    parts: Vec<Part<'a>>,
    failures: Vec<Error>,
    findings: Vec<SetFinding>,
}

/// The stored part of a layer.
#[derive(Debug)]
struct LayerIndex {
    name: String,
    map: String,
    /// The range of its tiles in [`TileSet::tiles`], ordered by tile id.
    tiles: Range<usize>,
    columns: Option<u16>,
    /// Its tiles by the 128 m cell of their origin, as column, row and tile; sorted.
    cells: Vec<(i32, i32, u32)>,
}

/// The stored part of a tile.
#[derive(Debug)]
struct TileIndex {
    id: TileId,
    /// The range of its parts in [`TileSet::parts`], ordered by part number.
    parts: Range<u32>,
}

/// One file: its bytes and the index's facts about it.
#[derive(Debug)]
struct Part<'a> {
    path: PathBuf,
    bytes: Backing<'a>,
    frame: Frame,
    number: u16,
    slots: Box<[Slot]>,
    borders: Box<[Border]>,
    /// The links among `borders` that are unresolved although the neighbour exists.
    unmatched: Box<[Unmatched]>,
}

/// The start of a group's entries, in the order of [`EntryKind::ALL`](super::EntryKind::ALL), and of its links in
/// [`Part::borders`].
#[derive(Debug, Clone, Copy)]
struct Slot {
    group: GroupId,
    entries: [u32; 4],
    borders: u32,
}

/// A node whose link leaves the tile, and the target node in the tile and group named by the link; [`UNRESOLVED`] for none.
#[derive(Debug, Clone, Copy)]
struct Border {
    node: u16,
    reaches: u16,
}

/// No node has this number, since a group counts its nodes in 16 bits.
const UNRESOLVED: u16 = u16::MAX;

#[derive(Debug, Clone, Copy)]
struct Unmatched {
    group: GroupId,
    node: u16,
    candidates: u16,
}

/// The reason why a link out of a tile is unresolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unresolved {
    /// The neighbouring tile is not in the set.
    TileAbsent,
    /// The tile exists, but not the group named by the link.
    GroupAbsent,
    /// No node of that group leads back from the same position.
    NoMatch,
    /// Several nodes of that group lead back from the same position.
    Ambiguous {
        /// The number found. The search stops at a handful.
        candidates: u16,
    },
    /// The target node of a link between groups does not exist.
    NodeAbsent,
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TileAbsent => f.write_str("the neighbouring tile is absent"),
            Self::GroupAbsent => f.write_str("the group is absent"),
            Self::NoMatch => f.write_str("no node at that place leads back"),
            Self::Ambiguous { candidates } => write!(f, "{candidates} nodes at that place lead back"),
            Self::NodeAbsent => f.write_str("the node is absent"),
        }
    }
}

impl std::error::Error for Unresolved {}

impl TileSet<'static> {
    /// Opens files, and every `.nav2` file in folders and the folders in them. Each file is read into memory, so other
    /// programs may change it afterwards.
    ///
    /// # Errors
    /// If a folder cannot be listed. If a file cannot be opened or read, [`failures`](Self::failures) has the error.
    pub fn open<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self> {
        Self::open_with(paths, &Opener::reading(), &Limits::default())
    }

    /// Like [`open`](Self::open), with files mapped if `opener` says so, and `limits` on what is read.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_with<P: AsRef<Path>>(
        paths: impl IntoIterator<Item = P>,
        opener: &Opener,
        limits: &Limits,
    ) -> Result<Self> {
        let mut files = Vec::new();
        for path in paths {
            open::list(path.as_ref(), &mut files)?;
        }
        Ok(open::build(files, |path| opener.open(path, limits)))
    }
}

impl<'a> TileSet<'a> {
    /// A set of files whose bytes the caller has opened: members of archives, maps, borrowed memory.
    pub fn from_backings(files: impl IntoIterator<Item = (PathBuf, Backing<'a>)>) -> Self {
        Self::from_opened(files.into_iter().map(Ok))
    }

    /// Like [`from_backings`](Self::from_backings), for files some of which failed to open. Their errors go to
    /// [`failures`](Self::failures).
    pub fn from_opened(files: impl IntoIterator<Item = Result<(PathBuf, Backing<'a>)>>) -> Self {
        open::build_from(files.into_iter().collect())
    }

    /// The maps and variants in the set, the one with the most tiles first.
    pub fn layers(&self) -> impl ExactSizeIterator<Item = Layer<'_>> + '_ {
        self.layers.iter().map(|layer| Layer { set: self, layer })
    }

    /// The layer of this name: that of its files without coordinates (`ssav_nav`).
    pub fn layer(&self, name: &str) -> Option<Layer<'_>> {
        self.layers.iter().find(|layer| layer.name == name).map(|layer| Layer { set: self, layer })
    }

    /// Number of tiles in all layers.
    pub fn len(&self) -> usize {
        self.tiles.len()
    }

    /// Whether there are no tiles.
    pub fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// Tile `index`, from 0. Ordered by layer, then by id.
    pub fn tile(&self, index: u32) -> Option<Tile<'_>> {
        let tile = self.tiles.get(usize::try_from(index).ok()?)?;
        Some(Tile::new(self, tile, index))
    }

    /// Files that could not be opened or read; each error names its file.
    pub fn failures(&self) -> &[Error] {
        &self.failures
    }

    /// Findings about the set as a whole. [`NavFile::check`](navmap_core::format::NavFile::check) reports those inside a file.
    pub fn findings(&self) -> &[SetFinding] {
        &self.findings
    }

    /// Checks that every byte read so far came from the files, by asking [`Backing::intact`] of each.
    ///
    /// # Errors
    /// If a file was truncated while it was mapped. The error names the first such file.
    pub fn intact(&self) -> Result<()> {
        self.parts.iter().try_for_each(|part| part.bytes.intact().map_err(|error| error.in_file(&part.path)))
    }

    /// Total size of all files.
    pub fn file_bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes.len() as u64).fold(0, u64::saturating_add)
    }

    /// Memory of the set besides the files: offsets, resolved links, paths.
    pub fn index_bytes(&self) -> u64 {
        let part = |part: &Part<'_>| {
            size_of::<Part<'_>>()
                .saturating_add(part.path.capacity())
                .saturating_add(size_of_val(&*part.slots))
                .saturating_add(size_of_val(&*part.borders))
                .saturating_add(size_of_val(&*part.unmatched))
        };
        let layer = |layer: &LayerIndex| {
            size_of::<LayerIndex>()
                .saturating_add(layer.name.capacity())
                .saturating_add(layer.map.capacity())
                .saturating_add(size_of_val(&*layer.cells))
        };
        let sizes = self.parts.iter().map(part).chain(self.layers.iter().map(layer));
        let tables = size_of_val(&*self.tiles).saturating_add(size_of::<Self>());
        sizes.fold(tables, usize::saturating_add) as u64
    }
}

/// One map, or one variant of it.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'s> {
    set: &'s TileSet<'s>,
    layer: &'s LayerIndex,
}

impl<'s> Layer<'s> {
    /// Name of its files without coordinates (`ssav_nav`, `ssav_nav_boss`). For a single file that is a map of its own, the name
    /// of that file.
    pub fn name(&self) -> &'s str {
        &self.layer.name
    }

    /// Name of its map: `ssav`.
    pub fn map(&self) -> &'s str {
        &self.layer.map
    }

    /// Columns of the map, derived from links over northern and southern sides, else from file names. `None` if neither shows it.
    pub fn columns(&self) -> Option<u16> {
        self.layer.columns
    }

    /// Its tiles, by id.
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = Tile<'s>> + use<'s> {
        let set = self.set;
        let tiles = set.tiles.get(self.layer.tiles.clone()).unwrap_or_default();
        let first = self.layer.tiles.start;
        tiles.iter().enumerate().map(move |(nth, tile)| {
            let index = u32::try_from(first.saturating_add(nth)).unwrap_or(u32::MAX);
            Tile::new(set, tile, index)
        })
    }

    /// The tile of this id.
    pub fn tile(&self, id: TileId) -> Option<Tile<'s>> {
        let tiles = self.set.tiles.get(self.layer.tiles.clone())?;
        let nth = tiles.binary_search_by_key(&id, |tile| tile.id).ok()?;
        let index = self.layer.tiles.start.checked_add(nth)?;
        Some(Tile::new(self.set, tiles.get(nth)?, u32::try_from(index).ok()?))
    }

    /// The tile with this X and Z in its file's name.
    pub fn tile_named(&self, x: u16, z: u16) -> Option<Tile<'s>> {
        self.tile(TileId::from_coordinates(x, z, self.layer.columns?)?)
    }

    /// The face at a point in metres, and its tile. If several faces contain its x and z, the one with the nearest height. `None`
    /// if there is no tile or no mesh at that point.
    ///
    /// # Errors
    /// Those of [`FoxNav::locate`](super::FoxNav::locate).
    pub fn locate(&self, place: [f32; 3]) -> Result<Option<(Tile<'s>, Located)>> {
        let [x, y, z] = place;
        let Some(tile) = self.tile_at(x, z) else { return Ok(None) };
        let mut best: Option<Located> = None;
        for file in tile.files() {
            let found = file.nav()?.locate(place).map_err(|error| error.in_file(file.path()))?;
            let nearer = |found: &Located| best.is_none_or(|best| (found.y - y).abs() < (best.y - y).abs());
            best = found.filter(nearer).or(best);
        }
        Ok(best.map(|located| (tile, located)))
    }

    /// The tile over this point in metres, if its 128 m square contains it. Otherwise, as in maps without 128 m tiles, the first
    /// tile whose origin and divisors reach the point. Logarithmic; linear in the second case.
    pub fn tile_at(&self, x: f32, z: f32) -> Option<Tile<'s>> {
        let (column, row) = open::cell([x, 0.0, z]);
        let cells = &self.layer.cells;
        let at = cells.partition_point(|(c, r, _)| (*c, *r) < (column, row));
        let on_grid = cells.get(at).filter(|(c, r, _)| (*c, *r) == (column, row)).map(|(_, _, tile)| *tile);
        let reaches = |tile: &Tile<'_>| {
            tile.frame().is_some_and(|frame: Frame| {
                let [ox, _, oz] = frame.origin;
                let [dx, _, dz] = frame.divisors.map(|d| 65535.0 / f32::from(d));
                (ox..=ox + dx).contains(&x) && (oz..=oz + dz).contains(&z)
            })
        };
        let on_grid = on_grid.and_then(|tile| self.set.tile(tile)).filter(reaches);
        on_grid.or_else(|| self.tiles().find(reaches))
    }
}
