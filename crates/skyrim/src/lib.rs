//! Skyrim navmeshes, and those of its relatives: NVNM fields inside Bethesda plugins.
//!
//! A plugin (`.esp`, `.esm`, `.esl`) is a file header followed by nested groups of records. A navmesh is a `NAVM` record among
//! the temporary children of a cell. Its field `NVNM` has the geometry: vertices, triangles, links from edges to other meshes,
//! triangles under doors, cover, and a grid for finding triangles. One `NAVI` record has a map of all meshes for the path search
//! between cells.
//!
//! | game | NVNM | read | confirmed on real files |
//! |---|---|---|---|
//! | Skyrim LE, SE, AE, VR | 12 | yes | 9,689 fields |
//! | Fallout 4 | 15 | yes | 89 fields |
//! | Fallout 76 | 15 | as Fallout 4 | none seen |
//! | Starfield | 17 | yes | 275 fields |
//! | Fallout 3, New Vegas | separate fields | experimental | none could be had |
//! | Oblivion, Morrowind | path grids instead: [`pathgrid`] | yes | 5 files |
//!
//! Coordinates are game units, z up. Exterior meshes are in coordinates of the worldspace (a cell is 4,096 units square),
//! interior ones in those of their cell. Triangles wind counter-clockwise seen from above. The owner byte of a FormID is an index
//! into the masters of its plugin: see [`Plugin::origin`].
//!
//! In Fallout 4 and later a base object may have a navmesh too, in its own coordinates: [`Plugin::base_objects`].
//!
//! **What is zero-copy and what is not.** The walk over groups and records is zero-copy, and so are meshes in uncompressed
//! records ([`NavmRecord::mesh_in_place`]). The Creation Kit compresses every live navmesh, and compressed data has to be
//! inflated. This happens one record at a time, into a reused buffer ([`NavmRecord::mesh`]). The inflated bytes are again read in
//! place.
//!
//! ```
//! use navmap::bytes::Scratch;
//! use navmap::format::skyrim::{Edge, Plugin};
//!
//! let bytes = include_bytes!("../../../corpus/skyrim/se/village.esp");
//! let plugin = Plugin::parse(bytes, &navmap::Limits::default())?;
//! let mut scratch = Scratch::new();
//! let mut borders = 0;
//! for navm in plugin.navmeshes() {
//!     let navm = navm?;
//!     if let Some(mesh) = navm.mesh(&mut scratch)? {
//!         println!("{} in {:?}: {} triangles", navm.form_id(), mesh.parent(), mesh.triangles().len());
//!         let edges = mesh.triangles().iter().flat_map(|triangle| triangle.edges());
//!         borders += edges.filter(|edge| *edge == Edge::Border).count();
//!     }
//! }
//! assert_eq!(borders, 87);
//! # Ok::<(), navmap::Error>(())
//! ```

#![cfg_attr(not(feature = "edit"), allow(dead_code, unused_imports))] // what editors alone call

mod buf;
mod build;
mod change;
mod check;
pub(crate) mod codes;
mod derive;
mod dump;
#[cfg(feature = "edit")]
pub mod edit;
mod fallout3;
mod fields;
mod file;
#[cfg(feature = "edit")]
pub mod fix;
mod flags;
mod flat;
mod form;
mod graph;
mod groups;
mod held;
mod info;
mod iter;
mod journey;
mod loadorder;
mod mapbuf;
#[cfg(feature = "edit")]
pub mod model;
mod most;
mod navi;
mod navm;
mod object;
mod offsets;
mod owners;
mod parallel;
mod parts;
pub mod pathgrid;
mod places;
mod plugin;
mod precut;
pub mod record;
mod renumber;
mod rewrite;
mod space;
mod survey;
mod text;
mod view;
mod walk;
mod write;

pub use buf::{CoverBuf, DoorBuf, GridBuf, LinkBuf, NavMeshBuf, TriangleBuf};
pub use change::TriangleMap;
pub use derive::{cell_size, divisor_for};
pub use fields::{Field, Fields};
pub use file::{head, is_payload, is_plugin, recognise};
pub use flags::{CoverFlags, GroupKind, LinkKind, MapFlags, RecordFlags, TriangleFlags};
pub use form::{FormId, Tag};
pub use graph::SkyrimGraph;
#[doc(hidden)]
pub use graph::SkyrimGraph as Graph;
pub use info::print_records;
pub use iter::{Cover, DoorTriangles, EdgeLinks, Grid, GridLists, TriangleRef, Triangles, Vertices};
pub use journey::{OrderGraph, OrderMeshes, OrderSpace};
pub use loadorder::{GlobalId, LoadOrder};
pub use mapbuf::{IslandBuf, MapEntryBuf};
pub use navi::{Island, MapEntries, MapEntry, NavMap, PreferredPaths};
pub use navm::{NavmRecord, NavmRecords};
pub use object::{BaseObject, BaseObjects};
pub use owners::Origin;
pub use parts::{PartGraph, Parts};
pub use pathgrid::GridPlugin;
pub use plugin::{Game, Plugin, Scale};
pub use record::{CoverEnd, Edge, Parent, TriangleIndex};
pub use renumber::Renumbered;
pub use rewrite::{Changes, NewRecord};
pub use space::SpaceId;
pub use text::decode_text;
#[doc(hidden)]
pub use text::name_key;
pub use view::NavMesh;
#[doc(hidden)]
pub use walk::RecordPlace as Place;
pub use walk::{Record, RecordPlace, Records};
