//! Finds the meshes at a path, scans many of them, and holds one that a server may swap. Programs depend on
//! [navmap](https://docs.rs/navmap), which has all of this at the same paths.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub mod diff;
#[doc(hidden)]
pub mod open;
#[cfg(feature = "archive")]
#[doc(hidden)]
pub mod scan;
mod show;
#[doc(hidden)]
pub mod world;
