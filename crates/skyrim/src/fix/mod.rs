//! Repairs the navmeshes of a load order without the editor.
//!
//! [`FixPlan::new`] examines what the game uses: of every mesh the version of the last plugin that has it. It plans repairs of
//! deleted meshes, broken meshes, links that do not arrive or lack a link back, doors that their mesh does not list, and meshes
//! without an entry in the info map. Nothing is written. [`FixPlan::patch`] makes a plugin of overrides that loads last, so that
//! every fix is undone by removing it; [`FixPlan::plugin`] makes a new version of one plugin.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::format::skyrim::fix::{FixOptions, FixPlan};
//! use navmap::format::skyrim::{LoadOrder, Plugin};
//!
//! let files = ["Base.esm", "Patch.esp", "Rival.esp"];
//! let bytes = files.map(|name| std::fs::read(format!("corpus/skyrim/order/{name}")).unwrap());
//! let mut order = LoadOrder::new();
//! for (name, bytes) in files.iter().zip(&bytes) {
//!     order.push(*name, Plugin::parse(bytes, &Default::default())?);
//! }
//! let plan = FixPlan::new(&order, &FixOptions::default());
//! for deed in plan.deeds() {
//!     println!("{deed}");
//! }
//! let patch = plan.patch(false)?;
//! assert_eq!(Plugin::parse(&patch, &Default::default())?.masters().count(), 3);
//! # Ok::<(), navmap::Error>(())
//! ```

mod across;
mod carry;
mod conflicts;
mod deed;
mod doors;
mod entries;
mod flat;
mod identical;
mod joints;
mod look;
mod mend;
mod merge;
mod names;
mod output;
mod overrides;
mod patch;
mod plan;
mod prune;
mod rows;
mod screen;
mod space;
mod still;
mod stub;
mod verify;
mod world;

pub use conflicts::{Choice, Conflict, Outcome, Overrider};
pub use deed::{Deed, FixOptions, Repair};
pub use merge::{Clash, Differences, merge};
pub use plan::FixPlan;
