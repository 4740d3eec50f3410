//! Fox Engine `.nav2`: Metal Gear Solid V and Metal Gear Survive.
//!
//! A file is one **tile** of a map, 128 m on a side (or one part of a split tile, or a small map of its own). It holds
//! **groups**. Group 4 is the body. Groups 0 to 3 are strips a tenth of a metre wide along the sides, which join the tile to its
//! neighbours. The body of a split tile continues in group 5 of a second file. A group has four entries:
//!
//! | entry | view | what it is |
//! | --- | --- | --- |
//! | NavWorld | [`NavWorld`] | the graph: a node at the midpoint of every side of every face, links over edges |
//! | NavmeshChunk | [`NavmeshChunk`] | vertices and faces |
//! | SegmentChunk | [`SegmentChunk`] | which vertices, faces, edges and nodes are a **segment**'s |
//! | SegmentGraph | [`SegmentGraph`] | the coarse graph, one node a segment |
//!
//! Besides its groups a file has up to three [`IslandGraph`]s and one [`SearchSpace`]. Positions are quantised to 16 bits in a
//! [`Frame`], with y up.
//!
//! Records of fixed size are slices in place. Faces, node links and listings vary in length and are walked. [`TileSet`]
//! opens a whole map.
//!
//! ```
//! use navmap::format::fox::{Adjacent, FoxNav};
//!
//! let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/fox/standalone.nav2"));
//! let nav = FoxNav::parse(bytes)?;
//! let (frame, mut faces, mut border) = (nav.frame(), 0, 0);
//! for group in nav.groups() {
//!     let group = group?;
//!     for face in group.faces() {
//!         let face = face?;
//!         let vertices = group.mesh().vertices();
//!         let corners = face.corners.as_slice().iter().map(|vertex| frame.world(&vertices[usize::from(*vertex)]));
//!         assert!(corners.into_iter().all(|[x, _, z]| (-128.0..=0.0).contains(&x) && (-128.0..=0.0).contains(&z)));
//!         border += (0..3).filter(|side| face.face.across(*side) == Some(Adjacent::Border)).count();
//!         faces += 1;
//!     }
//! }
//! // Six by six squares but one, two triangles each; a square hole inside a square rim.
//! assert_eq!((faces, border), (70, 4 * 6 + 4));
//! # Ok::<(), navmap::Error>(())
//! ```
//!
//! The layout is that of `VERSION` 201403242, verified on 81 files of the games to the last byte and on 6 of Obj2Nav2.
//! Source: `docs/formats/fox.md`.

#![cfg_attr(not(feature = "edit"), allow(dead_code, unused_imports))] // what editors alone call

mod buf;
mod build;
mod check;
pub(crate) mod codes;
mod dump;
#[cfg(feature = "edit")]
pub mod edit;
mod file;
mod flags;
mod geometry;
mod graph;
mod info;
mod iter;
mod locate;
pub mod record;
mod survey;
mod tileset;
mod view;
mod ways;
mod write;

pub use buf::{
    BucketBuf, FaceBuf, FaceList, FoxBuf, GroupBuf, HeadBuf, IslandBuf, IslandGraphBuf, LayoutKind,
    ListingBuf, MeshBuf, NodeBuf, SearchBuf, SegmentGraphBuf, SegmentNodeBuf, WorldBuf,
};
pub use build::{ATTRIBUTE, BuildOptions, BuildReport, BuiltTile, Crowded};
pub use file::{head, recognise};
pub use flags::{EntryKind, Side, TILE_SIDE};
pub use geometry::{Geometry, Weld};
pub use graph::FoxGraph;
#[doc(hidden)]
pub use graph::FoxGraph as Graph;
pub use iter::{Faces, GroupFaces, Groups, IslandGraphs, SegmentFaces, SegmentViews};
pub use locate::Located;
pub use navmap_core::format::SetFinding;
pub use record::{FaceIndex, GroupId, NodeIndex, Position, SegmentIndex, TileId};
pub use view::{
    Adjacent, ConnectTiles, Corners, Crossing, Entries, Entry, Face, FoxNav, Frame, Group, GroupFace,
    IslandGraph, IslandLinks, Listing, Listings, MOST_ENTRIES, NavWorld, NavmeshChunk, NodeLinks,
    OLDER_VERSION, SearchSpace, SegmentChunk, SegmentGraph, SegmentLinks, SegmentView, VERSION,
};
pub use ways::{SegmentWays, SideWays};

pub use tileset::{
    BorderLink, FaceRef, Layer, NodeRef, SetLinks, Tile, TileFile, TileSet, Unresolved, part_beside, part_of,
    parts_beside,
};
