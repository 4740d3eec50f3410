//! What the families share, written once: no family names another.

#![forbid(unsafe_code)]

mod foreign;

pub(crate) use foreign::has_extension;
pub use foreign::not_mesh;
