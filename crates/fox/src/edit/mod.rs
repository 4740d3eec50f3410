//! Edits a tile: attributes, islands, links between segments, faces, heights, its place on the map.
//!
//! An [`edit::Session`](navmap_core::edit::Session) drives a [`FoxEditor`]. Items are segments (`#4.17`: group and number),
//! faces (`F#4.120`), vertices (`V#4.12`) and islands (`I#3`).
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::edit::{Editor, SessionOptions, Session};
//! use navmap::format::fox::FoxBuf;
//! use navmap::format::fox::edit::FoxEditor;
//!
//! let bytes = std::fs::read("corpus/fox/standalone.nav2")?;
//! let mut session = Session::new(FoxEditor::new(FoxBuf::from_bytes(&bytes)?)?, SessionOptions::default());
//! session.line("attribute 0x0001 island(0)").unwrap();
//! assert!(session.editor().encode()? != bytes);
//! session.line("undo").unwrap();
//! assert!(session.editor().encode()? == bytes);
//! # Ok::<(), navmap::Error>(())
//! ```
//!
//! Only values affected by a command are recomputed; all others stay as in the file. `docs/fox-write.md`.

mod attributes;
mod between;
mod change;
mod compare;
mod delete;
mod editor;
mod format;
mod heights;
mod islands;
mod join;
mod numbers;
mod parts;
mod pieces;
mod place;
mod relink;
mod renew;
mod report;
mod select;

pub use between::difference;
pub use change::Change;
pub use editor::{FoxEditor, Item};
