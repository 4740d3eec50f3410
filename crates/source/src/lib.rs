//! Valve navigation meshes (`.nav`): GoldSrc, Source and Source 2.
//!
//! A mesh is a list of **areas**: rectangles seen from above with a height at each corner, joined over their four sides by
//! connections, and annotated for bots: hiding spots, encounter paths, visibility. X is east, Y is **south**, Z is up; a unit is
//! a Hammer unit (an inch). Everything is little-endian and packed without padding; areas vary in length, so they are walked.
//!
//! ```
//! use navmap::format::source::{Direction, SourceNav};
//!
//! let bytes = include_bytes!("../../../corpus/source/v16-2-tf2.nav");
//! let nav = SourceNav::parse(bytes)?;
//! assert_eq!((nav.version(), nav.subversion(), nav.game()), (16, Some(2), Some("Team Fortress 2")));
//!
//! let mut connections = 0;
//! for area in nav.areas() {
//!     let area = area?;
//!     let [north_west, ..] = area.corners();
//!     assert!(north_west.iter().all(|value| value.is_finite()));
//!     connections += area.connections(Direction::North).len();
//! }
//! assert_eq!(connections, 6);
//! # Ok::<(), navmap::Error>(())
//! ```
//!
//! # What is read
//!
//! | version | sub-version | written by | real files |
//! |---|---|---|---|
//! | 1, 2 | | pre-release Condition Zero | none seen |
//! | 3, 4, 5 | | Condition Zero, Counter-Strike 1.6 with bots | 213 |
//! | 6 to 8 | | Source in development | none seen |
//! | 9 | | Counter-Strike: Source | 46 |
//! | 10 to 14 | 0 | interim branches | none seen |
//! | 15 | 13 | Left 4 Dead, by inference | none seen |
//! | 16 | 0 | Garry's Mod, Half-Life 2: Deathmatch, mods of SDK 2013 | 143 |
//! | 16 | 1 | Counter-Strike: Global Offensive | 1,552 |
//! | 16 | 2 | Team Fortress 2 | 136 |
//! | 16 | 4 | Insurgency, by inference | none seen |
//! | 16 | 14 | Left 4 Dead 2 | 33 |
//! | 30 | 0 | SteamVR Home, Half-Life: Alyx | 4 |
//! | 31 to 34 | | Source 2 in between | none seen |
//! | 35 | 1 | Counter-Strike 2 | 2 |
//! | 36 | | Counter-Strike 2, Deadlock since 2026 | none seen |
//!
//! The sub-version belongs to the game: version and sub-version together determine the layout. An inferred layout, and an unknown
//! sub-version (which is tried as a stock mesh), is accepted only if it ends exactly where the file ends;
//! [`SourceNav::is_experimental`] reports it. Source 2, whose areas are polygons, has its own view, [`Source2Nav`], in
//! [`source2`].
//!
//! # An area
//!
//! | part | from version | getter |
//! |---|---|---|
//! | id, attributes (8, 16 or 32 bits), rectangle | 1 | [`Area::id`], [`Area::attributes`], [`Area::shape`] |
//! | four lists of neighbours | 1 | [`Area::connections`] |
//! | hiding spots | 1 as points, 2 | [`Area::hiding_spots`] |
//! | approach areas | 1 to 14, and CS:GO at the end | [`Area::approaches`] |
//! | encounter paths and the spots along them | 1 as points, 3 | [`Area::encounter_paths`] |
//! | place | 5 | [`Area::place`] |
//! | ladders | 7 | [`Area::ladders_up`], [`Area::ladders_down`] |
//! | earliest occupy times | 8 | [`Area::earliest_occupy_times`] |
//! | light | 11 | [`Area::light`] |
//! | spawn attributes | Left 4 Dead | [`Area::spawn_attributes`] |
//! | visible areas, inherited visibility | 16, Left 4 Dead | [`Area::visible_areas`] |
//! | TF attributes | Team Fortress 2 | [`Area::tf_attributes`] |
//!
//! # Cost
//!
//! Opening reads the header and the place directory. A walk reads the counts of an area and skips its lists; it prefetches every
//! line of the file once, at a fixed distance ahead. Nothing is allocated, whatever the counts claim: a count that exceeds the bytes
//! is an error at its byte. Reaching area *n* takes a walk over *n* areas; [`AreaIndex`] keeps four bytes per area for access by
//! position and by id, and for rayon (`par_iter`). Where encounter paths are most of a mesh, an index, a survey and a graph walk
//! with two cursors at once.
//!
//! # Oddities of real files
//!
//! Dangling ids in visibility, inherit and approach fields (CS:GO), meshes without areas (quick tools), connections to oneself,
//! and the end of an older, longer file after the mesh (GoldSrc opens the file without truncating it: 48 of 213) are not errors
//! here. [`check`](navmap_core::format::NavFile::check) reports them.

#![cfg_attr(not(feature = "edit"), allow(dead_code, unused_imports))] // what editors alone call

mod after;
#[cfg(feature = "edit")]
pub mod analyze;
mod area;
mod buf;
mod build;
mod check;
mod climb;
pub(crate) mod codes;
mod connections;
mod convert;
mod dump;
mod each;
#[cfg(feature = "edit")]
pub mod edit;
mod encounter;
mod encounters;
mod file;
mod flags;
#[cfg(feature = "edit")]
pub mod generate;
// what only an editor measures
mod geometry;
mod graph;
mod grid;
mod halves;
mod header;
mod index;
mod info;
mod iter;
mod layout;
mod lists;
mod odd;
mod rasterise;
mod record;
mod ruler;
mod slim;
pub mod source2;
mod survey;
mod tactics;
mod view;
mod write;

pub use after::AfterAreas;
pub use area::{Area, VisibleTarget};
pub use buf::{AreaBuf, HeadBuf, LadderBuf, SourceBuf};
pub use build::BuildOptions;
pub use connections::Connections;
pub use convert::TARGETS;
pub use encounter::{EncounterPath, EncounterPaths};
pub use encounters::EncounterList;
pub use file::head;
pub use flags::{
    Attributes, Direction, Extension, HidingSpotFlags, L4dAttributes, Source2Attributes, SpawnAttributes,
    TfAttributes, Traverse, Visibility,
};
pub use graph::SourceGraph;
#[doc(hidden)]
pub use graph::SourceGraph as Graph;
pub use header::{is_source_2, recognise};
pub use index::AreaIndex;
pub use iter::Areas;
pub use lists::{ListChange, changed_lists};
pub use odd::{KnownErrors, odd, odd_errors};
pub use record::LadderSlot;
pub use record::{
    Approach, AreaId, EncounterSpot, HidingSpot, HidingSpotId, Ladder, LadderId, OldEncounterSpot, OldLadder,
    Shape, Vec3, VisibleArea,
};
pub use slim::{Ballast, Weight};
pub use source2::{PolygonArea, PolygonAreaIndex, Source2Nav};
pub use view::{Place, Places, SourceNav};
