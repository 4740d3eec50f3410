//! The "Selected Nav Areas" text, with which the game's editor copies areas between meshes. `docs/formats/source-edit.md`,
//! section 6.

mod keyvalues;
mod read;
mod write;

pub use read::{SelectedAreas, TextArea, TextLadder};
pub use write::Exported;
