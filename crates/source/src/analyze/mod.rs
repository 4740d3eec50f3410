//! Analyses a mesh without the game, like its console command `nav_analyze`.
//!
//! Much of an analysis follows from the mesh alone: hiding spots, paths through areas, the compression of visibility lists, and
//! the earliest times of teams. The rest depends on what blocks a line, and needs a [`Map`]. [`analyze`] works with or without
//! one.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::format::source::analyze::{AnalyzeOptions, analyze};
//! use navmap::format::source::{SourceBuf, SourceNav};
//!
//! let bytes = std::fs::read("corpus/source/town.nav")?;
//! let mut mesh = SourceBuf::read(&SourceNav::parse(&bytes)?)?;
//! let report = analyze(&mut mesh, &AnalyzeOptions::default(), None)?;
//! assert!(report.done.iter().any(|done| done.what == "hiding spots" && done.after > 0));
//! let once = mesh.encode()?;
//! analyze(&mut mesh, &AnalyzeOptions::default(), None)?;
//! assert!(mesh.encode()? == once);
//! # Ok::<(), navmap::Error>(())
//! ```

mod approaches;
mod carry;
mod cells;
mod cover;
mod encounters;
mod look;
mod map;
mod phase;
mod places;
mod report;
mod rules;
mod run;
mod search;
mod spots;
mod times;
mod topology;
mod visibility;
mod work;

pub use map::{Map, Purpose, Trace};
pub use phase::{Phase, Progress};
pub use places::{flood_places, transfer_places};
pub use report::{Done, Report};
#[doc(hidden)]
pub use run::AnalyzeOptions as Options;
pub use run::{AnalyzeOptions, analyze};
pub use spots::Spots;
pub use times::Spawns;
pub use visibility::{Seen, VisibleSets};
pub use work::{LIMITS, STEPS};
