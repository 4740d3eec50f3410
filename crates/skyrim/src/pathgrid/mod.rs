//! Path grids: `PGRD` records in plugins of Morrowind (`TES3`) and Oblivion (`TES4`), the games before navmeshes.
//!
//! A grid belongs to a cell: points, and links between them. Morrowind stores a link at both of its points, Oblivion once; either
//! way it is walked both ways. A point of an exterior cell of Morrowind is relative to the corner of its cell, of 8,192 units; all
//! else is in coordinates of the worldspace or of the interior cell. Oblivion also has links into the grid of a neighbouring
//! cell, by the position of the point there. Units and axes are those of the later games: 64 to a yard, z up.
//!
//! The containers are older forms of the later one: heads of records of 16 and of 20 bytes instead of 24, no groups in Morrowind, and
//! sizes of fields of four bytes there. `docs/formats/skyrim.md`, section 12.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::bytes::Scratch;
//! use navmap::format::skyrim::pathgrid::GridPlugin;
//!
//! let bytes = std::fs::read("corpus/pathgrid/tes3.esp")?;
//! let plugin = GridPlugin::parse(&bytes, &navmap::Limits::default())?;
//! let (mut scratch, mut points) = (Scratch::new(), 0);
//! for record in plugin.grids() {
//!     if let Some(grid) = record?.grid(&mut scratch)? {
//!         points += grid.len();
//!     }
//! }
//! assert_eq!(points, 15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod dump;
mod file;
mod graph;
mod info;
mod iter;
mod record;
mod view;

pub use graph::GridGraph;
pub use iter::{GridRecord, GridRecords, GridSpace};
pub use record::{
    ForeignLink, Hedr3, MorrowindData, MorrowindPoint, OblivionPoint, Pair, RecordHeader3, RecordHeader4,
};
pub use view::{GridGame, GridLink, GridPlugin, GridPoint, PathGrid};
