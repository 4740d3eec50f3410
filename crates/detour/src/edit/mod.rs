//! Edits the polygons and off-mesh connections of tiles by commands, with undo.
//!
//! An [`edit::Session`](navmap_core::edit::Session) drives a [`DetourEditor`]. `#N` is the ground polygon with the id that all
//! doors print, number of the tile × 2^32 + number of the polygon; `C#N` is an off-mesh connection, counted through the file. Both
//! keep their names for as long as the session lasts. A tile in which a polygon was deleted, or a connection added, changed or
//! deleted, is written as Detour's builder would have made it without or with them: polygons and vertices numbered anew, their
//! neighbours, detail meshes and tree with them, and room for as many links as are needed. Links are left empty there: the engine
//! makes them when it adds a tile. All other tiles stay to the byte.
//!
//! ```text
//! set area(5) Area=0 Flags=1; flag 0x10 box(0,0,0,8,4,8)
//! delete #4294967296
//! connect 1,0,2 9,3,2 --both Radius=0.6 Area=5 Flags=8
//! set C#2 End=9,3,4; move 0 0 0.5 C#0; delete C#1
//! ```

mod between;
mod commands;
mod editor;
mod format;
mod front;
mod parts;
mod place;
mod rebuild;
mod select;
mod sound;
mod values;

pub use between::DetourVersion;
pub use editor::{Change, DetourEditor, Item};
