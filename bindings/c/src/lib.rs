//! navmap for C and C++: the functions of `include/navmap.h`, which is generated from this crate.
//!
//! The functions are for C; Rust code uses the crate `navmap`. `docs/c.md` is the manual.
//!
//! Each function is written inside `entries!`, which makes it `extern "C"`: pointers become safe wrappers that turn NULL into a
//! status, and panics are caught at the boundary. All unsafe code is in `door.rs`.

#![warn(missing_docs)]

#[macro_use]
#[allow(unsafe_code)] // the one file in which pointers are followed
mod door;

mod area;
mod check;
mod corridor;
mod crowd;
mod diff;
mod draw;
mod editor;
mod error;
mod filter;
mod findings;
mod give;
mod guard;
mod links;
mod live;
mod locate;
mod make;
mod map;
mod options;
mod overlay;
#[cfg(debug_assertions)]
mod provoke;
mod query;
mod regions;
mod scan;
mod slot;
mod status;
mod surface;
mod tactics;
mod text;
mod tiles;
mod turned;
mod world;

pub use area::*;
pub use check::*;
pub use corridor::*;
pub use crowd::*;
pub use diff::*;
pub use draw::*;
pub use editor::*;
pub use error::*;
pub use filter::*;
pub use findings::*;
pub use links::*;
pub use locate::*;
pub use make::*;
pub use map::*;
pub use options::*;
pub use overlay::*;
#[cfg(debug_assertions)]
pub use provoke::*;
pub use query::*;
pub use regions::*;
pub use scan::*;
pub use slot::*;
pub use status::*;
pub use surface::*;
pub use tactics::*;
pub use text::*;
pub use tiles::*;
pub use world::*;

/// A point in the axes and units of the file: `x`, `y`, `z`.
pub type Point = navmap::graph::Point;
