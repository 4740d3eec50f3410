//! Edits a graph, binary or navjson, by commands that name its parts by their paths in navjson, with undo.
//!
//! An [`edit::Session`](navmap_core::edit::Session) drives a [`QuakeEditor`]. A node keeps its number for the whole session:
//! `Nodes[12]`, or `#12` in a selector, is the node that was number 12 when the file was opened, even if nodes before it were
//! deleted. A link is named by the node that it leads to: `Nodes[12].Links[15]`. Of several links to one node, `Links[15:1]` is
//! the second.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::edit::{Editor, SessionOptions, Session};
//! use navmap::format::quake::QuakeNav;
//! use navmap::format::quake::edit::QuakeEditor;
//!
//! let bytes = std::fs::read("corpus/quake/nav3-v6.nav")?;
//! let nav = QuakeNav::parse(&bytes)?;
//! let mut session = Session::new(QuakeEditor::of_nav(&nav, &bytes)?, SessionOptions::default());
//! session.line("set Nodes[3] Radius=48; delete Nodes[0]; connect #3 #5 --both Type=LongJump").unwrap();
//! assert!(session.editor().encode()? != bytes);
//! session.line("undo all").unwrap();
//! assert!(session.editor().encode()? == bytes);
//! # Ok::<(), navmap::Error>(())
//! ```

mod between;
mod commands;
mod editor;
mod format;
mod near;
mod path;
mod select;
mod world;

pub use between::{difference, merge};
pub use editor::QuakeEditor;
pub use format::QuakeVersion;
pub use world::Change;
