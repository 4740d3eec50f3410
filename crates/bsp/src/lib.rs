//! Maps of GoldSrc (BSP 30) and Source (VBSP 17 to 21): lines and boxes traced through the solid world, contents at a point,
//! entities, and the compiler's visibility.
//!
//! A map is read into owned tables whose indices are all checked once, so that a trace neither checks again nor goes astray. X is
//! east, Y is **south** (as in a mesh), Z is up; a unit is a Hammer unit.
//!
//! ```
//! use navmap::bsp::{BspMap, Contents};
//!
//! # let bytes = navmap_testkit::bsp::source_boxes(&[([0.0, 0.0, -16.0], [512.0, 512.0, 0.0])]);
//! let map = BspMap::parse(&bytes)?;
//! let trace = map.line([100.0, 100.0, 64.0], [100.0, 100.0, -64.0], Contents::SOLID);
//! assert_eq!(trace.normal, [0.0, 0.0, 1.0]);
//! assert!((trace.end[2] - 0.0).abs() < 0.1);
//! # Ok::<(), navmap::Error>(())
//! ```
//!
//! | lump | GoldSrc | Source |
//! |---|---|---|
//! | entities | 0 | 0 |
//! | planes | 1 | 1 |
//! | nodes | 5 | 5 |
//! | leaves | 10 | 10 |
//! | models | 14 | 14 |
//! | brushes, their sides, those of a leaf | none | 18, 19, 17 |
//! | visibility | 4 | 4 |
//!
//! A map of GoldSrc has no brushes: the tree itself is solid or not, so only lines can be traced through it. Lumps that Valve
//! packed with LZMA are unpacked, within [`Limits`](navmap_core::Limits). Static props get their shapes from models outside of
//! the map, or in its own archive: traces hit those given to [`BspMap::add_models`] and pass through the others, which
//! [`BspMap::solid_props`] counts.
//!
//! Of a map of Quake III only what stands in it is read, as polygons: [`Quake3Map`].

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

mod brush;
mod budget;
mod contents;
mod displacement;
mod entity;
mod faces;
mod games;
mod geometry;
mod gold;
mod lumps;
mod map;
mod patch;
mod phy;
mod placed;
mod plan;
mod props;
mod pvs;
mod quake3;
mod shapes;
mod sight;
mod site;
mod solids;
mod source;
mod spent;
mod terrain;
mod trace;
mod tree;
mod triangle;
mod winding;

pub use contents::Contents;
pub use entity::{Entities, Entity};
pub use lumps::{Engine, Lumps};
pub use map::BspMap;
pub use plan::{Floor, FloorPlan, Wall};
pub use pvs::Pvs;
pub use quake3::Quake3Map;
pub use spent::{ALL_TRACES, LONG_TRACES};
pub use trace::Trace;
