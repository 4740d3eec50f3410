//! What the families share, written once: no family names another.

#![forbid(unsafe_code)]

mod foreign;
#[cfg(feature = "source")]
pub(in crate::format) mod ids;

pub(crate) use foreign::has_extension;
pub use foreign::not_mesh;
