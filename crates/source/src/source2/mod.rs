//! Meshes of Source 2 (versions 30 to 36): polygons instead of rectangles, one area per polygon and hull.
//!
//! Confirmed on 4 files of version 30 and 2 of version 35 (up to their KV3 block, which runs to the end of the file and
//! is handed out as bytes). Versions 31 to 34 follow the same gates; no real file was seen. Version 36 is accepted only
//! if its KV3 blocks can be passed over and everything ends where the file ends. `docs/formats/source.md`, section 11.
//!
//! | gate | part | here |
//! |---|---|---|
//! | from 36 | KV3 block | [`Source2Nav::first_block`] |
//! | from 31 | shared vertices, polygons | [`Source2Nav::vertices`], [`Source2Nav::polygon`] |
//! | from 32 | a number, 0 in every file | [`Source2Nav::unknown_after_polygons`] |
//! | from 35 | movable meshes | [`Source2Nav::movable_meshes`] |
//! | from 36 | KV3 block | [`Source2Nav::second_block`] |
//! | all | areas | [`Source2Nav::areas`] |
//! | all | ladders, boxes, generation parameters | [`Source2Nav::after_areas`] |
//! | from 36 | KV3 block | [`AfterPolygonAreas::third_block`] |
//! | sub-version above 0 | KV3 block: game data | [`AfterPolygonAreas::game_data`] |

mod after;
mod area;
mod buf;
mod check;
mod dump;
#[cfg(feature = "edit")]
pub mod edit;
mod file;
mod graph;
mod index;
mod info;
mod iter;
mod kv3;
mod layout;
mod params;
mod record;
mod survey;
mod view;
mod write;

pub use after::AfterPolygonAreas;
pub use area::{Edges, PolygonArea};
pub use buf::{Outline, PolygonAreaBuf, PolygonBuf, Source2Buf};
pub use graph::Source2Graph;
#[doc(hidden)]
pub use graph::Source2Graph as Graph;
pub use index::PolygonAreaIndex;
pub use iter::PolygonAreas;
pub use kv3::Kv3Block;
pub use layout::{MovableMesh, MovableMeshes, Polygon};
pub use params::{GenerationParameters, Hull};
pub use record::{EdgeLink, UnknownBox, WideLadder};
pub use view::Source2Nav;

pub(super) use view::head;
