//! The whole file, borrowed: its container, and the location of its tiles.

use super::layout::{Dialect, Order, Refs, TILE_MAGIC};
use super::record::{CacheParameters, MapConnection, MapTileHead, Parameters, Vector};
use super::swap;
use super::unity::{self, UnityMesh};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;
use std::borrow::Cow;

/// The version of Respawn's sets.
const RESPAWN: u32 = 5;

/// A file with tiles of Detour: a set, a bare tile, a tile or the parameters of a server's map, a tile cache, Unity's
/// `NavMeshData`.
///
/// Opening it takes constant time, and [`tiles`](Self::tiles) walks the tiles lazily. There are two exceptions: a big-endian file
/// is swapped into memory, and the type trees of Unity's files are walked.
#[derive(Debug, Clone)]
pub struct DetourNav<'a> {
    bytes: Cow<'a, [u8]>,
    order: Order,
    pub(super) head: Head,
    unity: Vec<UnityMesh>,
}

/// The parsed head of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Head {
    pub(super) dialect: Dialect,
    pub(super) version: Option<u32>,
    /// Whether the version is unknown and another version's layout is tried.
    pub(super) experimental: bool,
    pub(super) refs: Refs,
    /// The claimed number of tiles or layers.
    pub(super) count: u32,
    pub(super) parameters: Option<Parameters>,
    pub(super) bounds: Option<[Vector; 2]>,
    pub(super) cache: Option<CacheParameters>,
    pub(super) tile_head: Option<MapTileHead>,
    /// Respawn's tables after the tiles: number of groups, bytes of each table, number of tables.
    pub(super) tables: [u32; 3],
    /// Where the first record begins.
    pub(super) start: usize,
    /// Bytes of a record before its tile.
    pub(super) stride: usize,
}

/// The byte order that a magic implies, and the magic as it lies in a little-endian file.
pub(super) fn magic(bytes: &[u8]) -> Option<([u8; 4], Order)> {
    const KNOWN: [[u8; 4]; 7] = [*b"TESM", *b"TASM", *b"TEST", *b"TAST", TILE_MAGIC, *b"RLTD", *b"PAMM"];
    let found = *bytes.first_chunk::<4>()?;
    let mut reversed = found;
    reversed.reverse();
    let order = if KNOWN.contains(&found) {
        Order::Little
    } else if KNOWN.contains(&reversed) {
        Order::Big
    } else {
        return None;
    };
    // A text may begin with these letters, but a version is a small number.
    let version = bytes.get(4..8)?;
    let small = match order {
        Order::Little => version.get(2..) == Some(&[0, 0]),
        Order::Big => version.get(..2) == Some(&[0, 0]),
    };
    small.then_some((if order == Order::Little { found } else { reversed }, order))
}

/// Whether these are the parameters of a map, and nothing else.
fn is_map(bytes: &[u8]) -> bool {
    let Ok(parameters) = zerocopy::FromBytes::ref_from_bytes(bytes) else { return false };
    let parameters: &Parameters = parameters;
    let side = |length: f32| length.is_finite() && length > 0.0;
    let tiles = parameters.max_tiles();
    parameters.origin().iter().all(|value| value.is_finite() && value.abs() < 1e9)
        && side(parameters.tile_width())
        && side(parameters.tile_depth())
        && (1..=1 << 28).contains(&tiles)
        && (parameters.max_polygons().is_power_of_two() || parameters.max_polygons() < 1 << 24)
        && parameters.max_polygons() != 0
}

/// Whether a file with the extension of a map may be one: it begins with parameters, and more follows.
pub(super) fn may_be(bytes: &[u8]) -> bool {
    bytes.get(..size_of::<Parameters>()).is_some_and(is_map)
}

fn is_kbe(bytes: &[u8]) -> bool {
    let one = bytes.first_chunk::<4>() == Some(&[1, 0, 0, 0]);
    one && bytes.get(44..48) == Some(&TILE_MAGIC)
}

/// Whether a file that begins with these bytes is one of Detour's, even if it is unreadable.
pub fn recognise(head: &[u8]) -> bool {
    magic(head).is_some() || is_kbe(head) || is_map(head) || unity::recognise(head)
}

impl Head {
    fn new(dialect: Dialect, start: usize) -> Self {
        Self {
            dialect,
            version: None,
            experimental: false,
            refs: Refs::Narrow,
            count: 0,
            parameters: None,
            bounds: None,
            cache: None,
            tile_head: None,
            tables: [0; 3],
            start,
            stride: 0,
        }
    }

    /// Reads the head of little-endian bytes, which may be the first page of a longer file.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, 0);
        match magic(bytes).as_ref().map(|(magic, order)| (magic, order)) {
            Some((b"TESM" | b"TASM", Order::Little)) => Self::set(&mut cursor),
            Some((b"TEST" | b"TAST", Order::Little)) => Self::cache(&mut cursor),
            Some((b"VAND", Order::Little)) => {
                cursor.skip(4, "tile magic")?;
                let version = Some(cursor.u32("tile version")?);
                Ok(Self { version, count: 1, ..Self::new(Dialect::Tile, 0) })
            }
            Some((b"RLTD", Order::Little)) => {
                cursor.skip(4, "layer magic")?;
                let version = Some(cursor.u32("layer version")?);
                Ok(Self { version, count: 1, ..Self::new(Dialect::Layer, 0) })
            }
            Some((b"PAMM", Order::Little)) => Self::map(cursor),
            _ if is_kbe(bytes) => Self::kbe(&mut cursor),
            _ if is_map(bytes) => Self::bare_map(&mut cursor),
            _ if unity::recognise(bytes) => Ok(Self { version: Some(16), ..Self::new(Dialect::Unity, 0) }),
            // Parameters followed by other bytes are recognised only by the file name.
            _ if may_be(bytes) => Self::bare_map(&mut cursor),
            _ => Err(not_mesh(bytes).at(0)),
        }
    }

    fn bare_map(cursor: &mut Cursor<'_>) -> Result<Self> {
        let parameters = Some(*cursor.record("parameters")?);
        Ok(Self { parameters, ..Self::new(Dialect::Map, size_of::<Parameters>()) })
    }

    /// The length of a record before a tile at `start`, found by the position of the tile's magic.
    fn stride(bytes: &[u8], start: usize, magic: [u8; 4]) -> Option<usize> {
        [8usize, 16, 12].into_iter().find(|stride| {
            let at = start.saturating_add(*stride);
            bytes.get(at..at.saturating_add(4)) == Some(&magic)
        })
    }

    fn records(mut self, bytes: &[u8], magic: [u8; 4]) -> Self {
        self.stride = Self::stride(bytes, self.start, magic).unwrap_or(8);
        if self.stride > 8 {
            self.refs = Refs::Wide;
        }
        self
    }

    fn set(cursor: &mut Cursor<'_>) -> Result<Self> {
        let bytes = cursor.rest();
        let bounded = bytes.starts_with(b"TASM");
        cursor.skip(4, "set magic")?;
        let version = cursor.u32("set version")?;
        let count = cursor.u32("tile count")?;
        let parameters = Some(*cursor.record::<Parameters>("parameters")?);
        let mut head = match (bounded, version) {
            (true, _) => {
                let [min, max]: [Vector; 2] = *cursor.record("bounds")?;
                Self { bounds: Some([min, max]), ..Self::new(Dialect::BoundedSet, 64) }
            }
            (false, RESPAWN) => {
                let tables = [cursor.u32("groups")?, cursor.u32("table size")?, cursor.u32("tables")?];
                Self { tables, ..Self::new(Dialect::Respawn, 52) }
            }
            (false, _) => Self::new(Dialect::Set, 40),
        };
        head = Self { version: Some(version), count, parameters, ..head }.records(bytes, TILE_MAGIC);
        head.experimental = version != 1 && head.dialect != Dialect::Respawn;
        Ok(head)
    }

    fn kbe(cursor: &mut Cursor<'_>) -> Result<Self> {
        let bytes = cursor.rest();
        let version = Some(cursor.u32("set version")?);
        let count = cursor.u32("tile count")?;
        let parameters = Some(*cursor.record("parameters")?);
        Ok(Self { version, count, parameters, ..Self::new(Dialect::Kbe, 36) }.records(bytes, TILE_MAGIC))
    }

    fn cache(cursor: &mut Cursor<'_>) -> Result<Self> {
        let bytes = cursor.rest();
        let bounded = bytes.starts_with(b"TAST");
        cursor.skip(4, "set magic")?;
        let version = cursor.u32("set version")?;
        let count = cursor.u32("layer count")?;
        let parameters = Some(*cursor.record("parameters")?);
        let cache = Some(*cursor.record("cache parameters")?);
        let (bounds, dialect, start) = if bounded {
            (Some(*cursor.record::<[Vector; 2]>("bounds")?), Dialect::BoundedCache, 116)
        } else {
            (None, Dialect::Cache, 92)
        };
        let head =
            Self { version: Some(version), count, parameters, bounds, cache, ..Self::new(dialect, start) };
        Ok(Self { experimental: version != 1, ..head.records(bytes, *b"RLTD") })
    }

    /// A file of a World of Warcraft server: a tile, or the parameters of a map.
    fn map(mut cursor: Cursor<'_>) -> Result<Self> {
        let bytes = cursor.rest();
        let tile_at = |at: usize| bytes.get(at..at.saturating_add(4)) == Some(&TILE_MAGIC);
        for (at, dialect) in [(20, Dialect::MapTile), (56, Dialect::MapTileAc)] {
            if tile_at(at) {
                let head: MapTileHead = *cursor.record("tile head")?;
                let (version, tile_head) = (Some(head.version()), Some(head));
                let refs = Refs::Wide;
                return Ok(Self { version, tile_head, refs, count: 1, ..Self::new(dialect, at) });
            }
        }
        cursor.skip(4, "map magic")?;
        let version = Some(cursor.u32("map version")?);
        let parameters = Some(*cursor.record("parameters")?);
        let rows = cursor.u32("off-mesh connections")?;
        let head = Self { version, parameters, ..Self::new(Dialect::MapTc, 40) };
        Ok(Self { tables: [rows, 0, 0], ..head })
    }
}

impl<'a> DetourNav<'a> {
    /// Opens a file.
    ///
    /// # Errors
    /// [`NotMesh`](ErrorKind::NotMesh) for bytes of another kind, [`Truncated`](ErrorKind::Truncated) for an incomplete head,
    /// [`Version`](ErrorKind::Version) for a set of an unknown version that does not end where the file ends. Of Unity also what
    /// cannot be read of the objects around the tiles, and of a file in big-endian order what cannot be swapped. Other
    /// damage in a tile is an error of the walk over [`tiles`](Self::tiles).
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let order = magic(bytes).map_or(Order::Little, |(_, order)| order);
        let bytes = match order {
            Order::Little => Cow::Borrowed(bytes),
            Order::Big => {
                let mut owned = bytes.to_vec();
                swap::file(&mut owned, Order::Big)?;
                Cow::Owned(owned)
            }
        };
        if bytes.len() < 8 && bytes.starts_with(&TILE_MAGIC) {
            return Err(Cursor::new(&bytes, 0).short("tile head", 100));
        }
        let mut head = Head::parse(&bytes)?;
        let unity = if head.dialect == Dialect::Unity { unity::meshes(&bytes)? } else { Vec::new() };
        if head.dialect == Dialect::Unity {
            let tiles = unity.iter().map(|mesh| mesh.tiles.len()).fold(0, usize::saturating_add);
            head.count = u32::try_from(tiles).unwrap_or(u32::MAX);
        }
        if let Some(wanted) = head.tile_head.map(|tile| tile.size()) {
            let left = bytes.len().saturating_sub(head.start) as u64;
            if u64::from(wanted) > left {
                let kind = ErrorKind::Truncated { what: "tile", needed: wanted.into(), left };
                return Err(Error::new(kind).at(12));
            }
        }
        let nav = Self { bytes, order, head, unity };
        // An unknown version is read if the known layout ends where the file ends.
        if nav.head.experimental && !nav.ends_exactly() {
            let why = "unknown, and the layout of version 1 does not end where the file ends";
            let (found, format) = (nav.head.version.unwrap_or(0), "Detour set");
            return Err(Error::new(ErrorKind::Version { format, found, subversion: None, why }).at(4));
        }
        Ok(nav)
    }

    /// Its bytes, in little-endian order.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What wraps the tiles.
    pub fn dialect(&self) -> Dialect {
        self.head.dialect
    }

    /// The name of the dialect with its variant: `mset`, `mset-64`, `mset-be`.
    pub fn dialect_name(&self) -> &'static str {
        match (self.head.dialect, self.order, self.refs()) {
            (Dialect::Set, Order::Big, _) => "mset-be",
            (Dialect::BoundedSet, Order::Big, _) => "msat-be",
            (Dialect::Tile, Order::Big, _) => "tile-be",
            (Dialect::Set, _, Refs::Wide) => "mset-64",
            (Dialect::BoundedSet, _, Refs::Wide) => "msat-64",
            (dialect, ..) => dialect.name(),
        }
    }

    /// The order of bytes in the file.
    pub fn order(&self) -> Order {
        self.order
    }

    /// The width of the container's references: of its records, or as a server is known to build them. Each tile
    /// [has its own](super::Tile::refs).
    pub fn refs(&self) -> Refs {
        self.head.refs
    }

    /// The version of the container: of the set, or of the server's map. For a bare tile it is the tile's; an `.mmap` has none.
    pub fn version(&self) -> Option<u32> {
        self.head.version
    }

    /// Whether the version of the set is unknown, and the known layout ends exactly where the file ends.
    pub fn is_experimental(&self) -> bool {
        self.head.experimental
    }

    /// The number of tiles or layers that the head claims.
    pub fn claimed(&self) -> u32 {
        self.head.count
    }

    /// Origin and size of the grid of tiles, if the container has them.
    pub fn parameters(&self) -> Option<&Parameters> {
        self.head.parameters.as_ref()
    }

    /// The box around all tiles that a set with bounds states.
    pub fn bounds(&self) -> Option<[[f32; 3]; 2]> {
        self.head.bounds.map(|bounds| bounds.map(Vector::to_array))
    }

    /// The parameters of a tile cache.
    pub fn cache(&self) -> Option<&CacheParameters> {
        self.head.cache.as_ref()
    }

    /// The head of a tile of a World of Warcraft server.
    pub fn map_tile(&self) -> Option<&MapTileHead> {
        self.head.tile_head.as_ref()
    }

    /// The number of groups of Respawn's polygons, the bytes of a reachability table, and the number of these tables.
    pub fn groups(&self) -> Option<[u32; 3]> {
        (self.head.dialect == Dialect::Respawn).then_some(self.head.tables)
    }

    /// Off-mesh connections in the head of TrinityCore's maps.
    pub fn map_connections(&self) -> &[MapConnection] {
        if self.head.dialect != Dialect::MapTc {
            return &[];
        }
        let [rows, ..] = self.head.tables;
        let mut cursor = Cursor::new(self.bytes.get(self.head.start..).unwrap_or_default(), 40);
        let fitting = cursor.left().checked_div(size_of::<MapConnection>()).unwrap_or(0);
        let count = usize::try_from(rows).unwrap_or(usize::MAX).min(fitting);
        cursor.slice(count, "off-mesh connections").unwrap_or_default()
    }

    /// The meshes of a file of Unity. Each has axes of its own.
    pub fn unity(&self) -> &[UnityMesh] {
        &self.unity
    }
}
