//! The four families, and the one place that knows them all.

#![forbid(unsafe_code)]
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

#[cfg(feature = "fox")]
pub mod fox;
#[cfg(feature = "quake")]
pub mod quake;
#[cfg(feature = "skyrim")]
pub mod skyrim;
#[cfg(feature = "source")]
pub mod source;

mod any;
mod family;
mod with_graph;

pub use any::{AnyNav, Options};
pub use family::{Family, Kind, not_mesh};
pub use with_graph::GraphTask;
