//! Edits waypoints by commands, with undo.
//!
//! An [`edit::Session`](navmap_core::edit::Session) drives an [`RcbotEditor`]. A waypoint's number is its place in the list, so
//! it never changes: one that is deleted keeps its slot, as the bot does it, and loses its links and those to it. A new one
//! comes last. Links are one way each.
//!
//! ```text
//! connect #3 #5 --both
//! flag sniper,defend #7; unflag crouch box(0,0,0,512,512,128)
//! add 128,64,32 Flags=health Yaw=90
//! delete isolated
//! ```

mod between;
mod commands;
mod editor;
mod format;
mod front;
mod values;

pub use between::RcbotVersion;
pub use editor::RcbotEditor;
