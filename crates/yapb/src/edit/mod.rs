//! Edits waypoints by commands, with undo.
//!
//! An [`edit::Session`](navmap_core::edit::Session) drives a [`YapbEditor`], of either form of file. A node keeps its number for as
//! long as the session lasts; where nodes were deleted, the file that is written numbers the others anew. Links are one way each,
//! eight a node at most, and have a length that the bot searches with: it is measured when a link is made, and again where one of
//! its ends is moved.
//!
//! ```text
//! connect #3 #5 --both
//! connect #4 #9 --jump Velocity=180,0,262
//! flag camp,sniper #7; set #7 Radius=0 CampStart=0,90,0
//! add 128,64,36 Flags=goal Radius=32
//! delete isolated
//! ```

mod between;
mod commands;
mod editor;
mod format;
mod front;
mod values;

pub use between::YapbVersion;
pub use editor::YapbEditor;
