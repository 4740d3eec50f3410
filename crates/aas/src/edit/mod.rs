//! Edits areas and reachabilities by commands, with undo.
//!
//! An [`edit::Session`](navmap_core::edit::Session) drives an [`AasEditor`]. What can be changed is what the compiler does not have
//! to work out again: times, kinds and ends of reachabilities, who may take them, whether an area is disabled, what it holds. Areas,
//! planes and the tree stay, and so do clusters and portals: a reachability that would join two clusters is refused.
//!
//! The items of a session are the areas that the graph has as nodes; any other area can be named by its number. A reachability is
//! named by the areas that it joins, and by its number among those that join the same two, from 1: `--nth 2`. Where some were taken
//! out or added, the file that is written has the others one behind the other, and the runs of all areas begin accordingly.
//!
//! ```text
//! flag disabled #12; unflag do_not_enter #3
//! set_link #2 #3 --nth 2 Time=900
//! set_links all --kind rocket_jump Kind=invalid
//! connect #2 #7 Kind=jump Start=120,60,24 End=120,140,24 Time=80
//! disconnect #2 #4 --one-way
//! ```

mod between;
mod commands;
mod editor;
mod format;
mod front;
mod order;
mod values;

pub use between::AasVersion;
pub use editor::{AasEditor, Noted};
