//! Generates a mesh from the map alone, as the games' `nav_generate` does.
//!
//! The map is explored in steps of 25 units, starting at the spawn points. Areas are laid over the points found, linked, joined
//! and cut until they are nearly square. `docs/formats/source-generate.md` has the rules, and how far the result agrees with
//! meshes made by games.
//!
//! ```
//! use navmap::format::source::generate::{Game, GenerateOptions, generate};
//! use navmap::bsp::BspMap;
//!
//! # let bytes = navmap_testkit::bsp::gold(&[vec![navmap_testkit::bsp::Brush::solid([-256.0, -256.0, -16.0], [256.0, 256.0, 0.0])]], "{ \"classname\" \"worldspawn\" }");
//! let map = BspMap::parse(&bytes)?;
//! let mut options = GenerateOptions::new(Game::ConditionZero);
//! options.seeds = vec![[0.0, 0.0, 36.0]];
//! let (mesh, report) = generate(&map, &options)?;
//! assert!(report.nodes > 300 && !mesh.areas.is_empty());
//! # Ok::<(), navmap::Error>(())
//! ```
//!
//! [`extend`] generates into an existing mesh, like `nav_generate_incremental`: it covers ground without areas, and links it with
//! the adjacent ones.

mod areas;
mod connect;
mod corners;
mod draft;
mod extend;
mod fences;
mod gold;
mod join;
mod ladders;
mod later;
mod nodes;
mod onto;
mod options;
mod report;
mod rules;
mod run;
mod sample;
mod steps;
mod terrain;
mod walk;

pub use extend::extend;
pub use nodes::NODES;
pub use onto::add_ladders;
#[doc(hidden)]
pub use onto::is_stairs;
#[doc(hidden)]
pub use options::GenerateOptions as Options;
pub use options::{Game, GenerateOptions, Progress, Stage, Within};
pub use report::Report;
pub use run::generate;
pub use terrain::{Floor, Terrain, Way};
