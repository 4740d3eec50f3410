//! Edits a graph of Source (version 37 or 41) by commands, with undo.
//!
//! An [`edit::Session`](navmap_core::edit::Session) drives a [`NodeGraphEditor`]. A node keeps its number for as long as the
//! session lasts: `#12` is the node that was twelfth when the file was opened, whatever was deleted before it. A link is named
//! by the two nodes that it joins, in either order. If links or nodes are added or removed, the zones are numbered again, as the
//! engine does.
//!
//! If the map is newer than the file, the engine makes the graph again from the nodes of the map, and edits are lost. So the file
//! must be newer than the map.
//!
//! ```text
//! delete isolated
//! connect #3 #5 jump --hulls human,tiny
//! moves #3 #4 none --hulls large
//! set #7 Yaw=90 HammerId=120; flag hull_large #7
//! ```
//!
//! A [`NodEditor`] changes the hints of a `.nod` file: `set hint(door) Hint=exit Yaw=90`.

mod commands;
mod editor;
mod format;
mod front;
mod nod;
mod select;
mod values;
mod world;

pub use editor::NodeGraphEditor;
pub use nod::{HintChange, NodEditor};
pub use world::Change;
