//! Edits a file with the commands of the game's own editor: every verb of its console, with undo.
//!
//! An [`edit::Session`](navmap_core::edit::Session) drives a [`SourceEditor`]. Operands are in the game's order: first those that
//! a mapper would have marked, then those under the cursor.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::edit::{Editor, SessionOptions, Session};
//! use navmap::format::source::edit::SourceEditor;
//! use navmap::format::source::{SourceBuf, SourceNav};
//!
//! let bytes = std::fs::read("corpus/source/town.nav")?;
//! let mesh = SourceBuf::read(&SourceNav::parse(&bytes)?)?;
//! let mut session = Session::new(SourceEditor::new(mesh)?, SessionOptions::default());
//! session.line("nav_mark_attribute crouch all").unwrap();
//! assert!(session.editor().encode()? != bytes);
//! session.line("undo").unwrap();
//! assert!(session.editor().encode()? == bytes);
//! # Ok::<(), navmap::Error>(())
//! ```
//!
//! Commands that need the map (for ground, climbing, visibility) use the [`Site`] given with [`SourceEditor::set_map`]; without
//! one they say that they need the map.
//!
//! Where the game's editor has a bug, the commands do what was intended.
//! [`SessionOptions::game_exact`](navmap_core::edit::SessionOptions::game_exact) repeats the bug.

mod analysis;
mod between;
mod bulk;
mod change;
mod chop;
mod clean;
mod corners;
mod differences;
mod editor;
mod effects;
mod exact;
mod exchange;
mod format;
mod incoming;
mod join;
mod ladders;
mod links;
mod marks;
mod merge;
mod misc;
mod overlap;
mod recut;
mod renumber;
mod replaced;
mod save;
mod select;
mod sets;
mod sight;
mod site;
mod state;
mod stored;
mod structure;
mod suggest;
pub mod text;
mod verbs;
mod world;

use super::{geometry, grid};

pub use between::difference;
pub use change::Change;
pub use editor::SourceEditor;
pub use merge::merge;
pub use misc::Consistency;
pub use recut::{Cut, script};
pub use site::{Ground, Site};
pub use state::Item;
