//! Edits Source 2 meshes by commands, with undo.
//!
//! An [`edit::Session`](navmap_core::edit::Session) drives a [`Source2Editor`]. Areas (`#12`) get other attributes and links and are
//! deleted, corners (`V#7`) are moved, ladders (`L#3`) lead elsewhere. Versions 30 to 36 are edited, with the blocks in which a game
//! keeps data of its own carried byte for byte: what would make them wrong is refused. No area is made, and none is cut.
//!
//! ```text
//! flag CROUCH,AVOID #12+#13
//! connect #12 #40 --both
//! move 0 0 8 #12
//! set V#7 At=128,64,-32
//! set L#3 TopForward=#40
//! ```

mod between;
mod commands;
mod delete;
mod editor;
mod format;
mod front;
mod links;
mod merge;
mod outlines;
mod select;
mod shape;
mod values;
mod version;

pub use between::Source2Version;
pub use editor::{Change, Item, Source2Editor};
