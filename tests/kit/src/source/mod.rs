//! Meshes of GoldSrc, Source and Source 2: an owned model, its writer, a plain reader, and made-up levels.
//!
//! The writer and the reader follow the format's description and share no code with navmap or each other, so their agreement with
//! navmap's views is evidence.

mod files;
mod hostile;
mod level;
mod model;
mod read;
mod two;
mod write;

pub use files::files;
pub use level::{Shape, level};
pub use model::{Approach, Area, Ladder, Mesh, Path, Spot};
pub use read::read;
pub use two::{Area2, Mesh2, WideLadder, level2, write2};
pub use write::write;

/// A small mesh of Team Fortress 2, made for a map of `bsp_size` bytes.
pub fn small_for(bsp_size: u32) -> Vec<u8> {
    write(&Mesh { bsp_size, ..level(16, Some(2), &Shape::small(3)) })
}

/// Large and shaped like real play in Team Fortress 2: visibility lists are about 80 % of the bytes.
pub fn tf2_shaped() -> Vec<u8> {
    write(&level(16, Some(2), &Shape::play(2400, 5)))
}

/// Large and shaped like real play in CS:GO: encounter paths are about half of the bytes.
pub fn csgo_shaped() -> Vec<u8> {
    write(&level(16, Some(1), &Shape::play(4800, 6)))
}
