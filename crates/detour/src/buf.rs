//! An owned mesh, to be changed or made anew.

use super::head::TileHead;
use super::iter::TileEntry;
use super::layout::{Dialect, Layout, Order, Refs};
use super::record::{
    BvNode, CacheParameters, DetailMesh, LayerHead, Link, MapTileHead, OffMesh, Parameters, Poly,
    RespawnOffMesh, RespawnPoly, TraverseLink, Triangle, UnityPoly, UnityTriangle, Vector, WideLink,
};
use super::tile::{Connections, Links, Polygons, Triangles};
use super::view::DetourNav;
use navmap_core::error::{Error, Result};
use std::ops::Range;
use zerocopy::byteorder::little_endian::U32;

/// A file of Detour that owns its tiles. [`encode`](Self::encode) writes it.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::format::detour::{DetourBuf, DetourNav};
///
/// let bytes = std::fs::read("corpus/detour/set.navmesh")?;
/// let buf = DetourBuf::try_from(&DetourNav::parse(&bytes)?)?;
/// assert_eq!(buf.encode()?, bytes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DetourBuf {
    /// What wraps the tiles.
    pub dialect: Dialect,
    /// The byte order to write.
    pub order: Order,
    /// The version of the container, if it has one.
    pub version: Option<u32>,
    /// The width of the references of its records.
    pub refs: Refs,
    /// Origin and size of the grid.
    pub parameters: Option<Parameters>,
    /// The box around all tiles, in a set with bounds.
    pub bounds: Option<[Vector; 2]>,
    /// The parameters of a tile cache.
    pub cache: Option<CacheParameters>,
    /// The head of a server's tile. Its size is computed when it is written.
    pub map_tile: Option<MapTileHead>,
    /// The tiles.
    pub tiles: Vec<TileBuf>,
    /// The layers of a tile cache.
    pub layers: Vec<LayerBuf>,
    /// The three numbers of Respawn's reachability tables.
    pub(super) tables: [u32; 3],
    /// Bytes of a record before its tile.
    pub(super) stride: usize,
    /// The bytes between the head and the first tile, and after the last one.
    pub(super) beside: [Vec<u8>; 2],
    /// A file of Unity with its tiles, and their ranges in it.
    pub(super) envelope: (Vec<u8>, Vec<Range<usize>>),
}

/// A tile that owns its sections.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TileBuf {
    /// The reference the container gives it.
    pub reference: u64,
    /// The padding of a record of a 64-bit set: garbage, as engines write it.
    pub padding: u32,
    /// The head. Its counts are recomputed from the lists below when it is written.
    pub head: TileHead,
    /// The layout to write.
    pub layout: Layout,
    /// Vertices.
    pub vertices: Vec<Vector>,
    /// Polygons.
    pub polygons: PolygonsBuf,
    /// The map of polygons of version 13.
    pub map: Vec<U32>,
    /// Links, or the space for them.
    pub links: LinksBuf,
    /// Detail meshes.
    pub details: Vec<DetailMesh>,
    /// Detail vertices.
    pub detail_vertices: Vec<Vector>,
    /// Detail triangles.
    pub triangles: TrianglesBuf,
    /// The tree.
    pub tree: Vec<BvNode>,
    /// Off-mesh connections.
    pub off_mesh: ConnectionsBuf,
    /// Bytes after its last section.
    pub rest: Vec<u8>,
}

impl TileBuf {
    /// An empty tile of version 7 in the stock layout.
    pub fn new(head: TileHead) -> Self {
        Self {
            reference: 0,
            padding: 0,
            head: TileHead { version: 7, ..head },
            layout: Layout::V7,
            vertices: Vec::new(),
            polygons: PolygonsBuf::Stock(Vec::new()),
            map: Vec::new(),
            links: LinksBuf::Narrow(Vec::new()),
            details: Vec::new(),
            detail_vertices: Vec::new(),
            triangles: TrianglesBuf::Stock(Vec::new()),
            tree: Vec::new(),
            off_mesh: ConnectionsBuf::Stock(Vec::new()),
            rest: Vec::new(),
        }
    }
}

/// A compressed layer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LayerBuf {
    /// Its reference in the cache.
    pub reference: u64,
    /// Its head.
    pub head: LayerHead,
    /// The compressed cells.
    pub packed: Vec<u8>,
}

macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident of $view:ident { $($(#[$variant_doc:meta])* $variant:ident($record:ty),)+ })+) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $name { $($(#[$variant_doc])* $variant(Vec<$record>),)+ }

        impl $name {
            /// How many.
            pub fn len(&self) -> usize {
                match self {
                    $(Self::$variant(list) => list.len(),)+
                }
            }
            /// Whether there is none.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }
            pub(super) fn as_bytes(&self) -> &[u8] {
                match self {
                    $(Self::$variant(list) => zerocopy::IntoBytes::as_bytes(list.as_slice()),)+
                }
            }
        }

        impl From<$view<'_>> for $name {
            fn from(list: $view<'_>) -> Self {
                match list {
                    $($view::$variant(list) => Self::$variant(list.to_vec()),)+
                }
            }
        }
    )+ };
}

lists! {
    /// Polygons of a tile, owned.
    PolygonsBuf of Polygons {
        /// Versions 6 and 7.
        Stock(Poly),
        /// Version 13.
        Respawn(RespawnPoly),
        /// Version 16.
        Unity(UnityPoly),
    }
    /// Links of a tile, owned.
    LinksBuf of Links {
        /// References of 32 bits.
        Narrow(Link),
        /// References of 64 bits.
        Wide(WideLink),
        /// Version 13.
        Traverse(TraverseLink),
    }
    /// Detail triangles of a tile, owned.
    TrianglesBuf of Triangles {
        /// Versions 6, 7 and 13.
        Stock(Triangle),
        /// Version 16.
        Unity(UnityTriangle),
    }
    /// Off-mesh connections of a tile, owned.
    ConnectionsBuf of Connections {
        /// Versions 6 and 7.
        Stock(OffMesh),
        /// Version 13.
        Respawn(RespawnOffMesh),
    }
}

impl From<&TileEntry<'_>> for TileBuf {
    fn from(entry: &TileEntry<'_>) -> Self {
        let tile = &entry.tile;
        Self {
            reference: entry.reference,
            padding: entry.padding,
            head: *tile.head(),
            layout: tile.layout(),
            vertices: tile.vertices().to_vec(),
            polygons: tile.polygons().into(),
            map: tile.map().to_vec(),
            links: tile.links().into(),
            details: tile.details().to_vec(),
            detail_vertices: tile.detail_vertices().to_vec(),
            triangles: tile.triangles().into(),
            tree: tile.tree().to_vec(),
            off_mesh: tile.off_mesh().into(),
            rest: if entry.reference == 0 { Vec::new() } else { tile.rest().to_vec() },
        }
    }
}

impl TryFrom<&DetourNav<'_>> for DetourBuf {
    type Error = Error;

    /// Copies every record, including garbage in padding and unknown words. Trailing bytes are not copied.
    fn try_from(nav: &DetourNav<'_>) -> Result<Self> {
        let mut tiles = Vec::new();
        let mut walk = nav.tiles();
        for entry in walk.by_ref() {
            tiles.push(TileBuf::from(&entry?));
        }
        let mut layers = Vec::new();
        for layer in nav.layers() {
            let layer = layer?;
            let packed = layer.packed.to_vec();
            layers.push(LayerBuf { reference: layer.reference, head: *layer.head, packed });
        }
        let part = |from: u64, to: u64| {
            let at = |byte: u64| usize::try_from(byte).unwrap_or(usize::MAX);
            nav.bytes().get(at(from)..at(to)).unwrap_or_default().to_vec()
        };
        let before = if nav.dialect() == Dialect::MapTileAc { part(20, 56) } else { Vec::new() };
        let end = if nav.dialect() == Dialect::Unity { 0 } else { walk.end() };
        let behind = part(end, nav.after(end)?);
        let envelope = match nav.dialect() {
            Dialect::Unity => {
                let spans = nav.unity().iter().flat_map(|mesh| mesh.tiles.iter().cloned()).collect();
                (part(0, walk.end()), spans)
            }
            _ => Default::default(),
        };
        Ok(Self {
            dialect: nav.dialect(),
            order: nav.order(),
            version: nav.version(),
            refs: nav.refs(),
            parameters: nav.parameters().copied(),
            bounds: nav.head.bounds,
            cache: nav.cache().copied(),
            map_tile: nav.map_tile().copied(),
            tiles,
            layers,
            tables: nav.head.tables,
            stride: nav.head.stride,
            beside: [before, behind],
            envelope,
        })
    }
}

impl DetourBuf {
    /// An empty set, version 1, with references of 32 bits.
    pub fn set(parameters: Parameters) -> Self {
        Self {
            dialect: Dialect::Set,
            order: Order::Little,
            version: Some(1),
            refs: Refs::Narrow,
            parameters: Some(parameters),
            bounds: None,
            cache: None,
            map_tile: None,
            tiles: Vec::new(),
            layers: Vec::new(),
            tables: [0; 3],
            stride: 8,
            beside: Default::default(),
            envelope: Default::default(),
        }
    }

    /// A set of tiles with references of 32 bits, which number them in order. Tiles are as wide and as deep as `side` says, in metres.
    ///
    /// # Errors
    /// If tiles and polygons need more bits than a reference has, ten of which are the engine's.
    pub fn of_tiles(origin: [f32; 3], side: [f32; 2], mut tiles: Vec<TileBuf>) -> Result<Self> {
        /// A reference has 32 bits, and the engine needs 10 for salt.
        const MOST_BITS: u32 = 22;
        let bits = |count: usize| count.max(1).next_power_of_two().trailing_zeros();
        let most = tiles.iter().map(|tile| tile.polygons.len()).max().unwrap_or(0);
        let (tile_bits, polygon_bits) = (bits(tiles.len()), bits(most));
        if tile_bits.saturating_add(polygon_bits) > MOST_BITS {
            let count = tiles.len();
            let why =
                format!("{count} tiles of up to {most} polygons: references have no room; make tiles larger");
            return Err(Error::invalid("tiles", why));
        }
        let salt = 1_u64 << tile_bits.saturating_add(polygon_bits);
        for (number, tile) in (0_u64..).zip(&mut tiles) {
            tile.reference = salt | number << polygon_bits;
        }
        let [room, polygons] = [tile_bits, polygon_bits].map(|bits| 1_u32 << bits);
        let mut set = Self::set(Parameters::new(origin, side, room, polygons));
        set.tiles = tiles;
        Ok(set)
    }
}
