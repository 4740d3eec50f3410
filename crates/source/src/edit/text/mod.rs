//! The "Selected Nav Areas" text, by which the game's editor carries areas from one mesh to another.
//! `docs/formats/source-edit.md`, section 6.

mod keyvalues;
mod read;
mod write;

pub use read::{SelectedAreas, TextArea, TextLadder};
pub use write::Exported;
