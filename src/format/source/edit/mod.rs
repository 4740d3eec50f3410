//! The commands of the game's own editor, on a file: every verb of its console, with undo.
//!
//! [`SourceEditor`] is what [`edit::Session`](crate::edit::Session) drives. Operands stand in the game's order: first
//! what would be marked, then what would be under the cursor.
//!
//! ```
//! use navmap::edit::{Editor, Options, Session};
//! use navmap::format::source::edit::SourceEditor;
//! use navmap::format::source::{SourceBuf, SourceNav};
//!
//! let bytes = std::fs::read("corpus/source/town.nav")?;
//! let mesh = SourceBuf::read(&SourceNav::parse(&bytes)?)?;
//! let mut session = Session::new(SourceEditor::new(mesh)?, Options::default());
//! session.line("nav_mark_attribute crouch all").unwrap();
//! assert!(session.editor().encode()? != bytes);
//! session.line("undo").unwrap();
//! assert!(session.editor().encode()? == bytes);
//! # Ok::<(), navmap::Error>(())
//! ```
//!
//! What the game does otherwise, where it slips, is done with [`Options::game_exact`](crate::edit::Options::game_exact).

#![forbid(unsafe_code)]

mod change;
mod chop;
mod corners;
mod editor;
mod effects;
mod geometry;
mod grid;
mod join;
mod ladders;
mod links;
mod marks;
mod misc;
mod renumber;
mod save;
mod select;
mod sets;
mod state;
mod structure;
mod verbs;
mod world;

pub use change::Change;
pub use editor::SourceEditor;
pub use misc::Consistency;
pub use state::Item;
