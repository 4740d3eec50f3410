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

#[cfg(any(feature = "source", feature = "quake", feature = "fox", feature = "skyrim"))]
mod any;
mod common;
mod family;
pub(crate) mod file;
#[cfg(any(feature = "source", feature = "quake", feature = "fox", feature = "skyrim"))]
mod with_graph;

#[cfg(any(feature = "source", feature = "quake", feature = "fox", feature = "skyrim"))]
pub use any::{AnyNav, Options};
#[cfg(any(feature = "fox", feature = "cli"))]
pub(crate) use common::has_extension;
pub use common::not_mesh;
pub use family::{Family, Kind};
#[cfg(any(feature = "source", feature = "quake", feature = "fox", feature = "skyrim"))]
pub use with_graph::GraphTask;
