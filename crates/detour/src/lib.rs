//! Navigation meshes of Detour: sets, bare tiles, server maps, Respawn's and Unity's meshes. Tile caches are only described.
//!
//! A mesh is a grid of **tiles**. A tile is a head and nine sections of fixed records, and a container wraps one or
//! many of them:
//!
//! | container | dialects | who |
//! |---|---|---|
//! | set | `mset`, `mset-64`, `msat`, `kbe`, big-endian ones | RecastDemo and what is made with it, KBEngine |
//! | set version 5 | `respawn` | Titanfall 2: z up, links that are jumped or climbed |
//! | bare tile | `tile` | |
//! | map of a server | `mmtile`, `mmtile-ac`, `mmap`, `mmap-tc` | World of Warcraft: MaNGOS, AzerothCore, TrinityCore |
//! | tile cache | `tset`, `tsat`, `layer` | compressed layers, from which the engine builds tiles |
//! | serialized file | `unity` | Unity's `NavMeshData` |
//!
//! [`DetourNav`] walks the [`Tile`]s lazily. A tile hands out its [`Polygons`], vertices, detail meshes, [tree](BvNode) and
//! [off-mesh connections](OffMesh) as slices of records in place. References have 32 or 64 bits; no field says which, so it is
//! computed from the size of the tile. Stored links are left over from an engine's memory and not trusted: [`DetourGraph`] joins
//! polygons by their neighbours, by portals between tiles and by off-mesh connections, following the engine's rules.
//!
//! ```
//! use navmap::format::detour::{Across, DetourNav};
//!
//! let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/detour/set.navmesh"));
//! let nav = DetourNav::parse(bytes)?;
//! let mut walls = 0;
//! for entry in nav.tiles() {
//!     let tile = entry?.tile;
//!     for polygon in tile.polygons().iter().take(tile.ground()) {
//!         walls += (0..polygon.corners().len()).filter(|edge| polygon.across(*edge) == Some(Across::Wall)).count();
//!     }
//! }
//! assert!(walls > 0);
//! # Ok::<(), navmap::Error>(())
//! ```
//!
//! [`MapSet`] opens the tiles of a server's maps together and joins them.
//!
//! Source: `docs/formats/detour.md`, measured on 61,561 real tiles.

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

mod buf;
mod check;
pub(crate) mod codes;
mod dump;
#[cfg(feature = "edit")]
pub mod edit;
mod fastlz;
mod file;
mod graph;
mod grid;
mod ground;
mod head;
mod info;
mod iter;
mod layout;
mod mapset;
mod record;
mod survey;
mod swap;
mod tile;
mod tree;
mod unity;
mod view;
mod write;

pub use buf::{ConnectionsBuf, DetourBuf, LayerBuf, LinksBuf, PolygonsBuf, TileBuf, TrianglesBuf};
pub use file::head;
pub use graph::DetourGraph;
#[doc(hidden)]
pub use graph::DetourGraph as Graph;
pub use head::TileHead;
pub use iter::{Layer, Layers, TileEntry, TileIndex, Tiles};
pub use layout::{Dialect, Layout, Order, Refs, Section, TILE_MAGIC};
pub use mapset::{Map, MapSet};
pub use navmap_core::format::SetFinding;
pub use record::{
    Across, BvNode, CacheParameters, DetailMesh, LayerHead, Link, MapConnection, MapTileHead, OffMesh,
    Parameters, Poly, Polygon, RespawnOffMesh, RespawnPoly, TraverseLink, Triangle, UnityPoly, UnityTriangle,
    Vector, WideLink,
};
pub use tile::{Connections, Links, Polygons, Tile, Triangles};
#[doc(hidden)]
pub use tree::{Leaf, tree};
pub use unity::UnityMesh;
pub use view::{DetourNav, recognise};
