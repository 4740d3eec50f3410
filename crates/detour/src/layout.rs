//! Containers, versions and their layouts.

use super::record::{
    BvNode, DetailMesh, Link, OffMesh, Poly, RespawnOffMesh, RespawnPoly, TraverseLink, Triangle, UnityPoly,
    UnityTriangle, Vector, WideLink,
};

/// The magic of a tile, as it lies in a little-endian file.
pub const TILE_MAGIC: [u8; 4] = *b"VAND";

/// What wraps the tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// A set of RecastDemo, `MSET`.
    Set,
    /// The same with a box around all tiles, `MSAT`.
    BoundedSet,
    /// A set of KBEngine, without a magic.
    Kbe,
    /// A set of Respawn's games, `MSET` version 5.
    Respawn,
    /// One bare tile.
    Tile,
    /// One tile of a map of a World of Warcraft server, `.mmtile`.
    MapTile,
    /// The same for AzerothCore from version 19 on, with Recast's settings after the head.
    MapTileAc,
    /// Only the parameters of such a map, `.mmap`.
    Map,
    /// The same for TrinityCore, with a magic and off-mesh connections.
    MapTc,
    /// A set of compressed layers from which tiles are built, `TSET`.
    Cache,
    /// The same with a box around all tiles, `TSAT`.
    BoundedCache,
    /// One compressed layer.
    Layer,
    /// Unity's `NavMeshData` in a serialized file.
    Unity,
}

impl Dialect {
    /// `mset`, `msat`, `kbe`, `respawn`, `tile`, `mmtile`, `mmtile-ac`, `mmap`, `mmap-tc`, `tset`, `tsat`, `layer`, `unity`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Set => "mset",
            Self::BoundedSet => "msat",
            Self::Kbe => "kbe",
            Self::Respawn => "respawn",
            Self::Tile => "tile",
            Self::MapTile => "mmtile",
            Self::MapTileAc => "mmtile-ac",
            Self::Map => "mmap",
            Self::MapTc => "mmap-tc",
            Self::Cache => "tset",
            Self::BoundedCache => "tsat",
            Self::Layer => "layer",
            Self::Unity => "unity",
        }
    }

    /// A description for a person.
    pub fn title(self) -> &'static str {
        match self {
            Self::Set => "Detour set",
            Self::BoundedSet => "Detour set with bounds",
            Self::Kbe => "Detour set of KBEngine",
            Self::Respawn => "Detour set of Respawn",
            Self::Tile => "Detour tile",
            Self::MapTile => "Detour tile of a World of Warcraft server",
            Self::MapTileAc => "Detour tile of an AzerothCore server",
            Self::Map => "parameters of a map of Detour tiles",
            Self::MapTc => "parameters of a map of a TrinityCore server",
            Self::Cache => "Detour tile cache",
            Self::BoundedCache => "Detour tile cache with bounds",
            Self::Layer => "layer of a Detour tile cache",
            Self::Unity => "Unity NavMeshData",
        }
    }

    /// The game or server, if the dialect implies one.
    pub fn game(self) -> Option<&'static str> {
        Some(match self {
            Self::Kbe => "KBEngine",
            Self::Respawn => "Titanfall 2",
            Self::MapTile | Self::Map => "World of Warcraft (MaNGOS)",
            Self::MapTileAc => "World of Warcraft (AzerothCore)",
            Self::MapTc => "World of Warcraft (TrinityCore)",
            Self::Unity => "Unity",
            _ => return None,
        })
    }

    /// Whether it holds layers to build tiles from, instead of tiles.
    pub fn is_cache(self) -> bool {
        matches!(self, Self::Cache | Self::BoundedCache | Self::Layer)
    }

    /// Whether it holds all tiles of a mesh, so that a portal without a partner leads nowhere. A single tile does not.
    pub fn is_whole(self) -> bool {
        !matches!(self, Self::Tile | Self::MapTile | Self::MapTileAc)
    }
}

/// How wide references are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refs {
    /// 32 bits: a link has 12 bytes.
    Narrow,
    /// 64 bits: a link has 16 bytes.
    Wide,
}

impl Refs {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Narrow => Self::Wide,
            Self::Wide => Self::Narrow,
        }
    }
}

/// The order of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// Little-endian, as in every real file seen.
    Little,
    /// Big-endian. Such a file is byte-swapped in memory once.
    Big,
}

/// The layout of a tile, by its version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Version 6: no layer.
    V6,
    /// Version 7, the stock one.
    V7,
    /// Version 13, Respawn's.
    V13,
    /// Version 16, Unity's.
    V16,
}

/// The sections of a tile, in file order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Section {
    /// Vertices.
    Vertices,
    /// Polygons.
    Polygons,
    /// The map of polygons of version 13; empty in all real files.
    Map,
    /// Links.
    Links,
    /// Detail meshes, one for each ground polygon.
    Details,
    /// Detail vertices.
    DetailVertices,
    /// Detail triangles.
    Triangles,
    /// Nodes of the tree.
    Tree,
    /// Off-mesh connections.
    OffMesh,
}

impl Section {
    /// All of them, in file order.
    pub const ALL: [Self; 9] = [
        Self::Vertices,
        Self::Polygons,
        Self::Map,
        Self::Links,
        Self::Details,
        Self::DetailVertices,
        Self::Triangles,
        Self::Tree,
        Self::OffMesh,
    ];
}

impl Layout {
    /// The layout of a version; `None` if it is unknown.
    pub fn for_version(version: u32) -> Option<Self> {
        Some(match version {
            6 => Self::V6,
            7 => Self::V7,
            13 => Self::V13,
            16 => Self::V16,
            _ => return None,
        })
    }

    /// Every layout, the stock one first.
    pub const ALL: [Self; 4] = [Self::V7, Self::V6, Self::V13, Self::V16];

    /// Bytes of the head.
    pub fn head_len(self) -> usize {
        match self {
            Self::V6 => 96,
            Self::V7 => 100,
            Self::V13 => 104,
            Self::V16 => 72,
        }
    }

    /// Whether z points up.
    pub fn z_up(self) -> bool {
        self == Self::V13
    }

    /// Bytes of a record of a section.
    pub fn record_len(self, section: Section, refs: Refs) -> u64 {
        let len = match (section, self) {
            (Section::Vertices | Section::DetailVertices, _) => size_of::<Vector>(),
            (Section::Polygons, Self::V13) => size_of::<RespawnPoly>(),
            (Section::Polygons, Self::V16) => size_of::<UnityPoly>(),
            (Section::Polygons, _) => size_of::<Poly>(),
            (Section::Map, _) => 4,
            (Section::Links, Self::V13) => size_of::<TraverseLink>(),
            (Section::Links, _) => match refs {
                Refs::Narrow => size_of::<Link>(),
                Refs::Wide => size_of::<WideLink>(),
            },
            (Section::Details, _) => size_of::<DetailMesh>(),
            (Section::Triangles, Self::V16) => size_of::<UnityTriangle>(),
            (Section::Triangles, _) => size_of::<Triangle>(),
            (Section::Tree, _) => size_of::<BvNode>(),
            (Section::OffMesh, Self::V13) => size_of::<RespawnOffMesh>(),
            (Section::OffMesh, _) => size_of::<OffMesh>(),
        };
        len as u64
    }
}
