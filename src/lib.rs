//! Zero-copy readers for the navigation meshes of real games.
#![deny(unsafe_code)]

#[cfg(feature = "archive")]
pub mod archive;
pub mod bytes;
#[cfg(feature = "cli")]
pub mod cli;
pub mod error;
mod finding;
pub mod format;
pub mod graph;
mod limits;
mod mesh;
#[cfg(feature = "scan")]
pub mod scan;
pub mod text;

pub use error::{Error, ErrorKind, Result};
pub use finding::{Finding, Severity};
pub use format::{AnyNav, Family, Kind};
pub use limits::Limits;
pub use mesh::{Counts, Form, NavFile, Summary};
