//! Generates a mesh from the map alone, as the games' `nav_generate` does.
//!
//! The map is explored step by step, 25 units at a time, from where players begin; areas are laid over the points that
//! were found, linked, joined and cut until they are nearly square. `docs/formats/source-generate.md` tells the rules and
//! how far the result agrees with the meshes that games have made.
//!
//! ```
//! use navmap::format::source::generate::{Game, Options, generate};
//! # #[cfg(feature = "bsp")] {
//! use navmap::bsp::BspMap;
//!
//! # let bytes = navmap_testkit::bsp::gold(&[vec![navmap_testkit::bsp::Brush::solid([-256.0, -256.0, -16.0], [256.0, 256.0, 0.0])]], "{ \"classname\" \"worldspawn\" }");
//! let map = BspMap::parse(&bytes)?;
//! let mut options = Options::new(Game::ConditionZero);
//! options.seeds = vec![[0.0, 0.0, 36.0]];
//! let (mesh, report) = generate(&map, &options)?;
//! assert!(report.nodes > 300 && !mesh.areas.is_empty());
//! # }
//! # Ok::<(), navmap::Error>(())
//! ```
//!
//! [`extend`] does the same into a mesh that is there already, as `nav_generate_incremental`: it covers ground that has no
//! area yet, and links it with the areas beside it.

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
pub use onto::add_ladders;
#[doc(hidden)]
pub use onto::is_stairs;
pub use options::{Game, Options, Progress, Stage, Within};
pub use report::Report;
pub use run::generate;
pub use terrain::{Floor, Terrain, Way};
