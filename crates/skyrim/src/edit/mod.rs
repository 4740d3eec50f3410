//! Edits the navmeshes of a plugin, or one NVNM field, by commands, with undo.
//!
//! An [`edit::Session`](navmap_core::edit::Session) drives a [`SkyrimEditor`]. A triangle is named by its mesh and its number
//! when the file was opened, regardless of later deletions: `0400091B#12`. In a field that stands alone it is `#12`.
//!
//! Derived values are computed when the file is written: bounds, grid, cover list, the mesh's entry in the info map and those of
//! linked meshes, and the triangles that doors and links of other meshes name. Values whose inputs did not change stay as stored.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::Limits;
//! use navmap::edit::{Editor, SessionOptions, Session};
//! use navmap::format::skyrim::Plugin;
//! use navmap::format::skyrim::edit::SkyrimEditor;
//!
//! let bytes = std::fs::read("corpus/skyrim/se/village.esp")?;
//! let editor = SkyrimEditor::of_plugin(&Plugin::parse(&bytes, &Limits::default())?)?;
//! let mut session = Session::new(editor, SessionOptions::default());
//! session.line("move 0 0 64 mesh(01000900); set water box(8192,-4096,-99,9000,-3000,99)").unwrap();
//! assert!(session.editor().encode()? != bytes);
//! session.line("undo all").unwrap();
//! assert!(session.editor().encode()? == bytes);
//! # Ok::<(), navmap::Error>(())
//! ```

mod between;
mod commands;
mod compare;
mod editor;
mod format;
mod joints;
mod save;
mod select;
mod slot;

pub use between::difference;
pub use editor::SkyrimEditor;
pub(crate) use slot::Slot;
pub use slot::{Change, Item};
